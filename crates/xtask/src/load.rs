//! The web board under load: many players, some analyses, and the server's memory.
//!
//! Starts the program on a port of its own and sends requests as browsers would,
//! with a thread and a connection for each. Records how each request was answered
//! and how long that took, whether searches stop when their clients leave, and
//! how much memory the server uses.

mod players;

use crate::server::Server;
use crate::spread::Spread;
use crate::{record, shell};
use anyhow::{Context, Result, ensure};
use players::{Tally, analyse, play};
use std::fmt::Write;
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// What is driven.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Players at a time, one move after the other without a pause
    #[arg(long, default_value_t = 200)]
    players: usize,

    /// Analyses at a time
    #[arg(long, default_value_t = 20)]
    analyses: usize,

    /// How long they go on, in seconds
    #[arg(long, default_value_t = 30)]
    seconds: u64,

    /// Games that are played to the end for the sake of memory
    #[arg(long, default_value_t = 10_000)]
    games: u64,

    /// The program, instead of a release build of it
    #[arg(long)]
    program: Option<String>,

    /// Print the record instead of writing it
    #[arg(long)]
    dry_run: bool,
}

/// Connections that play games for the sake of memory.
const PLAYERS_FOR_MEMORY: usize = 16;

/// Drives the server and writes the record.
pub(crate) fn run(options: &Options) -> Result<()> {
    let program = match &options.program {
        Some(program) => program.clone(),
        None => shell::release()?.display().to_string(),
    };
    let data = shell::target_folder()?.join("load");
    // Left over from an earlier run, or not there at all.
    let _ = fs::remove_dir_all(&data);
    let mut serve = Command::new(&program);
    let server = Server::start(serve.args(["serve", "--data"]).arg(&data))?;
    let mut text = record::heading("The web board under load", "load", None)?;
    writeln!(text, "- Cores: {}, shared with the load driver\n", thread::available_parallelism()?)?;
    alone(&server, &mut text)?;
    crowd(&server, options, &mut text)?;
    memory(&server, options, &mut text)?;
    server.stop()?;
    record::finish(&text, "web-load", options.dry_run)
}

/// Memory that the server uses, in MiB.
fn memory_mib(server: &Server) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id()))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib: u64 = line.context("a process has memory")?.trim().trim_end_matches(" kB").parse()?;
    Ok(kib / 1_024)
}

/// Waits until no search runs: how long that took.
fn rest(server: &Server) -> Result<Duration> {
    let began = Instant::now();
    let mut client = server.client()?;
    loop {
        let health = client.get("/api/health")?.json()?;
        let searches = &health["searches"];
        if searches["running"] == 0 && searches["queued"] == 0 && health["streams"] == 0 {
            return Ok(began.elapsed());
        }
        ensure!(began.elapsed() < Duration::from_secs(60), "searches do not stop: {health}");
        thread::yield_now();
    }
}

/// One person alone: how long a move and a first hint take.
fn alone(server: &Server, text: &mut String) -> Result<()> {
    let mut client = server.client()?;
    let (mut moves, mut hints) = (Tally::default(), Tally::default());
    for seed in 0..100 {
        let body =
            format!("{{\"moves\":[\"f5\",\"d6\"],\"agent\":\"engine:level=5\",\"seed\":{seed}}}");
        moves.time(|| client.post("/api/move", &body))?;
        let first = ["f5", "f5,d6", "f5,d6,c3", "f5,f6", "f5,f4"][seed % 5];
        let mut stream = server.client()?;
        let began = Instant::now();
        stream.open(&format!("/api/analysis?moves={first}&seconds=10"))?;
        stream.event()?.context("values come")?;
        hints.add(200, began.elapsed());
    }
    rest(server)?;
    writeln!(text, "## One person alone\n")?;
    writeln!(text, "| | requests | {} |\n|---|---|---|---|---|", Spread::HEAD)?;
    writeln!(text, "{}", moves.row("a move by `engine:level=5`"))?;
    writeln!(text, "{}\n", hints.row("first values of an analysis"))?;
    print!("{text}");
    Ok(())
}

/// Everybody at once.
fn crowd(server: &Server, options: &Options, text: &mut String) -> Result<()> {
    let stop = AtomicBool::new(false);
    let (players, analyses) = thread::scope(|scope| -> Result<(Tally, Tally)> {
        let playing: Vec<_> = (0..options.players)
            .map(|number| {
                let stop = &stop;
                scope.spawn(move || play(server.client()?, number as u64, 8, stop, None))
            })
            .collect();
        let analysing: Vec<_> = (0..options.analyses)
            .map(|number| {
                let stop = &stop;
                scope.spawn(move || analyse(|| server.client(), number as u64, stop))
            })
            .collect();
        thread::sleep(Duration::from_secs(options.seconds));
        stop.store(true, Relaxed);
        let join = |threads: Vec<ScopedJoinHandle<'_, Result<Tally>>>| {
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"))
                .sum::<Result<Tally>>()
        };
        Ok((join(playing)?, join(analysing)?))
    })?;
    let rest = rest(server)?;
    let mut part = String::new();
    let (who, what) = (options.players, options.analyses);
    writeln!(part, "## {who} players and {what} analyses for {} s\n", options.seconds)?;
    writeln!(
        part,
        "Players are at levels 1 to 5, save every move, and answer at once; an analysis is left \
         after a few events, and another begun.\n"
    )?;
    writeln!(part, "| | requests | {} |\n|---|---|---|---|---|", Spread::HEAD)?;
    writeln!(part, "{}", players.row("players' requests"))?;
    writeln!(part, "{}\n", analyses.row("first answer of an analysis"))?;
    writeln!(
        part,
        "Answers by status: players {}; analyses {}.",
        players.statuses(),
        analyses.statuses()
    )?;
    let ms = rest.as_millis();
    writeln!(part, "After everybody had left, no search was running within {ms} ms.\n")?;
    print!("{part}");
    text.push_str(&part);
    ensure!(players.is_clean() && analyses.is_clean(), "an answer was neither given nor refused");
    Ok(())
}

/// Many games to the end, and the memory on the way.
fn memory(server: &Server, options: &Options, text: &mut String) -> Result<()> {
    let (stop, finished) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut samples = vec![(0, memory_mib(server)?)];
    let began = Instant::now();
    let step = (options.games / 10).max(1);
    thread::scope(|scope| -> Result<()> {
        let threads: Vec<_> = (0..PLAYERS_FOR_MEMORY)
            .map(|number| {
                let (stop, finished) = (&stop, &finished);
                let client = move || play(server.client()?, number as u64, 4, stop, Some(finished));
                scope.spawn(client)
            })
            .collect();
        for count in (1..=options.games / step).map(|part| part * step) {
            while finished.load(Relaxed) < count
                && !threads.iter().any(ScopedJoinHandle::is_finished)
            {
                thread::sleep(Duration::from_millis(20));
            }
            samples.push((finished.load(Relaxed), memory_mib(server)?));
        }
        stop.store(true, Relaxed);
        for thread in threads {
            thread.join().expect("no panic")?;
        }
        Ok(())
    })?;
    let mut part = String::new();
    writeln!(part, "## {} games\n", options.games)?;
    let seconds = began.elapsed().as_secs_f64();
    writeln!(part, "4×4 games against levels 1 to 5, saved move by move, in {seconds:.0} s.\n")?;
    writeln!(part, "| games | memory of the server |\n|---|---|")?;
    for (games, mib) in samples {
        writeln!(part, "| {games} | {mib} MiB |")?;
    }
    print!("{part}");
    text.push_str(&part);
    Ok(())
}
