//! Values are the same on every kernel, with updated and new indices, and under all symmetries.

use isrever_board::{Board, Isa, Kernel, Rule, Size, Symmetry, Task, dispatch_to};
use isrever_eval::{DIMENSIONS, DISC, Indices, Parameters, Shape, Weights};
use isrever_testkit::{Turn, turns};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::LazyLock;

const SIZES: [Size; 2] = [Size::SIX, Size::EIGHT];

fn shape(size: Size) -> &'static Shape {
    Shape::of(size).unwrap()
}

/// Random linear weights for each of [`SIZES`], so small that few sums reach the limit, and a
/// random network.
static WEIGHTS: LazyLock<[Weights; 3]> = LazyLock::new(|| {
    let [six, eight] = SIZES.map(|size| {
        let shape = shape(size);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut weight = || (random.next_u32() >> 21) as i16 - 1024;
        let phases: Vec<Vec<i16>> = (0..shape.phase_count())
            .map(|_| (0..shape.class_count()).map(|_| weight()).collect())
            .collect();
        Weights::linear(Rule::Reversed, shape, &phases)
    });
    [six, eight, Weights::network(Rule::Reversed, &random_network()).unwrap()]
});

/// A network whose sums are often below zero, between, and above one.
fn random_network() -> Parameters {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut number = move |most: u16| -> i16 {
        let number = random.next_u32() % (2 * u32::from(most) + 1);
        i16::try_from(i64::from(number) - i64::from(most)).unwrap()
    };
    let mut row = |most| -> [i16; DIMENSIONS] { std::array::from_fn(|_| number(most)) };
    Parameters {
        rows: (0..Shape::WIDE.pattern_class_count())
            .map(|_| row(31).map(|number| i8::try_from(number).unwrap()))
            .collect(),
        own_moves: std::array::from_fn(|_| row(300)),
        opponent_moves: std::array::from_fn(|_| row(300)),
        odd_quadrants: std::array::from_fn(|_| row(300)),
        outputs: std::array::from_fn(|_| row(2000)),
        biases: std::array::from_fn(|phase| 1000 * i32::try_from(phase).unwrap()),
    }
}

