//! A child of a node: a move and the board after it.

use isrever_board::Board;

/// A move and the board after it.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    pub(crate) board: Board,
    /// The opponent's moves there.
    pub(crate) replies: u64,
    pub(crate) ordering_score: i32,
    pub(crate) index: u8,
}
