//! The search by its public interface.

mod midgame;
mod questions;
mod searcher;
mod weights;
