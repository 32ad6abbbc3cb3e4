//! The evaluation of positions on 6×6 and 8×8, by patterns: linear weights, or a network on top.
//!
//! What is here: the patterns, their indices, updated move by move, and weights
//! for both rules with their file format. What is not: search, fitting, files,
//! clocks and random numbers. No code here depends on the rule: only the
//! weights do, because they were fitted to scores of one rule.
//!
//! A [`Shape`] describes the patterns on boards of one size. A search holds a
//! board and its [`Indices`], updates both with each move, and calls
//! [`Weights::value`].

mod class;
mod deviations;
mod embedded;
mod feature;
mod file;
mod incremental;
mod indices;
mod linear;
mod network;
mod pages;
mod pattern;
mod shape;
mod weights;

pub use deviations::Deviations;
pub use feature::{MOVES, ODD_QUADRANTS};
pub use file::WeightsError;
pub use indices::Indices;
pub use network::{DIMENSIONS, Parameters};
pub use pages::prefer_large_pages;
pub use shape::Shape;
pub use weights::{DISC, Weights};
