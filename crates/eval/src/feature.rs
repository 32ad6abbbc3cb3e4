//! The features of a position besides its patterns, and the list of all its features.
//!
//! Every feature selects one weight of a phase's table. After the patterns'
//! tables come those of each side's number of moves, of the number of quadrants
//! with an odd number of empty squares, and of the parity of all empty squares.

use crate::shape::{Numbers, Shape};
use isrever_board::Board;

/// How many numbers of moves have their own weight; the last stands for that many or more.
pub const MOVES: usize = 32;

/// How many quadrants may have an odd number of empty squares: none to four.
pub const ODD_QUADRANTS: usize = 5;

/// Where each feature's table begins, counted from the end of the patterns.
const BEGIN: [usize; OTHERS] = [0, MOVES, 2 * MOVES, 2 * MOVES + ODD_QUADRANTS];

/// The number of features that are not patterns.
const OTHERS: usize = 4;

/// The number of weights of these features; the last feature has two, one per parity.
const OTHER_SLOTS: usize = BEGIN[OTHERS - 1] + 2;

impl Numbers {
    /// The number of slots in one phase's table.
    #[inline(always)]
    pub(crate) const fn slots(&self) -> usize {
        self.patterns_end + OTHER_SLOTS
    }

    /// Each side's number of moves, up to [`MOVES`], and the number of odd quadrants.
    #[inline(always)]
    pub(crate) fn counts(&self, board: Board, own_moves: u64, opponent_moves: u64) -> [usize; 3] {
        let empties = board.empties(self.size);
        let half = u32::from(self.size.width()) / 2;
        let mut odd = 0;
        for shift in [0, half, 8 * half, 9 * half] {
            odd += (empties >> shift & self.quadrant).count_ones() as usize & 1;
        }
        [
            (own_moves.count_ones() as usize).min(MOVES - 1),
            (opponent_moves.count_ones() as usize).min(MOVES - 1),
            odd,
        ]
    }

    /// The slots of the features that are not patterns.
    #[inline(always)]
    pub(crate) fn other_slots(
        &self,
        board: Board,
        own_moves: u64,
        opponent_moves: u64,
    ) -> [usize; OTHERS] {
        let [own, opponent, odd] = self.counts(board, own_moves, opponent_moves);
        let above = [own, opponent, odd, odd & 1];
        let mut slots = [self.patterns_end; OTHERS];
        for i in 0..OTHERS {
            slots[i] += BEGIN[i] + above[i];
        }
        slots
    }
}

impl Shape {
    /// The number of slots in one phase's table.
    pub(crate) const fn slots(&self) -> usize {
        self.numbers.slots()
    }

    /// How many classes of pattern states there are.
    pub fn pattern_class_count(&self) -> usize {
        self.class_count() - OTHER_SLOTS
    }

    /// How many features a position has.
    pub const fn feature_count(&self) -> usize {
        self.instances().len() + OTHERS
    }

    /// The slots of all features of `board`, patterns first, computed square by square.
    ///
    /// Slow on purpose: it is the oracle of [`Indices`](crate::Indices).
    pub(crate) fn slots_of(&self, board: Board) -> impl Iterator<Item = usize> {
        let patterns = self.instances().iter().map(move |lane| {
            // Digits count from zero here: 0 for the opponent, 1 for empty, 2 for the player.
            let state = lane.pattern.squares().iter().rev().fold(0, |state, square| {
                let player = usize::from(board.player & square.bit() != 0);
                let opponent = usize::from(board.opponent & square.bit() != 0);
                3 * state + 1 + player - opponent
            });
            self.offset(lane.kind) + state
        });
        let (own, opponent) = (board.moves(self.size()), board.pass().moves(self.size()));
        patterns.chain(self.numbers.other_slots(board, own, opponent))
    }

    /// The features of `board`, as classes: numbers below [`Shape::class_count`].
    ///
    /// Features that are the same up to symmetry have the same number. Weights are fitted and
    /// stored by these numbers.
    pub fn features(&self, board: Board) -> impl Iterator<Item = u32> {
        let classes = &self.classes().of_slots;
        self.slots_of(board).map(|slot| classes[slot])
    }

    /// The smallest number that each feature can have, in the order of [`Shape::features`]; the
    /// largest is less than 65,536 above it.
    pub fn feature_bases(&self) -> Vec<u32> {
        let classes = &self.classes().of_slots;
        let patterns = self.instances().iter().map(|lane| self.offset(lane.kind));
        let others = BEGIN.iter().map(|begin| self.numbers.patterns_end + begin);
        patterns.chain(others).map(|slot| classes[slot]).collect()
    }
}
