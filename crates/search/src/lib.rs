//! Search under both rules: questions about positions, and their answers.
//!
//! A [`Searcher`] works on a [`Question`] (the best move, a value, a proof) or
//! on [`EveryMove`] of a position, iteration by iteration, and returns an
//! [`Answer`]. A question can be stepped, stopped and resumed. [`GameAnalysis`]
//! asks such questions about the moves of a game, and [`bench()`] is the
//! signature of the search.
//!
//! This crate knows no agents, no clock and no files, and starts no threads but
//! through the [`Pool`] it is given, so that the same search runs inside a web
//! page. Rules and evaluation are in `isrever-board` and `isrever-eval`.
//!
//! ```
//! use isrever_board::{Board, Rule, Size};
//! use isrever_search::{Control, Goal, Searcher, Settings};
//!
//! // The best move of the start position by a search of six plies.
//! let mut searcher = Searcher::new(Settings::new(Rule::Reversed, Size::EIGHT));
//! let goal = Goal::Value { depth: 6, confidence: 73 };
//! let answer = searcher.search(Board::start(Size::EIGHT), goal, Control::NONE);
//! assert_eq!(answer.depth, 6);
//! assert!(answer.best().is_some());
//! ```

mod analysis;
mod answer;
mod bench;
mod bounds;
mod child;
mod control;
mod counts;
mod endgame;
mod every_move;
mod goal;
mod iteration;
mod last;
mod line;
mod local_table;
mod midgame;
mod ordering;
mod parallel;
mod parameters;
mod pool;
mod probcut;
mod question;
mod searcher;
mod selectivity;
mod shallow;
mod split;
mod sync;
mod table;
mod techniques;
mod worker;

pub use analysis::{GameAnalysis, Mark, Request, Verdict};
pub use answer::Answer;
pub use bench::{bench, bench_len};
pub use control::{Bounds, Control, Progress, StoredNode, StoredNodes};
pub use counts::Counts;
pub use every_move::{EveryMove, evaluate_moves, moves_by_mobility};
pub use goal::Goal;
pub use parameters::{Parameter, ParameterChanges, ParameterError, Parameters};
pub use pool::{Helper, Pool, RunThreads};
pub use question::Question;
pub use searcher::{Searcher, Settings};
pub use selectivity::Selectivity;
pub use table::has_room;
pub use techniques::Techniques;
