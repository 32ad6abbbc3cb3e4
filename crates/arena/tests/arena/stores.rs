//! What a store keeps.

use crate::friends::{catalogue, fresh};
use isrever_agent::{Forfeit, Reason};
use isrever_arena::{
    Clock, Crew, End, MoveStats, Next, Pen, Plan, Played, Run, Schedule, Spec, Store, StoreError,
    Tournament, csv, pgn, record,
};
use isrever_board::text::{self, Defaults};
use isrever_board::{Color, Game, Rule, Size};
use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn small(players: &[&str]) -> Plan {
    let spec = Spec { pairs: Some(2), openings: Some("random:3".to_owned()), ..Spec::of(players) };
    Plan { clock: Clock::of_nodes(20), ..spec.settle().unwrap() }
}

/// A store with one tournament that is not begun.
fn entered(path: &Path, plan: &Plan) -> (Store, Pen, Tournament) {
    let mut store = Store::create(path).unwrap();
    let pen = store.pen().unwrap();
    let openings = plan.openings.draw(plan.rule, plan.size, plan.seed, plan.opening_count());
    let id = store.enter(&pen, plan, &openings, 1_794_700_800).unwrap();
    let tournament = store.tournament(id).unwrap();
    assert_eq!(store.openings(&tournament).unwrap(), openings);
    (store, pen, tournament)
}

/// A game of three moves that white loses by the clock.
fn forfeited(rule: Rule, size: Size) -> Played {
    let mut game = Game::new(rule, size);
    for _ in 0..3 {
        let square = game.position().moves()[0];
        game.place(square).unwrap();
    }
    let stats = MoveStats {
        time: Some(Duration::from_micros(1_234_567)),
        value: Some(-0.5),
        depth: Some(3),
        nodes: Some(99),
    };
    let forfeit = Forfeit::new(Reason::Time, "b6 took 5.100 s, allowed 5.000 s");
    let end = End::Forfeit { color: Color::White, forfeit };
    Played { game, opening: 1, stats: vec![MoveStats::default(), stats, stats], end }
}

#[test]
fn what_was_added_is_read_back() {
    let path = fresh("read_back");
    for (rule, size) in [(Rule::Reversed, Size::EIGHT), (Rule::Normal, Size::new(10).unwrap())] {
        let plan = Plan { rule, size, ..small(&["random", "honest"]) };
        let (mut store, pen, tournament) = entered(&path, &plan);
        let mut schedule = Schedule::new(&plan);
        let Next::Play(pairing) = schedule.give_out() else { panic!("there is a game") };
        let played = forfeited(rule, size);
        store.add(&pen, tournament.id, &pairing, &played, None).unwrap();
        let (_, kept) = store.game(&tournament, 0).unwrap().unwrap();
        assert_eq!(kept, played);
        assert_eq!(store.game(&tournament, 1).unwrap(), None);
        let summary = store.games(tournament.id).unwrap().remove(0);
        assert_eq!((summary.outcome.players, summary.outcome.score), ([0, 1], played.score()));
        assert_eq!((summary.plies, summary.forfeit.unwrap().reason), (3, Reason::Time));
        assert_eq!(store.tournament(tournament.id).unwrap().finished, 1);
        let again = store.add(&pen, tournament.id, &pairing, &played, None);
        assert!(matches!(again, Err(StoreError::Database(_))), "a game is there once");
        // The forfeit stands in the table.
        let rows = store.standings(&tournament).unwrap().rows();
        assert_eq!((rows[0].player, rows[0].points, rows[1].forfeits), (0, 5, 1));
    }
    assert_eq!(Store::open(&path).unwrap().tournaments().unwrap().len(), 2);
}

/// Any text, lines, quotes and characters without a shape included.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,20}", ".{0,20}", "[\\n\\r\\t\\x00'\";,\\[\\]]{0,10}", any::<String>()]
}

#[test]
fn whatever_players_are_called_and_say_is_kept_and_read_back() {
    let path = fresh("any_text");
    let config = ProptestConfig { cases: 100, ..ProptestConfig::default() };
    let texts = (any_text(), any_text(), any_text(), any_text());
    proptest!(config, |((event, first, second, details) in texts)| {
        let spec = Spec { pairs: Some(1), name: Some(event), ..Spec::of(&[&first, &second]) };
        // What is refused does not reach the store.
        let Ok(plan) = spec.settle() else { return Ok(()) };
        let (mut store, pen, tournament) = entered(&path, &plan);
        prop_assert_eq!(&tournament.plan, &plan);
        let Next::Play(pairing) = Schedule::new(&plan).give_out() else { panic!("a game") };
        let end = End::Forfeit {
            color: Color::White,
            forfeit: Forfeit::new(Reason::Garbage, details),
        };
        let played = Played { end, ..forfeited(plan.rule, plan.size) };
        store.add(&pen, tournament.id, &pairing, &played, None).unwrap();
        let (_, kept) = store.game(&tournament, 0).unwrap().unwrap();
        prop_assert_eq!(&kept, &played);
        let bytes = text::write(&[record(&tournament, &pairing, &kept)], text::Format::Ggf);
        let read = text::read(&bytes.unwrap(), None, Defaults::default()).unwrap().remove(0);
        prop_assert_eq!(read.game, kept.game);
    });
    all_names_are_lines(&path);
}

fn all_names_are_lines(path: &Path) {
    let store = Store::open(path).unwrap();
    for tournament in store.tournaments().unwrap() {
        let names = tournament.plan.players.iter().map(|player| &player.name);
        assert!(names.chain([&tournament.plan.name]).all(|name| !name.contains(char::is_control)));
    }
}

