//! The state of every pattern as a number, kept up to date move by move.
//!
//! An index is written in balanced ternary: a digit is 1 for a disc of the side
//! to move, −1 for the opponent's, 0 for an empty square. Changing sides is then
//! negating every index, and a move is a sum of rows of one table, over all
//! lanes at once. The loops are plain; where they are inlined into code that
//! runs under a [`Kernel`](isrever_board::Kernel) they become a few vector
//! instructions.

use crate::shape::Shape;
use isrever_board::Board;

/// Lanes in the vector: the instances, then zeros up to whole registers.
pub(crate) const WIDTH: usize = 64;

/// The indices of all patterns on one board, seen by the side to move.
///
/// They are those of a [`Shape`], and every method must be given the same one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Indices(pub(crate) [i16; WIDTH]);

impl Indices {
    /// The indices of the empty board.
    pub(crate) const ZERO: Indices = Indices([0; WIDTH]);

    /// The indices of `board`.
    #[inline(always)]
    pub fn new(shape: &Shape, board: Board) -> Indices {
        sum(shape, board.player).minus(sum(shape, board.opponent))
    }

    /// The indices after the side to move plays on square number `index`, below 64, and turns
    /// `flips`, seen by the other side.
    ///
    /// Unchecked: the square must be empty and `flips` what the move turns.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, shape: &Shape, index: u32, flips: u64) -> Indices {
        let turned = sum(shape, flips);
        let placed = &shape.place[index as usize & 63];
        let mut next = Indices::ZERO;
        for lane in 0..WIDTH {
            // A disc that turns changes its digit by two. Twice the highest place does not fit
            // and wraps; the sum fits, and wraps back.
            let twice = turned.0[lane].wrapping_add(turned.0[lane]);
            let own = self.0[lane].wrapping_add(placed.0[lane]).wrapping_add(twice);
            next.0[lane] = own.wrapping_neg();
        }
        next
    }

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

    #[inline(always)]
    fn minus(self, other: Indices) -> Indices {
        let mut less = self;
        for lane in 0..WIDTH {
            less.0[lane] = self.0[lane].wrapping_sub(other.0[lane]);
        }
        less
    }
}

/// What discs of the side to move on all squares of `bits` add to each index.
#[inline(always)]
fn sum(shape: &Shape, mut bits: u64) -> Indices {
    let mut sum = Indices::ZERO;
    while bits != 0 {
        let place = &shape.place[bits.trailing_zeros() as usize & 63];
        for lane in 0..WIDTH {
            sum.0[lane] = sum.0[lane].wrapping_add(place.0[lane]);
        }
        bits &= bits - 1;
    }
    sum
}
