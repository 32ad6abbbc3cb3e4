//! Agents of other people, as games meet them: well behaved and broken ones.
//!
//! They need a Python with numpy; `cargo xtask test` installs one where there is none.

#![cfg(target_os = "linux")]

mod engines;
mod hosting;
mod places;
mod playing;
mod sandbox;
mod timing;
