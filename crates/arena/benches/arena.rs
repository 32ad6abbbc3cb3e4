//! What the arena itself costs: games bare, and in a tournament that is kept.
//!
//! `cargo xtask bench arena` runs it and makes a record of it; it prints an object per line.

#![allow(clippy::print_stdout, reason = "a benchmark talks to whoever started it")]

use isrever_agent::{Agent, Catalogue, Limits};
use isrever_arena::{Clock, Crew, Next, Plan, Run, Schedule, Spec, Store};
use isrever_board::{Color, Game, Move};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

const PAIRS: u64 = 500;

fn main() {
    let agents = ["random", "random"];
    let base = Spec { pairs: Some(PAIRS), ..Spec::of(&agents) };
    let untimed = Plan { clock: Clock::of_nodes(1), ..base.settle().expect("a tournament") };
    let timed = Plan { clock: Clock::default(), ..untimed.clone() };
    let openings = untimed.openings.draw(untimed.rule, untimed.size, untimed.seed, PAIRS as usize);
    let catalogue = Arc::new(isrever_agent::catalogue());
    for _ in 0..3 {
        measure("bare, 1 thread", || bare(&untimed, &openings, &catalogue));
        measure("arena, 1 at once", || kept(&untimed, &openings, &catalogue, 1));
        measure("arena, 1 at once, by the clock", || kept(&timed, &openings, &catalogue, 1));
        measure("arena, 2 at once", || kept(&untimed, &openings, &catalogue, 2));
    }
}

/// Measures a way to play all games, and prints what it took.
fn measure(way: &str, play: impl FnOnce() -> u64) {
    let (began, busy) = (Instant::now(), cpu_seconds());
    let plies = play();
    let (seconds, cpu) = (began.elapsed().as_secs_f64(), cpu_seconds() - busy);
    let games = 2 * PAIRS;
    println!(
        "{{\"way\":\"{way}\",\"games\":{games},\"plies\":{plies},\"seconds\":{seconds:.4},\
         \"cpu_seconds\":{cpu:.4}}}"
    );
}

/// What all threads of this process have used of the processors, to a hundredth of a second.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    // User and system time are fields 14 and 15; the third comes first behind the parenthesis.
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The games without an arena: only agents and rules. How many moves they had.
fn bare(plan: &Plan, openings: &[Game], catalogue: &Catalogue) -> u64 {
    let mut schedule = Schedule::new(plan);
    let mut plies = 0;
    while let Next::Play(pairing) = schedule.give_out() {
        let mut game = openings[pairing.opening as usize].clone();
        let make = |player: usize| catalogue.make(&plan.players[player].agent, pairing.number);
        let mut agents: [Box<dyn Agent>; 2] =
            pairing.players.map(|player| make(player).expect("an agent"));
        let limits = Limits::of_nodes(1);
        while let Some(color) = game.turn() {
            let mv = if game.position().must_pass() {
                Move::Pass
            } else {
                let agent = &mut agents[usize::from(color == Color::White)];
                Move::Place(
                    agent.choose(&game, &limits).expect("agents of ours do not fail").square,
                )
            };
            game.play(mv).expect("a legal move");
        }
        plies += game.ply() as u64;
        schedule.record(pairing.number, game.score(Color::Black));
    }
    plies
}

/// The games of a tournament, each kept in a file as it is finished. How many moves they had.
fn kept(plan: &Plan, openings: &[Game], catalogue: &Arc<Catalogue>, at_once: usize) -> u64 {
    let path: PathBuf =
        std::env::temp_dir().join(format!("isrever-arena-bench-{}.db", std::process::id()));
    let mut plies = 0;
    {
        let mut store = Store::create(&path).expect("a file can be made");
        let pen = store.pen().expect("nobody else writes");
        let id = store.enter(&pen, plan, openings, 0).expect("it is entered");
        let tournament = store.tournament(id).expect("it is there");
        let mut tell = |news: &isrever_arena::News<'_>| plies += news.played.game.ply() as u64;
        let catalogue = Arc::clone(catalogue);
        let crew = Crew::Here(at_once);
        let mut run = Run { catalogue, crew, stop: Arc::default(), tell: &mut tell };
        assert!(run.play(&mut store, &pen, &tournament).expect("games can be kept"));
        assert_eq!(store.games(id).expect("they can be read").len() as u64, 2 * PAIRS);
    }
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    plies
}
