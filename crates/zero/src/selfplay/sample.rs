//! A board to learn from.

use isrever_board::Board;

/// A board to learn from, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// The board.
    pub board: Board,
    /// The improved policy: the probability of a move to each square, in parts of 65535.
    pub policy: [u16; 64],
    /// The score that the game ended with.
    pub score: i8,
    /// The squares with own discs at the end of the game.
    pub owned: u64,
    /// The square of the opponent's reply; 64 if there was none.
    pub reply: u8,
}

/// Stands for no reply.
pub(super) const NO_REPLY: u8 = 64;
