//! The result of a tuning: its winner, measured in games that did not choose it.

use isrever_arena::Counts;
use serde::{Deserialize, Serialize};

/// A match of the winner, in new games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// The opponent.
    pub against: String,
    /// The openings.
    pub openings: String,
    /// The results; `discs` is games won less games lost, because a proof decides games.
    #[serde(flatten)]
    pub counts: Counts,
    /// The share of the points.
    pub score: f64,
    /// The lower end of its 95 % interval, by the variance of pairs.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Proof {
    pub(super) fn new(against: &str, openings: &str, counts: Counts) -> Proof {
        let [low, high] = counts.interval();
        let (against, openings) = (against.to_owned(), openings.to_owned());
        Proof { against, openings, counts, score: counts.score(), low, high }
    }
}

/// The result of a tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner as a spec.
    pub agent: String,
    /// All its parameters, as a preset is written.
    pub preset: String,
    /// The number of generations.
    pub generations: u32,
    /// Games of all of them, the final and the matches.
    pub games: u64,
    /// The fitness of the finalists, the winner's first, in games of their own.
    pub finalists: Vec<f64>,
    /// The matches of the winner.
    pub proofs: Vec<Proof>,
    /// The match of the agent as it was against the random player, in the same games, if the winner
    /// had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Proof>,
}
