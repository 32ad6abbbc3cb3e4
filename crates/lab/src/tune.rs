//! Tuning: finds parameters of agents by letting candidates play.
//!
//! What is here: a tuning as a user writes it down ([`Spec`]) and with all
//! defaults ([`Plan`]); the parameters to search ([`Space`]); what makes an
//! individual fit ([`Objective`]); how the next generation follows from those
//! before it ([`Algorithm`]); and the run itself ([`Tuning`]). What is not:
//! files and clocks. The log of all generations is the whole state: a killed
//! tuning resumes from it and finds what it would have found. Every game is a
//! function of the seed and its place, so threads make no difference.

mod algorithm;
mod dependencies;
mod findings;
mod games;
mod history;
mod jobs;
mod matchups;
mod neighbours;
mod objective;
mod outcome;
mod plan;
mod seed;
mod space;
mod spec;
mod work;

pub use algorithm::{Algorithm, Start};
pub use dependencies::{RerunError, TUNING};
pub use findings::{Spent, findings, picture};
pub use games::Watch;
pub use history::{Generation, HistoryError};
pub use jobs::{KIND, open};
pub use objective::{Objective, Searches};
pub use outcome::{Outcome, Proof};
pub use plan::Plan;
pub use space::{Space, SpaceError};
pub use spec::{Spec, SpecError};
pub use work::{End, Tuning};
