//! Measures how many boards a second networks evaluate, with every instruction set of this machine.
//!
//! Each group measures all of them in one run, so that their ratios hold on a noisy
//! machine. Every benchmark asserts its answer.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use isrever_board::{Board, Rule, Size};
use isrever_testkit::boards_after;
use isrever_zero::{FloatNetwork, Network, Shape, Simd};
use std::time::Duration;

/// Boards of a search: some wait together for the network, or one alone.
const TOGETHER: [usize; 2] = [1, 8];

fn evaluation(criterion: &mut Criterion) {
    for (blocks, channels) in [(8, 96), (6, 64), (4, 32)] {
        let shape = Shape::new(Size::EIGHT, blocks, channels).expect("a shape");
        let trained = FloatNetwork::random(Rule::Reversed, shape, 1);
        let boards: Vec<Board> = boards_after(Size::EIGHT, 20, TOGETHER[1], 1);
        let network = Network::quantize(&trained, &boards);
        for together in TOGETHER {
            let mut group = criterion.benchmark_group(format!("{blocks}x{channels}-of-{together}"));
            group.throughput(Throughput::Elements(together as u64));
            let boards = &boards[..together];
            let mut expected = Vec::new();
            network.evaluate_with(Simd::Scalar, boards, &mut expected);
            for simd in Simd::ALL.into_iter().filter(|simd| simd.is_present()) {
                let mut out = Vec::new();
                group.bench_function(BenchmarkId::from_parameter(simd), |bench| {
                    bench.iter(|| {
                        out.clear();
                        network.evaluate_with(simd, boards, &mut out);
                        assert_eq!(out, expected);
                    });
                });
            }
            group.finish();
        }
    }
}

criterion_group! {
    name = network;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20)
        .without_plots();
    targets = evaluation
}
criterion_main!(network);
