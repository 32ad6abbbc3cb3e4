//! `isrever cluster`: what a cluster is doing.

use crate::cluster::{AddressArgs, cluster_error, version};
use crate::commands::stopped_by_ctrl_c;
use crate::error::Error;
use crate::messages::{counted, grouped};
use crate::output::json_line;
use crate::plain::plain;
use isrever_cluster::{RunStatus, Status, WorkerStatus, status};
use std::io::{IsTerminal, Write};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// How often the table changes with --watch.
const REFRESH: Duration = Duration::from_secs(2);

/// How often --watch looks whether it is to end.
const POLL: Duration = Duration::from_millis(50);

/// See what a cluster is doing
#[derive(clap::Args, Debug)]
pub(crate) struct ClusterCommandArgs {
    #[command(subcommand)]
    command: ClusterCommand,
}

#[derive(clap::Subcommand, Debug)]
enum ClusterCommand {
    Status(StatusArgs),
}

/// Show jobs and workers
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever cluster status --cluster nats://head:4222
  isrever cluster status --cluster nats://head:4222 --watch
A run is what one command has sent; its jobs are open until they are done. Nodes/s are those of one
core in a fixed search. With --json one object, with the keys server, server_version, queued,
running, runs, workers; with --watch one every two seconds.")]
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

/// Does what one of the commands asks for.
pub(crate) fn run(args: &ClusterCommandArgs, out: &mut dyn Write) -> Result<(), Error> {
    let ClusterCommand::Status(args) = &args.command;
    let stop = args.watch.then(stopped_by_ctrl_c);
    loop {
        let status = status(&args.address.address()).map_err(|error| cluster_error(&error))?;
        if args.json {
            json_line(out, &status)?;
        } else {
            if args.watch && std::io::stdout().is_terminal() {
                // The screen from its first line on.
                write!(out, "\x1b[H\x1b[J")?;
            }
            show(&status, out)?;
        }
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
    if !runs.is_empty() {
        writeln!(out, "\n{:<18}{:<10}{:>10}{:>10}", "run", "kind", "open", "done")?;
    }
    for RunStatus { run, kind, open, done } in runs {
        writeln!(out, "{:<18}{:<10}{open:>10}{done:>10}", plain(run), plain(kind))?;
    }
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
        let ending = if worker.is_draining { ", then ends" } else { "" };
        let other = match worker.version == version() {
            true => String::new(),
            false => format!(" (version {})", worker.version),
        };
        let (name, speed) = (plain(&worker.worker), grouped(&format!("{speed:.0}")));
        let doing = plain(&format!("{doing}{ending}{other}")).to_string();
        writeln!(out, "{name:<26}{threads:>8}{speed:>12}{done:>8}{failed:>8}  {doing}")?;
    }
    Ok(())
}
