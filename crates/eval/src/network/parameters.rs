//! The numbers of a network as they are trained, and as bytes.

use super::{DIMENSIONS, MOST, Network, PHASES};
use crate::feature::{MOVES, ODD_QUADRANTS};
use crate::file::WeightsError;

/// Rows of 16-bit numbers.
const WIDE_ROWS: usize = MOVES + MOVES + ODD_QUADRANTS + PHASES;

/// The numbers of a network, as they are trained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// A row for each class of pattern states, as [`Shape::features`](crate::Shape::features)
    /// numbers them.
    pub rows: Vec<[i8; DIMENSIONS]>,
    /// A row for each number of moves of the side to move.
    pub own_moves: [[i16; DIMENSIONS]; MOVES],
    /// The same for the other side.
    pub opponent_moves: [[i16; DIMENSIONS]; MOVES],
    /// A row for each number of quadrants with an odd number of empty squares.
    pub odd_quadrants: [[i16; DIMENSIONS]; ODD_QUADRANTS],
    /// The output weights of each phase.
    pub outputs: [[i16; DIMENSIONS]; PHASES],
    /// The output bias of each phase.
    pub biases: [i32; PHASES],
}

impl Parameters {
    /// The numbers as bytes, the lowest byte of each first.
    ///
    /// Nearly half of the classes are never met in games, and have rows of zeros: a bit for each
    /// class says whether its row follows.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let is_present = |row: &[i8; DIMENSIONS]| row.iter().any(|&number| number != 0);
        let byte = |rows: &[[i8; DIMENSIONS]]| {
            let bits = rows.iter().enumerate();
            bits.fold(0, |byte, (bit, row)| byte | u8::from(is_present(row)) << bit)
        };
        let mut bytes: Vec<u8> = self.rows.chunks(8).map(byte).collect();
        let present = self.rows.iter().filter(|row| is_present(row));
        bytes.extend(present.flatten().map(|number| number.cast_unsigned()));
        let wide = [&self.own_moves[..], &self.opponent_moves, &self.odd_quadrants, &self.outputs];
        let numbers = wide.into_iter().flatten().flatten();
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes.extend(self.biases.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }
}

/// The numbers of a network, where they are: in the bytes that [`Parameters::to_bytes`] made.
pub(super) struct Bytes<'a> {
    pub(super) present: &'a [u8],
    pub(super) rows: &'a [[u8; DIMENSIONS]],
    wide: &'a [[u8; 2 * DIMENSIONS]],
    biases: &'a [[u8; 4]],
}

impl<'a> Bytes<'a> {
    /// The most bytes that there can be.
    pub(super) fn most() -> usize {
        let classes = Network::SHAPE.pattern_class_count();
        classes.div_ceil(8) + DIMENSIONS * (classes + 2 * WIDE_ROWS) + 4 * PHASES
    }

    /// Finds the parts.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Bytes<'a>, WeightsError> {
        let classes = Network::SHAPE.pattern_class_count();
        let (present, rest) =
            bytes.split_at_checked(classes.div_ceil(8)).ok_or(WeightsError::Damaged)?;
        let count: u32 = present.iter().map(|byte| byte.count_ones()).sum();
        let spare = present.last().map_or(0, |&last| last >> (classes % 8));
        let (rows, rest) = rest
            .split_at_checked(count as usize * DIMENSIONS)
            .filter(|_| classes.is_multiple_of(8) || spare == 0)
            .ok_or(WeightsError::Damaged)?;
        let (wide, biases) = rest
            .split_at_checked(WIDE_ROWS * 2 * DIMENSIONS)
            .filter(|(_, biases)| biases.len() == 4 * PHASES)
            .ok_or(WeightsError::Damaged)?;
        let parts = Bytes {
            present,
            rows: rows.as_chunks().0,
            wide: wide.as_chunks().0,
            biases: biases.as_chunks().0,
        };
        if parts.fit() { Ok(parts) } else { Err(WeightsError::Overflow) }
    }

    /// The rows of 16-bit numbers from `first` on.
    fn wide<const COUNT: usize>(&self, first: usize) -> [[i16; DIMENSIONS]; COUNT] {
        std::array::from_fn(|row| {
            let (numbers, _) = self.wide[first + row].as_chunks();
            std::array::from_fn(|i| i16::from_le_bytes(numbers[i]))
        })
    }

    pub(super) fn own_moves(&self) -> [[i16; DIMENSIONS]; MOVES] {
        self.wide(0)
    }

    pub(super) fn opponent_moves(&self) -> [[i16; DIMENSIONS]; MOVES] {
        self.wide(MOVES)
    }

    pub(super) fn odd_quadrants(&self) -> [[i16; DIMENSIONS]; ODD_QUADRANTS] {
        self.wide(2 * MOVES)
    }

    pub(super) fn outputs(&self) -> [[i16; DIMENSIONS]; PHASES] {
        self.wide(2 * MOVES + ODD_QUADRANTS)
    }

    pub(super) fn biases(&self) -> [i32; PHASES] {
        std::array::from_fn(|phase| i32::from_le_bytes(self.biases[phase]))
    }

    /// Whether no sum of such numbers can overflow.
    fn fit(&self) -> bool {
        // From −MOST to MOST is up to twice MOST from there. All rows together, without a branch for
        // each number: there are millions.
        let mut most = [0; DIMENSIONS];
        for row in self.rows {
            for (most, number) in most.iter_mut().zip(row) {
                *most = number.wrapping_add(MOST.unsigned_abs()).max(*most);
            }
        }
        let are_small = most.iter().all(|&most| most <= 2 * MOST.unsigned_abs());
        let largest = |rows: &[[i16; DIMENSIONS]]| -> u32 {
            rows.iter().flatten().map(|number| number.unsigned_abs().into()).max().unwrap_or(0)
        };
        let sum = Network::SHAPE.instances().len() as u32 * u32::from(MOST.unsigned_abs())
            + largest(&self.own_moves())
            + largest(&self.opponent_moves())
            + largest(&self.odd_quadrants());
        let output_fits = |(weights, bias): (&[i16; DIMENSIONS], &i32)| {
            let weights: u64 = weights.iter().map(|weight| u64::from(weight.unsigned_abs())).sum();
            255 * weights + u64::from(bias.unsigned_abs()) < 1 << 31
        };
        are_small && sum < 1 << 15 && self.outputs().iter().zip(&self.biases()).all(output_fits)
    }
}
