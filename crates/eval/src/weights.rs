//! The weights of an evaluation, linear or a network, and the value of a position by them.

use crate::deviations::Deviations;
use crate::file::WeightsError;
use crate::indices::Indices;
use crate::linear::Linear;
use crate::network::{Network, Parameters};
use crate::shape::Shape;
use isrever_board::{Board, Rule, Size};
use std::fmt;
use std::sync::Arc;

/// The value of one disc.
pub const DISC: i32 = 256;

/// The weights of an evaluation, fitted for one rule on one board.
#[derive(Clone, PartialEq)]
pub struct Weights {
    pub(crate) rule: Rule,
    pub(crate) evaluation: Evaluation,
    /// Stored deviations, and the checksum of the weights that they were measured with.
    pub(crate) stored: Option<(Deviations, u32)>,
}

/// The kinds of evaluation.
///
/// A closed set, not a trait: a search that is generic over the evaluation would be compiled once
/// more for each kind, and the branch below is always predicted.
#[derive(Clone, PartialEq)]
pub(crate) enum Evaluation {
    Linear(Linear),
    Network(Arc<Network>),
}

impl Weights {
    /// Linear weights in units of 1/[`DISC`] disc by phase and class, as [`Shape::features`] numbers
    /// them.
    ///
    /// # Panics
    /// If there are not [`Shape::class_count`] weights for each of [`Shape::phase_count`] phases.
    pub fn linear(rule: Rule, shape: &Shape, phases: &[impl AsRef<[i16]>]) -> Weights {
        let evaluation = Evaluation::Linear(Linear::new(shape, phases));
        Weights { rule, evaluation, stored: None }
    }

    /// A network on 8×8.
    ///
    /// # Errors
    /// If there is not a row for each class of pattern states, or sums could overflow.
    pub fn network(rule: Rule, parameters: &Parameters) -> Result<Weights, WeightsError> {
        if parameters.rows.len() != Shape::WIDE.pattern_class_count() {
            return Err(WeightsError::OtherPatterns);
        }
        Weights::from_parameter_bytes(rule, &parameters.to_bytes())
    }

    /// A network of such bytes, without deviations.
    pub(crate) fn from_parameter_bytes(rule: Rule, bytes: &[u8]) -> Result<Weights, WeightsError> {
        let evaluation = Evaluation::Network(Arc::new(Network::new(bytes)?));
        Ok(Weights { rule, evaluation, stored: None })
    }

    /// The rule that they were fitted for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Whether they are a network.
    pub fn is_network(&self) -> bool {
        matches!(self.evaluation, Evaluation::Network(_))
    }

    /// The patterns that they look at.
    pub fn shape(&self) -> &'static Shape {
        match &self.evaluation {
            Evaluation::Linear(linear) => linear.shape(),
            Evaluation::Network(_) => Network::SHAPE,
        }
    }

    /// How far deep searches with these weights stray from shallow ones: as stored, or as weights
    /// commonly have it.
    pub fn deviations(&self) -> Deviations {
        match self.stored {
            Some((deviations, _)) => deviations,
            None => Deviations::common(self.rule, self.shape().size()),
        }
    }

    /// Whether the stored deviations were measured with these very weights.
    pub fn is_calibrated(&self) -> bool {
        let measured_with = self.stored.map(|(_, checksum)| checksum);
        measured_with.is_some() && measured_with == self.network_checksum()
    }

    /// The same network with deviations that were measured with it; `None` for linear weights,
    /// whose format has no place for them.
    #[must_use]
    pub fn calibrated(&self, deviations: Deviations) -> Option<Weights> {
        let checksum = self.network_checksum()?;
        Some(Weights { stored: Some((deviations, checksum)), ..self.clone() })
    }

    /// The linear weights of one phase by class; `None` for a network.
    ///
    /// # Panics
    /// If there is no such phase.
    pub fn phase(&self, phase: usize) -> Option<Vec<i16>> {
        match &self.evaluation {
            Evaluation::Linear(linear) => Some(linear.phase(phase)),
            Evaluation::Network(_) => None,
        }
    }

    /// The value of `board` for the side to move, in units of 1/[`DISC`] disc; positive is good.
    ///
    /// `indices` must be those of `board`, `own_moves` the legal squares of the side to move, and
    /// `opponent_moves` those of the other side if it were to move.
    #[inline(always)]
    pub fn value(
        &self,
        indices: &Indices,
        board: Board,
        own_moves: u64,
        opponent_moves: u64,
    ) -> i32 {
        match &self.evaluation {
            Evaluation::Linear(linear) => linear.value(indices, board, own_moves, opponent_moves),
            Evaluation::Network(network) => {
                network.value(indices, board, own_moves, opponent_moves)
            }
        }
    }

    /// The same value from the board alone, square by square: the slow oracle of
    /// [`Weights::value`].
    pub fn plain_value(&self, board: Board) -> i32 {
        match &self.evaluation {
            Evaluation::Linear(linear) => linear.plain_value(board),
            Evaluation::Network(network) => network.plain_value(board),
        }
    }
}

/// The greatest value: all squares belong to the side to move. Its negation is the least.
#[inline(always)]
pub(crate) const fn most(size: Size) -> i32 {
    let width = size.width() as i32;
    width * width * DISC
}

impl fmt::Debug for Weights {
    /// Leaves the millions of weights out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights")
            .field("rule", &self.rule)
            .field("size", &self.shape().size())
            .field("is_network", &self.is_network())
            .finish_non_exhaustive()
    }
}
