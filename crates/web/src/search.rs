//! What the pool's threads are given to think about.
//!
//! Everything here is stopped by a flag and can be taken up again, and tells
//! what it finds by an outbox or its result. The engine does the thinking.

pub(crate) mod analysis;
pub(crate) mod players;
pub(crate) mod proof;
pub(crate) mod puzzle;
pub(crate) mod review;
pub(crate) mod solvers;
