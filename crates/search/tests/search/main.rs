//! The search by its public interface.

mod midgame;
mod questions;
mod random;
mod searcher;
mod weights;
