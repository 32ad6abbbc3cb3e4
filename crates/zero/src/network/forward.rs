//! The way from boards to evaluations, the same for every instruction set.
//!
//! Sums of products are whole numbers. What follows them is in floating point, an
//! operation at a time in a fixed order, without fused ones, so that all machines
//! find the same bits. The loops over 16 numbers become vectors where they are
//! compiled for them.

use super::Network;
use super::float::{Activation, evaluation, plane_bits};
use super::layer::{LANES, Layer, MOST_INPUT};
use super::plane::{Plane, vectors};
use super::shape::{HIDDEN, OUTPUTS, PLANES, POLICY, VALUE};
use super::simd::{Arithmetic, Block, MOST_GROUPS, Sums, Task};
use crate::Evaluation;
use isrever_board::Board;

/// Boards that go through the network together, so that they share the weights in the caches.
pub(super) const BOARDS: usize = 8;

/// Vectors of the policy head's channels, the first ones of the two heads'.
const POLICY_GROUPS: usize = POLICY / LANES;

/// Numbers that are computed at once. Functions take and give them by value: what lies in memory
/// could overlap, and would not become vectors.
type Vector = [f32; LANES];

/// Several boards on their way through the network.
struct Activations<'a, A> {
    arithmetic: A,
    network: &'a Network,
    boards: &'a [Board],
    width: usize,
    /// The trunk: `[board][square][channel]`, exact, so that rounding does not add up.
    exact: Vec<f32>,
    /// The trunk as convolutions read it, and the inner activations of a block.
    trunk: Plane,
    inner: Plane,
}

/// Boards to evaluate together, at most [`BOARDS`], and where their evaluations go.
pub(super) struct Pass<'a> {
    pub(super) network: &'a Network,
    pub(super) boards: &'a [Board],
    pub(super) out: &'a mut Vec<Evaluation>,
}

impl Task for Pass<'_> {
    fn run(self, arithmetic: impl Arithmetic) {
        let Pass { network, boards, out } = self;
        let shape = network.shape;
        let width = usize::from(shape.size().width());
        let plane = || Plane::new(boards.len(), width, shape.channels(), 1);
        let mut pass = Activations {
            arithmetic,
            network,
            boards,
            width,
            exact: vec![0.0; boards.len() * shape.size().cells() * shape.channels()],
            trunk: plane(),
            inner: plane(),
        };
        pass.stem();
        for block in 0..shape.blocks() {
            pass.block(block);
        }
        pass.heads(out);
    }
}

