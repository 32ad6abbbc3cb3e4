//! The searcher against brute force, the plain board, published values and itself turned round.

use isrever_board::text::{Defaults, Format, read};
use isrever_board::{Board, Game, Move, Position, Rule, Size, Symmetry};
use isrever_search::{
    Answer, Control, EveryMove, Goal, Pool, Progress, Searcher, Selectivity, Settings, StoredNode,
    StoredNodes, Techniques,
};
use isrever_testkit::{brute_force, plain_brute_force, random_boards};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

fn solve(board: Board, goal: Goal, settings: Settings) -> Answer {
    let solution = Searcher::new(settings).search(board, goal, Control::NONE);
    assert!(solution.is_exact);
    solution
}

/// Plays the line out: it must be legal and, after an exact solve, end with the score.
fn check_line(board: Board, solution: &Answer, settings: Settings) {
    let turn = isrever_board::Color::Black;
    let position = Position::from_board(board, settings.size, turn).expect("discs");
    let mut game = Game::from_position(settings.rule, position);
    for &mv in &solution.pv {
        game.play(mv).expect("a legal line");
    }
    assert!(game.is_over(), "the line goes to the end");
    assert_eq!(game.score(turn), solution.score(), "the line has the score");
}

#[test]
fn random_endings_agree_with_brute_force() {
    for size in Size::BITS {
        for rule in Rule::ALL {
            for empties in 0..=9 {
                let count = if empties == 9 { 12 } else { 60 };
                for board in random_boards(size, empties.min(size.cells() as u32 - 4), count) {
                    let settings = Settings { hash_bytes: 1 << 16, ..Settings::new(rule, size) };
                    let score = brute_force(board, size, rule);
                    let exact = solve(board, Goal::Exact, settings);
                    assert_eq!(exact.score(), score, "{rule} {size} {board:x?}");
                    check_line(board, &exact, settings);
                    let wld = solve(board, Goal::Wld, settings);
                    assert_eq!(wld.score().signum(), score.signum(), "{rule} {size} {board:x?}");
                }
            }
        }
    }
}

#[test]
fn symmetries_threads_and_hash_make_no_difference() {
    for size in [Size::SIX, Size::EIGHT] {
        for rule in Rule::ALL {
            for board in random_boards(size, 14, 6) {
                let settings = Settings::new(rule, size);
                let score = solve(board, Goal::Exact, settings).score();
                for symmetry in Symmetry::ALL {
                    for (threads, hash_bytes) in [(1, 0), (1, 1 << 24), (2, 1 << 12), (2, 1 << 24)]
                    {
                        let settings =
                            Settings { pool: Pool::threads(threads), hash_bytes, ..settings };
                        let image = symmetry.board(board, size);
                        let solution = solve(image, Goal::Exact, settings);
                        assert_eq!(
                            solution.score(),
                            score,
                            "{rule} {board:x?} {threads} {hash_bytes}"
                        );
                        check_line(image, &solution, settings);
                        let wld = solve(image, Goal::Wld, settings);
                        assert_eq!(wld.score().signum(), score.signum());
                    }
                }
            }
        }
    }
}

#[test]
fn every_technique_only_saves_time() {
    for rule in Rule::ALL {
        for board in random_boards(Size::EIGHT, 14, 5) {
            let hash_bytes = 1 << 22;
            let settings = Settings { hash_bytes, ..Settings::new(rule, Size::EIGHT) };
            let score = solve(board, Goal::Exact, settings).score();
            for (name, techniques) in
                Techniques::EACH_OFF.into_iter().chain([("all", Techniques::NONE)])
            {
                let settings = Settings { techniques, ..settings };
                assert_eq!(solve(board, Goal::Exact, settings).score(), score, "without {name}");
            }
        }
    }
}

#[test]
fn nodes_shared_far_down_have_the_same_scores_and_variations() {
    for size in [Size::SIX, Size::EIGHT] {
        for rule in Rule::ALL {
            for board in random_boards(size, 14, 8) {
                let alone = Settings::new(rule, size);
                let mut shared = Settings { pool: Pool::threads(4), ..alone };
                for (name, value) in [("split_from", 3), ("split_after", 1), ("endgame_split", 6)] {
                    shared.parameters.set(name, value).unwrap();
                }
                let score = solve(board, Goal::Exact, alone).score();
                let solution = solve(board, Goal::Exact, shared);
                assert_eq!(solution.score(), score, "{rule} {board:x?}");
                check_line(board, &solution, shared);
                let wld = solve(board, Goal::Wld, shared);
                assert_eq!(wld.score().signum(), score.signum(), "{rule} {board:x?}");
            }
        }
    }
}

#[test]
fn whole_4x4_boards_have_their_known_scores() {
    for (rule, score) in [(Rule::Normal, -10), (Rule::Reversed, 4)] {
        for threads in [1, 2] {
            let settings =
                Settings { pool: Pool::threads(threads), ..Settings::new(rule, Size::FOUR) };
            let board = Board::start(Size::FOUR);
            let solution = solve(board, Goal::Exact, settings);
            assert_eq!(solution.score(), score);
            check_line(board, &solution, settings);
            assert_eq!(brute_force(board, Size::FOUR, rule), score);
        }
    }
}

