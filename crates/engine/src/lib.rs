//! Search under both rules.
//!
//! What is here: the exact endgame solver and the table it remembers boards
//! in. What is not: rules (`isrever-board` has them), files, clocks and
//! printing; a search that must stop is told so by a flag, and what it has to
//! say goes to a callback or a counter.

mod player;
mod solver;
mod table;

pub use player::{Player, PlayerSettings, Thought, catalogue};
pub use solver::{
    Control, Finding, Findings, Goal, OrderWeights, Progress, Settings, Solution, Solver,
    Techniques,
};
