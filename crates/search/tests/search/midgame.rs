//! Values by limited depth: the search against plain minimax, symmetries, threads.

use isrever_board::{Board, Move, Rule, Size, Symmetry};
use isrever_search::{Answer, Control, Goal, Pool, Searcher, Settings, Techniques};
use isrever_testkit::{boards_after, minimax};

/// The sizes that have weights.
const SIZES: [Size; 2] = [Size::SIX, Size::EIGHT];

fn value(board: Board, depth: u32, settings: Settings) -> Answer {
    let goal = Goal::Value { depth, confidence: 100 };
    Searcher::new(settings).search(board, goal, Control::NONE)
}

#[test]
fn without_cuts_the_value_is_that_of_plain_minimax() {
    for rule in Rule::ALL {
        for size in SIZES {
            let settings = Settings { hash_bytes: 1 << 16, ..Settings::new(rule, size) };
            let weights = settings.weights.expect("weights for 6x6 and 8x8");
            for board in boards_after(size, 9, 12, 1) {
                for depth in 1..=4 {
                    let found = value(board, depth, settings);
                    let plain = minimax(board, depth, weights, rule, size);
                    assert_eq!(found.score(), plain, "{rule} {size} depth {depth} {board:?}");
                    assert_eq!(
                        (found.depth, found.confidence, found.is_exact),
                        (depth, 100, false)
                    );
                    // The line leads there: as many moves as plies, passes not counted.
                    let places = found.pv.iter().filter(|mv| mv.square().is_some()).count();
                    assert_eq!(places, depth as usize);
                }
            }
        }
    }
}

#[test]
fn images_of_a_board_and_more_threads_give_the_same_value() {
    for rule in Rule::ALL {
        for size in SIZES {
            for board in boards_after(size, 12, 3, 2) {
                let settings = Settings { hash_bytes: 1 << 20, ..Settings::new(rule, size) };
                let score = value(board, 5, settings).score();
                for symmetry in Symmetry::ALL {
                    let image = symmetry.board(board, size);
                    assert_eq!(value(image, 5, settings).score(), score, "{board:?}");
                }
                let mut shared = Settings { pool: Pool::threads(4), ..settings };
                shared.parameters.set("split_from", 3).unwrap();
                shared.parameters.set("split_after", 1).unwrap();
                for settings in [Settings { pool: Pool::threads(2), ..settings }, shared] {
                    assert_eq!(value(board, 5, settings).score(), score, "{board:?}");
                }
            }
        }
    }
}

/// The board after the moves of a line, and whether the side that begins is to move there.
fn follow(board: Board, size: Size, line: &[Move]) -> (Board, bool) {
    let after = line.iter().fold(board, |board, mv| match *mv {
        Move::Place(square) => board.play(square, size).expect("a legal line"),
        Move::Pass => board.pass(),
    });
    (after, line.len().is_multiple_of(2))
}

/// Near the start the table knows boards in canonical form: values and lines must be turned back.
#[test]
fn near_the_start_every_image_has_its_value_and_a_line_to_it() {
    let unturned = Techniques { symmetry: false, ..Techniques::ALL };
    for (rule, size) in SIZES.map(|size| Rule::ALL.map(|rule| (rule, size))).concat() {
        for plies in [0, 3, 5] {
            let settings = Settings { hash_bytes: 1 << 20, ..Settings::new(rule, size) };
            let weights = settings.weights.expect("weights for 6x6 and 8x8");
            let board = boards_after(size, plies, 1, 4)[0];
            let plain = minimax(board, 4, weights, rule, size);
            for image in Symmetry::ALL.map(|symmetry| symmetry.board(board, size)) {
                for techniques in [Techniques::ALL, unturned] {
                    let found = value(image, 4, Settings { techniques, ..settings });
                    assert_eq!(found.score(), plain, "{rule} {size} {image:?}");
                    let (end, is_beginner) = follow(image, size, &found.pv);
                    let at_end = minimax(end, 0, weights, rule, size);
                    assert_eq!(if is_beginner { at_end } else { -at_end }, plain);
                }
            }
        }
    }
}

#[test]
fn a_depth_that_reaches_the_end_proves_the_score() {
    for rule in Rule::ALL {
        for board in boards_after(Size::EIGHT, 46, 6, 3) {
            let settings = Settings::new(rule, Size::EIGHT);
            let exact = Searcher::new(settings).search(board, Goal::Exact, Control::NONE);
            let found = value(board, 60, settings);
            assert_eq!((found.score(), found.is_exact), (exact.score(), true), "{board:?}");
            assert_eq!(found.depth, board.empties(Size::EIGHT).count_ones());
        }
    }
}

#[test]
fn the_search_has_its_signature() {
    let signature: u64 =
        include_str!("../../../../testdata/bench-signature.txt").trim().parse().expect("a number");
    assert_eq!(isrever_search::bench(|_| {}), signature, "see CONTRIBUTING.md");
}
