//! Questions that are stepped, stopped and resumed, and questions about every move.

use isrever_board::{Board, Move, Rule, Size, squares};
use isrever_search::{
    Answer, Control, EveryMove, Goal, Pool, Question, Searcher, Settings, evaluate_moves,
    moves_by_mobility,
};
use isrever_testkit::{random_boards, unfinished_boards};
use std::sync::atomic::AtomicBool;

fn settings(rule: Rule, size: Size) -> Settings {
    Settings { hash_bytes: 1 << 22, ..Settings::new(rule, size) }
}

const TO_END: Goal = Goal::Value { depth: u32::MAX, confidence: 100 };

#[test]
fn stepped_or_in_one_go_a_question_has_the_same_answer() {
    for rule in Rule::ALL {
        for board in unfinished_boards(Size::EIGHT, 15, 3) {
            for goal in [Goal::Exact, Goal::Wld, TO_END, Goal::Value { depth: 6, confidence: 73 }] {
                let settings = settings(rule, Size::EIGHT);
                let at_once = Searcher::new(settings).search(board, goal, Control::NONE);
                let mut searcher = Searcher::new(settings);
                let mut question = Question::new(board, goal);
                let (mut steps, mut last) = (0, None);
                while !question.is_done() {
                    last = Some(searcher.step(&mut question, Control::NONE));
                    steps += 1;
                }
                let last = last.unwrap();
                assert_eq!(steps, at_once.iterations);
                assert_eq!((last.value, last.is_exact), (at_once.value, at_once.is_exact));
                assert_eq!((last.depth, last.confidence), (at_once.depth, at_once.confidence));
                // Asked once more, a question that is done costs nothing.
                assert_eq!(searcher.ask(&mut question, Control::NONE), last);
            }
        }
    }
}

#[test]
fn a_question_stopped_again_and_again_is_answered_in_the_end() {
    for (rule, threads) in Rule::ALL.into_iter().flat_map(|rule| [1, 4].map(|n| (rule, n))) {
        for board in unfinished_boards(Size::EIGHT, 16, 3) {
            let settings = settings(rule, Size::EIGHT);
            let exact = Searcher::new(settings).search(board, Goal::Exact, Control::NONE);
            let settings = Settings { pool: Pool::threads(threads), ..settings };
            let mut searcher = Searcher::new(settings);
            let mut question = Question::new(board, Goal::Exact);
            let mut max_nodes = exact.nodes / 10 + 1;
            let (mut pieces, mut iterations) = (0, 0);
            let answer = loop {
                let control = Control { max_nodes: Some(max_nodes), ..Control::NONE };
                let answer = searcher.ask(&mut question, control);
                pieces += 1;
                assert!(answer.iterations >= iterations, "it never falls back");
                iterations = answer.iterations;
                if question.is_done() {
                    break answer;
                }
                assert!(!answer.is_exact && pieces < 1000);
                // A thread may do all the work with its share of the nodes.
                max_nodes += max_nodes / 10;
            };
            assert!(pieces > 2);
            assert_eq!((answer.value, answer.is_exact), (exact.value, true));
        }
    }
}

/// The exact score of each move by a search of its own.
fn exact_scores(board: Board, settings: Settings) -> Vec<(Move, i32)> {
    let score = |square| {
        let next = board.play(square, settings.size).unwrap();
        let answer = Searcher::new(settings).search(next, Goal::Exact, Control::NONE);
        (Move::Place(square), -answer.score())
    };
    squares(board.moves(settings.size)).map(score).collect()
}

fn scores(answers: &[Answer]) -> Vec<(Move, i32)> {
    let mut scores: Vec<_> = answers.iter().map(|a| (a.best().unwrap(), a.score())).collect();
    scores.sort_by_key(|&(mv, _)| mv);
    scores
}

#[test]
fn every_move_is_proved_whether_stopped_or_not() {
    for rule in Rule::ALL {
        for (size, empties) in [(Size::FOUR, 8), (Size::SIX, 14), (Size::EIGHT, 15)] {
            for board in unfinished_boards(size, empties, 2) {
                let settings = settings(rule, size);
                if board.moves(size) == 0 {
                    continue;
                }
                let expected = exact_scores(board, settings);
                let mut searcher = Searcher::new(settings);
                let mut every_move = EveryMove::deepening(board, &settings, u32::MAX, 73);
                let done = searcher.ask_every_move(&mut every_move, Control::NONE, &mut |_| {});
                assert!(done && every_move.is_exact());
                assert_eq!(scores(every_move.completed()), expected, "{rule} {size} {board:x?}");
                assert!(every_move.completed().is_sorted_by(|a, b| a.value >= b.value));

                let mut stopped = EveryMove::deepening(board, &settings, u32::MAX, 73);
                let mut searcher = Searcher::new(settings);
                let mut max_nodes = 1;
                loop {
                    let control = Control { max_nodes: Some(max_nodes), ..Control::NONE };
                    if searcher.ask_every_move(&mut stopped, control, &mut |_| {}) {
                        break;
                    }
                    // A search that is stopped too soon every time would never end.
                    max_nodes += max_nodes / 4 + 1;
                }
                assert_eq!(scores(stopped.completed()), expected, "{rule} {size} {board:x?}");
            }
        }
    }
}

