//! The state of every pattern as a number, in one vector of lanes.
//!
//! An index is written in balanced ternary: a digit is 1 for a disc of the side
//! to move, −1 for the opponent's, 0 for an empty square. To change sides is
//! then to negate every index. The loops over the lanes are plain; inlined into
//! code that runs under a [`Kernel`](isrever_board::Kernel), they compile to a
//! few vector instructions.
//!
//! What is not here: how a board or a move sets the indices. That depends on the
//! patterns, and is in `incremental`.

/// Lanes in the vector: one per instance of a pattern, then zeros up to whole registers.
pub(crate) const WIDTH: usize = 64;

/// Entries before and after a table of weights, so that a centre plus any `i16` is inside it.
///
/// The compiler sees that no index can leave the table, and omits the bounds check.
pub(crate) const MARGIN: usize = 1 << 15;

/// The indices of all patterns on one board, seen by the side to move.
///
/// They belong to one [`Shape`](crate::Shape); every call must pass the same one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Indices(pub(crate) [i16; WIDTH]);

impl Indices {
    /// The indices of the empty board.
    pub(crate) const ZERO: Indices = Indices([0; WIDTH]);

    /// The indices of the same discs with the other side to move.
    #[inline(always)]
    #[must_use]
    pub fn pass(&self) -> Indices {
        Indices::ZERO.minus(*self)
    }

    /// The index of `lane`.
    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> i16 {
        self.0[lane]
    }

    /// The difference, lane by lane.
    #[inline(always)]
    pub(crate) fn minus(self, other: Indices) -> Indices {
        let mut less = self;
        for lane in 0..WIDTH {
            less.0[lane] = self.0[lane].wrapping_sub(other.0[lane]);
        }
        less
    }
}
