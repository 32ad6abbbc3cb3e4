//! A network in floating point, evaluated the slow and obvious way: the oracle of the fast one.
//!
//! Batch norms are already folded into weights and biases. Activations of a board
//! are `[row][column][channel]`, weights `[row][column][input][output]`.

use super::shape::{OUTPUTS, PLANES, POLICY, Shape};
use crate::Evaluation;
use isrever_agent::Rng;
use isrever_board::{Board, Rule, Square};
use std::fmt;

/// The greatest size of any weight or bias, so that no sum of a quantised network can overflow.
pub(super) const MOST: f32 = 1e4;

/// A network as it was trained, with its numbers in floating point.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork {
    rule: Rule,
    shape: Shape,
    pub(super) stem: Affine,
    pub(super) blocks: Vec<FloatBlock>,
    pub(super) policy_first: Affine,
    pub(super) policy_pool: Affine,
    pub(super) policy_second: Affine,
    pub(super) policy_logits: Affine,
    pub(super) value_first: Affine,
    pub(super) value_hidden: Affine,
    pub(super) value_out: Affine,
}

/// A residual block.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FloatBlock {
    pub(super) first: Affine,
    pub(super) second: Affine,
    pub(super) pool: Option<Affine>,
}

/// A layer: weights `[tap][input][output]`, and a bias for each output.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Affine {
    pub(super) inputs: usize,
    pub(super) weights: Vec<f32>,
    pub(super) biases: Vec<f32>,
}

/// Numbers that make no network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ParametersError {
    /// There are too many or too few.
    Count(usize, Shape),
    /// One is not finite, or too large.
    Number(usize, f32),
}

impl fmt::Display for ParametersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParametersError::Count(count, shape) => {
                let expected = shape.parameter_count();
                write!(f, "{count} numbers for {shape}; expected {expected}")
            }
            ParametersError::Number(place, number) => {
                write!(f, "number {place} of a network is {number}; expected one within ±{MOST}")
            }
        }
    }
}

impl std::error::Error for ParametersError {}

/// Activations that are stored in 7 bits, in the order of the quantised network's steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Activation {
    /// The trunk after so many blocks.
    Trunk(usize),
    /// The inner one of a block.
    Inner(usize),
    /// The policy head's.
    Policy,
    /// The value head's.
    Value,
}

impl Activation {
    /// How many there are in a network of this shape.
    pub(super) fn count(shape: Shape) -> usize {
        2 * shape.blocks() + 3
    }

    /// Its place among all of them.
    pub(super) fn place(self, shape: Shape) -> usize {
        match self {
            Activation::Trunk(blocks) => 2 * blocks,
            Activation::Inner(block) => 2 * block + 1,
            Activation::Policy => 2 * shape.blocks() + 1,
            Activation::Value => 2 * shape.blocks() + 2,
        }
    }
}

impl FloatNetwork {
    /// A network of the numbers of all its layers in the order of [`Shape::layers`]: of each the
    /// weights `[tap][input][output]`, then the biases.
    ///
    /// # Errors
    /// If there are more or fewer numbers, or one is not finite or greater than 10,000 in size.
    pub fn new(
        rule: Rule,
        shape: Shape,
        parameters: &[f32],
    ) -> Result<FloatNetwork, ParametersError> {
        if parameters.len() != shape.parameter_count() {
            return Err(ParametersError::Count(parameters.len(), shape));
        }
        let is_wrong = |number: &f32| !(-MOST..=MOST).contains(number);
        if let Some(place) = parameters.iter().position(is_wrong) {
            return Err(ParametersError::Number(place, parameters[place]));
        }
        let (mut rest, mut layers) = (parameters, shape.layers().into_iter());
        let mut next = || {
            let layer = layers.next().expect("a shape has all layers");
            let (weights, behind) = rest.split_at(layer.weights());
            let (biases, behind) = behind.split_at(layer.outputs);
            rest = behind;
            Affine { inputs: layer.inputs, weights: weights.to_vec(), biases: biases.to_vec() }
        };
        Ok(FloatNetwork {
            rule,
            shape,
            stem: next(),
            blocks: (0..shape.blocks())
                .map(|block| FloatBlock {
                    first: next(),
                    second: next(),
                    pool: Shape::is_pooled(block).then(&mut next),
                })
                .collect(),
            policy_first: next(),
            policy_pool: next(),
            policy_second: next(),
            policy_logits: next(),
            value_first: next(),
            value_hidden: next(),
            value_out: next(),
        })
    }