impl<A: Arithmetic> Activations<'_, A> {
    /// The first layer: planes are zeros and ones, so it adds up weights.
    fn stem(&mut self) {
        let Activations { network, boards, width, exact, trunk, .. } = self;
        let (width, channels) = (*width, network.shape.channels());
        let over_step = 1.0 / network.step(Activation::Trunk(0));
        self.arithmetic.run(
            #[inline(always)]
            || {
                let mut numbers = exact.chunks_exact_mut(channels);
                for (number, board) in boards.iter().enumerate() {
                    let planes = plane_bits(network.shape, *board);
                    for (row, column) in squares(width) {
                        let sums = numbers.next().expect("a square of a board");
                        add_planes(network, planes, (row, column), width, sums);
                        let trunk = trunk.square_mut(number * width + row, column);
                        let quantized = trunk.as_chunks_mut().0;
                        for (sums, quantized) in sums.as_chunks_mut().0.iter_mut().zip(quantized) {
                            *sums = relu(*sums);
                            *quantized = quantize(*sums, over_step);
                        }
                    }
                }
            },
        );
    }

    fn block(&mut self, number: usize) {
        let network = self.network;
        let block = &network.blocks[number];
        let (channels, width) = (network.shape.channels(), self.width);
        let step = network.step(Activation::Inner(number));
        let over_step = 1.0 / step;
        let Activations { arithmetic, boards, trunk, inner, exact, .. } = self;
        let rows = Rows { arithmetic: *arithmetic, boards: boards.len(), width };
        rows.apply::<3>(
            &block.first,
            trunk,
            #[inline(always)]
            |row| {
                let quantized = inner.vectors(row.number, row.group);
                for (h, quantized) in row.outputs(&block.first).zip(quantized) {
                    *quantized = quantize(relu(h), over_step);
                }
            },
        );
        let mut added = vec![0.0; boards.len() * channels];
        if let Some(pool) = &block.pool {
            arithmetic.run(
                #[inline(always)]
                || {
                    let mut pooled = vec![0.0; 2 * channels];
                    for (board, added) in added.chunks_exact_mut(channels).enumerate() {
                        inner.pool(board, step, &mut pooled);
                        pool.apply(&pooled, added);
                    }
                },
            );
        }
        let over_step = 1.0 / network.step(Activation::Trunk(number + 1));
        rows.apply::<3>(
            &block.second,
            inner,
            #[inline(always)]
            |row| {
                let added = vector(&added, row.board * channels + row.group * LANES);
                let exact = &mut exact[row.number * width * channels..];
                let exact = vectors(exact, channels, row.group);
                let numbers = exact.zip(trunk.vectors(row.number, row.group));
                for (y, (exact, quantized)) in row.outputs(&block.second).zip(numbers) {
                    let x = relu(add(*exact, add(y, added)));
                    *exact = x;
                    *quantized = quantize(x, over_step);
                }
            },
        );
    }

    fn heads(&self, out: &mut Vec<Evaluation>) {
        let network = self.network;
        let (boards, width) = (self.boards.len(), self.width);
        let mut policy = Plane::new(boards, width, POLICY, 0);
        let mut value = Plane::new(boards, width, VALUE, 0);
        let over_policy_step = 1.0 / network.step(Activation::Policy);
        let over_value_step = 1.0 / network.step(Activation::Value);
        let rows = Rows { arithmetic: self.arithmetic, boards, width };
        rows.apply::<1>(
            &network.heads,
            &self.trunk,
            #[inline(always)]
            |row| {
                let (quantized, over_step) = match row.group.checked_sub(POLICY_GROUPS) {
                    None => (policy.vectors(row.number, row.group), over_policy_step),
                    Some(group) => (value.vectors(row.number, group), over_value_step),
                };
                for (h, quantized) in row.outputs(&network.heads).zip(quantized) {
                    *quantized = quantize(relu(h), over_step);
                }
            },
        );
        let products = self.policy(&policy);
        let bias = network.policy_logits.biases[0];
        for (board, products) in products.chunks_exact(width * width).enumerate() {
            let logits = products.iter().map(|products| total(*products) + bias);
            out.push(evaluation(network.shape, logits, self.value(&value, board)));
        }
    }

    /// The logits of all squares, not yet added up over the channels of a vector.
    fn policy(&self, policy: &Plane) -> Vec<Vector> {
        let network = self.network;
        let (boards, width) = (self.boards.len(), self.width);
        let step = network.step(Activation::Policy);
        let mut added = vec![0.0; boards * POLICY];
        self.arithmetic.run(
            #[inline(always)]
            || {
                for (board, added) in added.chunks_exact_mut(POLICY).enumerate() {
                    let mut pooled = [0.0; 2 * POLICY];
                    policy.pool(board, step, &mut pooled);
                    network.policy_pool.apply(&pooled, added);
                }
            },
        );
        let mut products = vec![[0.0; LANES]; boards * width * width];
        let rows = Rows { arithmetic: self.arithmetic, boards, width };
        rows.apply::<1>(
            &network.policy_second,
            policy,
            #[inline(always)]
            |row| {
                let added = vector(&added, row.board * POLICY + row.group * LANES);
                let weights = vector(&network.policy_logits.weights, row.group * LANES);
                let products = &mut products[row.number * width..];
                for (q, products) in row.outputs(&network.policy_second).zip(products) {
                    *products = add(*products, multiply(relu(add(q, added)), weights));
                }
            },
        );
        products
    }

    /// The outputs of the value head.
    fn value(&self, value: &Plane, board: usize) -> [f32; OUTPUTS] {
        let layer = &self.network.value_hidden;
        self.arithmetic.run(
            #[inline(always)]
            || {
                let mut hidden = [0.0; HIDDEN];
                let mut sums = Sums::default();
                for (group, count) in parts(layer.groups()) {
                    let block = Block {
                        inputs: &value.numbers[value.square(board * self.width, 0)..],
                        runs: 1,
                        run: layer.inputs,
                        run_stride: 0,
                        square_stride: 0,
                        lines: &layer.lines[group * layer.group_lines()..],
                        group_stride: layer.group_lines(),
                    };
                    self.arithmetic.products(1, count, &block, &mut sums);
                    let hidden = &mut hidden.as_chunks_mut().0[group..group + count];
                    for (i, hidden) in hidden.iter_mut().enumerate() {
                        *hidden = relu(layer.output(group + i, &sums[0][i]));
                    }
                }
                let mut out = [0.0; OUTPUTS];
                self.network.value_out.apply(&hidden, &mut out);
                out
            },
        )
    }
}

/// Adds the stem's weights of all discs, moves and ones around a square.
#[inline(always)]
fn add_planes(
    network: &Network,
    planes: [u64; PLANES],
    (row, column): (usize, usize),
    width: usize,
    sums: &mut [f32],
) {
    sums.copy_from_slice(&network.stem.biases);
    let mut weights = network.stem.weights.chunks_exact(sums.len());
    for (dy, dx) in (0..9).map(|tap| (tap / 3, tap % 3)) {
        // Coordinates that are one too great, as no number here may be negative.
        let (row, column) = (row + dy, column + dx);
        let is_inside = (1..=width).contains(&row) && (1..=width).contains(&column);
        for plane in planes {
            let weights = weights.next().expect("weights of a tap and a plane");
            if is_inside && plane >> ((row - 1) * 8 + column - 1) & 1 != 0 {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += weight;
                }
            }
        }
    }
}

/// Rows and columns of all squares.
fn squares(width: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..width).flat_map(move |row| (0..width).map(move |column| (row, column)))
}

/// The squares of several boards, row by row.
struct Rows<A> {
    arithmetic: A,
    boards: usize,
    width: usize,
}

