//! Whole tournaments.

use crate::friends::{GRACE, catalogue, fresh, unlucky};
use isrever_agent::{Catalogue, Reason};
use isrever_arena::{
    Clock, Crew, End, Format, Outcome, Plan, Played, Run, RunError, Spec, Store, Verdict,
};
use isrever_board::Color;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn plan(players: &[&str], format: Format, pairs: u64, clock: Clock) -> Plan {
    let spec = Spec {
        format: Some(format.to_string()),
        pairs: Some(pairs),
        size: Some(6),
        openings: Some("random:4".to_owned()),
        ..Spec::of(players)
    };
    Plan { clock, ..spec.settle().unwrap() }
}

/// Plays a tournament in memory; its games by number.
fn played(plan: &Plan, at_once: usize) -> Games {
    let (mut games, is_over) = tried(plan, at_once, catalogue());
    assert!(is_over.unwrap());
    games.sort_by_key(|(outcome, _)| outcome.number);
    games
}

type Games = Vec<(Outcome, Played)>;

/// The games that were kept, in the order in which they ended, and how the run did.
fn tried(
    plan: &Plan,
    at_once: usize,
    catalogue: Catalogue,
) -> (Games, Result<bool, RunError<Infallible>>) {
    let mut games = Vec::new();
    let stop = Arc::new(AtomicBool::new(false));
    let mut run =
        Run { catalogue: Arc::new(catalogue), crew: Crew::Here(at_once), stop, tell: &mut |_| {} };
    let openings = plan.openings.draw(plan.rule, plan.size, plan.seed, plan.opening_count());
    let schedule = isrever_arena::Schedule::new(plan);
    let is_over = run.play_all(plan, openings, schedule, |pairing, played| {
        games.push((Outcome::of(pairing, played), played.clone()));
        Ok(())
    });
    (games, is_over)
}

#[test]
fn a_game_that_this_machine_could_not_play_is_played_again() {
    let plan = plan(&["unlucky", "honest"], Format::RoundRobin, 2, Clock::of_nodes(1));
    let with = |void| {
        let mut catalogue = catalogue();
        catalogue.add(unlucky(void));
        tried(&plan, 1, catalogue)
    };
    let (games, is_over) = with(2);
    assert!(is_over.unwrap());
    let (lucky, _) = with(0);
    assert!(games.iter().all(|(outcome, _)| outcome.forfeit.is_none()));
    let timeless = |games: Vec<_>| games.into_iter().map(timeless).collect::<Vec<_>>();
    assert!(timeless(games) == timeless(lucky), "as if nothing had happened");
}

#[test]
fn a_run_on_a_machine_that_cannot_run_a_player_ends_and_says_so() {
    let plan = plan(&["honest", "unlucky"], Format::RoundRobin, 2, Clock::of_nodes(1));
    let mut catalogue = catalogue();
    catalogue.add(unlucky(u32::MAX));
    let (games, is_over) = tried(&plan, 2, catalogue);
    assert!(games.is_empty(), "nobody has lost");
    let words = "unlucky cannot be run on this machine: too many open files";
    assert_eq!(is_over.unwrap_err().to_string(), words);
}

/// A game without the times that it took.
fn timeless(mut game: (Outcome, Played)) -> (Outcome, Played) {
    game.1.stats.iter_mut().for_each(|stats| stats.time = None);
    game
}

#[test]
fn games_limited_by_nodes_are_the_same_however_many_are_played_at_once() {
    let players = ["random", "honest", "mcts:playouts=50", "mcts:playouts=20"];
    let plan = plan(&players, Format::RoundRobin, 3, Clock::of_nodes(200));
    let alone: Vec<_> = played(&plan, 1).into_iter().map(timeless).collect();
    assert_eq!(alone.len(), 36);
    for at_once in [2, 5] {
        let together: Vec<_> = played(&plan, at_once).into_iter().map(timeless).collect();
        assert!(alone == together, "{at_once} at once");
    }
    let other = Plan { seed: 2, ..plan };
    let other: Vec<_> = played(&other, 2).into_iter().map(timeless).collect();
    assert!(alone != other);
}

#[test]
fn pairs_begin_alike_and_colours_are_swapped() {
    let plan = plan(&["random", "honest"], Format::RoundRobin, 8, Clock::of_nodes(1));
    let games = played(&plan, 2);
    let mut openings = std::collections::HashSet::new();
    for pair in games.chunks(2) {
        let begins = |place: usize| pair[place].1.game.moves()[..pair[place].1.opening].to_vec();
        assert_eq!(begins(0), begins(1));
        assert_eq!((pair[0].0.players, pair[1].0.players), ([0, 1], [1, 0]));
        openings.insert(begins(0));
    }
    assert_eq!(openings.len(), 8);
}