/// The first of the published positions under the normal rule, with the score of every move.
#[test]
fn a_published_ending_has_its_published_scores() {
    let text = include_bytes!("../../../../testdata/endgames/ffo-40-49.normal.obf");
    let defaults = Defaults { rule: Rule::Normal, size: Size::EIGHT };
    let record = &read(text, Some(Format::Obf), defaults).expect("a suite")[0];
    let board = record.game.position().board().expect("8x8");
    let settings = Settings { pool: Pool::threads(2), ..Settings::new(Rule::Normal, Size::EIGHT) };
    let mut every_move = EveryMove::with_goal(board, Size::EIGHT, Goal::Exact);
    let mut reported = 0;
    let mut searcher = Searcher::new(settings);
    assert!(searcher.ask_every_move(&mut every_move, Control::NONE, &mut |_| reported += 1));
    assert!(record.scores.len() >= 10 && reported == every_move.completed().len());
    for &(mv, score) in &record.scores {
        let found = every_move.completed().iter().find(|answer| answer.best() == mv);
        assert_eq!(found.map(Answer::score), Some(score), "{mv:?}");
    }
}

/// Small suites with the score of each position, for every implementation.
#[test]
fn the_suites_hold_for_brute_force_the_plain_board_and_the_searcher() {
    let suites: [(Rule, &[u8]); 2] = [
        (Rule::Reversed, include_bytes!("../../../../testdata/endgames/small.reversed.obf")),
        (Rule::Normal, include_bytes!("../../../../testdata/endgames/small.normal.obf")),
    ];
    for (rule, text) in suites {
        let defaults = Defaults { rule, size: Size::EIGHT };
        let records = read(text, Some(Format::Obf), defaults).expect("a suite");
        assert!(records.len() >= 40);
        for record in records {
            let position = record.game.position();
            let board = position.board().expect("a bitboard");
            let size = position.size();
            let [(None, score)] = record.scores[..] else { panic!("one score: {position}") };
            assert_eq!(brute_force(board, size, rule), score, "{position}");
            assert_eq!(plain_brute_force(&position.to_array(), rule), score, "{position}");
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(board, size);
                for (threads, hash_bytes) in [(1, 0), (2, 1 << 20)] {
                    let settings = Settings {
                        pool: Pool::threads(threads),
                        hash_bytes,
                        ..Settings::new(rule, size)
                    };
                    assert_eq!(solve(image, Goal::Exact, settings).score(), score, "{position}");
                }
            }
        }
    }
}

#[test]
fn a_stopped_searcher_still_has_a_legal_move() {
    let stop = AtomicBool::new(true);
    for board in random_boards(Size::EIGHT, 30, 20) {
        let control = Control { stop: &stop, ..Control::NONE };
        let mut searcher = Searcher::new(Settings::new(Rule::Reversed, Size::EIGHT));
        let solution = searcher.search(board, Goal::Exact, control);
        assert_eq!((solution.is_exact, solution.iterations), (false, 0));
        match solution.best() {
            Some(Move::Place(square)) => assert!(board.play(square, Size::EIGHT).is_some()),
            Some(Move::Pass) => assert_eq!(board.moves(Size::EIGHT), 0),
            None => assert!(board.is_over(Size::EIGHT)),
        }
    }
}

#[test]
fn stopping_ends_a_hopeless_solve_on_every_thread() {
    let stop = AtomicBool::new(false);
    let is_begun = AtomicBool::new(false);
    let progress = |progress: Progress| is_begun.store(progress.iteration > 1, Relaxed);
    let control = Control { stop: &stop, progress: &progress, ..Control::NONE };
    thread::scope(|scope| {
        let solve = scope.spawn(|| {
            let settings =
                Settings { pool: Pool::threads(3), ..Settings::new(Rule::Reversed, Size::EIGHT) };
            // 26 empty squares: the guesses come at once, the proof would take minutes.
            let board = random_boards(Size::EIGHT, 26, 1)[0];
            Searcher::new(settings).search(board, Goal::Exact, control)
        });
        while !is_begun.load(Relaxed) && !solve.is_finished() {
            thread::yield_now();
        }
        stop.store(true, Relaxed);
        let solution = solve.join().expect("no panic");
        assert!(solution.best().is_some());
    });
}

#[test]
fn a_panic_in_a_callback_ends_the_search() {
    let settings = Settings { pool: Pool::threads(3), ..Settings::new(Rule::Reversed, Size::SIX) };
    let board = random_boards(Size::SIX, 18, 1)[0];
    let panics = |control: Control<'_>| {
        let search = || Searcher::new(settings).search(board, Goal::Exact, control);
        catch_unwind(AssertUnwindSafe(search)).is_err()
    };
    // On the calling thread.
    let progress = |progress: Progress| assert!(progress.iteration < 3, "on purpose");
    assert!(panics(Control { progress: &progress, ..Control::NONE }));
    // On another thread, as soon as one has work that is worth a report.
    let caller = thread::current().id();
    let report = |_| assert!(thread::current().id() == caller, "on purpose");
    let stored_nodes = Some(StoredNodes { min_nodes: 1, report: &report });
    let mut rounds = 0..1000;
    assert!(
        rounds.any(|_| panics(Control { stored_nodes, ..Control::NONE })),
        "no thread had work"
    );
}

