//! The result of a tuning: its winner, measured in games that did not choose it.

use isrever_arena::Counts;
use serde::{Deserialize, Serialize};

/// A match of the winner, in fresh games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// Against whom.
    pub against: String,
    /// What games began with.
    pub openings: String,
    /// The results; `discs` counts games won less games lost, for games are decided by proof.
    #[serde(flatten)]
    pub counts: Counts,
    /// The share of the points.
    pub score: f64,
    /// The 95 % interval of it, by how pairs scatter.
    pub low: f64,
    /// Its other end.
    pub high: f64,
}

impl Proof {
    pub(super) fn new(against: &str, openings: &str, counts: Counts) -> Proof {
        let [low, high] = counts.interval();
        let (against, openings) = (against.to_owned(), openings.to_owned());
        Proof { against, openings, counts, score: counts.score(), low, high }
    }
}

/// What a tuning has found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner as a spec.
    pub agent: String,
    /// All its parameters, as a preset is written.
    pub preset: String,
    /// Generations judged.
    pub generations: u32,
    /// Games of all of them, the final and the matches.
    pub games: u64,
    /// The fitness of the finalists, the winner's first, in games of their own.
    pub finalists: Vec<f64>,
    /// What the winner is worth.
    pub proofs: Vec<Proof>,
    /// What the agent as it was is worth against chance, in the games that the winner had, if the
    /// winner had some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Proof>,
}
