//! Weights of one rule, and the value of a position by them.

use crate::class::{CLASSES, classes};
use crate::feature::{SLOTS, other_slots, slots};
use crate::indices::Indices;
use crate::pattern::{CENTRES, LANES};
use isrever_board::{Board, Rule};
use std::fmt;

/// Values are in parts of a disc, this many to one.
pub const DISC: i32 = 256;

/// How many phases have weights of their own.
pub const PHASES: usize = 30;

/// The best and the worst value: all squares for one side.
const MOST: i32 = 64 * DISC;

/// Entries before and after the weights, so that every `i16` added to a centre is an entry.
///
/// Whatever an index is, its lookup stays inside the table: the compiler sees it and leaves the
/// check out.
const MARGIN: usize = 1 << 15;

/// The weights that a lookup in one phase may reach.
const REACH: usize = MARGIN + SLOTS + MARGIN;

/// The phase of a board with this many discs.
#[inline(always)]
pub const fn phase(discs: u32) -> usize {
    let phase = discs.saturating_sub(4) as usize / 2;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// What each pattern in each state is worth, and what else counts; fitted for one rule.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    rule: Rule,
    /// The margin, the slots of each phase, the margin.
    table: Box<[i16]>,
}

impl Weights {
    /// Weights in parts of a disc by phase and class, as [`features`](crate::features) numbers
    /// them.
    ///
    /// # Panics
    /// If there are not [`CLASSES`] weights for each of [`PHASES`] phases.
    pub fn new(rule: Rule, phases: &[impl AsRef<[i16]>]) -> Weights {
        assert_eq!(phases.len(), PHASES, "each phase has weights");
        let mut table = vec![0; MARGIN + PHASES * SLOTS + MARGIN].into_boxed_slice();
        let slots = table[MARGIN..].chunks_exact_mut(SLOTS);
        for (slots, weights) in slots.zip(phases) {
            let weights = weights.as_ref();
            assert_eq!(weights.len(), CLASSES, "each class has a weight");
            for (slot, &class) in slots.iter_mut().zip(classes()) {
                *slot = weights[class as usize];
            }
        }
        Weights { rule, table }
    }

    /// The rule that they were fitted for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The weights of one phase by class.
    ///
    /// # Panics
    /// If there is no such phase.
    pub fn phase(&self, phase: usize) -> Vec<i16> {
        assert!(phase < PHASES, "there are {PHASES} phases");
        let slots = &self.table[MARGIN + phase * SLOTS..][..SLOTS];
        let mut weights = vec![0; CLASSES];
        for (&weight, &class) in slots.iter().zip(classes()) {
            weights[class as usize] = weight;
        }
        weights
    }

    /// What `board` is worth to the side to move, in parts of a [`DISC`]; positive is good.
    ///
    /// `indices` must be those of `board`, `own_moves` and `opponent_moves` the squares where
    /// the side to move could play, and the other side if it were to move.
    #[inline(always)]
    pub fn value(
        &self,
        indices: &Indices,
        board: Board,
        own_moves: u64,
        opponent_moves: u64,
    ) -> i32 {
        let phase = phase((board.player | board.opponent).count_ones());
        let reach: &[i16; REACH] =
            self.table[phase * SLOTS..].first_chunk().expect("the last margin is there");
        let mut value = pattern_sum(reach, indices);
        for slot in other_slots(board, own_moves, opponent_moves) {
            value += i32::from(reach[MARGIN + slot]);
        }
        value.clamp(-MOST, MOST)
    }

    /// As [`Weights::value`], from the board alone, square by square: slow, and its oracle.
    pub fn plain_value(&self, board: Board) -> i32 {
        let phase = phase((board.player | board.opponent).count_ones());
        let weights = &self.table[MARGIN + phase * SLOTS..][..SLOTS];
        let value: i32 = slots(board).into_iter().map(|slot| i32::from(weights[slot])).sum();
        value.clamp(-MOST, MOST)
    }
}

/// The weight of the pattern in `LANE`.
#[inline(always)]
fn weight<const LANE: usize>(reach: &[i16; REACH], indices: &Indices) -> i32 {
    let centre = const { MARGIN + CENTRES[LANE] };
    i32::from(reach[centre.wrapping_add_signed(indices.lane(LANE).into())])
}

/// The weights of all patterns together.
#[inline(always)]
fn pattern_sum(reach: &[i16; REACH], indices: &Indices) -> i32 {
    /// Written out, because the compiler leaves out a check only where it knows the centre.
    macro_rules! sum {
        ($($lane:literal)*) => {{
            const { assert!([$($lane),*].len() == LANES) };
            0 $(+ weight::<$lane>(reach, indices))*
        }};
    }
    sum!(
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
        25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49
    )
}

impl fmt::Debug for Weights {
    /// Millions of numbers tell nobody anything.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights").field("rule", &self.rule).finish_non_exhaustive()
    }
}
