//! Makes evaluations and parameters: games, fits, exams, tunings, experiments.
//!
//! What is here: positions with known or played-out scores and the file that
//! keeps them ([`data`]), games that make such positions ([`selfplay`]), the
//! fit that turns them into weights ([`fit()`]), matches that tell which weights
//! play better ([`duel`]) and choose better moves ([`exam`]), matches between
//! agents ([`ladder`], [`curve`]), how far searches by them can be trusted ([`calibration`]),
//! balanced positions to begin matches from ([`openings`]), positions solved one by
//! one ([`solving`]), books that grow ([`growth`]), parameters of agents
//! found by playing ([`tune`]), pictures of all that ([`plot`]), and experiments as
//! folders ([`experiment`]). What is not: the experiments of the reports
//! (`isrever-experiments`), the evaluation itself (`isrever-eval`), search, and files
//! and clocks: readers
//! and writers are handed in, and progress goes to callbacks. Everything gives
//! the same bytes on any number of threads.

pub mod calibration;
pub mod curve;
pub mod data;
pub mod duel;
mod effort;
mod evaluator;
pub mod exam;
pub mod experiment;
mod fit;
pub mod growth;
pub mod ladder;
mod least_squares;
pub mod openings;
pub mod plot;
pub mod selfplay;
pub mod solving;
pub mod tune;

pub use effort::Effort;
pub use evaluator::{Evaluator, Find, Load};
pub use fit::{Errors, FitOptions, PhaseReport, fit};
pub use isrever_jobs::Crew;