/// Plays random games on each board and calls `visit` with the weights, each position and its
/// indices, updated move by move.
fn walk(games: u64, mut visit: impl FnMut(&'static Weights, Board, Indices)) {
    for weights in &*WEIGHTS {
        let shape = weights.shape();
        let size = shape.size();
        for seed in 0..games {
            let mut indices = Indices::new(shape, Board::start(size));
            for Turn { board, square } in turns(size, seed) {
                visit(weights, board, indices);
                indices = match square {
                    Some(square) => indices.play(shape, square.index(), board.flips(square)),
                    None if board.is_over(size) => break,
                    None => indices.pass(),
                };
            }
        }
    }
}

/// The value on one kernel by updated indices, and new indices.
struct Value(&'static Weights, Board, Indices);

impl Task for Value {
    type Output = (Indices, i32);

    fn run(self, kernel: impl Kernel) -> (Indices, i32) {
        let Value(weights, board, indices) = self;
        let mask = weights.shape().size().mask();
        kernel.run(
            #[inline(always)]
            || {
                let own = kernel.moves(board) & mask;
                let opponent = kernel.moves(board.pass()) & mask;
                let value = weights.value(&indices, board, own, opponent);
                (Indices::new(weights.shape(), board), value)
            },
        )
    }
}

#[test]
fn updated_indices_are_those_of_the_boards() {
    walk(300, |weights, board, indices| {
        assert_eq!(indices, Indices::new(weights.shape(), board));
        assert_eq!(indices.pass(), Indices::new(weights.shape(), board.pass()));
    });
}

#[test]
fn every_kernel_finds_the_plain_value() {
    walk(100, |weights, board, indices| {
        for isa in Isa::ALL {
            let (new, value) = dispatch_to(isa, Value(weights, board, indices));
            assert_eq!(new, indices);
            assert_eq!(value, weights.plain_value(board), "{isa} {board:x?}");
        }
    });
}

#[test]
fn symmetric_boards_have_the_same_features_and_value() {
    walk(40, |weights, board, _| {
        let shape = weights.shape();
        let features = |board| {
            let mut features: Vec<u32> = shape.features(board).collect();
            features.sort_unstable();
            features
        };
        for symmetry in Symmetry::ALL {
            let image = symmetry.board(board, shape.size());
            assert_eq!(features(image), features(board));
            assert_eq!(weights.plain_value(image), weights.plain_value(board));
        }
    });
}

#[test]
fn the_linear_value_is_the_sum_of_the_features_weights() {
    let by_phase = |weights: &Weights| -> Option<Vec<Vec<i16>>> {
        (0..weights.shape().phase_count()).map(|phase| weights.phase(phase)).collect()
    };
    let phases: Vec<Option<_>> = WEIGHTS.iter().map(by_phase).collect();
    walk(40, |weights, board, _| {
        let shape = weights.shape();
        let number = WEIGHTS.iter().position(|other| std::ptr::eq(other, weights)).unwrap();
        let Some(phases) = &phases[number] else { return };
        let phase = shape.phase((board.player | board.opponent).count_ones());
        let weight = |class: u32| i32::from(phases[phase][class as usize]);
        let sum: i32 = shape.features(board).map(weight).sum();
        let most = i32::from(shape.size().width()).pow(2) * DISC;
        assert_eq!(weights.plain_value(board), sum.clamp(-most, most));
    });
    assert_eq!(phases.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
    for (weights, phases) in WEIGHTS.iter().zip(phases) {
        let Some(phases) = phases else { continue };
        assert_eq!(Weights::linear(Rule::Reversed, weights.shape(), &phases), *weights);
    }
}

#[test]
fn features_fit_sixteen_bits_above_their_bases() {
    walk(40, |weights, board, _| {
        let shape = weights.shape();
        let features: Vec<u32> = shape.features(board).collect();
        assert_eq!(features.len(), shape.feature_count());
        for (feature, base) in features.into_iter().zip(shape.feature_bases()) {
            assert!((feature as usize) < shape.class_count());
            assert!(feature.checked_sub(base).is_some_and(|above| above < 1 << 16));
        }
    });
}

#[test]
fn values_beyond_the_board_are_clamped() {
    for shape in SIZES.map(shape) {
        let count = i32::try_from(shape.feature_count()).unwrap();
        let most = i32::from(shape.size().width()).pow(2) * DISC;
        for (weight, value) in [(i16::MAX, most), (i16::MIN, -most), (1, count)] {
            let phases = vec![vec![weight; shape.class_count()]; shape.phase_count()];
            let weights = Weights::linear(Rule::Normal, shape, &phases);
            assert_eq!(weights.plain_value(Board::start(shape.size())), value);
        }
    }
}

#[test]
fn phases_run_from_the_start_to_the_full_board() {
    let phases = |size, discs: [u32; 7]| discs.map(|discs| shape(size).phase(discs));
    assert_eq!(phases(Size::EIGHT, [0, 4, 5, 6, 32, 63, 64]), [0, 0, 0, 1, 14, 29, 29]);
    assert_eq!(phases(Size::SIX, [0, 4, 5, 6, 32, 35, 36]), [0, 0, 0, 1, 14, 15, 15]);
}

#[test]
fn indices_of_no_board_do_not_reach_outside_the_table() {
    // Turning discs that do not exist gives indices that no board has.
    for weights in &*WEIGHTS {
        let start = Board::start(weights.shape().size());
        let mut indices = Indices::new(weights.shape(), start);
        for index in 0..64 {
            indices = indices.play(weights.shape(), index, u64::MAX);
            weights.value(&indices, start, 0, 0);
        }
    }
}
