//! Programs of other people as agents: Python files in a sandbox, NBoard and GTP engines.
//!
//! What is here: [`Python`], the course's interface, with its time-outs; the
//! walls it runs behind ([`Policy`], [`Walls`]); the usability test
//! ([`check`]); [`Nboard`] and [`Gtp`]; and [`enter`], which enters all of them
//! into a catalogue. What is not: games and tournaments, which know agents by
//! their trait alone, and words for people.
//!
//! Linux only: the walls are its kernel's. Elsewhere the crate is empty.

#![cfg(target_os = "linux")]

mod captive;
pub mod check;
mod engine;
mod entries;
mod gtp;
mod interpreter;
mod lateness;
mod nboard;
mod python;
mod sandbox;

pub use engine::Command;
pub use entries::{Defaults, enter};
pub use gtp::Gtp;
pub use interpreter::{Interpreter, InterpreterError};
pub use nboard::Nboard;
pub use python::{Answer, Entry, LastWords, Python, PythonSettings, Source, SourceError};
pub use sandbox::{Layer, Policy, Walls};
