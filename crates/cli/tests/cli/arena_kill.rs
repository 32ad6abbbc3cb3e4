//! Tournaments that are killed at any moment, and go on: every finished game is there once.

use crate::program::{command, directory, run};
use isrever_arena::{Played, Store};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PLAYERS: [&str; 4] = ["--players", "random", "greedy", "depth3"];
const PAIRS: u64 = 50;
const GAMES: u64 = 3 * 2 * PAIRS;

fn start(db: &str, pairs: u64) -> Vec<String> {
    let pairs = pairs.to_string();
    let usual = ["arena", "run", "--db", db, "--json", "--nodes", "150", "--pairs", &pairs];
    usual.iter().chain(&PLAYERS).map(|&word| word.to_owned()).collect()
}

/// The games in a database by number, without the times they took; none if it is not made yet.
pub(crate) fn games(db: &Path) -> BTreeMap<u64, Played> {
    let Ok(store) = Store::open(db) else { return BTreeMap::new() };
    let Some(tournament) = store.tournaments().unwrap().pop() else { return BTreeMap::new() };
    let timeless = |mut played: Played| {
        played.stats.iter_mut().for_each(|stats| stats.time = None);
        played
    };
    let numbers = store.games(tournament.id).unwrap().into_iter().map(|game| game.outcome.number);
    numbers
        .map(|number| (number, store.game(&tournament, number).unwrap().unwrap().1))
        .map(|(number, played)| (number, timeless(played)))
        .collect()
}

/// Starts the program, kills it once it has told of so many games and a moment more is over, and
/// gives the numbers of the games it told of; and whether it ended before that.
pub(crate) fn killed(args: &[String], after: usize, moment: Duration) -> (Vec<u64>, bool) {
    let mut child =
        command(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut told = Vec::new();
    let number = |line: &str| {
        let row: Value = serde_json::from_str(line).ok()?;
        (row["kind"] == "game").then(|| row["game"].as_u64().unwrap() - 1)
    };
    while told.len() < after {
        let Some(line) = lines.next() else { break };
        told.extend(number(&line.unwrap()));
    }
    let begun = Instant::now();
    while begun.elapsed() < moment {
        std::hint::spin_loop();
    }
    child.kill().expect("it is ours, dead or alive");
    // What was on its way still arrives; the last line may be torn.
    told.extend(lines.map_while(Result::ok).filter_map(|line| number(&line)));
    (told, child.wait().unwrap().success())
}

#[test]
#[cfg(unix)]
fn whatever_moment_a_tournament_is_killed_at_no_game_is_lost_or_played_twice() {
    let folder = directory("arena_killed");
    let [whole, pieces] = ["whole.db", "pieces.db"].map(|name| folder.join(name));
    run(start(whole.to_str().unwrap(), PAIRS)).ok();
    let expected = games(&whole);
    assert_eq!(expected.len() as u64, GAMES);

    let db = pieces.to_str().unwrap();
    // Moments from a fixed rule, all different: right at the start, while the file is being made,
    // between games, within one.
    let micros = |round: u64| Duration::from_micros(round * 7_919 % 5_000);
    let (mut told, _) = killed(&start(db, PAIRS), 0, Duration::from_micros(2_500));
    let mut kills = 1;
    let tournaments = Store::open(&pieces).and_then(|store| store.tournaments());
    if !tournaments.is_ok_and(|tournaments| !tournaments.is_empty()) {
        // It was killed before there was a tournament: it is begun again.
        assert!(told.is_empty(), "games {told:?} were told of and are lost");
        told = killed(&start(db, PAIRS), 3, micros(1)).0;
        kills += 1;
    }
    let resume = ["arena", "resume", db, "--json"].map(str::to_owned);
    let mut before = games(&pieces);
    loop {
        for number in &told {
            assert!(before.contains_key(number), "game {number} was told of and is lost");
        }
        let is_over;
        (told, is_over) = killed(&resume, (kills * 5 % 41) as usize, micros(kills));
        for number in &told {
            assert!(!before.contains_key(number), "game {number} was played twice");
        }
        let after = games(&pieces);
        for (number, game) in &before {
            assert_eq!(after.get(number), Some(game), "a finished game stays as it is");
        }
        before = after;
        if is_over {
            break;
        }
        kills += 1;
    }
    assert!(kills >= 8, "{kills} kills are too few to tell");
    // As if nothing had happened.
    assert!(before == expected, "{} games", before.len());
    let answer = run(["arena", "resume", db]).ok();
    assert!(answer.starts_with("Nothing is left to play"), "{answer}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_keeps_what_is_finished_and_says_how_to_go_on() {
    // Far more games than are played until the signal arrives.
    const ENDLESS: u64 = 2_000;
    // Who is asked to end by another program does the same.
    for signal in ["INT", "TERM"] {
        let db = directory(&format!("arena_stopped_by_{signal}")).join("cup.db");
        let name = db.to_str().unwrap();
        let mut child = command(start(name, ENDLESS))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.next().expect("a game is told of").unwrap();
        let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.expect("there is a kill").success());
        let rest: Vec<String> = lines.map(Result::unwrap).collect();
        assert!(rest.iter().any(|line| line.contains("\"kind\":\"player\"")), "the table so far");
        let output = child.wait_with_output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{words}");
        let kept = games(&db).len();
        assert!(kept > 0, "a game was told of");
        let expected =
            format!("isrever: stopped: {kept} games are kept; isrever arena resume {name}");
        assert!(words.starts_with(&expected), "{words}");
    }
}

#[test]
fn two_cannot_add_games_to_one_file() {
    let db = directory("arena_in_use").join("cup.db");
    let store = Store::create(&db).unwrap();
    let pen = store.pen().unwrap();
    let name = db.to_str().unwrap();
    let words = ["cup.db: games are being added by another run; expected nobody else"];
    run(start(name, PAIRS)).refused(&words);
    run(["arena", "resume", name]).refused(&words);
    drop(pen);
    run(["arena", "resume", name]).ok();
}
