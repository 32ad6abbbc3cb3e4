//! Positions for the tests of this crate.

pub(crate) use isrever_testkit::{position, positions};
