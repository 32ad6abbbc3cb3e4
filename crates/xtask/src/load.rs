//! The web board under load: polite players beside floods, and the server's memory.
//!
//! Starts the program on a port of its own and sends requests as browsers would,
//! with a thread and a connection for each. Records how each request was answered
//! and how long that took, whether searches stop when their clients leave, and
//! how much memory the server uses.

mod mixture;
mod players;

use crate::server::Server;
use crate::spread::Spread;
use crate::{record, shell};
use anyhow::{Context, Result, ensure};
use players::{Manner, Tally, play};
use std::fmt::Write;
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// The load to apply.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Polite players, who wait half a second before each move
    #[arg(long, default_value_t = 40)]
    polite: usize,

    /// Clients of the flood beside them
    #[arg(long, default_value_t = 200)]
    flood: usize,

    /// How long each mixture goes on, in seconds
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
    // It may be left over from an earlier run, or not exist at all.
    let _ = fs::remove_dir_all(&data);
    let mut serve = Command::new(&program);
    let server = Server::start(serve.args(["serve", "--data"]).arg(&data))?;
    let mut text = record::heading("The web board under load", "load", None)?;
    writeln!(text, "{}- Server and load driver share the cores\n", record::load())?;
    alone(&server, &mut text)?;
    mixture::run(&server, options.polite, options.flood, options.seconds, &mut text)?;
    print!("{text}");
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

/// Waits until no search runs, and returns how long that took.
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

/// Measures a move and a first hint for a single user.
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
    Ok(())
}

/// Plays many games to the end, and measures the memory on the way.
fn memory(server: &Server, options: &Options, text: &mut String) -> Result<()> {
    let (stop, finished) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut samples = vec![(0, memory_mib(server)?)];
    let began = Instant::now();
    let step = (options.games / 10).max(1);
    thread::scope(|scope| -> Result<()> {
        let threads: Vec<_> = (0..PLAYERS_FOR_MEMORY)
            .map(|number| {
                let (stop, finished) = (&stop, &finished);
                let connect = || server.client();
                let client =
                    move || play(&connect, number as u64, 4, Manner::Greedy, stop, Some(finished));
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
