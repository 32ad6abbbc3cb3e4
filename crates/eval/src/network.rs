//! The network: every pattern looks up a row of numbers, and their sum goes through one layer.
//!
//! A row has [`DIMENSIONS`] numbers of eight bits for each state of a pattern.
//! The rows of all patterns, and wider ones for the numbers of moves and of odd
//! quadrants, are added; each dimension is clipped, squared, and weighted by the
//! phase. All arithmetic is in whole numbers that cannot overflow, so every
//! machine finds the same value. The loops are plain; inlined into code that runs
//! under a [`Kernel`](isrever_board::Kernel), they compile to vector instructions.
//!
//! The sum is made anew for each value: a move changes a third of the patterns,
//! and most nodes of a search never ask for a value.

mod parameters;
mod rows;

pub use parameters::Parameters;

use parameters::Bytes;
use rows::{REACH, Rows};

use crate::feature::{MOVES, ODD_QUADRANTS};
use crate::file::WeightsError;
use crate::indices::{Indices, MARGIN};
use crate::shape::{SHAPES, Shape, WIDE};
use crate::weights::most;
use isrever_board::{Board, Size};

/// Numbers in a row, and in the sum of rows.
pub const DIMENSIONS: usize = 64;

/// The greatest number of a pattern's row: the sum of four fits eight bits.
const MOST: i8 = 31;

/// What stands for one in the sum of rows, which is clipped just below it.
const ONE: i16 = 512;

/// The value is this many bits longer than its unit.
const FRACTION: u32 = 8;

/// The number of phases, each with its own output weights.
pub(crate) const PHASES: usize = 30;

/// A sum of rows.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct Sum([i16; DIMENSIONS]);

/// A network on 8×8, ready to evaluate.
#[derive(PartialEq)]
pub(crate) struct Network {
    rows: Rows,
    own_moves: [Sum; MOVES],
    opponent_moves: [Sum; MOVES],
    odd_quadrants: [Sum; ODD_QUADRANTS],
    outputs: [Sum; PHASES],
    biases: [i32; PHASES],
}

impl Network {
    /// The patterns of all networks.
    pub(crate) const SHAPE: &'static Shape = &SHAPES[WIDE];

    /// The most bytes that parameters can have.
    pub(crate) fn most_bytes() -> usize {
        Bytes::most()
    }

    /// Lays out the parameters of [`Parameters::to_bytes`].
    ///
    /// # Errors
    /// If there are more or fewer bytes, or sums could overflow.
    pub(crate) fn new(bytes: &[u8]) -> Result<Network, WeightsError> {
        let parts = Bytes::new(bytes)?;
        Ok(Network {
            rows: Rows::new(parts.present, parts.rows),
            own_moves: parts.own_moves().map(Sum),
            opponent_moves: parts.opponent_moves().map(Sum),
            odd_quadrants: parts.odd_quadrants().map(Sum),
            outputs: parts.outputs().map(Sum),
            biases: parts.biases(),
        })
    }

    /// The parameters that it was made from.
    pub(crate) fn parameters(&self) -> Parameters {
        let mut rows = vec![[0; DIMENSIONS]; Network::SHAPE.pattern_class_count()];
        let classes = &Network::SHAPE.classes().of_slots[..Network::SHAPE.numbers.patterns_end];
        for (&class, row) in classes.iter().zip(self.rows.of_slots()) {
            rows[class as usize] = *row;
        }
        Parameters {
            rows,
            own_moves: self.own_moves.map(|row| row.0),
            opponent_moves: self.opponent_moves.map(|row| row.0),
            odd_quadrants: self.odd_quadrants.map(|row| row.0),
            outputs: self.outputs.map(|row| row.0),
            biases: self.biases,
        }
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
        let numbers = const { SHAPES[WIDE].numbers };
        let [own, opponent, odd] = numbers.counts(board, own_moves, opponent_moves);
        let mut sum = self.odd_quadrants[odd];
        for row in [&self.own_moves[own], &self.opponent_moves[opponent]] {
            for i in 0..DIMENSIONS {
                sum.0[i] = sum.0[i].wrapping_add(row.0[i]);
            }
        }
        add_rows(self.rows.table(), indices, &mut sum);
        self.output(&sum, numbers.phase((board.player | board.opponent).count_ones()))
    }

