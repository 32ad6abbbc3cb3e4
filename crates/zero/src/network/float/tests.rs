//! Holds the oracle to cases that can be computed by hand.

use super::*;
use isrever_board::{Size, Symmetry};
use isrever_testkit::boards_after;

fn shape(size: Size, blocks: usize) -> Shape {
    Shape::new(size, blocks, 16).unwrap()
}

/// A network of zeros.
fn zeros(shape: Shape) -> FloatNetwork {
    FloatNetwork::new(Rule::Reversed, shape, &vec![0.0; shape.parameter_count()]).unwrap()
}

#[track_caller]
fn assert_close(a: f32, b: f32) {
    assert!((a - b).abs() < 1e-5, "{a} and {b}");
}

#[test]
fn the_exponential_function_is_that_of_the_system() {
    assert_eq!(exp(0.0), 1.0);
    for number in [-1e-9, -0.3, -1.0, -7.7, -20.0, -100.0] {
        assert!((exp(number) / number.exp() - 1.0).abs() < 1e-9, "{number}");
    }
    assert!(exp(-1e9) < 1e-100);
}

#[test]
fn a_network_of_biases_says_the_same_about_every_board() {
    let mut network = zeros(shape(Size::FOUR, 1));
    network.value_out.biases = vec![2.0_f32.ln(), 0.0, 1.0_f32.ln(), -0.25];
    network.policy_logits.biases = vec![0.5];
    let evaluation = network.evaluate(Board::start(Size::FOUR));
    assert_close(evaluation.value, 0.25);
    assert_close(evaluation.score, -4.0);
    for index in 0..64 {
        let is_inside = Size::FOUR.mask() >> index & 1 != 0;
        assert_close(evaluation.policy[index], if is_inside { 0.5 } else { 0.0 });
    }
}

/// A network whose logit at each square is channel 0 of the trunk there.
fn showing_channel_0(shape: Shape) -> FloatNetwork {
    let mut network = zeros(shape);
    network.policy_first.weights[0] = 1.0;
    network.policy_second.weights[0] = 1.0;
    network.policy_logits.weights[0] = 1.0;
    network
}

#[test]
fn a_convolution_looks_at_its_neighbours_and_at_zeros_beyond_the_board() {
    let mut network = showing_channel_0(shape(Size::SIX, 1));
    // The square above and to the left of an own disc, times 2, and the plane of ones below, times
    // 10: weights are [dy][dx][plane][channel].
    network.stem.weights[(2 * 3 + 2) * PLANES * 16] = 2.0;
    network.stem.weights[((2 * 3 + 1) * PLANES + 4) * 16] = 10.0;
    let board = Board { player: "c3".parse::<Square>().unwrap().bit(), opponent: 0 };
    let policy = network.evaluate(board).policy;
    for (index, logit) in policy.into_iter().enumerate() {
        let (row, column) = (index / 8, index % 8);
        let below = if row < 5 && column < 6 { 10.0 } else { 0.0 };
        let disc = if (row, column) == (1, 1) { 2.0 } else { 0.0 };
        assert_close(logit, below + disc);
    }
}

#[test]
fn planes_are_discs_and_moves_of_both_sides() {
    let board = Board::start(Size::FOUR);
    let bits = [board.player, board.opponent, board.moves(Size::FOUR)];
    let bits = [&bits[..], &[board.pass().moves(Size::FOUR), Size::FOUR.mask()]].concat();
    for (plane, bits) in bits.into_iter().enumerate() {
        let mut network = showing_channel_0(shape(Size::FOUR, 1));
        network.stem.weights[(4 * PLANES + plane) * 16] = 1.0;
        let policy = network.evaluate(board).policy;
        let shown = (0..64).filter(|&i| policy[i] == 1.0).fold(0_u64, |bits, i| bits | 1 << i);
        assert_eq!(shown, bits, "plane {plane}");
    }
}

#[test]
fn a_block_adds_to_the_trunk_and_a_pooled_one_means_and_maxima() {
    let mut network = showing_channel_0(shape(Size::FOUR, 3));
    let board = Board { player: 0b1111, opponent: 0 };
    // The trunk is 1 in channel 0 at own discs.
    network.stem.weights[4 * PLANES * 16] = 1.0;
    // The first block doubles it, and subtracts 0.5 everywhere.
    network.blocks[0].first.weights[4 * 16 * 16] = 1.0;
    network.blocks[0].second.weights[4 * 16 * 16] = 1.0;
    network.blocks[0].second.biases[0] = -0.5;
    // The third adds half the mean and a tenth of the maximum of channel 1, which is twice the
    // trunk: 3 at four of sixteen squares.
    network.blocks[2].first.weights[4 * 16 * 16 + 1] = 2.0;
    let pool = network.blocks[2].pool.as_mut().unwrap();
    pool.weights[16] = 0.5;
    pool.weights[(16 + 1) * 16] = 0.1;
    pool.biases[0] = 0.01;
    let policy = network.evaluate(board).policy;
    let added = 0.5 * 0.75 + 0.1 * 3.0 + 0.01;
    assert_close(policy[0], 1.5 + added);
    assert_close(policy[8], added);
}

