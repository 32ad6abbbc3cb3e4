//! Games against itself: legal, complete, and the same from the same seed on any number of threads.

use crate::{guess, stakes};
use isrever_board::{Board, Color, Game, Move, Rule, Size, Square};
use isrever_zero::{Evaluation, Finished, Plan, SelfPlay};

fn plan(size: Size, seed: u64) -> Plan {
    Plan {
        stakes: stakes(Rule::Reversed, size),
        visits: 12,
        fast_visits: 4,
        full_share: 0.5,
        random_plies: 6,
        solve_leaves_from: 4,
        solve_games_from: 5,
        seed,
    }
}

/// Plays until this many games are over.
fn play(plan: Plan, games: usize) -> Vec<Finished> {
    let mut selfplay = SelfPlay::new(plan, 2, 1);
    let mut finished = Vec::new();
    while finished.len() < games {
        for group in 0..2 {
            let evaluations: Vec<Evaluation> = selfplay.boards(group).map(guess).collect();
            assert_eq!(evaluations.len(), selfplay.group_len());
            let mut next = vec![Board::default(); evaluations.len()];
            selfplay.step(group, |place| evaluations[place], |board| board, &mut next);
            assert!(selfplay.boards(group).eq(next));
        }
        finished.extend(selfplay.take());
    }
    finished
}

#[test]
fn games_are_legal_and_complete() {
    for size in Size::BITS {
        let mut boards = 0;
        for finished in play(plan(size, 1), 40) {
            let mut game = Game::new(Rule::Reversed, size);
            let mut seen = Vec::new();
            for &index in &finished.moves {
                if game.position().must_pass() {
                    game.play(Move::Pass).expect("it must pass");
                }
                seen.push((game.position().board().unwrap(), game.position().turn()));
                let square = Square::from_index(index.into());
                game.play(Move::Place(square)).expect("a legal move");
            }
            assert!(game.position().is_over());
            assert_eq!(
                game.position().score(Rule::Reversed, Color::Black),
                i32::from(finished.score)
            );
            for sample in &finished.samples {
                let &(board, color) =
                    seen.iter().find(|(board, _)| *board == sample.board).expect("a board of it");
                assert_eq!(i32::from(sample.score), game.position().score(Rule::Reversed, color));
                assert_eq!(sample.owned.count_ones(), game.position().count(color));
                let sum: u32 = sample.policy.iter().map(|&part| u32::from(part)).sum();
                assert!((65_500..=65_570).contains(&sum), "{sum}");
                let moves = board.moves(size);
                let has_part = |square: usize| sample.policy[square] > 0;
                assert!((0..64).all(|square| !has_part(square) || moves >> square & 1 == 1));
                boards += 1;
            }
        }
        assert!(boards > 20, "{boards}");
    }
}

#[test]
fn the_seed_decides_on_any_number_of_threads() {
    let play = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let finished = pool.install(|| play(plan(Size::FOUR, seed), 100));
        finished.into_iter().map(|game| (game.moves, game.samples)).collect::<Vec<_>>()
    };
    assert_eq!(play(1, 1), play(3, 1));
    assert_ne!(play(1, 1), play(1, 2));
}

#[test]
fn games_differ_from_each_other() {
    let mut openings: Vec<Vec<u8>> = play(Plan { random_plies: 0, ..plan(Size::EIGHT, 3) }, 100)
        .into_iter()
        .map(|game| game.moves[..8].to_vec())
        .collect();
    let all = openings.len();
    openings.sort_unstable();
    openings.dedup();
    assert!(openings.len() * 2 > all, "{} of {all}", openings.len());
}
