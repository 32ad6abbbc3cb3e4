//! Moves, flips, perft and random games on every kernel this machine has.
//!
//! Each group measures all kernels in one run, so their ratios hold on a noisy
//! machine. Every benchmark asserts its answer.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use isrever_board::{
    Board, Isa, Kernel, Passes, Position, Size, Task, dispatch_to, perft_on, playouts_on, squares,
};
use rand::Rng;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

const SIZE: Size = Size::EIGHT;

fn isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_present())
}

/// Boards of random games with at least one move, and one legal move of each.
fn boards() -> Vec<(Board, u32)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut boards = Vec::new();
    let mut board = Board::start(SIZE);
    while boards.len() < 4096 {
        let moves: Vec<_> = squares(board.moves(SIZE)).collect();
        board = match moves.choose(&mut random) {
            Some(&square) => {
                boards.push((board, square.index()));
                board.play(square).expect("a legal move")
            }
            None if board.is_over(SIZE) => Board::start(SIZE),
            None => board.pass(),
        };
    }
    boards
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

/// The number of discs that turn on all boards together. Each index depends on the result
/// before it, as in a search, so that latency counts as well as throughput.
struct CountFlips<'a>(&'a [(Board, u32)]);

impl Task for CountFlips<'_> {
    type Output = u64;

    fn run(self, kernel: impl Kernel) -> u64 {
        kernel.run(|| {
            let mut flips = 0;
            let mut count = 0;
            for &(board, index) in self.0 {
                // Never true: nothing turns on an empty square, but the processor must wait.
                let late = u64::from(flips & (board.player & !board.opponent & 1 << index) != 0);
                flips = kernel.flips(board, index + late as u32);
                count += u64::from(flips.count_ones());
            }
            count
        })
    }
}

fn kernels(criterion: &mut Criterion) {
    let boards = boards();

    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(boards.len() as u64));
    let expected = dispatch_to(Isa::Scalar, CountMoves(&boards));
    for isa in isas() {
        group.bench_function(BenchmarkId::from_parameter(isa), |bench| {
            bench.iter(|| assert_eq!(dispatch_to(isa, CountMoves(&boards)), expected));
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("flips");
    group.throughput(Throughput::Elements(boards.len() as u64));
    let expected = dispatch_to(Isa::Scalar, CountFlips(&boards));
    for isa in isas() {
        group.bench_function(BenchmarkId::from_parameter(isa), |bench| {
            bench.iter(|| assert_eq!(dispatch_to(isa, CountFlips(&boards)), expected));
        });
    }
    group.finish();
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
