//! `isrever cluster`: what a cluster is doing, and an end to runs that nobody wants.

use crate::cluster::{AddressArgs, cluster_error, version};
use crate::commands::stopped_by_ctrl_c;
use crate::error::Error;
use crate::messages::{counted, grouped, size};
use crate::output::json_line;
use crate::plain::plain;
use crate::progress::words;
use isrever_cluster::{Cancelled, RunStatus, Status, WorkerStatus, cancel, status};
use isrever_web::date::now_ms;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// How often the table changes with --watch.
const REFRESH: Duration = Duration::from_secs(2);

/// How often --watch looks whether it is to end.
const POLL: Duration = Duration::from_millis(50);

/// See what a cluster is doing, and cancel runs
#[derive(clap::Args, Debug)]
pub(crate) struct ClusterCommandArgs {
    #[command(subcommand)]
    command: ClusterCommand,
}

#[derive(clap::Subcommand, Debug)]
enum ClusterCommand {
    Status(StatusArgs),
    Cancel(CancelArgs),
}

/// Show runs, jobs and workers
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever cluster status --cluster nats://head:4222
  isrever cluster status --cluster nats://head:4222 --watch
A run is what one command has sent. It stays until the command has all it wanted: the same command
goes on with one that was stopped or killed, and isrever cluster cancel removes it. Below each run is
the machine and the file that it is for. Jobs are queued a few at a time, so there may be more to
come. Nodes/s are those of one core in a fixed search.
With --json one object, with the keys server, server_version, queued, running, runs (a list: run,
kind, title, begun_ms, queued, running, done, failed, total, has_submitter, bytes) and workers; with
--watch one every two seconds.")]
struct StatusArgs {
    #[command(flatten)]
    address: AddressArgs,

    /// Show it every two seconds, until Ctrl-C
    #[arg(long)]
    watch: bool,

    /// One object
    #[arg(long)]
    json: bool,
}

/// Remove a run from the server: its jobs, its outputs and its files
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever cluster cancel 3f9a0c52d1e7b864 --cluster nats://head:4222
  isrever cluster cancel 3f9a --yes --cluster nats://head:4222
isrever cluster status lists the runs. The command that waits for the run ends, workers leave its
jobs, and what they have done of it is lost, but for what the command has written. Files that other
runs need stay. The same command begins anew.
With --json one object, with the keys run, jobs, outputs, files, had_submitter.")]
struct CancelArgs {
    /// The run, or the beginning of its name
    #[arg(value_name = "RUN")]
    run: String,

    #[command(flatten)]
    address: AddressArgs,

    /// Do not ask
    #[arg(long)]
    yes: bool,

    /// One object
    #[arg(long)]
    json: bool,
}

/// Does what one of the commands asks for.
pub(crate) fn run(args: &ClusterCommandArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.command {
        ClusterCommand::Status(args) => show_status(args, out),
        ClusterCommand::Cancel(args) => cancel_run(args, out),
    }
}

fn show_status(args: &StatusArgs, out: &mut dyn Write) -> Result<(), Error> {
    let stop = args.watch.then(stopped_by_ctrl_c);
    let mut is_first = true;
    loop {
        match status(&args.address.address()) {
            Ok(status) if args.json => json_line(out, &status)?,
            Ok(status) => {
                if args.watch && io::stdout().is_terminal() {
                    // The screen from its first line on.
                    write!(out, "\x1b[H\x1b[J")?;
                }
                show(&status, out)?;
            }
            // A server that has been there may come back.
            Err(error) if args.watch && !is_first && !error.is_input() => {
                let _ = writeln!(io::stderr(), "isrever: {error}; trying again");
            }
            Err(error) => return Err(cluster_error(&error)),
        }
        is_first = false;
        out.flush()?;
        let Some(stop) = &stop else { return Ok(()) };
        let shown = Instant::now();
        while shown.elapsed() < REFRESH {
            if stop.load(Relaxed) {
                return Ok(());
            }
            std::thread::sleep(POLL);
        }
    }
}

fn show(status: &Status, out: &mut dyn Write) -> Result<(), Error> {
    let Status { server, server_version, queued, running, runs, workers } = status;
    let (queued, running) = (counted(*queued, "job"), grouped(&running.to_string()));
    writeln!(out, "{server}, NATS {}: {queued} queued, {running} running", plain(server_version))?;
    show_runs(runs, now_ms().cast_unsigned(), out)?;
    if workers.is_empty() {
        return Ok(writeln!(out, "\nNo workers; isrever worker starts one.")?);
    }
    writeln!(
        out,
        "\n{:<26}{:>8}{:>12}{:>8}{:>8}  doing",
        "worker", "threads", "nodes/s", "done", "failed"
    )?;
    for worker in workers {
        let WorkerStatus { threads, speed, done, failed, running, .. } = worker;
        let doing = match running.split_first() {
            None => "waits".to_owned(),
            Some((first, [])) => first.clone(),
            Some((first, rest)) => format!("{first} and {} more", rest.len()),
        };
        let unfit = match worker.unfit.values().next() {
            None => String::new(),
            Some(reason) => format!("; leaves some jobs to others: {reason}"),
        };
        let ending = if worker.is_draining { ", then ends" } else { "" };
        let other = match worker.version == version() {
            true => String::new(),
            false => format!(" (version {})", worker.version),
        };
        let (name, speed) = (plain(&worker.worker), grouped(&format!("{speed:.0}")));
        let doing = plain(&format!("{doing}{ending}{other}{unfit}")).to_string();
        writeln!(out, "{name:<26}{threads:>8}{speed:>12}{done:>8}{failed:>8}  {doing}")?;
    }
    Ok(())
}