/// The sums of a vector of outputs at each square of a row.
struct Row<'a> {
    board: usize,
    /// The number of the row, counted over all boards.
    number: usize,
    /// The number of the vector among all of the layer's.
    group: usize,
    sums: &'a [[[i32; LANES]; MOST_GROUPS]],
    /// Where the vector is among these sums.
    part: usize,
}

impl Row<'_> {
    /// The outputs at each square.
    #[inline(always)]
    fn outputs(&self, layer: &Layer) -> impl Iterator<Item = Vector> {
        let (scales, biases) = (layer.scales[self.group], layer.biases[self.group]);
        self.sums.iter().map(
            #[inline(always)]
            move |sums| outputs(&sums[self.part], scales, biases),
        )
    }
}

impl<A: Arithmetic> Rows<A> {
    /// Applies a convolution of `REACH`×`REACH` squares (3, or 1 for every square alone), and calls
    /// `finish` with the sums of every row and vector of outputs.
    #[inline(always)]
    fn apply<const REACH: usize>(
        &self,
        layer: &Layer,
        plane: &Plane,
        mut finish: impl FnMut(Row<'_>),
    ) {
        let Rows { arithmetic, boards, width } = *self;
        let run = REACH * layer.inputs;
        arithmetic.run(
            #[inline(always)]
            || {
                let mut sums = Sums::default();
                for (group, count) in parts(layer.groups()) {
                    let lines = &layer.lines[group * layer.group_lines()..];
                    let rows =
                        (0..boards).flat_map(|board| (0..width).map(move |row| (board, row)));
                    for (board, row) in rows {
                        // Rows beyond the board are zeros, and so are their products.
                        let first = row.saturating_sub(REACH / 2);
                        let last = (row + REACH / 2).min(width - 1);
                        let skipped = first + REACH / 2 - row;
                        let start = match REACH {
                            1 => plane.square(board * width + row, 0),
                            _ => plane.row(board * width + first),
                        };
                        let block = Block {
                            inputs: &plane.numbers[start..],
                            runs: last - first + 1,
                            run,
                            run_stride: plane.row_stride(),
                            square_stride: layer.inputs,
                            lines: &lines[skipped * run / 4..],
                            group_stride: layer.group_lines(),
                        };
                        arithmetic.products(width, count, &block, &mut sums);
                        for part in 0..count {
                            let (number, group) = (board * width + row, group + part);
                            finish(Row { board, number, group, sums: &sums[..width], part });
                        }
                    }
                }
            },
        );
    }
}

/// Splits vectors of outputs into parts that a kernel computes at once: the first and the number.
fn parts(groups: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let count = match groups - first {
            0 => return None,
            // Twice two are faster than three and one.
            4 => 2,
            left => left.min(MOST_GROUPS),
        };
        first += count;
        Some((first - count, count))
    })
}

impl Layer {
    /// The outputs of a vector from their sums.
    #[inline(always)]
    fn output(&self, group: usize, sums: &[i32; LANES]) -> Vector {
        outputs(sums, self.scales[group], self.biases[group])
    }
}

#[inline(always)]
fn outputs(sums: &[i32; LANES], scales: Vector, biases: Vector) -> Vector {
    let sums = sums.map(
        #[inline(always)]
        |sum| sum as f32,
    );
    add(multiply(sums, scales), biases)
}

/// Replaces what is below zero by zero, never by the negative one.
#[inline(always)]
fn relu(numbers: Vector) -> Vector {
    numbers.map(
        #[inline(always)]
        |number| if number > 0.0 { number } else { 0.0 },
    )
}

/// Rounds numbers from 0 up to whole steps, to even where it is a tie, and clips them.
#[inline(always)]
fn quantize(numbers: Vector, over_step: f32) -> [u8; LANES] {
    /// Numbers from here on have no fraction: adding it rounds, and leaves the result in the
    /// lowest bits.
    const WHOLE: f32 = 8_388_608.0;
    const MOST: f32 = MOST_INPUT as f32;
    numbers.map(
        #[inline(always)]
        |number| {
            let number = number * over_step;
            let clipped = if number < MOST { number } else { MOST };
            (clipped + WHOLE).to_bits() as u8
        },
    )
}

/// The sums of two vectors.
#[inline(always)]
fn add(a: Vector, b: Vector) -> Vector {
    let mut sums = [0.0; LANES];
    for i in 0..LANES {
        sums[i] = a[i] + b[i];
    }
    sums
}

/// The products of two vectors.
#[inline(always)]
fn multiply(a: Vector, b: Vector) -> Vector {
    let mut products = [0.0; LANES];
    for i in 0..LANES {
        products[i] = a[i] * b[i];
    }
    products
}

/// The sum of 16 numbers, halves first.
#[inline(always)]
fn total(mut numbers: Vector) -> f32 {
    for half in [8, 4, 2, 1] {
        for i in 0..half {
            numbers[i] += numbers[i + half];
        }
    }
    numbers[0]
}

#[inline(always)]
fn vector(numbers: &[f32], start: usize) -> Vector {
    *numbers[start..].first_chunk().expect("as many numbers")
}
