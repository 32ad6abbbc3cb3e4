//! Search under both rules.
//!
//! What is here: the exact endgame solver and the table it remembers boards
//! in. What is not: rules (`isrever-board` has them), files, clocks and
//! printing; a search that must stop is told so by a flag, and what it has to
//! say goes to a callback.

mod solver;
mod table;

pub use solver::{
    Control, Goal, OrderWeights, Progress, Proof, Proofs, Settings, Solution, Solver, Techniques,
};
