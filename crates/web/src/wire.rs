//! The types of requests and answers that several routes share.
//!
//! The requests of one route are beside that route. Unknown fields are refused.

mod events;
mod game;
mod position;
mod words;

pub(crate) use events::{event, events};
pub(crate) use game::{
    ColorWord, MOST_MOVES, Moves, RuleWord, any_game, any_size_of, game, game_request, size_of,
};
pub(crate) use position::{
    OpeningBody, Pair, PositionBody, Result as GameResult, move_names, pass_if_forced,
};
pub(crate) use words::{
    battle_formats, ends, file_formats, formats, game_formats, kinds, tournament_formats,
};
