//! A tuning with all defaults filled in and checked.

use super::algorithm::Algorithm;
use super::games::Games;
use super::objective::Objective;
use super::space::Space;
use super::spec::Spec;

/// Where a search starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// Anywhere.
    Random,
    /// With the values that the agent has.
    Values,
}

impl Start {
    /// What each is called.
    pub(super) const NAMES: [&'static str; 2] = ["random", "values"];
}

/// Everything that a result depends on.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The same written down, with nothing left to defaults.
    pub spec: Spec,
    /// What is searched.
    pub space: Space,
    /// How.
    pub algorithm: Algorithm,
    /// For what.
    pub objective: Objective,
    /// Where the search starts.
    pub start: Start,
    /// The most generations.
    pub generations: u32,
    /// A fitness that is enough, if there is one.
    pub target: Option<f64>,
    /// Generations without a better mean after which the search ends; 0 for never.
    pub patience: u32,
    /// How many of the last generations send their best to the final.
    pub finalists: usize,
    /// Whom the winner plays for its figure, and in how many pairs.
    pub proof: Vec<String>,
    /// Pairs of games of each of those matches.
    pub proof_pairs: u64,
    /// Where all random choices come from.
    pub seed: u64,
    /// The share of points against chance that a report has, to be shown beside ours.
    pub report_score: Option<f64>,
    /// The seconds that a report's search took.
    pub report_seconds: Option<f64>,
    pub(super) games: Games,
}
