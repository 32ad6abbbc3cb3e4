//! Weights change how long a solve takes, never what it finds.

use isrever_board::text::{Defaults, Format, read};
use isrever_board::{Board, Color, Game, Isa, Position, Rule, Size, Symmetry};
use isrever_eval::Weights;
use isrever_search::{Answer, Control, Goal, Pool, Searcher, Settings};
use isrever_testkit::unfinished_boards;

fn solve(board: Board, goal: Goal, settings: Settings) -> Answer {
    Searcher::new(settings).search(board, goal, Control::NONE)
}

#[test]
fn scores_are_the_same_with_weights_and_without() {
    for size in [Size::SIX, Size::EIGHT] {
        for rule in Rule::ALL {
            for board in unfinished_boards(size, 15, 4) {
                let settings = Settings { hash_bytes: 1 << 22, ..Settings::new(rule, size) };
                assert!(settings.weights.is_some());
                let plain = Settings { weights: None, ..settings };
                let score = solve(board, Goal::Exact, plain).score();
                for threads in [1, 2] {
                    let solution = solve(
                        board,
                        Goal::Exact,
                        Settings { pool: Pool::threads(threads), ..settings },
                    );
                    assert!(solution.is_exact);
                    assert_eq!(solution.score(), score, "{rule} {size} {board:x?}");
                }
            }
        }
    }
}

#[test]
fn small_suites_are_solved_with_weights() {
    let suites: [(Rule, &[u8]); 2] = [
        (Rule::Reversed, include_bytes!("../../../../testdata/endgames/small.reversed.obf")),
        (Rule::Normal, include_bytes!("../../../../testdata/endgames/small.normal.obf")),
    ];
    for (rule, text) in suites {
        let defaults = Defaults { rule, size: Size::EIGHT };
        for record in read(text, Some(Format::Obf), defaults).unwrap() {
            let position = record.game.position();
            let (board, size) = (position.board().unwrap(), position.size());
            let [(None, score)] = record.scores[..] else { panic!("one score: {position}") };
            // To the end by way of values, which asks the weights however near the end is.
            let goal = Goal::Value { depth: u32::MAX, confidence: 100 };
            for weights in [None, Weights::embedded(rule, size)] {
                let settings = Settings { weights, ..Settings::new(rule, size) };
                for goal in [Goal::Exact, goal].into_iter().take(1 + weights.iter().count()) {
                    assert_eq!(solve(board, goal, settings).score(), score, "{position}");
                }
            }
        }
    }
}

/// Each board is turned by another of the eight symmetries.
#[test]
fn fourteen_empty_squares_are_solved_on_every_kernel_with_weights_and_without() {
    let suites: [(Rule, &[u8]); 2] = [
        (Rule::Reversed, include_bytes!("../../../../testdata/endgames/fourteen.reversed.obf")),
        (Rule::Normal, include_bytes!("../../../../testdata/endgames/fourteen.normal.obf")),
    ];
    let size = Size::EIGHT;
    for (rule, text) in suites {
        let records = read(text, Some(Format::Obf), Defaults { rule, size }).unwrap();
        assert_eq!(records.len(), 12);
        for (record, symmetry) in records.iter().zip(Symmetry::ALL.into_iter().cycle()) {
            let position = record.game.position();
            let [(None, score)] = record.scores[..] else { panic!("one score: {position}") };
            let board = symmetry.board(position.board().unwrap(), size);
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_present()) {
                for weights in [None, Weights::embedded(rule, size)] {
                    let settings = Settings { isa, weights, ..Settings::new(rule, size) };
                    let answer = solve(board, Goal::Exact, settings);
                    assert!(answer.is_exact);
                    assert_eq!(answer.score(), score, "{rule} {isa} {position}");
                }
            }
        }
    }
}

#[test]
fn boards_near_the_start_are_solved_whichever_way_they_are_turned() {
    let size = Size::SIX;
    // Of 23 empty squares, where boards are taken in canonical form; chosen because they are easy.
    let boards = unfinished_boards(size, 23, 7);
    for (rule, board) in [(Rule::Reversed, boards[3]), (Rule::Normal, boards[6])] {
        let mut scores = Vec::new();
        for symmetry in [Symmetry::IDENTITY, Symmetry::ALL[5]] {
            let image = symmetry.board(board, size);
            let solution = solve(image, Goal::Exact, Settings::new(rule, size));
            let turn = Color::Black;
            let position = Position::from_board(image, size, turn).unwrap();
            let mut game = Game::from_position(rule, position);
            solution.pv.iter().for_each(|&mv| game.play(mv).unwrap());
            assert!(solution.is_exact && game.is_over());
            assert_eq!(game.score(turn), solution.score());
            scores.push(solution.score());
        }
        assert_eq!(scores[0], scores[1]);
    }
}

#[test]
#[should_panic(expected = "the weights are for this size")]
fn weights_for_another_board_are_refused() {
    let weights = Weights::embedded(Rule::Normal, Size::EIGHT);
    Searcher::new(Settings { weights, ..Settings::new(Rule::Normal, Size::SIX) });
}
