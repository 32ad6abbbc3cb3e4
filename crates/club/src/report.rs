//! What the check of a submission found, as plain data for pages and files.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the check of a submission found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Report {
    /// The cases that were tried.
    pub cases: Vec<CheckedCase>,
    /// What they come to.
    pub total: CheckTotal,
    /// How long a fixed exercise in Python takes where agents are judged, in seconds.
    pub seconds: Option<f64>,
    /// How long the same exercise takes on the author's own machine, if the author said so.
    pub own_seconds: Option<f64>,
    /// What keeps agents from everything else while they are judged.
    pub sandbox: Option<String>,
    /// The Python that runs them, its numpy and its numba.
    #[serde(default)]
    pub python: Option<String>,
    /// The longest time that one of its answers took, in seconds.
    #[serde(default)]
    pub slowest: Option<f64>,
    /// The most memory of its own that it had, in bytes.
    #[serde(default)]
    pub memory_bytes: Option<u64>,
    /// The last lines that it printed.
    #[serde(default)]
    pub printed: Vec<String>,
}

/// How far a check has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CheckProgress {
    /// How many cases are done.
    pub done: u32,
    /// How many there are.
    pub cases: u32,
}

/// A case of a test, and what came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct CheckTotal {
    /// Cases without a fault.
    pub passed: usize,
    /// Cases with one.
    pub failed: usize,
    /// Cases that were not tried, because the agent could not be started.
    pub skipped: usize,
}

impl Report {
    /// Whether the agent may play.
    pub const fn has_passed(&self) -> bool {
        self.total.failed == 0 && self.total.skipped == 0 && self.total.passed > 0
    }
}
