//! The types of requests and answers that several routes share.
//!
//! The requests of one route are beside that route. Unknown fields are refused.

mod game;
mod position;

pub(crate) use game::{
    ColorWord, MOST_MOVES, Moves, RuleWord, any_game, any_size_of, game, game_request, size_of,
};
pub(crate) use position::{Pair, PositionBody, Result as GameResult, move_names};
