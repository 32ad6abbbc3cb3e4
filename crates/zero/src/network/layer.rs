//! Layers of the quantised network: weights of 8 bits, laid out for vectors; and small float layers.

use super::float::Affine;

/// Outputs that one vector computes.
pub(super) const LANES: usize = 16;

/// The greatest quantised activation: 7 bits, so that two products fit in 16 bits and AVX2 gives
/// the same sums as every other kernel.
pub(super) const MOST_INPUT: u8 = 127;

/// The weights of 16 outputs for four inputs, `[output][input]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Line(pub(super) [i8; 4 * LANES]);

/// A layer with quantised inputs and weights. Output `o` is `sum × scales[o] + biases[o]`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Layer {
    /// Inputs of a tap, a multiple of 4.
    pub(super) inputs: usize,
    /// `[output / 16][tap][input / 4]`.
    pub(super) lines: Vec<Line>,
    /// In vectors, for the outputs of each line.
    pub(super) scales: Vec<[f32; LANES]>,
    pub(super) biases: Vec<[f32; LANES]>,
}

impl Layer {
    /// Quantises a layer whose inputs come in units of `step`.
    pub(super) fn quantize(layer: &Affine, step: f32) -> Layer {
        let outputs = layer.biases.len();
        let column = |output: usize| layer.weights[output..].iter().step_by(outputs);
        // One scale for each output: its greatest weight becomes 127.
        let units: Vec<f32> = (0..outputs)
            .map(|output| column(output).fold(0_f32, |most, weight| most.max(weight.abs())) / 127.0)
            .collect();
        let quantized = |input: usize, output: usize| match units[output] {
            0.0 => 0,
            unit => (layer.weights[input * outputs + output] / unit).round_ties_even() as i8,
        };
        let mut lines = Vec::with_capacity(layer.weights.len() / (4 * LANES));
        for group in 0..outputs / LANES {
            for input in (0..layer.weights.len() / outputs).step_by(4) {
                let weight = |i: usize| quantized(input + i % 4, group * LANES + i / 4);
                lines.push(Line(std::array::from_fn(weight)));
            }
        }
        let scales: Vec<f32> = units.iter().map(|unit| unit * step).collect();
        Layer {
            inputs: layer.inputs,
            lines,
            scales: scales.as_chunks().0.to_vec(),
            biases: layer.biases.as_chunks().0.to_vec(),
        }
    }

    /// Vectors of outputs.
    pub(super) fn groups(&self) -> usize {
        self.scales.len()
    }

    /// Lines of each of these vectors.
    pub(super) fn group_lines(&self) -> usize {
        self.lines.len() / self.groups()
    }
}

/// A layer in floating point, for the few places where 8 bits gain nothing.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Dense {
    /// `[input][output]`.
    pub(super) weights: Vec<f32>,
    pub(super) biases: Vec<f32>,
}

impl Dense {
    pub(super) fn new(layer: &Affine) -> Dense {
        Dense { weights: layer.weights.clone(), biases: layer.biases.clone() }
    }

    /// Adds up the inputs times their weights, one input after the other on every machine.
    #[inline(always)]
    pub(super) fn apply(&self, inputs: &[f32], sums: &mut [f32]) {
        sums.copy_from_slice(&self.biases);
        for (input, weights) in inputs.iter().zip(self.weights.chunks_exact(sums.len())) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += input * weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_within_half_a_unit_of_the_trained_one() {
        let weight = |i: usize| ((i * 37 % 101) as f32 - 50.0) / (1.0 + (i % 16) as f32);
        let weights: Vec<f32> = (0..9 * 4 * 16).map(weight).collect();
        let biases: Vec<f32> = (0..16).map(|i| i as f32).collect();
        let affine = Affine { inputs: 4, weights, biases };
        let layer = Layer::quantize(&affine, 0.5);
        assert_eq!((layer.groups(), layer.group_lines()), (1, 9));
        assert_eq!(layer.biases[0], *affine.biases);
        for (i, weight) in affine.weights.iter().enumerate() {
            let (input, output) = (i / 16, i % 16);
            let quantized = layer.lines[input / 4].0[output * 4 + input % 4];
            let unit = layer.scales[0][output] / 0.5;
            assert!((f32::from(quantized) * unit - weight).abs() <= unit * 0.5001, "weight {i}");
        }
    }
}
