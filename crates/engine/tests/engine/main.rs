//! The search by its public interface.

mod midgame;
mod random;
mod solver;
mod weights;
