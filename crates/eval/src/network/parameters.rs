//! The numbers of a network as they are trained and stored, and their bytes in a file.

use super::{DIMENSIONS, MOST, Network, PHASES};
use crate::feature::{MOVES, ODD_QUADRANTS};
use crate::file::WeightsError;

/// The numbers of a network, as they are trained and stored.
#[derive(Clone, PartialEq, Eq)]
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
    /// The number of bytes of all parameters.
    pub(crate) fn byte_count() -> usize {
        let rows = Network::SHAPE.pattern_class_count();
        let wide_rows = MOVES + MOVES + ODD_QUADRANTS + PHASES;
        DIMENSIONS * (rows + 2 * wide_rows) + 4 * PHASES
    }

    /// All numbers in the order of the fields, the lowest byte of each first.
    pub(crate) fn to_plain_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Parameters::byte_count());
        bytes.extend(self.rows.iter().flatten().map(|number| number.cast_unsigned()));
        let wide = [&self.own_moves[..], &self.opponent_moves, &self.odd_quadrants, &self.outputs];
        for row in wide.into_iter().flatten() {
            bytes.extend(row.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(self.biases.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// The inverse of [`Parameters::to_plain_bytes`]; `None` if there are more or fewer bytes.
    pub(crate) fn from_plain_bytes(bytes: &[u8]) -> Option<Parameters> {
        if bytes.len() != Parameters::byte_count() {
            return None;
        }
        let (rows, rest) = bytes.split_at(DIMENSIONS * Network::SHAPE.pattern_class_count());
        let (wide, biases) = rest.split_at(rest.len() - 4 * PHASES);
        let (wide, _) = wide.as_chunks::<{ 2 * DIMENSIONS }>();
        let mut wide = wide.iter().map(|row| {
            let (numbers, _) = row.as_chunks();
            std::array::from_fn(|i| i16::from_le_bytes(numbers[i]))
        });
        let mut next = || wide.next().expect("the length was checked");
        let (biases, _) = biases.as_chunks();
        Some(Parameters {
            rows: rows.as_chunks().0.iter().map(|row| row.map(u8::cast_signed)).collect(),
            own_moves: std::array::from_fn(|_| next()),
            opponent_moves: std::array::from_fn(|_| next()),
            odd_quadrants: std::array::from_fn(|_| next()),
            outputs: std::array::from_fn(|_| next()),
            biases: std::array::from_fn(|phase| i32::from_le_bytes(biases[phase])),
        })
    }

    /// Refuses parameters whose sums could overflow.
    pub(super) fn check(&self) -> Result<(), WeightsError> {
        let shape = Network::SHAPE;
        if self.rows.len() != shape.pattern_class_count() {
            return Err(WeightsError::OtherPatterns);
        }
        let is_small = |number: &i8| number.unsigned_abs() <= MOST.unsigned_abs();
        let largest = |rows: &[[i16; DIMENSIONS]]| -> u32 {
            rows.iter().flatten().map(|number| number.unsigned_abs().into()).max().unwrap_or(0)
        };
        let sum = shape.instances().len() as u32 * u32::from(MOST.unsigned_abs())
            + largest(&self.own_moves)
            + largest(&self.opponent_moves)
            + largest(&self.odd_quadrants);
        let fits = |(weights, bias): (&[i16; DIMENSIONS], &i32)| {
            let weights: u64 = weights.iter().map(|weight| u64::from(weight.unsigned_abs())).sum();
            255 * weights + u64::from(bias.unsigned_abs()) < 1 << 31
        };
        let fits = self.rows.iter().flatten().all(is_small)
            && sum < 1 << 15
            && self.outputs.iter().zip(&self.biases).all(fits);
        if fits { Ok(()) } else { Err(WeightsError::Overflow) }
    }
}