#[test]
fn the_policy_head_pools_its_channels() {
    let mut network = showing_channel_0(shape(Size::FOUR, 1));
    let board = Board { player: 0b1111, opponent: 0 };
    network.stem.weights[4 * PLANES * 16] = 1.0;
    network.policy_pool.weights[0] = 2.0;
    network.policy_pool.weights[POLICY * POLICY] = 0.5;
    network.policy_pool.biases[0] = 1.0;
    let policy = network.evaluate(board).policy;
    assert_close(policy[0], 1.0 + 2.0 * 0.25 + 0.5 + 1.0);
    assert_close(policy[9], 2.0 * 0.25 + 0.5 + 1.0);
}

#[test]
fn the_value_head_tells_squares_apart() {
    let mut network = zeros(shape(Size::SIX, 1));
    network.stem.weights[4 * PLANES * 16] = 1.0;
    network.value_first.weights[3] = 1.0;
    // Channel 3 of square c2, row 1 and column 2, to hidden unit 7, and that to the score.
    network.value_hidden.weights[((6 + 2) * 16 + 3) * 128 + 7] = 0.5;
    network.value_out.weights[7 * 4 + 3] = 0.25;
    for (name, score) in [("c2", 2.0), ("b3", 0.0), ("c1", 0.0)] {
        let board = Board { player: name.parse::<Square>().unwrap().bit(), opponent: 0 };
        assert_close(network.evaluate(board).score, score);
    }
}

/// Makes a network whose kernels and hidden weights are the same under all symmetries.
fn symmetric(network: &FloatNetwork) -> FloatNetwork {
    let mut symmetric = network.clone();
    let kernels = |layer: &mut Affine| {
        let of_tap = layer.weights.len() / 9;
        for tap in 0..9 {
            // Corners like the first, edges like the second, the centre like itself.
            let like = [0, 1, 0, 1, 4, 1, 0, 1, 0][tap];
            layer.weights.copy_within(like * of_tap..(like + 1) * of_tap, tap * of_tap);
        }
    };
    kernels(&mut symmetric.stem);
    for block in &mut symmetric.blocks {
        kernels(&mut block.first);
        kernels(&mut block.second);
    }
    // All squares alike.
    let of_square = 16 * 128;
    for square in 1..network.shape.size().cells() {
        symmetric.value_hidden.weights.copy_within(..of_square, square * of_square);
    }
    symmetric
}

#[test]
fn a_symmetric_network_sees_the_eight_images_of_a_board_alike() {
    for size in Size::BITS {
        let network = FloatNetwork::random(Rule::Reversed, shape(size, 3), 5);
        let network = symmetric(&network);
        for board in boards_after(size, 5, 3, 1) {
            let here = network.evaluate(board);
            for symmetry in Symmetry::ALL {
                let there = network.evaluate(symmetry.board(board, size));
                assert_close(here.value, there.value);
                assert!((here.score - there.score).abs() < 1e-3);
                for bit in bits(network.shape) {
                    let image = symmetry.board(Board { player: bit, opponent: 0 }, size).player;
                    let [from, to] = [bit, image].map(|bit| bit.trailing_zeros() as usize);
                    assert_close(here.policy[from], there.policy[to]);
                }
            }
        }
    }
}

#[test]
fn parameters_come_back_and_wrong_ones_are_refused() {
    let shape = shape(Size::FOUR, 3);
    let network = FloatNetwork::random(Rule::Normal, shape, 3);
    let mut parameters = network.parameters();
    let again = FloatNetwork::new(Rule::Normal, shape, &parameters);
    assert_eq!(again, Ok(network));
    let count = parameters.len();
    let short = FloatNetwork::new(Rule::Normal, shape, &parameters[1..]);
    assert_eq!(short, Err(ParametersError::Count(count - 1, shape)));
    for number in [f32::INFINITY, -1.1e4, 1e30] {
        parameters[7] = number;
        let refused = FloatNetwork::new(Rule::Normal, shape, &parameters);
        assert_eq!(refused, Err(ParametersError::Number(7, number)));
    }
    parameters[7] = f32::NAN;
    let refused = FloatNetwork::new(Rule::Normal, shape, &parameters).unwrap_err().to_string();
    assert_eq!(refused, "number 7 of a network is NaN; expected one within ±10000");
}
