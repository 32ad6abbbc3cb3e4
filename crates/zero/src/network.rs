//! Networks: what they say about boards, computed on the processor.
//!
//! A [`FloatNetwork`] is what training makes: numbers in floating point, evaluated
//! slowly. A [`Network`] is quantised for play: its large layers have weights of 8
//! bits and inputs of 7, and every machine and instruction set ([`Simd`]) finds the
//! same bits. Both are read from and written to bytes; nothing here opens files.

mod file;
mod float;
mod forward;
mod layer;
mod plane;
mod quantize;
mod shape;
mod simd;

pub use file::NetworkError;
pub use float::{FloatNetwork, ParametersError};
pub use shape::{LayerShape, Shape, ShapeError};
pub use simd::Simd;

use crate::Evaluation;
use float::Activation;
use forward::Pass;
use isrever_board::{Board, Rule};
use layer::{Dense, Layer};

/// A network ready to play: quantised, and the same on every machine.
///
/// ```
/// use isrever_board::{Board, Rule, Size};
/// use isrever_zero::{FloatNetwork, Network, Shape};
///
/// let shape = Shape::new(Size::SIX, 2, 16)?;
/// let trained = FloatNetwork::random(Rule::Reversed, shape, 1);
/// let start = Board::start(Size::SIX);
/// let network = Network::quantize(&trained, &[start]);
/// let mut evaluations = Vec::new();
/// network.evaluate(&[start], &mut evaluations);
/// assert!((evaluations[0].value - trained.evaluate(start).value).abs() < 0.05);
/// # Ok::<(), isrever_zero::ShapeError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    rule: Rule,
    shape: Shape,
    stem: Dense,
    blocks: Vec<Block>,
    /// The first layers of both heads side by side, the policy's first.
    heads: Layer,
    policy_pool: Dense,
    policy_second: Layer,
    policy_logits: Dense,
    value_hidden: Layer,
    value_out: Dense,
    /// What one means in the 7 bits of each [`Activation`].
    steps: Vec<f32>,
}

/// A residual block.
#[derive(Clone, PartialEq, Debug)]
struct Block {
    first: Layer,
    second: Layer,
    pool: Option<Dense>,
}

impl Network {
    /// What it was trained to play for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Adds what it says about each board to `out`, in their order. Several boards at once take
    /// less time than one after the other.
    pub fn evaluate(&self, boards: &[Board], out: &mut Vec<Evaluation>) {
        self.evaluate_with(Simd::best(), boards, out);
    }

    /// The same with a given instruction set, or with a more basic one if the machine lacks it.
    pub fn evaluate_with(&self, simd: Simd, boards: &[Board], out: &mut Vec<Evaluation>) {
        out.reserve(boards.len());
        for boards in boards.chunks(forward::BOARDS) {
            simd::dispatch(simd, Pass { network: self, boards, out });
        }
    }

    fn step(&self, activation: Activation) -> f32 {
        self.steps[activation.place(self.shape)]
    }
}
