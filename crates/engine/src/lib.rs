//! Search under both rules.
//!
//! What is here: the search ([`Solver`]), which values positions and solves
//! endings, the table it remembers boards in, the engine as an agent
//! ([`Player`]) with its clock and its levels, what all moves of a position are
//! worth ([`Hint`]), by which searches one after the other ([`Stage`]), and what
//! the moves of a game were ([`analyze`]), and a number for what the search does
//! ([`bench()`]). What is not: rules and evaluation (`isrever-board`,
//! `isrever-eval`), files and printing. A search that must stop is told so by a
//! flag, and what it has to say goes to a callback or a counter; only the agent
//! looks at a clock.

mod analysis;
mod bench;
mod clock;
mod hints;
mod level;
mod player;
mod solver;
mod stage;
mod table;

pub use analysis::{Analysis, AnalysisSettings, Mark, Verdict, analyze};
pub use bench::{bench, bench_len};
pub use hints::Hint;
pub use level::{Level, Terms};
pub use player::{Player, PlayerSettings, Thought, entry};
pub use solver::{
    Control, Finding, Findings, Goal, OrderWeights, Progress, Settings, Solution, Solver,
    Techniques,
};
pub use stage::Stage;
pub use table::has_room;