/// Solves the board, and everything that was found on the way.
fn solve_with_findings(board: Board, settings: Settings) -> (Answer, Vec<StoredNode>) {
    let findings = Mutex::new(Vec::new());
    let tell = |finding: StoredNode| findings.lock().expect("no panic").push(finding);
    let findings_wanted = Some(StoredNodes { min_nodes: 500, report: &tell });
    let control = Control { stored_nodes: findings_wanted, ..Control::NONE };
    let solution = Searcher::new(settings).search(board, Goal::Exact, control);
    (solution, findings.into_inner().expect("no panic"))
}

#[test]
fn earlier_findings_save_the_work_of_every_solve() {
    let size = Size::SIX;
    // Little room: what is remembered must not be the first to go.
    let settings = Settings { hash_bytes: 1 << 17, ..Settings::new(Rule::Reversed, size) };
    let [board, others @ ..] = &random_boards(size, 18, 4)[..] else { panic!("boards") };
    let (first, findings) = solve_with_findings(*board, settings);
    assert!(findings.iter().any(|finding| finding.selectivity == Selectivity::NONE));
    let mut searcher = Searcher::new(settings);
    for finding in findings {
        let StoredNode { lower, upper, nodes, .. } = finding;
        assert!(-36 <= lower && lower <= upper && upper <= 36 && nodes >= 500, "{finding:?}");
        searcher.preload(finding);
    }
    // Other work comes first, and fills the table.
    for &other in others {
        searcher.search(other, Goal::Exact, Control::NONE);
    }
    let again = searcher.search(*board, Goal::Exact, Control::NONE);
    assert_eq!((again.score(), again.is_exact), (first.score(), true));
    assert!(again.nodes * 20 < first.nodes, "{} against {}", again.nodes, first.nodes);
}

#[test]
fn findings_of_narrow_passes_save_narrow_passes_and_prove_nothing() {
    let settings = Settings::new(Rule::Normal, Size::EIGHT);
    let (mut fresh, mut saved) = (0, 0);
    for board in random_boards(Size::EIGHT, 20, 6) {
        let (first, findings) = solve_with_findings(board, settings);
        let guesses: Vec<_> = findings
            .into_iter()
            .filter(|finding| finding.selectivity < Selectivity::NONE)
            .collect();
        assert!(!guesses.is_empty());
        // The nodes before the proof begins.
        let narrow_nodes = |guesses: &[StoredNode]| {
            let nodes = AtomicU64::new(0);
            let progress = |progress: Progress| {
                if progress.iteration == progress.iterations {
                    nodes.store(progress.nodes, Relaxed);
                }
            };
            let mut searcher = Searcher::new(settings);
            guesses.iter().for_each(|&guess| searcher.preload(guess));
            let control = Control { progress: &progress, ..Control::NONE };
            let solution = searcher.search(board, Goal::Exact, control);
            assert_eq!((solution.score(), solution.is_exact), (first.score(), true));
            check_line(board, &solution, settings);
            nodes.into_inner()
        };
        fresh += narrow_nodes(&[]);
        saved += narrow_nodes(&guesses);
        // However wrong, a guess costs time only.
        let wrong: Vec<_> = guesses
            .iter()
            .map(|&guess| StoredNode { lower: -guess.upper, upper: -guess.lower, ..guess })
            .collect();
        narrow_nodes(&wrong);
    }
    assert!(saved * 2 < fresh, "{saved} against {fresh}");
}

#[test]
fn whoever_watches_sees_every_node_and_every_pass() {
    for threads in [1, 2] {
        let settings =
            Settings { pool: Pool::threads(threads), ..Settings::new(Rule::Reversed, Size::EIGHT) };
        let board = random_boards(Size::EIGHT, 18, 1)[0];
        let nodes = AtomicU64::new(7);
        let seen = Mutex::new(Vec::new());
        let progress = |progress: Progress| seen.lock().expect("no panic").push(progress);
        let control = Control { nodes: Some(&nodes), progress: &progress, ..Control::NONE };
        let solution = Searcher::new(settings).search(board, Goal::Exact, control);
        assert_eq!(nodes.into_inner(), 7 + solution.nodes);
        let seen = seen.into_inner().expect("no panic");
        assert_eq!((seen.len(), seen[0].guess), (solution.iterations, None));
        for (progress, number) in seen.iter().zip(1..) {
            assert_eq!((progress.iteration, progress.iterations), (number, solution.iterations));
            assert_eq!(progress.guess.is_some(), number > 1);
        }
        assert!(seen.is_sorted_by_key(|progress| progress.nodes));
    }
}
