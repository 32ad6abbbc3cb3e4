//! Measures indices and values on every kernel of this machine, as a search computes them.
//!
//! Each group measures all kernels in one run, so that their ratios hold on a
//! noisy machine. Every benchmark asserts its answer.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use isrever_board::{Board, Isa, Kernel, Rule, Size, Task, dispatch_to};
use isrever_eval::{Indices, Shape, Weights};
use isrever_testkit::{Turn, turns};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// A board with a legal move, and what a search knows about it.
struct Sample {
    board: Board,
    indices: Indices,
    own_moves: u64,
    opponent_moves: u64,
    index: u32,
    flips: u64,
}

/// Boards of random games, `from` to `to` discs.
fn samples(shape: &Shape, from: u32, to: u32) -> Vec<Sample> {
    let size = shape.size();
    let sample = |Turn { board, square }: Turn| {
        let (discs, square) = ((board.player | board.opponent).count_ones(), square?);
        (from..=to).contains(&discs).then(|| Sample {
            board,
            indices: Indices::new(shape, board),
            own_moves: board.moves(size),
            opponent_moves: board.pass().moves(size),
            index: square.index(),
            flips: board.flips(square),
        })
    };
    turns(size, 1).filter_map(sample).take(4096).collect()
}

/// The sum of all values.
struct Values<'a>(&'a Weights, &'a [Sample]);

impl Task for Values<'_> {
    type Output = i32;

    fn run(self, kernel: impl Kernel) -> i32 {
        let Values(weights, samples) = self;
        kernel.run(
            #[inline(always)]
            || {
                let mut sum = 0_i32;
                for s in samples {
                    let value = weights.value(&s.indices, s.board, s.own_moves, s.opponent_moves);
                    sum = sum.wrapping_add(value);
                }
                sum
            },
        )
    }
}

/// The sum of the values after a move on each board, with updated indices and new moves.
struct Children<'a>(&'a Weights, &'a [Sample]);

impl Task for Children<'_> {
    type Output = i32;

    fn run(self, kernel: impl Kernel) -> i32 {
        let Children(weights, samples) = self;
        let shape = weights.shape();
        let mask = shape.size().mask();
        kernel.run(
            #[inline(always)]
            || {
                let mut sum = 0_i32;
                for s in samples {
                    let board = s.board.play_unchecked(1 << s.index, s.flips);
                    let indices = s.indices.play(shape, s.index, s.flips);
                    let own = kernel.moves(board) & mask;
                    let opponent = kernel.moves(board.pass()) & mask;
                    sum = sum.wrapping_add(weights.value(&indices, board, own, opponent));
                }
                sum
            },
        )
    }
}

/// The indices after a move on each board, one after the other.
struct Plays<'a>(&'static Shape, &'a [Sample]);

impl Task for Plays<'_> {
    type Output = Indices;

    fn run(self, kernel: impl Kernel) -> Indices {
        let Plays(shape, samples) = self;
        kernel.run(
            #[inline(always)]
            || {
                // Each update needs the one before, as in a search, so that latency counts.
                let mut indices = samples[0].indices;
                for s in samples {
                    indices = indices.play(shape, s.index, s.flips);
                }
                indices
            },
        )
    }
}

/// Measures a task on every kernel.
fn each_kernel<T: Task<Output: PartialEq + std::fmt::Debug>>(
    criterion: &mut Criterion,
    name: &str,
    elements: usize,
    task: impl Fn() -> T,
) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(elements as u64));
    let expected = dispatch_to(Isa::Scalar, task());
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_present()) {
        group.bench_function(BenchmarkId::from_parameter(isa), |bench| {
            bench.iter(|| assert_eq!(dispatch_to(isa, task()), expected));
        });
    }
    group.finish();
}

/// Linear weights for boards of `size`, of any values.
fn linear(size: Size) -> Weights {
    let shape = Shape::of(size).expect("there are patterns for this size");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut weight = || (random.next_u32() >> 24) as i16 - 128;
    let phases: Vec<Vec<i16>> = (0..shape.phase_count())
        .map(|_| (0..shape.class_count()).map(|_| weight()).collect())
        .collect();
    Weights::linear(Rule::Reversed, shape, &phases)
}

fn evaluation(criterion: &mut Criterion) {
    let linear = [Size::EIGHT, Size::SIX].map(linear);
    let network = |rule| Weights::embedded(rule, Size::EIGHT).expect("networks are embedded");
    let all = [
        ("8x8-linear", &linear[0]),
        ("6x6-linear", &linear[1]),
        ("8x8-network-reversed", network(Rule::Reversed)),
        ("8x8-network-normal", network(Rule::Normal)),
    ];
    for (weighed, weights) in all {
        let shape = weights.shape();
        // The leaves of a search are at most a few phases apart.
        let discs = if shape.size() == Size::SIX { 16 } else { 30 };
        let samples = samples(shape, discs, discs + 3);
        let count = samples.len();
        let name = |task: &str| format!("{task}-{weighed}");
        each_kernel(criterion, &name("value"), count, || Values(weights, &samples));
        each_kernel(criterion, &name("indices"), count, || Plays(shape, &samples));
        each_kernel(criterion, &name("move-and-value"), count, || Children(weights, &samples));
    }
}

criterion_group! {
    name = eval;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(30)
        .without_plots();
    targets = evaluation
}
criterion_main!(eval);
