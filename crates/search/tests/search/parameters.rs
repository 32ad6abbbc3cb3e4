//! Parameters change how long a proof takes, never what it proves.

use isrever_board::{Board, Isa, Rule, Size};
use isrever_search::{Answer, Control, Goal, Parameters, Pool, Searcher, Settings};
use isrever_testkit::{brute_force, minimax, random_boards, unfinished_boards};

/// Every parameter anywhere in its range.
fn random(rule: Rule, size: Size, seed: u64) -> Parameters {
    let mut parameters = Parameters::shipped(rule, size);
    let mut state = seed;
    for row in Parameters::TABLE {
        // A linear congruential generator, whose upper bits are the better ones.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let width = i64::from(row.most) - i64::from(row.least) + 1;
        let value = i64::from(row.least) + (state >> 33).cast_signed() % width;
        parameters.set(row.name, value.try_into().unwrap()).unwrap();
    }
    parameters
}

/// Every parameter at the same end of its range.
fn extreme(rule: Rule, size: Size, is_most: bool) -> Parameters {
    let mut parameters = Parameters::shipped(rule, size);
    for row in Parameters::TABLE {
        parameters.set(row.name, if is_most { row.most } else { row.least }).unwrap();
    }
    parameters
}

/// Both ends of all ranges, and then so many drawn by chance.
fn variants(rule: Rule, size: Size, count: u64) -> impl Iterator<Item = Parameters> {
    let ends = [false, true].map(|is_most| extreme(rule, size, is_most));
    ends.into_iter().chain((1..=count).map(move |seed| random(rule, size, seed)))
}

fn search(board: Board, goal: Goal, settings: Settings) -> Answer {
    Searcher::new(settings).search(board, goal, Control::NONE)
}

fn kernels() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_present())
}

fn each_game() -> impl Iterator<Item = (Rule, Size)> {
    Size::BITS.into_iter().flat_map(|size| Rule::ALL.map(|rule| (rule, size)))
}

#[test]
fn small_endings_have_their_scores_by_any_parameters() {
    for (rule, size) in each_game() {
        let boards = random_boards(size, 8, 12);
        for (board, parameters) in boards.into_iter().cycle().zip(variants(rule, size, 40)) {
            let score = brute_force(board, size, rule);
            for isa in kernels() {
                let hash_bytes = 1 << 16;
                let settings =
                    Settings { isa, parameters, hash_bytes, ..Settings::new(rule, size) };
                let answer = search(board, Goal::Exact, settings);
                assert_eq!(answer.score(), score, "{rule} {size} {isa} {board:x?} {parameters:?}");
            }
        }
    }
}

#[test]
fn endings_that_are_guessed_first_have_their_scores_by_any_parameters() {
    for (rule, size) in each_game().filter(|&(_, size)| size != Size::FOUR) {
        let boards = unfinished_boards(size, 14, 4);
        let settings = Settings { hash_bytes: 1 << 20, ..Settings::new(rule, size) };
        for (place, parameters) in variants(rule, size, 10).enumerate() {
            let board = boards[place % boards.len()];
            let score = search(board, Goal::Exact, settings).score();
            // To the end by way of values, too, and without an evaluation.
            let goals = [Goal::Exact, Goal::Value { depth: 60, confidence: 100 }];
            for (goal, isa) in goals.into_iter().cycle().zip(kernels()) {
                let changed = Settings { isa, parameters, ..settings };
                let answer = search(board, goal, changed);
                assert!(answer.is_exact);
                assert_eq!(answer.score(), score, "{rule} {size} {isa} {board:x?} {parameters:?}");
            }
            let weights = if place % 2 == 0 { None } else { settings.weights };
            let threads = Settings { pool: Pool::threads(2), weights, parameters, ..settings };
            let answer = search(board, Goal::Exact, threads);
            assert_eq!(answer.score(), score, "{rule} {size} {board:x?} {parameters:?}");
        }
    }
}

#[test]
fn values_of_full_width_are_those_of_minimax_by_any_parameters() {
    for (rule, size) in each_game().filter(|&(_, size)| size != Size::FOUR) {
        let boards = unfinished_boards(size, size.cells() as u32 - 14, 6);
        for (board, parameters) in boards.into_iter().cycle().zip(variants(rule, size, 12)) {
            for isa in kernels() {
                let hash_bytes = 1 << 16;
                let settings =
                    Settings { isa, parameters, hash_bytes, ..Settings::new(rule, size) };
                let goal = Goal::Value { depth: 4, confidence: 100 };
                let value = minimax(board, 4, settings.weights.unwrap(), rule, size);
                let found = search(board, goal, settings).score();
                assert_eq!(found, value, "{rule} {size} {isa} {board:x?} {parameters:?}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "within their ranges")]
fn values_beyond_their_range_are_refused() {
    let settings = Settings::new(Rule::Normal, Size::SIX);
    let parameters = Parameters { shallow: 13, ..settings.parameters };
    Searcher::new(Settings { parameters, ..settings });
}
