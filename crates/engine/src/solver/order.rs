//! Which move to try first: cheap signs that need no trained evaluation.
//!
//! A good first move cuts the tree; a bad one is only slow, never wrong. The
//! worth of a move is a weighted sum of what the board after it shows; on the
//! upper plies, less a share of what the best reply would be worth to the
//! opponent. The weights were fitted for each rule to the node counts of
//! endings.
//!
//! Where there are trained weights they order the upper plies instead
//! (`midgame`); nearer to the end these signs are as good and cheaper.

use isrever_board::{Board, Rule, Size};

/// What the signs are worth, each move of the opponent being 64.
#[derive(Clone, Copy, Debug)]
pub struct OrderWeights {
    /// Each move the opponent has.
    pub mobility: i32,
    /// Each corner the opponent may take.
    pub corners: i32,
    /// Each empty square beside our discs: moves the opponent may yet get.
    pub potential: i32,
    /// A square in a quadrant with an odd number of empty squares.
    pub odd: i32,
    /// Each disc turned.
    pub turned: i32,
    /// On the upper plies, what the best reply is worth to the opponent, in 64ths.
    pub reply: i32,
    /// The square played on, by its class under the eight symmetries of 8×8: a1, b1, c1, d1, b2,
    /// c2, d2, c3, d3, d4.
    pub square: [i32; 10],
}

impl OrderWeights {
    /// The weights fitted for `rule` on boards of `size`.
    pub const fn fitted(rule: Rule, size: Size) -> OrderWeights {
        match (rule, size.width()) {
            (Rule::Reversed, ..=6) => REVERSED_6,
            (Rule::Reversed, _) => REVERSED_8,
            (Rule::Normal, ..=6) => NORMAL_6,
            (Rule::Normal, _) => NORMAL_8,
        }
    }
}

// Under the reversed rule corners are a burden and turned discs too, and a reply in the corner
// is welcome; under the normal rule the signs are those of Othello.

const REVERSED_8: OrderWeights = OrderWeights {
    mobility: -64,
    corners: 8,
    potential: -6,
    odd: -8,
    turned: -20,
    reply: -28,
    square: [-136, -37, -12, 1, -21, -6, 0, 32, 48, 0],
};

const REVERSED_6: OrderWeights = OrderWeights {
    mobility: -64,
    corners: 32,
    potential: -4,
    odd: 11,
    turned: -20,
    reply: -26,
    square: [-156, -61, -40, 1, -49, -32, 32, 24, 24, 0],
};

const NORMAL_8: OrderWeights = OrderWeights {
    mobility: -64,
    corners: -80,
    potential: -5,
    odd: 12,
    turned: 0,
    reply: -32,
    square: [70, 40, 29, 40, 15, 35, 24, 6, 24, 0],
};

const NORMAL_6: OrderWeights = OrderWeights {
    mobility: -64,
    corners: -54,
    potential: -17,
    odd: 12,
    turned: 0,
    reply: -24,
    square: [94, 16, 1, 40, -9, 23, 24, 6, 24, 0],
};

/// The weights laid out for one board size.
pub(super) struct Order {
    weights: OrderWeights,
    /// What each square is worth; on a small board, what the square as near the edges is on 8×8.
    squares: [i32; 64],
    corners: u64,
    mask: u64,
}

impl Order {
    pub(super) fn new(weights: OrderWeights, size: Size) -> Order {
        let last = size.width() - 1;
        let mut order = Order { weights, squares: [0; 64], corners: 0, mask: size.mask() };
        for square in size.squares() {
            let from_edge = |place: u8| usize::from(place.min(last - place));
            let (column, row) = (from_edge(square.column()), from_edge(square.row()));
            let (low, high) = (column.min(row), column.max(row));
            // The classes run row by row through a triangle; each row begins at the diagonal.
            let class = [0, 4, 7, 9][low] + high - low;
            order.squares[square.index() as usize] = weights.square[class];
            if class == 0 {
                order.corners |= square.bit();
            }
        }
        order
    }

    /// What a move is charged for a reply that is worth `reply` to the opponent.
    #[inline(always)]
    pub(super) fn charge(&self, reply: i32) -> i32 {
        reply * self.weights.reply / 64
    }

    /// How promising the move on `index` is that turned `flips` and left the opponent `replies`, by
    /// the signs that are counted in no time: close to the end the others cost more than they save.
    #[inline(always)]
    pub(super) fn glance(&self, index: u32, flips: u64, replies: u64) -> i32 {
        self.weights.mobility * count(replies)
            + self.weights.turned * count(flips)
            + self.squares[index as usize & 63]
    }

    /// The same for a move that led to `next`, by all signs. `is_odd` says whether its quadrant
    /// was.
    #[inline(always)]
    pub(super) fn worth(
        &self,
        index: u32,
        flips: u64,
        next: Board,
        replies: u64,
        is_odd: bool,
    ) -> i32 {
        let weights = &self.weights;
        let empty = self.mask & !(next.player | next.opponent);
        self.glance(index, flips, replies)
            + weights.corners * count(replies & self.corners)
            + weights.potential * count(beside(next.opponent) & empty)
            + if is_odd { weights.odd } else { 0 }
    }
}

#[inline(always)]
fn count(bits: u64) -> i32 {
    bits.count_ones().cast_signed()
}

/// The squares beside any of `bits`.
#[inline(always)]
pub(super) const fn beside(bits: u64) -> u64 {
    let row = (bits << 1 & 0xfefe_fefe_fefe_fefe) | (bits >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
    let three = bits | row;
    row | three << 8 | three >> 8
}
