//! Judges of a club: they check submissions, play battles and review games.
//!
//! What is here: [`Judge`], which takes one job after the other from a club's
//! queue, and [`checked_case`], the finding of a usability test as plain data.
//! A judge may be killed at any time: another one does its job, and a result
//! that comes late is refused by the club. What is not: the club's file, and the
//! sandbox in which agents run.
//!
//! Linux only, because the sandbox is its kernel's. Elsewhere the crate is empty.

#![cfg(target_os = "linux")]

mod check;
mod judge;
mod listened;
mod play;
mod review;
mod speed;
mod watch;

pub use check::checked_case;
pub use judge::{Judge, News};
pub use speed::exercise;
