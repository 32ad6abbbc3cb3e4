//! The arena's benchmark: the cost of a game beside its agents.
//!
//! `crates/arena/benches/arena.rs` plays the same games in several ways and
//! prints what each took; here the best of three are put into a table.

use crate::record::{self, finish, heading};
use crate::shell;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fmt::Write;

/// One way to play the games, as the benchmark prints it.
#[derive(Deserialize)]
struct Way {
    way: String,
    games: u64,
    plies: u64,
    seconds: f64,
    cpu_seconds: f64,
}

/// Measures and writes the record.
pub(super) fn run(dry_run: bool) -> Result<()> {
    let mut ways: Vec<Way> = Vec::new();
    shell::each_line("cargo bench --package isrever-arena --bench arena", |line| {
        let found: Way = serde_json::from_str(line).with_context(|| format!("not ours: {line}"))?;
        match ways.iter_mut().find(|way| way.way == found.way) {
            Some(best) if best.cpu_seconds <= found.cpu_seconds => {}
            Some(best) => *best = found,
            None => ways.push(found),
        }
        Ok(())
    })?;
    let mut record =
        heading("The arena: what a game costs beside its agents", "bench arena", None)?;
    record.push_str(&record::load());
    writeln!(
        record,
        "\n`random` against `greedy`, 8×8, 500 pairs from random openings of 8 plies. *Bare* asks the \
         agents and plays their moves, no more; the arena also watches over them, and keeps every \
         game with its times in a database, one transaction each. Of three runs the one with the \
         least processor time. The extra processor time of a game is the arena's own cost.\n"
    )?;
    writeln!(record, "| way | games | moves | time | processor time | a game | more than bare |")?;
    writeln!(record, "|---|---|---|---|---|---|---|")?;
    let bare = ways.first().map_or(0.0, |way| way.cpu_seconds / way.games as f64);
    for Way { way, games, plies, seconds, cpu_seconds } in &ways {
        let a_game = cpu_seconds / *games as f64;
        writeln!(
            record,
            "| {way} | {games} | {plies} | {seconds:.2} s | {cpu_seconds:.2} s | {:.3} ms | {:.3} ms |",
            1e3 * a_game,
            1e3 * (a_game - bare),
        )?;
    }
    finish(&record, "arena", dry_run)
}