#[test]
fn a_tournament_of_friends_goes_on_whatever_they_do() {
    let clock = Clock { time: Some(Duration::from_millis(500)), grace: GRACE, ..Clock::untimed() };
    let friends = [
        ("cheat", Reason::Illegal),
        ("dawdler", Reason::Time),
        ("sleeper", Reason::Time),
        ("crasher", Reason::Crash),
        ("quitter", Reason::Garbage),
        ("absentee", Reason::Refused),
    ];
    let names: Vec<&str> = std::iter::once("honest").chain(friends.map(|(name, _)| name)).collect();
    let plan = plan(&names, Format::Gauntlet, 1, clock);
    let games = played(&plan, 4);
    assert_eq!(games.len(), 12);
    for (outcome, played) in games {
        let guilty = if outcome.players[0] == 0 { Color::White } else { Color::Black };
        let [black, white] = outcome.players;
        let (name, reason) = friends[black.max(white) - 1];
        let End::Forfeit { color, forfeit } = &played.end else { panic!("{name} played on") };
        assert_eq!((*color, forfeit.reason), (guilty, reason), "{name}: {forfeit}");
        assert!(!forfeit.details.is_empty());
        let expected = if guilty == Color::White { 36 } else { -36 };
        let forfeiter = outcome.forfeit.map(|(color, _)| color);
        assert_eq!((outcome.score, forfeiter), (expected, Some(guilty)));
    }
}

#[test]
fn a_test_between_two_stops_when_it_is_clear() {
    let clock = Clock::of_nodes(300);
    let test = plan(&["mcts:playouts=100", "random"], Format::Sprt, 5_000, clock);
    let games = played(&test, 2);
    assert!(games.len() < 1_000, "{}", games.len());
    let mut schedule = isrever_arena::Schedule::new(&test);
    for (outcome, _) in &games {
        schedule.record(outcome.number, outcome.score);
    }
    assert_eq!(schedule.verdict(), Some(Verdict::Accepted));
    let points = schedule.test_points().unwrap();
    let mut alone = isrever_arena::Schedule::new(&test);
    for (outcome, _) in played(&test, 1) {
        alone.record(outcome.number, outcome.score);
    }
    assert_eq!(alone.test_points(), Some(points), "decided by the same pairs");
}

#[test]
fn the_best_climbs_to_the_top_of_a_ladder() {
    let plan = plan(&["random", "honest", "mcts"], Format::Ladder, 3, Clock::of_nodes(300));
    let games = played(&plan, 3);
    assert_eq!(games.len(), 12);
    let mut schedule = isrever_arena::Schedule::new(&plan);
    games.iter().for_each(|(outcome, _)| schedule.record(outcome.number, outcome.score));
    assert!(schedule.is_over());
    assert_eq!(schedule.ladder().unwrap()[0], 2);
}

#[test]
fn a_stopped_run_is_taken_up_again_and_nothing_is_played_twice() {
    let path = fresh("stopped_run");
    let plan = plan(&["random", "honest", "mcts"], Format::RoundRobin, 4, Clock::of_nodes(50));
    let mut store = Store::create(&path).unwrap();
    let pen = store.pen().unwrap();
    let openings = plan.openings.draw(plan.rule, plan.size, plan.seed, 4);
    let id = store.enter(&pen, &plan, &openings, 1_794_700_800).unwrap();
    let tournament = store.tournament(id).unwrap();
    assert_eq!((tournament.plan.clone(), tournament.finished), (plan.clone(), 0));
    let catalogue = Arc::new(catalogue());
    let mut runs = 0;
    loop {
        runs += 1;
        let stop = Arc::new(AtomicBool::new(false));
        let mut left = 5;
        let mut tell = {
            let stop = Arc::clone(&stop);
            move |_: &isrever_arena::News<'_>| {
                left -= 1;
                stop.fetch_or(left == 0, std::sync::atomic::Ordering::Relaxed);
            }
        };
        let catalogue = Arc::clone(&catalogue);
        let mut run = Run { catalogue, crew: Crew::Here(2), stop, tell: &mut tell };
        if run.play(&mut store, &pen, &tournament).unwrap() {
            break;
        }
    }
    assert!(runs >= 3, "{runs}");
    let numbers: Vec<u64> =
        store.games(id).unwrap().iter().map(|game| game.outcome.number).collect();
    assert_eq!(numbers, (0..24).collect::<Vec<_>>());
    // Piece by piece gives the same games as all at once.
    for (outcome, whole) in played(&plan, 2) {
        let (_, kept) = store.game(&tournament, outcome.number).unwrap().unwrap();
        assert_eq!((kept.game, kept.end), (whole.game, whole.end));
    }
}
