//! Values are the same however they are come by, and however the board is turned.

use isrever_board::{Board, Isa, Kernel, Rule, Size, Symmetry, Task, dispatch_to, squares};
use isrever_eval::{
    CLASSES, DISC, FEATURES, Indices, PHASES, Weights, feature_bases, features, phase,
};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::LazyLock;

const SIZE: Size = Size::EIGHT;

/// Weights that are drawn, small enough that few sums reach the limit.
static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let phases: Vec<Vec<i16>> = (0..PHASES)
        .map(|_| (0..CLASSES).map(|_| (random.next_u32() >> 21) as i16 - 1024).collect())
        .collect();
    Weights::new(Rule::Reversed, &phases)
});

/// Plays random games and calls `visit` with each board and the indices that followed it there.
fn walk(games: u64, mut visit: impl FnMut(Board, Indices)) {
    for seed in 0..games {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut board = Board::start(SIZE);
        let mut indices = Indices::new(board);
        loop {
            visit(board, indices);
            let moves: Vec<_> = squares(board.moves(SIZE)).collect();
            if let Some(&square) = moves.choose(&mut random) {
                let flips = board.flips(square);
                indices = indices.play(square.index(), flips);
                board = board.play_unchecked(square.bit(), flips);
            } else if board.is_over(SIZE) {
                break;
            } else {
                (board, indices) = (board.pass(), indices.pass());
            }
        }
    }
}

/// The value by one kernel, indices followed and new.
struct Value(Board, Indices);

impl Task for Value {
    type Output = (Indices, i32);

    fn run(self, kernel: impl Kernel) -> (Indices, i32) {
        let Value(board, indices) = self;
        kernel.run(
            #[inline(always)]
            || {
                let (own, opponent) = (kernel.moves(board), kernel.moves(board.pass()));
                let value = WEIGHTS.value(&indices, board, own, opponent);
                (Indices::new(board), value)
            },
        )
    }
}

#[test]
fn indices_that_follow_a_game_are_those_of_its_boards() {
    walk(300, |board, indices| {
        assert_eq!(indices, Indices::new(board));
        assert_eq!(indices.pass(), Indices::new(board.pass()));
    });
}

#[test]
fn every_kernel_finds_the_plain_value() {
    walk(100, |board, indices| {
        for isa in Isa::ALL {
            let (new, value) = dispatch_to(isa, Value(board, indices));
            assert_eq!(new, indices);
            assert_eq!(value, WEIGHTS.plain_value(board), "{isa} {board:x?}");
        }
    });
}

#[test]
fn images_of_a_board_show_the_same_and_have_one_value() {
    walk(40, |board, _| {
        let mut shown = features(board);
        shown.sort_unstable();
        for symmetry in Symmetry::ALL {
            let image = symmetry.board(board, SIZE);
            let mut seen = features(image);
            seen.sort_unstable();
            assert_eq!(seen, shown);
            assert_eq!(WEIGHTS.plain_value(image), WEIGHTS.plain_value(board));
        }
    });
}

#[test]
fn the_value_is_the_sum_of_what_is_shown() {
    let phases: Vec<Vec<i16>> = (0..PHASES).map(|phase| WEIGHTS.phase(phase)).collect();
    walk(40, |board, _| {
        let weights = &phases[phase((board.player | board.opponent).count_ones())];
        let sum: i32 = features(board).map(|class| i32::from(weights[class as usize])).iter().sum();
        assert_eq!(WEIGHTS.plain_value(board), sum.clamp(-64 * DISC, 64 * DISC));
    });
    assert_eq!(Weights::new(Rule::Reversed, &phases), *WEIGHTS);
}

#[test]
fn features_fit_sixteen_bits_above_their_bases() {
    let bases = feature_bases();
    walk(40, |board, _| {
        for (feature, base) in features(board).into_iter().zip(bases) {
            assert!((feature as usize) < CLASSES);
            assert!(feature.checked_sub(base).is_some_and(|above| above < 1 << 16));
        }
    });
}

#[test]
fn values_beyond_the_board_are_cut_off() {
    let shown = i32::try_from(FEATURES).unwrap();
    for (weight, value) in [(i16::MAX, 64 * DISC), (i16::MIN, -64 * DISC), (1, shown)] {
        let weights = Weights::new(Rule::Normal, &vec![vec![weight; CLASSES]; PHASES]);
        assert_eq!(weights.plain_value(Board::start(SIZE)), value);
    }
}

#[test]
fn phases_run_from_the_start_to_the_full_board() {
    assert_eq!([0, 4, 5, 6, 32, 62, 63, 64].map(phase), [0, 0, 0, 1, 14, 29, 29, 29]);
}

#[test]
fn indices_of_no_board_do_not_reach_outside_the_table() {
    // Turning discs that are not there makes indices that no board has.
    let mut indices = Indices::new(Board::start(SIZE));
    for index in 0..64 {
        indices = indices.play(index, u64::MAX);
        WEIGHTS.value(&indices, Board::start(SIZE), 0, 0);
    }
}
