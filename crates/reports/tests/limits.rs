//! Limits are kept: an agent out of time, out of nodes or told to stop still answers, at once.

use isrever_agent::Limits;
use isrever_board::{Game, Rule, Size};
use isrever_reports::catalogue;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Games at every stage, the ending included, on a board with bits and one without.
fn games() -> Vec<Game> {
    let catalogue = catalogue();
    let mut games = Vec::new();
    for width in [8, 10] {
        let mut random = catalogue.make("random", 3).unwrap();
        let mut game = Game::new(Rule::Reversed, Size::new(width).unwrap());
        while !game.is_over() {
            if game.position().must_pass() {
                game.play(isrever_board::Move::Pass).unwrap();
                continue;
            }
            if game.ply().is_multiple_of(5) || game.position().empties() < 12 {
                games.push(game.clone());
            }
            game.place(random.choose(&game, &Limits::default()).unwrap().square).unwrap();
        }
    }
    games
}

/// Asks every agent in every game; each may visit `most` boards.
fn ask_all(limits: &Limits, most: u64) {
    let catalogue = catalogue();
    for game in games() {
        for entry in catalogue.entries() {
            // One move ahead is no search: it is counted, and cannot be cut short.
            let most = if entry.name().starts_with("greedy") { most.max(40) } else { most };
            let choice = catalogue.make(entry.name(), 1).unwrap().choose(&game, limits).unwrap();
            let name = entry.name();
            assert!(game.position().moves().contains(&choice.square), "{name}");
            assert!(choice.nodes <= most, "{name} visited {} boards", choice.nodes);
        }
    }
}

#[test]
fn a_deadline_that_has_passed_still_gives_a_move() {
    ask_all(&Limits { deadline: Some(Instant::now()), ..Limits::default() }, 0);
}

#[test]
fn a_stop_beforehand_still_gives_a_move() {
    let limits = Limits::default();
    limits.stop.store(true, Relaxed);
    ask_all(&limits, 0);
}

#[test]
fn nodes_are_kept() {
    for most in [1, 10, 100] {
        ask_all(&Limits::of_nodes(most), most);
    }
}

#[test]
fn a_stop_from_another_thread_ends_a_search_without_end() {
    // The deepening agents would search for hours here; the flag is all that ends them.
    let game = Game::new(Rule::Reversed, Size::EIGHT);
    for name in ["fourstage", "maximax", "genetic", "mcts"] {
        let limits = Limits { depth: Some(60), nodes: Some(u64::MAX), ..Limits::default() };
        let stop = limits.stop.clone();
        std::thread::scope(|scope| {
            let asked =
                scope.spawn(|| catalogue().make(name, 1).unwrap().choose(&game, &limits).unwrap());
            stop.store(true, Relaxed);
            let choice = asked.join().unwrap();
            assert!(game.position().moves().contains(&choice.square), "{name}");
        });
    }
}
