//! A game that has ended: its moves, what they cost, and how it ended.

use crate::written::Written;
use isrever_agent::{Choice, Forfeit};
use isrever_board::{Color, Game};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What an agent spent on a move and what it said of it; empty for passes and the opening.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveStats {
    /// The time it took, as the arena measured it.
    pub time: Option<Duration>,
    /// The move's value to the agent, on a scale of its own.
    pub value: Option<f64>,
    /// Plies it looked ahead.
    pub depth: Option<u32>,
    /// Boards it visited.
    pub nodes: Option<u64>,
}

impl MoveStats {
    /// What to keep of an answer.
    pub fn new(choice: &Choice, taken: Duration) -> MoveStats {
        MoveStats {
            time: Some(taken),
            value: choice.value.filter(|value| value.is_finite()),
            depth: choice.depth,
            nodes: Some(choice.nodes).filter(|&nodes| nodes > 0),
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Neither side could move.
    Over,
    /// One side lost it otherwise.
    Forfeit {
        /// Who.
        color: Color,
        /// How.
        forfeit: Forfeit,
    },
    /// An adjudicator decided it before the end.
    Adjudicated {
        /// The sign of black's score: 1 if black wins, 0 for a draw, −1 if white wins.
        sign: i32,
    },
}

/// A game that has ended.
///
/// It can be written as plain data unless an adjudicator decided it; times are then whole
/// microseconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Played {
    /// The game, opening included.
    pub game: Game,
    /// How many of its moves are the opening's.
    pub opening: usize,
    /// The statistics of each move.
    pub stats: Vec<MoveStats>,
    /// How it ended.
    pub end: End,
}

impl Played {
    /// Black's score in discs; the whole board for a forfeit, the sign alone after adjudication.
    pub fn score(&self) -> i32 {
        match &self.end {
            End::Over => self.game.score(Color::Black),
            End::Adjudicated { sign } => *sign,
            End::Forfeit { color, .. } => {
                let all = self.game.size().cells().cast_signed() as i32;
                if *color == Color::Black { -all } else { all }
            }
        }
    }

    /// The score for `color`.
    pub fn score_of(&self, color: Color) -> i32 {
        if color == Color::Black { self.score() } else { -self.score() }
    }

    /// Who forfeited it and how, if somebody did.
    pub fn forfeit(&self) -> Option<(Color, &Forfeit)> {
        match &self.end {
            End::Forfeit { color, forfeit } => Some((*color, forfeit)),
            End::Over | End::Adjudicated { .. } => None,
        }
    }

    /// The time that `color` used.
    pub fn time(&self, color: Color) -> Duration {
        let positions = self.game.positions().iter();
        let own = positions.zip(&self.stats).filter(|(position, _)| position.turn() == color);
        own.filter_map(|(_, stats)| stats.time).sum()
    }
}
