//! Indices and values on every kernel this machine has, as a search asks for them.
//!
//! Each group measures all kernels in one run, so their ratios hold on a noisy
//! machine. Every benchmark asserts its answer.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use isrever_board::{Board, Isa, Kernel, Rule, Size, Task, dispatch_to, squares};
use isrever_eval::{CLASSES, Indices, PHASES, Weights};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

const SIZE: Size = Size::EIGHT;

/// A board with a legal move, and what a search knows of it.
struct Sample {
    board: Board,
    indices: Indices,
    own_moves: u64,
    opponent_moves: u64,
    index: u32,
    flips: u64,
}

/// Boards of random games, `from` to `to` discs.
fn samples(from: u32, to: u32) -> Vec<Sample> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut samples = Vec::new();
    let mut board = Board::start(SIZE);
    while samples.len() < 4096 {
        let own_moves = board.moves(SIZE);
        let moves: Vec<_> = squares(own_moves).collect();
        board = match moves.choose(&mut random) {
            Some(&square) => {
                let flips = board.flips(square);
                if (from..=to).contains(&(board.player | board.opponent).count_ones()) {
                    let indices = Indices::new(board);
                    let opponent_moves = board.pass().moves(SIZE);
                    let index = square.index();
                    samples.push(Sample {
                        board,
                        indices,
                        own_moves,
                        opponent_moves,
                        index,
                        flips,
                    });
                }
                board.play_unchecked(square.bit(), flips)
            }
            None if board.is_over(SIZE) => Board::start(SIZE),
            None => board.pass(),
        };
    }
    samples
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

/// The sum of the values after a move of each board: indices followed, moves found, looked up.
struct Children<'a>(&'a Weights, &'a [Sample]);

impl Task for Children<'_> {
    type Output = i32;

    fn run(self, kernel: impl Kernel) -> i32 {
        let Children(weights, samples) = self;
        kernel.run(
            #[inline(always)]
            || {
                let mut sum = 0_i32;
                for s in samples {
                    let board = s.board.play_unchecked(1 << s.index, s.flips);
                    let indices = s.indices.play(s.index, s.flips);
                    let (own, opponent) = (kernel.moves(board), kernel.moves(board.pass()));
                    sum = sum.wrapping_add(weights.value(&indices, board, own, opponent));
                }
                sum
            },
        )
    }
}

/// The sum of one lane after a move of each board.
struct Plays<'a>(&'a [Sample]);

impl Task for Plays<'_> {
    type Output = Indices;

    fn run(self, kernel: impl Kernel) -> Indices {
        kernel.run(
            #[inline(always)]
            || {
                // Each from what came before, as in a line of play: latency counts.
                let mut indices = self.0[0].indices;
                for s in self.0 {
                    indices = indices.play(s.index, s.flips);
                }
                indices
            },
        )
    }
}

/// Measures the task that `task` makes, on every kernel.
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

fn evaluation(criterion: &mut Criterion) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let phases: Vec<Vec<i16>> = (0..PHASES)
        .map(|_| (0..CLASSES).map(|_| (random.next_u32() >> 24) as i16 - 128).collect())
        .collect();
    let weights = Weights::new(Rule::Reversed, &phases);
    // A search's leaves lie a few phases apart at most.
    let samples = samples(30, 33);
    each_kernel(criterion, "value", samples.len(), || Values(&weights, &samples));
    each_kernel(criterion, "indices", samples.len(), || Plays(&samples));
    each_kernel(criterion, "move-and-value", samples.len(), || Children(&weights, &samples));
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
