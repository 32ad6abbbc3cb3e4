//! The shapes of games in requests and positions in answers.
//!
//! These are the only types that know JSON. Requests of one route stand beside
//! that route; here is what several share. Unknown fields are refused.

mod game;
mod position;

pub(crate) use game::{ColorWord, MOST_MOVES, Moves, RuleWord, game, game_request, size_of};
pub(crate) use position::{Pair, PositionBody, Result as GameResult, move_names};
