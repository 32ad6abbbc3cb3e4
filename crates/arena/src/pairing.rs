//! A game of a tournament: who plays whom, and how it ended.

use crate::game::Played;
use crate::repeats::Trace;
use isrever_agent::Reason;
use isrever_board::Color;
use serde::{Deserialize, Serialize};

/// A game to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// Its number in the tournament.
    pub number: u64,
    /// The number of its pair of games.
    pub pair: u64,
    /// Black and white, as places in the list of players.
    pub players: [usize; 2],
    /// The number of its opening; openings repeat when there are fewer.
    pub opening: u64,
}

/// A finished game, as tables and schedules need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its number in the tournament.
    pub number: u64,
    /// The number of its pair of games.
    pub pair: u64,
    /// Black and white, as places in the list of players.
    pub players: [usize; 2],
    /// Black's score.
    pub score: i32,
    /// The side that forfeited, and why.
    pub forfeit: Option<(Color, Reason)>,
    /// Tells it from other games.
    pub trace: Trace,
}

impl Outcome {
    /// The outcome of a game that was played.
    pub fn of(pairing: &Pairing, played: &Played) -> Outcome {
        Outcome {
            number: pairing.number,
            pair: pairing.pair,
            players: pairing.players,
            score: played.score(),
            forfeit: played.forfeit().map(|(color, forfeit)| (color, forfeit.reason)),
            trace: Trace::of(played),
        }
    }
}
