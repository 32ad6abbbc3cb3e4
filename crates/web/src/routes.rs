//! The routes, a file for each screen: their requests and answers. The work is in `search`.

#![allow(unused_qualifications, reason = "the macros of the description write more than is needed")]

pub(crate) mod analysis;
pub(crate) mod board;
pub(crate) mod book;
pub(crate) mod channel;
pub(crate) mod check;
pub(crate) mod club;
pub(crate) mod friends;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod play;
pub(crate) mod puzzles;
pub(crate) mod share;
pub(crate) mod tournaments;
pub(crate) mod watch;
