//! The usability test of an own agent's file, as the server's owner provides it.
//!
//! What is here: what a test is asked and what it answers. What is not: the test
//! itself, which runs other people's programs and is given to the server.

use isrever_agent::AgentSpec;
use isrever_board::{Rule, Size};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use utoipa::ToSchema;

/// Tests the files of agents, board by board.
pub trait Checker: Send + Sync {
    /// Tests the agent of `spec` on boards of `size`, and passes each case to `each` as it comes,
    /// until that returns false. The flag ends the case that is in work.
    fn check(
        &self,
        spec: &AgentSpec,
        game: (Rule, Size),
        stop: &Arc<AtomicBool>,
        each: &mut dyn FnMut(CheckedCase) -> bool,
    ) -> Result<CheckTotal, String>;
}

/// A case of a test, and what came of it.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct CheckedCase {
    /// A short name that never changes.
    pub name: String,
    /// What is special about the board.
    pub about: String,
    /// The board's squares, row by row from a1: `X`, `O` and `-`.
    pub board: String,
    /// The width of the board.
    pub size: u8,
    /// The side that the agent moves for, `black` or `white`.
    pub color: String,
    /// The squares that its list must hold.
    pub expected: Vec<String>,
    /// The squares that its list held; none without an answer.
    pub list: Option<Vec<String>>,
    /// Its decision, if that is a square of the board.
    pub decision: Option<String>,
    /// Why it would have lost the game, in one word.
    pub forfeit: Option<String>,
    /// Whether nothing is wrong.
    pub passed: bool,
    /// What is wrong.
    pub faults: Vec<String>,
    /// What is worth knowing: its traceback, what it has printed, its memory.
    pub notes: Vec<String>,
    /// The time that its answer took.
    pub seconds: Option<f64>,
    /// Whether its time ran out.
    pub late: bool,
}

/// What all cases come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
pub struct CheckTotal {
    /// Cases without a fault.
    pub passed: usize,
    /// Cases with one.
    pub failed: usize,
    /// Cases that were not tried, because the agent could not be started.
    pub skipped: usize,
}