    /// The same value from the board alone, square by square: the slow oracle of
    /// [`Network::value`].
    pub(crate) fn plain_value(&self, board: Board) -> i32 {
        let shape = Network::SHAPE;
        let (own, opponent) = (board.moves(Size::EIGHT), board.pass().moves(Size::EIGHT));
        let [own, opponent, odd] = shape.numbers.counts(board, own, opponent);
        let phase = shape.phase((board.player | board.opponent).count_ones());
        let slots: Vec<usize> = shape.slots_of(board).take(shape.instances().len()).collect();
        let mut value = i64::from(self.biases[phase]);
        for i in 0..DIMENSIONS {
            let patterns: i64 =
                slots.iter().map(|&slot| i64::from(self.rows.of_slots()[slot][i])).sum();
            let others = [
                self.own_moves[own].0[i],
                self.opponent_moves[opponent].0[i],
                self.odd_quadrants[odd].0[i],
            ];
            let sum = patterns + others.map(i64::from).iter().sum::<i64>();
            let clipped = sum.clamp(0, i64::from(ONE) - 1);
            value += clipped * clipped / 1024 * i64::from(self.outputs[phase].0[i]);
        }
        let most = i64::from(most(Size::EIGHT));
        (value >> FRACTION).clamp(-most, most) as i32
    }

    /// Clips and squares a sum, and weights it.
    #[inline(always)]
    fn output(&self, sum: &Sum, phase: usize) -> i32 {
        let weights = &self.outputs[phase];
        let mut value = self.biases[phase];
        for i in 0..DIMENSIONS {
            // The square, shifted by ten bits: three of them before, as the high half of a product
            // of 16 bits is one instruction.
            let clipped = sum.0[i].clamp(0, ONE - 1) << 3;
            let square = ((i32::from(clipped) * i32::from(clipped)) >> 16) as i16;
            value = value.wrapping_add(i32::from(square) * i32::from(weights.0[i]));
        }
        let most = most(Size::EIGHT);
        (value >> FRACTION).clamp(-most, most)
    }
}

/// The row of the pattern in `LANE`.
#[inline(always)]
fn row<'a, const LANE: usize>(
    rows: &'a [[i8; DIMENSIONS]; REACH],
    indices: &Indices,
) -> &'a [i8; DIMENSIONS] {
    let centre = const { MARGIN + SHAPES[WIDE].centre(LANE).expect("a lane in use") };
    &rows[centre.wrapping_add_signed(indices.lane(LANE).into())]
}

/// Adds the rows of all patterns to `sum`.
#[inline(always)]
fn add_rows(rows: &[[i8; DIMENSIONS]; REACH], indices: &Indices, sum: &mut Sum) {
    /// Adds a few rows to each other as bytes, which cannot overflow, and then to the sum.
    macro_rules! add {
        ($($lane:literal)*) => {{
            const { assert!([$($lane),*].len() <= 127 / MOST as usize) };
            let mut few = [0_i8; DIMENSIONS];
            $(
                let added = row::<$lane>(rows, indices);
                for i in 0..DIMENSIONS {
                    few[i] = few[i].wrapping_add(added[i]);
                }
            )*
            for i in 0..DIMENSIONS {
                sum.0[i] = sum.0[i].wrapping_add(few[i].into());
            }
        }};
    }
    const { assert!(SHAPES[WIDE].instances().len() == 58) };
    add!(0 1 2 3);
    add!(4 5 6 7);
    add!(8 9 10 11);
    add!(12 13 14 15);
    add!(16 17 18 19);
    add!(20 21 22 23);
    add!(24 25 26 27);
    add!(28 29 30 31);
    add!(32 33 34 35);
    add!(36 37 38 39);
    add!(40 41 42 43);
    add!(44 45 46 47);
    add!(48 49 50 51);
    add!(52 53 54 55);
    add!(56 57);
}
