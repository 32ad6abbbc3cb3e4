//! Engines that start other programs: all of them end with the engine's game, and when the host
//! process exits or is killed.

#![cfg(target_os = "linux")]

use isrever_agent::{Agent, Catalogue, Limits, Reason};
use isrever_board::{Color, Game, Rule, Size};
use isrever_guest::{Defaults, enter};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The variable that makes this test program the host of an engine, and says how it ends.
const PLAYER: &str = "ISREVER_TEST_PLAYER";

/// An NBoard engine that greets and then never answers. It has a child in its process group and one
/// outside, with `mark` in their command lines.
fn family(mark: &str) -> Box<dyn Agent> {
    let mut catalogue: Catalogue = isrever_agent::catalogue();
    enter(&mut catalogue, Defaults::default());
    let child = format!("sh -c \"sleep 600; : {mark}\"");
    let line = format!("{child} & setsid {child} & read a; read b; echo pong 1; {child}");
    catalogue.make(format!("nboard:time=300ms,sh -c '{line}'"), 1).unwrap()
}

/// How many processes have this mark in their command line. Zombies have no command line.
fn count(mark: &str) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(mark)).count()
}

/// Waits until no process with this mark is left.
fn are_gone(mark: &str) -> bool {
    let end = Instant::now() + Duration::from_secs(300);
    while Instant::now() < end {
        if count(mark) == 0 {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

fn game() -> Game {
    Game::new(Rule::Reversed, Size::EIGHT)
}

#[test]
fn a_mute_engine_ends_with_its_move_and_all_its_descendants() {
    let mark = format!("mute-{}-", std::process::id());
    let mut agent = family(&mark);
    agent.prepare(&game(), Color::Black, None).unwrap();
    assert!(count(&mark) > 0);
    let forfeit = agent.choose(&game(), &Limits::default()).unwrap_err();
    assert_eq!(forfeit.reason, Reason::Time);
    assert!(forfeit.details.starts_with("no answer within 0."), "{forfeit}");
    assert_eq!(count(&mark), 0);
}

/// Starts this test program again, to run `player_of_the_tests_below` alone.
fn player(ending: &str, mark: &str) -> Child {
    let mut player = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "player_of_the_tests_below", "--nocapture"])
        .env(PLAYER, format!("{ending} {mark}"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(player.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().ends_with("engine is there")));
    player
}

#[test]
fn player_of_the_tests_below() {
    let Ok(order) = std::env::var(PLAYER) else { return };
    let (ending, mark) = order.split_once(' ').unwrap();
    let mut agent = family(mark);
    agent.prepare(&game(), Color::Black, None).unwrap();
    // A thread still owns the agent when this process ends.
    let waits = std::thread::spawn(move || {
        std::thread::park();
        drop(agent);
    });
    writeln!(std::io::stdout(), "\nengine is there").unwrap();
    if ending == "exits" {
        std::process::exit(0);
    }
    waits.join().unwrap();
}

#[test]
fn no_engine_outlives_a_player_that_is_killed() {
    let mark = format!("killed-{}-", std::process::id());
    let mut player = player("stays", &mark);
    assert!(count(&mark) > 0);
    player.kill().unwrap();
    player.wait().unwrap();
    assert!(are_gone(&mark));
}

#[test]
fn a_player_that_exits_leaves_no_process() {
    let mark = format!("exits-{}-", std::process::id());
    let mut player = player("exits", &mark);
    assert!(player.wait().unwrap().success());
    // It waits for them: they are gone before it exits.
    assert_eq!(count(&mark), 0);
}
