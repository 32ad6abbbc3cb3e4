//! Quantised networks say what trained ones say, on every instruction set and in any company.

use isrever_board::{Board, Rule, Size};
use isrever_testkit::boards_after;
use isrever_zero::{Evaluation, FloatNetwork, Network, Shape, Simd};

/// Boards of all stages of random games.
fn boards(size: Size, count: usize, seed: u64) -> Vec<Board> {
    let plies = u32::try_from(size.cells()).unwrap() - 6;
    (0..plies)
        .step_by(3)
        .cycle()
        .take(count)
        .enumerate()
        .map(|(i, plies)| boards_after(size, plies, 1, seed + i as u64)[0])
        .collect()
}

fn network(size: Size, blocks: usize, channels: usize) -> (FloatNetwork, Network) {
    let shape = Shape::new(size, blocks, channels).unwrap();
    let trained = FloatNetwork::random(Rule::Reversed, shape, 7);
    let quantized = Network::quantize(&trained, &boards(size, 8, 1000));
    (trained, quantized)
}

fn evaluate(network: &Network, simd: Simd, boards: &[Board]) -> Vec<Evaluation> {
    let mut out = Vec::new();
    network.evaluate_with(simd, boards, &mut out);
    out
}

/// The bits of all numbers, so that not even zeros differ by their sign.
fn bits(evaluation: &Evaluation) -> Vec<u32> {
    let Evaluation { policy, value, score } = evaluation;
    policy.iter().chain([value, score]).map(|number| number.to_bits()).collect()
}

#[test]
fn a_quantised_network_is_close_to_the_trained_one() {
    for (size, blocks, channels) in
        [(Size::FOUR, 2, 16), (Size::SIX, 4, 32), (Size::EIGHT, 3, 48), (Size::EIGHT, 6, 64)]
    {
        let (trained, quantized) = network(size, blocks, channels);
        let boards = boards(size, 24, 1);
        let [mut value, mut score, mut policy, mut spread] = [0_f32; 4];
        for (board, found) in boards.iter().zip(evaluate(&quantized, Simd::best(), &boards)) {
            let expected = trained.evaluate(*board);
            value = value.max((found.value - expected.value).abs());
            score = score.max((found.score - expected.score).abs());
            for i in 0..64 {
                policy = policy.max((found.policy[i] - expected.policy[i]).abs());
                spread = spread.max(expected.policy[i].abs());
            }
        }
        let all = format!("{value} {score} {policy} of {spread} for {}", trained.shape());
        assert!(value < 0.02 && score < 0.3 && policy < 0.05, "{all}");
    }
}

#[test]
fn every_instruction_set_finds_the_same_bits() {
    for size in Size::BITS {
        // Vectors of outputs in all numbers that kernels tell apart.
        for (blocks, channels) in [(1, 16), (3, 32), (1, 48), (1, 64), (3, 80), (1, 96), (1, 128)] {
            let (_, network) = network(size, blocks, channels);
            let boards = boards(size, 9, 50);
            let expected = evaluate(&network, Simd::Scalar, &boards);
            for simd in Simd::ALL.into_iter().filter(|simd| simd.is_present()) {
                let found = evaluate(&network, simd, &boards);
                assert_eq!(found.len(), boards.len());
                for (found, expected) in found.iter().zip(&expected) {
                    assert_eq!(bits(found), bits(expected), "{simd}, {}", network.shape());
                }
            }
        }
    }
}

#[test]
fn a_board_is_worth_the_same_alone_and_among_others() {
    for size in Size::BITS {
        let (_, network) = network(size, 3, 32);
        let boards = boards(size, 21, 9);
        let together = evaluate(&network, Simd::best(), &boards);
        for (board, expected) in boards.iter().zip(&together) {
            let alone = evaluate(&network, Simd::best(), &[*board]);
            assert_eq!(bits(&alone[0]), bits(expected));
        }
    }
}

#[test]
fn evaluations_are_added_behind_those_that_are_there() {
    let (_, network) = network(Size::FOUR, 1, 16);
    let board = Board::start(Size::FOUR);
    let mut out = evaluate(&network, Simd::best(), &[]);
    assert_eq!(out, []);
    network.evaluate(&[board], &mut out);
    network.evaluate(&[board.pass()], &mut out);
    assert_eq!(out.len(), 2);
    assert_eq!(out[0], evaluate(&network, Simd::best(), &[board])[0]);
}

#[test]
fn a_network_read_from_its_file_says_the_same() {
    let (_, network) = network(Size::SIX, 3, 16);
    let read = Network::from_bytes(&network.to_bytes()).unwrap();
    let boards = boards(Size::SIX, 5, 3);
    assert_eq!(evaluate(&read, Simd::best(), &boards), evaluate(&network, Simd::best(), &boards));
}
