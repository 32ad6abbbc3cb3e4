//! Principal variations as the search builds them, in one byte a move.

use isrever_board::{Move, Square};

/// A pass in a [`Line`].
pub(crate) const PASS: u8 = 64;

/// A principal variation: indices of squares, and [`PASS`].
pub(crate) type Line = Vec<u8>;

/// The move that a byte of a [`Line`] stands for.
pub(crate) fn to_move(index: u8) -> Move {
    match index {
        PASS => Move::Pass,
        _ => Move::Place(Square::from_index(index.into())),
    }
}