    /// A network that has learned nothing: random weights by seed, in sizes that keep activations
    /// in bounds, and small random biases.
    pub fn random(rule: Rule, shape: Shape, seed: u64) -> FloatNetwork {
        let mut rng = Rng::new(seed);
        let mut parameters = Vec::with_capacity(shape.parameter_count());
        for layer in shape.layers() {
            let reach = (3.0 / (layer.taps * layer.inputs) as f64).sqrt();
            // Blocks add up, so that each must add little.
            let reach = match layer.name.ends_with(".second") || layer.name.ends_with(".pool") {
                true => reach / (shape.blocks() as f64).sqrt(),
                false => reach,
            };
            let mut add = |count, reach: f64| {
                parameters.extend((0..count).map(|_| ((2.0 * rng.unit() - 1.0) * reach) as f32));
            };
            add(layer.weights(), reach);
            add(layer.outputs, 0.1);
        }
        FloatNetwork::new(rule, shape, &parameters).expect("as many numbers, all of them small")
    }

    /// What it was trained to play for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The numbers that [`FloatNetwork::new`] makes it from.
    pub fn parameters(&self) -> Vec<f32> {
        let mut layers = vec![&self.stem];
        for block in &self.blocks {
            layers.extend([&block.first, &block.second]);
            layers.extend(&block.pool);
        }
        layers.extend([&self.policy_first, &self.policy_pool, &self.policy_second]);
        layers.extend([&self.policy_logits, &self.value_first]);
        layers.extend([&self.value_hidden, &self.value_out]);
        layers.iter().flat_map(|layer| layer.weights.iter().chain(&layer.biases)).copied().collect()
    }

    /// What it says about a board.
    pub fn evaluate(&self, board: Board) -> Evaluation {
        self.observe(board, &mut |_, _| ())
    }

    /// The same, and shows every activation that the quantised network stores in 7 bits.
    pub(super) fn observe(
        &self,
        board: Board,
        observer: &mut impl FnMut(Activation, &[f32]),
    ) -> Evaluation {
        let width = usize::from(self.shape.size().width());
        let mut x = relu(self.stem.convolve(&planes(self.shape, board), width));
        observer(Activation::Trunk(0), &x);
        for (number, block) in self.blocks.iter().enumerate() {
            let h = relu(block.first.convolve(&x, width));
            observer(Activation::Inner(number), &h);
            let mut y = block.second.convolve(&h, width);
            if let Some(pool) = &block.pool {
                add_to_squares(&mut y, &pool.apply(&pooled(&h, self.shape.channels())));
            }
            x = relu(x.iter().zip(&y).map(|(x, y)| x + y).collect());
            observer(Activation::Trunk(number + 1), &x);
        }
        let p = relu(self.policy_first.apply(&x));
        observer(Activation::Policy, &p);
        let mut q = self.policy_second.apply(&p);
        add_to_squares(&mut q, &self.policy_pool.apply(&pooled(&p, POLICY)));
        let logits = self.policy_logits.apply(&relu(q));
        let v = relu(self.value_first.apply(&x));
        observer(Activation::Value, &v);
        let out = self.value_out.apply(&relu(self.value_hidden.apply(&v)));
        let out = out.try_into().expect("as many outputs");
        evaluation(self.shape, logits.into_iter(), out)
    }
}

impl Affine {
    /// The layer for each square, or any other group of inputs, apart.
    fn apply(&self, inputs: &[f32]) -> Vec<f32> {
        let outputs = inputs.chunks_exact(self.inputs).flat_map(|inputs| {
            let mut sums = self.biases.clone();
            self.add_products(inputs, 0, &mut sums);
            sums
        });
        outputs.collect()
    }

