//! The work of the search threads.
//!
//! Each piece of work asks the questions of `isrever-search`, stops when the
//! pool says so, resumes where it was, and reports through an outbox or its
//! result.

pub(crate) mod analysis;
pub(crate) mod players;
pub(crate) mod proof;
pub(crate) mod puzzle;
pub(crate) mod review;
pub(crate) mod searchers;
