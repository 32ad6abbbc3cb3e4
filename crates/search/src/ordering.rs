//! Move ordering by cheap features that need no trained evaluation.
//!
//! A good first move cuts the tree; a bad one costs time, never correctness. The
//! ordering score of a move is a weighted sum of features of the board after it;
//! on the upper plies, less a share of the best reply's ordering score. The
//! weights were fitted for each rule to the node counts of endgames.
//!
//! Where there is an evaluation, it orders the upper plies instead (`midgame`);
//! nearer to the end these features are as good and cheaper.

use isrever_board::{Board, Rule, Size};

/// The weights of the features; each move of the opponent weighs 64.
#[derive(Clone, Copy, Debug)]
pub struct OrderingWeights {
    /// Each move the opponent has.
    pub mobility: i32,
    /// Each corner the opponent may take.
    pub corners: i32,
    /// Each empty square beside our discs: potential mobility of the opponent.
    pub potential: i32,
    /// A square in a quadrant with an odd number of empty squares.
    pub odd: i32,
    /// Each disc flipped.
    pub flipped: i32,
    /// On the upper plies, the share of the best reply's ordering score, in 64ths.
    pub reply: i32,
    /// The square played on, by its class under the eight symmetries of 8×8: a1, b1, c1, d1, b2,
    /// c2, d2, c3, d3, d4.
    pub square: [i32; 10],
}

impl OrderingWeights {
    /// The weights fitted for `rule` on boards of `size`.
    pub const fn fitted(rule: Rule, size: Size) -> OrderingWeights {
        match (rule, size.width()) {
            (Rule::Reversed, ..=6) => REVERSED_6,
            (Rule::Reversed, _) => REVERSED_8,
            (Rule::Normal, ..=6) => NORMAL_6,
            (Rule::Normal, _) => NORMAL_8,
        }
    }
}

// Under the reversed rule corners and flipped discs are a burden, and a reply in the corner is
// welcome; under the normal rule the weights have the signs of Othello.

const REVERSED_8: OrderingWeights = OrderingWeights {
    mobility: -64,
    corners: 8,
    potential: -6,
    odd: -8,
    flipped: -20,
    reply: -28,
    square: [-136, -37, -12, 1, -21, -6, 0, 32, 48, 0],
};

const REVERSED_6: OrderingWeights = OrderingWeights {
    mobility: -64,
    corners: 32,
    potential: -4,
    odd: 11,
    flipped: -20,
    reply: -26,
    square: [-156, -61, -40, 1, -49, -32, 32, 24, 24, 0],
};

const NORMAL_8: OrderingWeights = OrderingWeights {
    mobility: -64,
    corners: -80,
    potential: -5,
    odd: 12,
    flipped: 0,
    reply: -32,
    square: [70, 40, 29, 40, 15, 35, 24, 6, 24, 0],
};

const NORMAL_6: OrderingWeights = OrderingWeights {
    mobility: -64,
    corners: -54,
    potential: -17,
    odd: 12,
    flipped: 0,
    reply: -24,
    square: [94, 16, 1, 40, -9, 23, 24, 6, 24, 0],
};

/// The weights laid out for one board size.
pub(crate) struct MoveOrdering {
    weights: OrderingWeights,
    /// The weight of each square; on a small board, that of the 8×8 square as near the edges.
    squares: [i32; 64],
    corners: u64,
    mask: u64,
}

impl MoveOrdering {
    pub(crate) fn new(weights: OrderingWeights, size: Size) -> MoveOrdering {
        let last = size.width() - 1;
        let mut ordering =
            MoveOrdering { weights, squares: [0; 64], corners: 0, mask: size.mask() };
        for square in size.squares() {
            let from_edge = |place: u8| usize::from(place.min(last - place));
            let (column, row) = (from_edge(square.column()), from_edge(square.row()));
            let (low, high) = (column.min(row), column.max(row));
            // The classes run row by row through a triangle; each row begins at the diagonal.
            let class = [0, 4, 7, 9][low] + high - low;
            ordering.squares[square.index() as usize] = weights.square[class];
            if class == 0 {
                ordering.corners |= square.bit();
            }
        }
        ordering
    }

    /// What a reply with this ordering score takes off the ordering score of the move before it.
    #[inline(always)]
    pub(crate) fn reply_penalty(&self, reply: i32) -> i32 {
        reply * self.weights.reply / 64
    }

    /// The ordering score of the move on `index` that flipped `flips` and left the opponent
    /// `replies`, by the cheapest features: close to the end the others cost more than they save.
    #[inline(always)]
    pub(crate) fn quick_score(&self, index: u32, flips: u64, replies: u64) -> i32 {
        self.weights.mobility * count(replies)
            + self.weights.flipped * count(flips)
            + self.squares[index as usize & 63]
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
        let weights = &self.weights;
        let empty = self.mask & !(next.player | next.opponent);
        self.quick_score(index, flips, replies)
            + weights.corners * count(replies & self.corners)
            + weights.potential * count(neighbours(next.opponent) & empty)
            + if is_odd { weights.odd } else { 0 }
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
