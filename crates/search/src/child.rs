//! A child of a node: a move and the board after it.

use isrever_board::Board;

/// A move and the board after it.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    pub(crate) board: Board,
    /// The opponent's moves there.
    pub(crate) replies: u64,
    pub(crate) ordering_score: i32,
    /// The evaluation there in parts of a disc, for the side to move, or [`UNKNOWN`].
    pub(crate) value: i16,
    pub(crate) index: u8,
}

/// No value: further from zero than any evaluation.
pub(crate) const UNKNOWN: i16 = i16::MIN;
