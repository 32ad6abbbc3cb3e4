//! Measures moves, flips, perft and random games on every kernel of this machine.
//!
//! Each group measures all kernels in one run, so that their ratios hold on a
//! noisy machine. Every benchmark asserts its answer.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use isrever_board::{
    Board, Isa, Kernel, Passes, Position, Size, Task, dispatch_to, perft_on, playouts_on,
};
use isrever_testkit::turns;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

const SIZE: Size = Size::EIGHT;

fn isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_present())
}

/// Boards of random games with at least one move, and one legal move of each.
fn boards() -> Vec<(Board, u32)> {
    let moved = turns(SIZE, 1).filter_map(|turn| Some((turn.board, turn.square?.index())));
    moved.take(4096).collect()
}

/// The number of moves of all boards together.
struct CountMoves<'a>(&'a [(Board, u32)]);

impl Task for CountMoves<'_> {
    type Output = u64;

    fn run(self, kernel: impl Kernel) -> u64 {
        let count = |&(board, _): &(Board, u32)| u64::from(kernel.moves(board).count_ones());
        kernel.run(|| self.0.iter().map(count).sum())
    }
}

/// The number of discs that turn on all boards together.
struct CountFlips<'a>(&'a [(Board, u32)]);

impl Task for CountFlips<'_> {
    type Output = u64;

    fn run(self, kernel: impl Kernel) -> u64 {
        let count = |&(board, index): &(Board, u32)| kernel.flips(board, index).count_ones();
        kernel.run(|| self.0.iter().map(|entry| u64::from(count(entry))).sum())
    }
}

/// Like [`CountFlips`], but each square depends on the flips before it, as in a search: it measures
/// latency instead of throughput.
struct ChainFlips<'a>(&'a [(Board, u32)]);

impl Task for ChainFlips<'_> {
    type Output = u64;

    fn run(self, kernel: impl Kernel) -> u64 {
        kernel.run(|| {
            let mut count = 0;
            let mut flips = 0_u64;
            for &(board, index) in self.0 {
                // Never do all squares turn, so this adds nothing; but the processor must wait.
                flips = kernel.flips(board, index + (flips.count_ones() >> 6));
                count += u64::from(flips.count_ones());
            }
            count
        })
    }
}

/// Measures a task on every kernel.
fn each_kernel<T: Task<Output = u64>>(
    criterion: &mut Criterion,
    name: &str,
    elements: usize,
    task: impl Fn() -> T,
) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(elements as u64));
    let expected = dispatch_to(Isa::Scalar, task());
    for isa in isas() {
        group.bench_function(BenchmarkId::from_parameter(isa), |bench| {
            bench.iter(|| assert_eq!(dispatch_to(isa, task()), expected));
        });
    }
    group.finish();
}

fn kernels(criterion: &mut Criterion) {
    let boards = boards();
    each_kernel(criterion, "moves", boards.len(), || CountMoves(&boards));
    each_kernel(criterion, "flips", boards.len(), || CountFlips(&boards));
    each_kernel(criterion, "flips-chained", boards.len(), || ChainFlips(&boards));
}

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft-11");
    group.sample_size(10).throughput(Throughput::Elements(212_258_800));
    let start = Position::start(SIZE);
    for isa in isas() {
        group.bench_function(BenchmarkId::from_parameter(isa), |bench| {
            bench.iter(|| assert_eq!(perft_on(isa, &start, 11, Passes::Ply), 212_258_800));
        });
    }
    group.finish();
}

fn random_games(criterion: &mut Criterion) {
    const GAMES: u64 = 20_000;
    let mut group = criterion.benchmark_group("random-games");
    group.throughput(Throughput::Elements(GAMES));
    for isa in isas() {
        group.bench_function(BenchmarkId::from_parameter(isa), |bench| {
            bench.iter(|| {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
                let mut finished = 0;
                let start = Board::start(SIZE);
                playouts_on(isa, start, SIZE, GAMES, || random.next_u64(), |_| finished += 1);
                assert_eq!(finished, GAMES);
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = board;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .sample_size(30)
        .without_plots();
    targets = kernels, perft, random_games
}
criterion_main!(board);