    /// A convolution of 3×3 squares; there are zeros around the board.
    fn convolve(&self, inputs: &[f32], width: usize) -> Vec<f32> {
        let mut outputs = Vec::new();
        for (row, column) in (0..width * width).map(|square| (square / width, square % width)) {
            let mut sums = self.biases.clone();
            for (dy, dx) in (0..9).map(|tap| (tap / 3, tap % 3)) {
                // Coordinates that are one too great, as no number here may be negative.
                let (row, column) = (row + dy, column + dx);
                if (1..=width).contains(&row) && (1..=width).contains(&column) {
                    let square = (row - 1) * width + column - 1;
                    let inputs = &inputs[square * self.inputs..][..self.inputs];
                    self.add_products(inputs, 3 * dy + dx, &mut sums);
                }
            }
            outputs.extend(sums);
        }
        outputs
    }

    /// Adds the inputs times their weights of a tap.
    fn add_products(&self, inputs: &[f32], tap: usize, sums: &mut [f32]) {
        let outputs = sums.len();
        let weights = &self.weights[tap * self.inputs * outputs..];
        for (input, weights) in inputs.iter().zip(weights.chunks_exact(outputs)) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += input * weight;
            }
        }
    }
}

/// The planes of a board as bits, in their order.
pub(super) fn plane_bits(shape: Shape, board: Board) -> [u64; PLANES] {
    let size = shape.size();
    [board.player, board.opponent, board.moves(size), board.pass().moves(size), size.mask()]
}

/// The planes of a board, `[row][column][plane]`.
fn planes(shape: Shape, board: Board) -> Vec<f32> {
    let planes = plane_bits(shape, board);
    let of_square = |bit: u64| planes.map(|plane| f32::from(u8::from(plane & bit != 0)));
    bits(shape).flat_map(of_square).collect()
}

/// The bits of the squares, row by row.
pub(super) fn bits(shape: Shape) -> impl Iterator<Item = u64> {
    let width = shape.size().width();
    (0..width).flat_map(move |row| (0..width).map(move |column| Square::new(column, row).bit()))
}

fn relu(mut numbers: Vec<f32>) -> Vec<f32> {
    for number in &mut numbers {
        *number = number.max(0.0);
    }
    numbers
}

/// The mean of each channel over all squares, then the greatest of each.
fn pooled(numbers: &[f32], channels: usize) -> Vec<f32> {
    let squares = numbers.len() / channels;
    let of_channel = |channel: usize| numbers[channel..].iter().step_by(channels);
    let means = (0..channels).map(|channel| of_channel(channel).sum::<f32>() / squares as f32);
    let greatest = (0..channels).map(|channel| of_channel(channel).copied().fold(0.0, f32::max));
    means.chain(greatest).collect()
}

/// Adds the same numbers, one for each channel, to every square.
fn add_to_squares(numbers: &mut [f32], added: &[f32]) {
    for numbers in numbers.chunks_exact_mut(added.len()) {
        for (number, added) in numbers.iter_mut().zip(added) {
            *number += added;
        }
    }
}

/// Squares to bits, logits to probabilities, and the score to discs.
pub(super) fn evaluation(
    shape: Shape,
    logits: impl Iterator<Item = f32>,
    out: [f32; OUTPUTS],
) -> Evaluation {
    let mut policy = [0.0; 64];
    for (bit, logit) in bits(shape).zip(logits) {
        policy[bit.trailing_zeros() as usize] = logit;
    }
    let [win, draw, loss, score] = out;
    let most = win.max(draw).max(loss);
    let [win, draw, loss] = [win, draw, loss].map(|logit| exp(f64::from(logit - most)));
    Evaluation {
        policy,
        value: ((win - loss) / (win + draw + loss)) as f32,
        score: score * DISCS_OF_SCORE,
    }
}

/// The network's unit of the score.
const DISCS_OF_SCORE: f32 = 16.0;

/// The exponential function of a number up to 0, by additions and multiplications alone: that of
/// the system differs from machine to machine in the last bit.
fn exp(number: f64) -> f64 {
    // The series converges quickly near 0; halving ten times gets there, and squaring comes back.
    let small = number.max(-700.0) / 1024.0;
    let series = (1..=10).rev().fold(1.0, |sum, n| 1.0 + sum * small / f64::from(n));
    (0..10).fold(series, |power, _| power * power)
}

#[cfg(test)]
mod tests;
