//! The five student reports on one course project: their agents and their performance models.
//!
//! What is here: the agents of the reports, as their texts describe them
//! ([`Depth3`], [`FourStage`], [`Genetic`], [`Maximax`], [`ThreeStage`]), with
//! what they search by and count; the players that report 000 measures
//! evaluations against ([`Greedy`], [`Invincible`]); the [`catalogue()`] of all
//! of them; and report 000's performance models ([`measure`]). What is not: the
//! reports' experiments (`isrever-experiments`), which need the engine and the
//! tuner too.

mod agents;
mod alpha_beta;
mod cache;
mod catalogue;
mod chooser;
mod combination;
mod ending;
mod features;
mod greedy;
mod invincible;
pub mod measure;
#[cfg(test)]
mod sample;

pub use agents::{Depth3, FourStage, Genetic, Maximax, ThreeStage, versions_of};
pub use alpha_beta::{AlphaBeta, Best, DECIDED, Evaluation, TO_THE_END};
pub use catalogue::catalogue;
pub use combination::Combination;
pub use ending::{Goal, perfect};
pub use features::{Features, WeightMap, sense};
pub use greedy::{Greedy, Measure};
pub use invincible::{ENDING, Invincible};