/// The runs as they are at a time.
fn show_runs(runs: &[RunStatus], now_ms: u64, out: &mut dyn Write) -> Result<(), Error> {
    if !runs.is_empty() {
        writeln!(
            out,
            "\n{:<18}{:<11}{:>8}{:>8}{:>8}{:>8}{:>8}{:>11}  submitter",
            "run", "kind", "queued", "running", "done", "failed", "total", "size"
        )?;
    }
    for each in runs {
        let RunStatus { queued, running, done, failed, .. } = each;
        let (run, kind) = (plain(&each.run).to_string(), plain(&each.kind).to_string());
        let total = each.total.map_or_else(|| "?".to_owned(), |total| total.to_string());
        let size = size(each.bytes);
        let submitter = if each.has_submitter { "there" } else { "gone" };
        writeln!(
            out,
            "{run:<18}{kind:<11}{queued:>8}{running:>8}{done:>8}{failed:>8}{total:>8}{size:>11}  \
             {submitter}"
        )?;
        if let (Some(title), Some(begun_ms)) = (&each.title, each.begun_ms) {
            let age = words(Duration::from_millis(now_ms.saturating_sub(begun_ms)));
            writeln!(out, "  begun {age} ago for {}", plain(title))?;
        }
    }
    Ok(())
}

fn cancel_run(args: &CancelArgs, out: &mut dyn Write) -> Result<(), Error> {
    let address = args.address.address();
    let runs = status(&address).map_err(|error| cluster_error(&error))?.runs;
    let named: Vec<&RunStatus> = runs.iter().filter(|run| run.run.starts_with(&args.run)).collect();
    let run = match named[..] {
        [run] => run,
        [] => {
            let offence = "no such run; expected one that isrever cluster status lists";
            return Err(Error::input(format_args!("{:?}", args.run), offence));
        }
        [first, second, ..] => {
            let offence = format_args!(
                "the beginning of {} and {}; expected more of the name",
                first.run, second.run
            );
            return Err(Error::input(format_args!("{:?}", args.run), offence));
        }
    };
    if !args.yes && !is_confirmed(run)? {
        return Err(Error::Stopped("stopped: nothing is removed".to_owned()));
    }
    let cancelled = cancel(&address, &run.run).map_err(|error| cluster_error(&error))?;
    if args.json {
        return Ok(json_line(out, &cancelled)?);
    }
    let Cancelled { run, jobs, outputs, files, had_submitter } = &cancelled;
    let [jobs, outputs, files] =
        [(jobs, "job"), (outputs, "output"), (files, "file")].map(|(n, what)| counted(*n, what));
    let told = if *had_submitter { "; its submitter is told" } else { "" };
    Ok(writeln!(out, "{run} is cancelled: {jobs}, {outputs} and {files} removed{told}")?)
}

/// Asks the person whether a run is to be removed.
fn is_confirmed(run: &RunStatus) -> Result<bool, Error> {
    if !io::stdin().is_terminal() {
        let offence = "nobody can be asked; expected --yes";
        return Err(Error::input("isrever cluster cancel", offence));
    }
    let done = counted(run.done, "job");
    let title = run.title.as_deref().unwrap_or("unknown");
    let submitter = if run.has_submitter { ", whose submitter is waiting" } else { "" };
    let run = &run.run;
    // With standard error closed there is nobody to ask, and the answer is no.
    let _ = write!(
        io::stderr(),
        "Remove {run} ({}), with {done} done{submitter}? [y/N] ",
        plain(title)
    );
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    read.map_err(|error| Error::io("standard input", &error))?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_shown_with_what_is_known_of_them() {
        let known = RunStatus {
            run: "3f9a0c52d1e7b864".to_owned(),
            kind: "game".to_owned(),
            title: Some("head:/cups/cup.db".to_owned()),
            begun_ms: Some(1_000),
            queued: 64,
            running: 2,
            done: 130,
            total: Some(504),
            has_submitter: true,
            bytes: 400_000,
            ..RunStatus::default()
        };
        let unknown = RunStatus { run: "ab".to_owned(), done: 3, ..RunStatus::default() };
        let mut out = Vec::new();
        show_runs(&[known, unknown], 7_261_000, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        let lines: Vec<Vec<&str>> =
            out.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
        let row = "3f9a0c52d1e7b864 game 64 2 130 0 504 390.6 KiB there";
        assert_eq!(lines[0].join(" "), row);
        assert_eq!(lines[1].join(" "), "begun 2 h 1 min ago for head:/cups/cup.db");
        assert_eq!(lines[2].join(" "), "ab 0 0 3 0 ? 0 B gone");
        assert!(out.lines().all(|line| line.len() <= 100), "{out}");
    }
}