#[test]
fn a_file_with_a_name_of_two_lines_can_still_be_read() {
    // As earlier versions wrote it for a file whose name has a line break in it.
    let path = fresh("two_lines");
    let (store, ..) = entered(&path, &small(&["random", "honest"]));
    drop(store);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let broken = "UPDATE tournament SET spec = replace(spec, '\"name\":\"random\"', \
                  '\"name\":\"random\\nfile\"')";
    assert_eq!(connection.execute(broken, []).unwrap(), 1);
    drop(connection);
    let tournaments = Store::open(&path).unwrap().tournaments().unwrap();
    assert_eq!(tournaments[0].plan.players[0].name, "random file");
}

#[test]
fn damaged_games_are_numbered_as_everywhere_else() {
    let path = fresh("damaged_games");
    let (mut store, pen, tournament) = entered(&path, &small(&["random", "honest"]));
    let mut run = Run {
        catalogue: Arc::new(catalogue()),
        crew: Crew::Here(1),
        stop: Arc::default(),
        tell: &mut |_| {},
    };
    assert!(run.play(&mut store, &pen, &tournament).unwrap());
    drop((store, pen));
    for (column, value, words) in [
        ("moves", "'f5f5'", "game 1: moves: "),
        ("thoughts", "'[]'", "game 1: it lacks the statistics of some moves"),
        ("thoughts", "'?'", "game 1: expected value"),
    ] {
        let connection = rusqlite::Connection::open(&path).unwrap();
        let damage = format!("UPDATE game SET {column} = {value} WHERE number = 0");
        connection.execute("CREATE TABLE kept AS SELECT * FROM game", []).unwrap();
        assert_eq!(connection.execute(&damage, []).unwrap(), 1);
        drop(connection);
        let error = Store::open(&path).unwrap().game(&tournament, 0).unwrap_err().to_string();
        assert!(error.starts_with("damaged: ") && error.contains(words), "{error}");
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch("REPLACE INTO game SELECT * FROM kept; DROP TABLE kept;").unwrap();
    }
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute("UPDATE game SET black = 9 WHERE number = 3", []).unwrap();
    drop(connection);
    let error = Store::open(&path).unwrap().standings(&tournament).unwrap_err().to_string();
    assert!(error.contains("game 4 has an unknown player"), "{error}");
}

#[test]
fn games_are_written_for_other_programs() {
    let plan = small(&["random", "honest"]);
    let (mut store, pen, tournament) = entered(&fresh("exports"), &plan);
    assert_eq!(tournament.date, "2026-11-15");
    let catalogue = Arc::new(catalogue());
    let mut run = Run { catalogue, crew: Crew::Here(1), stop: Arc::default(), tell: &mut |_| {} };
    assert!(run.play(&mut store, &pen, &tournament).unwrap());
    for number in 0..4 {
        let (pairing, played) = store.game(&tournament, number).unwrap().unwrap();
        let record = record(&tournament, &pairing, &played);
        let bytes = text::write(std::slice::from_ref(&record), text::Format::Ggf).unwrap();
        let read = text::read(&bytes, None, Defaults::default()).unwrap().remove(0);
        assert_eq!(read.game, played.game);
        assert_eq!(read.tag("PB"), Some(["random", "honest"][(number % 2) as usize]));
        let timed = read.notes.iter().filter(|note| note.seconds.is_some()).count();
        assert_eq!(timed, played.stats.iter().filter(|stats| stats.time.is_some()).count());
        let pgn = pgn(&tournament, &pairing, &played);
        let result = match played.score().signum() {
            1 => "[Result \"0-1\"]",
            -1 => "[Result \"1-0\"]",
            _ => "[Result \"1/2-1/2\"]",
        };
        assert!(pgn.contains(result) && pgn.contains("[Date \"2026.11.15\"]"), "{pgn}");
    }
    let table = csv(&plan, &store.standings(&tournament).unwrap());
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line.split(',').count() == 16), "{table}");
}

#[test]
fn a_forfeit_is_told_in_a_record() {
    let plan = small(&["random", "honest"]);
    let (mut store, pen, tournament) = entered(&fresh("forfeit_record"), &plan);
    let Next::Play(pairing) = Schedule::new(&plan).give_out() else { panic!("there is a game") };
    store.add(&pen, tournament.id, &pairing, &forfeited(plan.rule, plan.size), None).unwrap();
    let (pairing, played) = store.game(&tournament, 0).unwrap().unwrap();
    let record = record(&tournament, &pairing, &played);
    assert_eq!(record.tag("RE"), Some("+64.00:t"));
    let words = "white forfeits (time): too late: b6 took 5.100 s, allowed 5.000 s";
    assert_eq!(record.tag("CO"), Some(words));
    assert!(pgn(&tournament, &pairing, &played).contains("[Termination \"white forfeits: time\"]"));
}

#[test]
fn what_is_no_store_is_refused_and_left_alone() {
    let path = fresh("refused");
    assert!(matches!(Store::open(&path), Err(StoreError::NoFile)));
    std::fs::write(&path, "my notes, which are quite a bit longer than an SQLite header is")
        .unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::NotOurs)));
    assert!(matches!(Store::create(&path), Err(StoreError::NotOurs)));
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("my notes"));
    let store = Store::create(fresh("refused")).unwrap();
    let error = store.tournament(7).unwrap_err().to_string();
    assert_eq!(error, "there is no tournament 7; expected one of: none");
}

#[test]
fn one_run_at_a_time_may_add_games_and_all_may_read() {
    let path = fresh("pens");
    let (store, pen, tournament) = entered(&path, &small(&["random", "honest"]));
    let other = Store::open(&path).unwrap();
    assert!(matches!(other.pen(), Err(StoreError::InUse)));
    assert_eq!(other.tournaments().unwrap(), [tournament]);
    drop((pen, store));
    assert!(other.pen().is_ok());
}
