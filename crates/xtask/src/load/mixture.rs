//! Mixtures: polite players at level 5, beside a flood that wants everything else of the server.

use super::players::{Manner, Tally, analyse, hammer, hold_connections, play};
use super::{memory_mib, rest};
use crate::server::Server;
use crate::spread::Spread;
use anyhow::{Result, ensure};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

/// How long the server may take to give memory back before it is measured again.
const CALM: Duration = Duration::from_secs(15);

/// How long until the server has dropped what it keeps for the next search.
const QUIET: Duration = Duration::from_secs(70);

/// The largest share of polite requests that may be refused, and the time that 99 of 100 must keep.
const MOST_REFUSED: f64 = 0.01;
const MOST_MS: f64 = 300.0;

/// What floods the server.
#[derive(Clone, Copy)]
enum Flood {
    Nothing,
    /// Analyses, each left after some events and begun again.
    Analyses,
    /// Moves of level 20, one after the other without a pause.
    Level20,
    /// Players at levels 1 to 5 without a pause.
    Players,
    /// A third of each, and connections that never finish a request.
    Everything,
}

const MIXTURES: [(&str, Flood); 5] = [
    ("nobody else", Flood::Nothing),
    ("analyses", Flood::Analyses),
    ("moves of level 20", Flood::Level20),
    ("players without a pause", Flood::Players),
    ("a third of each, and half-open connections", Flood::Everything),
];

/// Plays every mixture and writes its row.
pub(super) fn run(
    server: &Server,
    polite: usize,
    flood: usize,
    seconds: u64,
    text: &mut String,
) -> Result<()> {
    writeln!(text, "## {polite} polite players beside a flood of {flood}, {seconds} s each\n")?;
    writeln!(
        text,
        "Polite players are at level 5, save every move, and wait half a second before each. All \
         come from the address of the flood, which never waits.\n"
    )?;
    writeln!(
        text,
        "| flood | polite requests | refused | median | 99 % | slowest | the flood's answers | \
         memory before, after |\n|---|---|---|---|---|---|---|---|"
    )?;
    let mut misses = Vec::new();
    for (name, kind) in MIXTURES {
        let before = memory_mib(server)?;
        let (polite, flooding) = mixture(server, polite, flood, seconds, kind)?;
        rest(server)?;
        thread::sleep(CALM);
        let after = memory_mib(server)?;
        let spread: Spread = polite.times_ms().collect();
        let answers = if flooding.is_empty() { "–".to_owned() } else { flooding.statuses() };
        writeln!(
            text,
            "| {name} | {} | {:.2} % | {} | {} | {} | {answers} | {before}, {after} MiB |",
            spread.count(),
            100.0 * polite.refused_share(),
            spread.cell(50),
            spread.cell(99),
            spread.cell(100),
        )?;
        let is_quick = spread.part(99).is_some_and(|ms| ms < MOST_MS);
        if polite.refused_share() >= MOST_REFUSED || !is_quick {
            misses.push(name);
        }
        ensure!(flooding.is_clean(), "an answer was neither given nor refused: {name}");
    }
    thread::sleep(QUIET);
    let (quiet, mib) = (QUIET.as_secs(), memory_mib(server)?);
    writeln!(text, "\nAfter another {quiet} s without requests: {mib} MiB.")?;
    match misses.is_empty() {
        true => writeln!(text, "\nIn every mixture below 1 % refused, and 99 % within 300 ms.\n")?,
        false => writeln!(text, "\nRefused or slow: {}.\n", misses.join("; "))?,
    }
    Ok(())
}

/// Runs polite players and a flood at once.
fn mixture(
    server: &Server,
    polite: usize,
    flood: usize,
    seconds: u64,
    kind: Flood,
) -> Result<(Tally, Tally)> {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let flooding = begin_flood(scope, server, flood, kind, &stop);
        let playing: Vec<_> = (0..polite as u64)
            .map(|number| {
                let stop = &stop;
                scope
                    .spawn(move || play(&|| server.client(), number, 8, Manner::Polite, stop, None))
            })
            .collect();
        thread::sleep(Duration::from_secs(seconds));
        stop.store(true, Relaxed);
        Ok((join(playing)?, join(flooding)?))
    })
}

type Running<'scope> = ScopedJoinHandle<'scope, Result<Tally>>;

fn begin_flood<'scope>(
    scope: &'scope Scope<'scope, '_>,
    server: &'scope Server,
    count: usize,
    kind: Flood,
    stop: &'scope AtomicBool,
) -> Vec<Running<'scope>> {
    let connect = || server.client();
    let mut running = Vec::new();
    for number in 0..count as u64 {
        let one = match kind {
            Flood::Everything => {
                [Flood::Analyses, Flood::Level20, Flood::Players][number as usize % 3]
            }
            kind => kind,
        };
        running.push(match one {
            Flood::Nothing | Flood::Everything => break,
            Flood::Analyses => scope.spawn(move || analyse(connect, number, stop)),
            Flood::Level20 => scope.spawn(move || hammer(connect, number, stop)),
            Flood::Players => {
                scope.spawn(move || play(&connect, number, 8, Manner::Greedy, stop, None))
            }
        });
    }
    if matches!(kind, Flood::Everything) {
        running.push(scope.spawn(move || hold_connections(server.address(), stop)));
    }
    running
}

fn join(threads: Vec<Running<'_>>) -> Result<Tally> {
    threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
}
