//! Indices of a board, updated move by move.
//!
//! A disc adds the same to the indices wherever the others are, so that a move
//! is a sum of rows of one table, over all lanes at once.

use crate::indices::{Indices, WIDTH};
use crate::shape::Shape;
use isrever_board::Board;

impl Indices {
    /// The indices of `board`.
    #[inline(always)]
    pub fn new(shape: &Shape, board: Board) -> Indices {
        sum(shape, board.player).minus(sum(shape, board.opponent))
    }

    /// The indices after the side to move plays on square number `index`, below 64, and turns
    /// `flips`, seen by the other side.
    ///
    /// Checks nothing: the square must be empty, and `flips` the discs that the move turns.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, shape: &Shape, index: u32, flips: u64) -> Indices {
        let turned = sum(shape, flips);
        let placed = &shape.place[index as usize & 63];
        let mut next = Indices::ZERO;
        for lane in 0..WIDTH {
            // A disc that turns changes its digit by two. Twice the highest power of three
            // overflows and wraps; the sum fits, and wraps back.
            let twice = turned.0[lane].wrapping_add(turned.0[lane]);
            let own = self.0[lane].wrapping_add(placed.0[lane]).wrapping_add(twice);
            next.0[lane] = own.wrapping_neg();
        }
        next
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
