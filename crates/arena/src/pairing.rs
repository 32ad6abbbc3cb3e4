//! A game of a tournament before and after it is played: who meets whom, and how it ended.

use crate::game::Played;
use crate::repeats::Trace;
use isrever_agent::Reason;
use isrever_board::Color;

/// A game to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Its number in the tournament.
    pub number: u64,
    /// The pair of games that it belongs to.
    pub pair: u64,
    /// The players of black and white, as places in the list of players.
    pub players: [usize; 2],
    /// The number of the opening. Where there are fewer, they start over.
    pub opening: u64,
}

/// The result of a game, as tables and schedules need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its number in the tournament.
    pub number: u64,
    /// The pair of games that it belongs to.
    pub pair: u64,
    /// The players of black and white.
    pub players: [usize; 2],
    /// The margin that black won by.
    pub score: i32,
    /// The side that forfeited the game, and why.
    pub forfeit: Option<(Color, Reason)>,
    /// Tells it from other games.
    pub trace: Trace,
}

impl Outcome {
    /// The outcome of a game that has ended.
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
