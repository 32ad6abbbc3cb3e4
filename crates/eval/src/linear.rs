//! The linear evaluation: every feature has a weight in each phase, and the value is their sum.

use crate::indices::{Indices, MARGIN};
use crate::shape::{EIGHT, SHAPES, SIX, Shape};
use crate::weights::most;
use isrever_board::{Board, Size};

/// The entries that a lookup in one phase may reach, on the board that has the most.
const REACH: usize = MARGIN + SHAPES[EIGHT].slots() + MARGIN;

/// The weights of all features on boards of one size.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Linear {
    size: Size,
    /// The margin, the slots of each phase, and zeros up to the reach of the last phase.
    table: Box<[i16]>,
}

impl Linear {
    /// Takes weights by phase and class.
    ///
    /// # Panics
    /// If there are not [`Shape::class_count`] weights for each of [`Shape::phase_count`] phases.
    pub(crate) fn new(shape: &Shape, phases: &[impl AsRef<[i16]>]) -> Linear {
        assert_eq!(phases.len(), shape.phase_count(), "each phase has weights");
        let last = (phases.len() - 1) * shape.slots();
        let mut table = vec![0; last + REACH].into_boxed_slice();
        let slots = table[MARGIN..].chunks_exact_mut(shape.slots());
        let classes = shape.classes();
        for (slots, weights) in slots.zip(phases) {
            let weights = weights.as_ref();
            assert_eq!(weights.len(), classes.count, "each class has a weight");
            for (slot, &class) in slots.iter_mut().zip(&classes.of_slots) {
                *slot = weights[class as usize];
            }
        }
        Linear { size: shape.size(), table }
    }

    /// The shape of the boards that they were fitted for.
    pub(crate) fn shape(&self) -> &'static Shape {
        if self.size == Size::SIX { Shape::SIX } else { Shape::EIGHT }
    }

    /// The weights of one phase by class.
    ///
    /// # Panics
    /// If there is no such phase.
    pub(crate) fn phase(&self, phase: usize) -> Vec<i16> {
        let shape = self.shape();
        assert!(phase < shape.phase_count(), "there are {} phases", shape.phase_count());
        let classes = shape.classes();
        let mut weights = vec![0; classes.count];
        for (&weight, &class) in self.slots(phase).iter().zip(&classes.of_slots) {
            weights[class as usize] = weight;
        }
        weights
    }

    /// The table of one phase.
    fn slots(&self, phase: usize) -> &[i16] {
        let slots = self.shape().slots();
        &self.table[MARGIN + phase * slots..][..slots]
    }

    /// The value of `board`; see [`Weights::value`](crate::Weights::value).
    #[inline(always)]
    pub(crate) fn value(
        &self,
        indices: &Indices,
        board: Board,
        own_moves: u64,
        opponent_moves: u64,
    ) -> i32 {
        // Compiled for each board, so that the centres of all lookups are constants.
        match self.size {
            Size::SIX => self.value_on::<SIX>(indices, board, own_moves, opponent_moves),
            _ => self.value_on::<EIGHT>(indices, board, own_moves, opponent_moves),
        }
    }

    #[inline(always)]
    fn value_on<const SHAPE: usize>(
        &self,
        indices: &Indices,
        board: Board,
        own_moves: u64,
        opponent_moves: u64,
    ) -> i32 {
        let numbers = const { SHAPES[SHAPE].numbers };
        let phase = numbers.phase((board.player | board.opponent).count_ones());
        let reach: &[i16; REACH] =
            self.table[phase * numbers.slots()..].first_chunk().expect("the last reach is there");
        let mut value = pattern_sum::<SHAPE>(reach, indices);
        for slot in numbers.other_slots(board, own_moves, opponent_moves) {
            value += i32::from(reach[MARGIN + slot]);
        }
        let most = most(numbers.size);
        value.clamp(-most, most)
    }

    /// The same value from the board alone, square by square: the slow oracle of
    /// [`Linear::value`].
    pub(crate) fn plain_value(&self, board: Board) -> i32 {
        let shape = self.shape();
        let weights = self.slots(shape.phase((board.player | board.opponent).count_ones()));
        let value: i32 = shape.slots_of(board).map(|slot| i32::from(weights[slot])).sum();
        value.clamp(-most(self.size), most(self.size))
    }
}

/// The weight of the pattern in `LANE`, if there is one.
#[inline(always)]
fn weight<const SHAPE: usize, const LANE: usize>(reach: &[i16; REACH], indices: &Indices) -> i32 {
    match const { SHAPES[SHAPE].centre(LANE) } {
        Some(centre) => {
            let place = (MARGIN + centre).wrapping_add_signed(indices.lane(LANE).into());
            reach[place].into()
        }
        None => 0,
    }
}

/// The sum of all patterns' weights.
#[inline(always)]
fn pattern_sum<const SHAPE: usize>(reach: &[i16; REACH], indices: &Indices) -> i32 {
    /// Unrolls the loop, because the compiler omits a bounds check only for a constant centre.
    macro_rules! sum {
        ($($lane:literal)*) => {{
            const { assert!([$($lane),*].len() >= SHAPES[SHAPE].instances().len()) };
            0 $(+ weight::<SHAPE, $lane>(reach, indices))*
        }};
    }
    sum!(
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
        25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49
    )
}
