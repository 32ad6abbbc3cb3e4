//! Move ordering by cheap features that need no trained evaluation.
//!
//! A good first move cuts the tree; a bad one costs time, never correctness. The
//! ordering score of a move is a weighted sum of features of the board after it;
//! on the upper plies, less a share of the best reply's ordering score. The
//! weights were fitted for each rule to the node counts of endgames.
//!
//! Where there is an evaluation, it orders the upper plies instead (`midgame`);
//! nearer to the end these features are as good and cheaper.

use crate::parameters::Parameters;
use isrever_board::{Board, Size};

/// What each reply of the opponent weighs; the other weights are relative to it.
const MOBILITY: i32 = -64;

/// The weights laid out for one board size.
pub(crate) struct MoveOrdering {
    corner: i32,
    potential: i32,
    odd: i32,
    flipped: i32,
    reply: i32,
    /// The weight of each square; on a small board, that of the 8×8 square as near the edges.
    squares: [i32; 64],
    corners: u64,
    mask: u64,
}

impl MoveOrdering {
    pub(crate) fn new(parameters: &Parameters, size: Size) -> MoveOrdering {
        let last = size.width() - 1;
        let weights = parameters.squares();
        let mut ordering = MoveOrdering {
            corner: parameters.corners,
            potential: parameters.potential,
            odd: parameters.odd,
            flipped: parameters.flipped,
            reply: parameters.foreseen_reply,
            squares: [0; 64],
            corners: 0,
            mask: size.mask(),
        };
        for square in size.squares() {
            let from_edge = |place: u8| usize::from(place.min(last - place));
            let (column, row) = (from_edge(square.column()), from_edge(square.row()));
            let (low, high) = (column.min(row), column.max(row));
            // The classes run row by row through a triangle; each row begins at the diagonal.
            let class = [0, 4, 7, 9][low] + high - low;
            ordering.squares[square.index() as usize] = weights[class];
            if class == 0 {
                ordering.corners |= square.bit();
            }
        }
        ordering
    }

    /// What a reply with this ordering score takes off the ordering score of the move before it.
    #[inline(always)]
    pub(crate) fn reply_penalty(&self, reply: i32) -> i32 {
        reply * self.reply / 64
    }

    /// The ordering score of the move on `index` that flipped `flips` and left the opponent
    /// `replies`, by the cheapest features: close to the end the others cost more than they save.
    #[inline(always)]
    pub(crate) fn quick_score(&self, index: u32, flips: u64, replies: u64) -> i32 {
        MOBILITY * count(replies) + self.flipped * count(flips) + self.squares[index as usize & 63]
    }

    /// The ordering score of a move that led to `next`, by all features. `is_odd` says whether its
    /// quadrant had an odd number of empty squares.
    #[inline(always)]
    pub(crate) fn score(
        &self,
        index: u32,
        flips: u64,
        next: Board,
        replies: u64,
        is_odd: bool,
    ) -> i32 {
        let empty = self.mask & !(next.player | next.opponent);
        self.quick_score(index, flips, replies)
            + self.corner * count(replies & self.corners)
            + self.potential * count(neighbours(next.opponent) & empty)
            + if is_odd { self.odd } else { 0 }
    }
}

#[inline(always)]
fn count(bits: u64) -> i32 {
    bits.count_ones().cast_signed()
}

/// The squares next to any of `bits`.
#[inline(always)]
pub(crate) const fn neighbours(bits: u64) -> u64 {
    let row = (bits << 1 & 0xfefe_fefe_fefe_fefe) | (bits >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
    let three = bits | row;
    row | three << 8 | three >> 8
}
