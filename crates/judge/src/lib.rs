//! Judges of a club: they check submissions, play battles and review games.
//!
//! What is here: [`Judge`], which takes jobs from a club's queue, one after the
//! other for this machine or as many as there are workers for a cluster;
//! [`Judging`], which does a job wherever it is; and [`checked_case`], the
//! finding of a usability test as plain data. A judge may be killed at any time:
//! another one does its job, and a result that comes late is refused by the club. What is not: the club's file, and the
//! sandbox in which agents run.
//!
//! Linux only, because the sandbox is its kernel's. Elsewhere the crate is empty.

#![cfg(target_os = "linux")]

mod assignment;
mod check;
mod judge;
mod judging;
mod listened;
mod play;
mod reply;
mod review;
mod speed;
mod watch;

pub use check::checked_case;
pub use judge::{Judge, News, Tell};
pub use judging::{Judging, Run};
pub use speed::exercise;