#[test]
fn answers_are_reported_move_by_move_and_goal_by_goal() {
    let settings = settings(Rule::Reversed, Size::EIGHT);
    let board = Board::start(Size::EIGHT).play("f5".parse().unwrap(), Size::EIGHT).unwrap();
    let moves = board.moves(Size::EIGHT).count_ones() as usize;
    let mut every_move = EveryMove::deepening(board, &settings, 4, 73);
    assert!(every_move.answers().iter().all(|answer| answer.depth == 1 && answer.pv.len() == 1));
    let mut reported: Vec<Answer> = Vec::new();
    let mut searcher = Searcher::new(settings);
    let mut report = |answer: &Answer| reported.push(answer.clone());
    assert!(searcher.ask_every_move(&mut every_move, Control::NONE, &mut report));
    let depths: Vec<u32> = reported.iter().map(|answer| answer.depth).collect();
    let expected: Vec<u32> = [2, 3, 4].into_iter().flat_map(|d| vec![d; moves]).collect();
    assert_eq!(depths, expected);
    assert!(reported.is_sorted_by_key(|answer| answer.nodes));
    assert_eq!(reported.last().unwrap().nodes, every_move.nodes());
    assert!(!every_move.is_exact());
}

#[test]
fn moves_that_are_the_same_by_symmetry_have_the_same_value() {
    for (rule, size) in [(Rule::Reversed, Size::EIGHT), (Rule::Normal, Size::SIX)] {
        let settings = settings(rule, size);
        let board = Board::start(size);
        let mut every_move = EveryMove::deepening(board, &settings, 10, 73);
        let mut searcher = Searcher::new(settings);
        let mut values: Vec<(u32, f64)> = Vec::new();
        let mut report = |answer: &Answer| values.push((answer.depth, answer.value));
        assert!(searcher.ask_every_move(&mut every_move, Control::NONE, &mut report));
        for moves in values.chunks(4) {
            assert!(moves.iter().all(|one| *one == moves[0]), "{rule} {size}: {moves:?}");
        }
        for answer in every_move.completed() {
            let play = |board: Board, mv: &Move| board.play(mv.square()?, size);
            assert!(answer.pv.len() > 2 && answer.pv.iter().try_fold(board, play).is_some());
        }
    }
}

#[test]
fn a_forced_pass_is_the_only_move_and_a_finished_game_has_none() {
    let is_pass = |board: &Board| board.moves(Size::SIX) == 0 && !board.is_over(Size::SIX);
    let settings = settings(Rule::Normal, Size::SIX);
    let board = random_boards(Size::SIX, 8, 2000).into_iter().find(is_pass).unwrap();
    let mut every_move = EveryMove::deepening(board, &settings, u32::MAX, 73);
    let mut searcher = Searcher::new(settings);
    assert!(searcher.ask_every_move(&mut every_move, Control::NONE, &mut |_| {}));
    let exact = Searcher::new(settings).search(board, Goal::Exact, Control::NONE);
    assert_eq!(scores(every_move.completed()), [(Move::Pass, exact.score())]);

    let over = random_boards(Size::SIX, 0, 1)[0];
    let mut nothing = EveryMove::deepening(over, &settings, u32::MAX, 73);
    assert!(nothing.is_done() && nothing.answers().is_empty());
    assert!(searcher.step_every_move(&mut nothing, Control::NONE));
}

#[test]
fn stopped_at_once_every_move_has_its_static_evaluation() {
    let settings = settings(Rule::Reversed, Size::EIGHT);
    let stop = AtomicBool::new(true);
    let control = Control { stop: &stop, ..Control::NONE };
    for board in unfinished_boards(Size::EIGHT, 30, 5) {
        let mut every_move = EveryMove::deepening(board, &settings, u32::MAX, 73);
        let mut searcher = Searcher::new(settings);
        assert!(!searcher.ask_every_move(&mut every_move, control, &mut |_| {}));
        let evaluated = evaluate_moves(board, &settings);
        assert_eq!(every_move.completed(), evaluated);
        let quick = moves_by_mobility(board, Size::EIGHT);
        let moves = |answers: &[Answer]| {
            let mut moves: Vec<_> = answers.iter().filter_map(Answer::best).collect();
            moves.sort_unstable();
            moves
        };
        assert_eq!(moves(&quick), moves(&evaluated));
    }
}
