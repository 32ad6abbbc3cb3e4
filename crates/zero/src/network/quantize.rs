//! From floating point to 8 bits: measures activations on boards, and chooses their steps.

use super::float::{Activation, Affine, FloatNetwork};
use super::layer::{Dense, Layer, MOST_INPUT};
use super::{Block, Network};
use isrever_board::Board;

/// The range of steps: beyond it numbers could overflow.
pub(super) const LEAST_STEP: f32 = 1e-6;
pub(super) const MOST_STEP: f32 = 1e4;

/// Clips that are tried, in parts of the greatest activation.
const CLIPS: u32 = 20;

/// Most activations that a step is chosen by.
const SAMPLES: usize = 1 << 19;

impl Network {
    /// Quantises a trained network, with steps that fit the activations on the boards of
    /// `calibration`: a few hundred of those that it will see.
    ///
    /// Without boards the activations are taken to reach from 0 to 4.
    pub fn quantize(network: &FloatNetwork, calibration: &[Board]) -> Network {
        let shape = network.shape();
        let mut activations = vec![Vec::new(); Activation::count(shape)];
        // Every so many numbers are enough where there are many.
        let each = shape.size().cells() * shape.channels() * calibration.len();
        let every = each.div_ceil(SAMPLES).max(1);
        for &board in calibration {
            network.observe(board, &mut |activation, numbers| {
                // Coprime to the number of channels, a multiple of 16, if it is odd.
                activations[activation.place(shape)].extend(numbers.iter().step_by(every | 1));
            });
        }
        let steps: Vec<f32> = activations.iter().map(|numbers| best_step(numbers)).collect();
        let step = |activation: Activation| steps[activation.place(shape)];
        let blocks = network.blocks.iter().enumerate().map(|(number, block)| Block {
            first: Layer::quantize(&block.first, step(Activation::Trunk(number))),
            second: Layer::quantize(&block.second, step(Activation::Inner(number))),
            pool: block.pool.as_ref().map(Dense::new),
        });
        let heads = side_by_side(&network.policy_first, &network.value_first);
        Network {
            rule: network.rule(),
            shape,
            stem: Dense::new(&network.stem),
            blocks: blocks.collect(),
            heads: Layer::quantize(&heads, step(Activation::Trunk(shape.blocks()))),
            policy_pool: Dense::new(&network.policy_pool),
            policy_second: Layer::quantize(&network.policy_second, step(Activation::Policy)),
            policy_logits: Dense::new(&network.policy_logits),
            value_hidden: Layer::quantize(&network.value_hidden, step(Activation::Value)),
            value_out: Dense::new(&network.value_out),
            steps,
        }
    }
}

/// The step that leaves the smallest squared error: a smaller one rounds less and clips more.
fn best_step(activations: &[f32]) -> f32 {
    let most = activations.iter().copied().fold(0.0, f32::max);
    if most == 0.0 {
        return 4.0 / f32::from(MOST_INPUT);
    }
    let error = |step: f32| -> f64 {
        let error = |number: &f32| {
            let quantized = (number / step).round_ties_even().min(f32::from(MOST_INPUT));
            f64::from(quantized * step - number).powi(2)
        };
        activations.iter().map(error).sum()
    };
    let steps = (1..=CLIPS).map(|part| most * part as f32 / (CLIPS * u32::from(MOST_INPUT)) as f32);
    let best = steps.min_by(|a, b| error(*a).total_cmp(&error(*b))).expect("there are steps");
    best.clamp(LEAST_STEP, MOST_STEP)
}

/// Two layers with the same inputs as one.
fn side_by_side(left: &Affine, right: &Affine) -> Affine {
    let rows = |layer: &Affine| layer.biases.len();
    let left_rows = left.weights.chunks_exact(rows(left));
    let right_rows = right.weights.chunks_exact(rows(right));
    Affine {
        inputs: left.inputs,
        weights: left_rows.zip(right_rows).flat_map(|(a, b)| [a, b].concat()).collect(),
        biases: [&left.biases[..], &right.biases].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_great_activation_is_clipped_and_many_are_not() {
        let even: Vec<f32> = (0..1000).map(|i| i as f32 / 250.0).collect();
        let step = best_step(&even);
        assert!(step * 127.0 > 3.9, "{step}");
        let rare: Vec<f32> = even.iter().cycle().take(100_000).copied().chain([40.0]).collect();
        let step = best_step(&rare);
        assert!((3.9..30.0).contains(&(step * 127.0)), "{step}");
    }

    #[test]
    fn layers_side_by_side_keep_their_weights_and_biases() {
        let left = Affine { inputs: 2, weights: vec![1., 2., 3., 4.], biases: vec![5., 6.] };
        let right = Affine { inputs: 2, weights: vec![7., 8.], biases: vec![9.] };
        let both = side_by_side(&left, &right);
        assert_eq!(both.weights, [1., 2., 7., 3., 4., 8.]);
        assert_eq!(both.biases, [5., 6., 9.]);
    }
}
