//! Evaluates positions on 6×6 and 8×8 by patterns with fitted weights.
//!
//! What is here: the patterns, their indices that follow a game move by move,
//! and weights for both rules with the file that keeps them. What is not:
//! search, fitting, files, clocks and random numbers. No line here knows which
//! way round the game is played: the weights do, having been fitted to scores
//! of one rule.
//!
//! A [`Shape`] says what is looked at on boards of one size. A search holds a
//! board and its [`Indices`], updates both with each move, and asks
//! [`Weights::value`].

mod class;
mod embedded;
mod feature;
mod file;
mod indices;
mod pattern;
mod shape;
mod weights;

pub use file::WeightsError;
pub use indices::Indices;
pub use shape::Shape;
pub use weights::{DISC, Weights};
