//! The search by its public interface.

mod midgame;
mod parameters;
mod questions;
mod searcher;
mod weights;
