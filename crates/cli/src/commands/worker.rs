//! `isrever worker`: this machine's cores for the jobs of a cluster.

use crate::cluster::{AddressArgs, KINDS, cluster_error, host, open, version};
use crate::commands::bench::core_speed;
use crate::commands::cores;
use crate::error::{Error, STOPPED};
use crate::messages::{counted, grouped};
use crate::output::json_line;
use indicatif::ProgressBar;
use isrever_agent::duration_or_zero;
use isrever_cluster::{ClusterError, Worker, WorkerEvent};
use isrever_jobs::Origin;
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// Give a cluster this machine's cores
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
Examples:
  isrever worker --cluster nats://head:4222
  isrever worker --cluster nats://head:4222 --cluster-key token --threads 8 --kinds game
It measures how fast its cores are, and then does jobs that others send with --cluster, until it is
ended. Their kinds are {}. It begins no more of them at once than it has threads and memory for.
Ctrl-C or SIGTERM lets it finish what it has begun, for --grace at most, and then gives the rest
back; a second one gives back at once. Ten seconds later it ends all the same, and others do what it
could neither finish nor give back. A worker that is killed, or whose machine is lost, does no harm:
others do its jobs. It takes jobs of its own version alone. Python agents run in the same sandbox as
everywhere.
With --json one object per line, with the key event: ready, begun, done, failed, unfit (jobs that
this machine cannot do are left to others), away and back (the server), ending, left (jobs that it
could neither finish nor give back), ended.", KINDS.join(", ")))]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    address: AddressArgs,

    /// Threads for jobs [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,

    /// Memory for jobs, in MiB [default: three quarters of the machine's]
    #[arg(long, value_name = "MIB", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    memory: Option<u32>,

    /// Kinds of jobs to take [default: all]
    #[arg(long, value_delimiter = ',', value_name = "KIND,…", value_parser = KINDS)]
    kinds: Vec<String>,

    /// What it calls itself [default: the machine's name and a number]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Positions a second of one core, instead of measuring it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    speed: Option<u64>,

    /// Attempts at a job, by all workers together, before it is set aside
    #[arg(long, default_value_t = 10, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    attempts: u64,

    /// How long jobs may go on after the worker is asked to end
    #[arg(long, default_value = "60s", value_name = "TIME", value_parser = duration_or_zero)]
    grace: Duration,

    /// One object per line
    #[arg(long)]
    json: bool,
}

/// What happens, for programs.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Row<'a> {
    Ready(&'a About),
    Begun { job: &'a str },
    Done { job: &'a str, done: u64 },
    Failed { job: &'a str, reason: &'a str },
    Unfit { reason: &'a str },
    Away,
    Back,
    Ending { running: usize },
    Left { jobs: usize },
    Ended { done: u64, failed: u64 },
}

impl<'a> Row<'a> {
    fn new(about: &'a About, event: &'a WorkerEvent) -> Row<'a> {
        match event {
            WorkerEvent::Ready => Row::Ready(about),
            WorkerEvent::Begun(job) => Row::Begun { job },
            WorkerEvent::Done(job, done) => Row::Done { job, done: *done },
            WorkerEvent::Failed(job, reason) => Row::Failed { job, reason },
            WorkerEvent::Unfit(reason) => Row::Unfit { reason },
            WorkerEvent::Away => Row::Away,
            WorkerEvent::Back => Row::Back,
            WorkerEvent::Ending(running) => Row::Ending { running: *running },
            WorkerEvent::Left { jobs, .. } => Row::Left { jobs: *jobs },
        }
    }
}

/// Does jobs until it is ended.
pub(crate) fn run(args: &WorkerArgs, out: &mut dyn Write) -> Result<(), Error> {
    let threads = args.threads.map_or_else(cores, usize::from);
    let worker = args.name.clone().unwrap_or_else(|| format!("{}-{}", host(), std::process::id()));
    if worker.is_empty() || worker.contains(char::is_control) {
        return Err(Error::input("--name", format_args!("{worker:?}; expected one line")));
    }
    let address = args.address.address();
    // What can be refused at once comes before what takes seconds.
    let patience = counted(Worker::PATIENCE.as_secs(), "second");
    let wait = |error: &ClusterError| {
        let _ = writeln!(io::stderr(), "isrever: {error}; trying for {patience}");
    };
    address.reach(Worker::PATIENCE, &wait).map_err(|error| cluster_error(&error))?;
    let speed = args.speed.map_or_else(core_speed, |speed| speed as f64);
    let (drain, stop) = ended_by_signals(args.grace);
    let version = version();
    let kinds = match args.kinds.is_empty() {
        true => KINDS.map(str::to_owned).to_vec(),
        false => args.kinds.clone(),
    };
    let folder = std::env::temp_dir().join(format!("isrever-worker-{}", std::process::id()));
    let bar = ProgressBar::new_spinner();
    let mut screen = Screen { json: args.json, bar, running: Vec::new(), done: 0, failed: 0 };
    let about = About { worker: worker.clone(), version: version.clone(), threads, speed };
    let server = address.public();
    let (send, events) = mpsc::channel();
    let worker = Worker {
        address,
        version,
        origin: Origin { worker, speed },
        threads,
        memory_bytes: args.memory.map_or_else(memory_bytes, |mebibytes| u64::from(mebibytes) << 20),
        kinds,
        attempts: args.attempts,
        folder,
        open: Box::new(open),
        drain,
        stop,
        // Nobody listens once nothing can be written.
        tell: Box::new(move |event| drop(send.send(event))),
    };
    let ending = Arc::clone(&worker.drain);
    std::thread::scope(|scope| {
        let work = scope.spawn(|| worker.run());
        let shown = events.iter().try_for_each(|event| screen.show(&about, &server, event, out));
        ending.store(true, Relaxed);
        let worked = work.join().expect("jobs that panic do so alone");
        shown?;
        worked.map_err(|error| cluster_error(&error))?;
        screen.close(out)
    })
}

/// Three quarters of the machine's memory, or all that can be said if the system does not tell it.
fn memory_bytes() -> u64 {
    let about = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = about.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kibibytes = total.and_then(|total| total.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.map_or(u64::MAX, |kibibytes| kibibytes * 1024 / 4 * 3)
}

/// Flags that the first signal and the second one set; the second is set after the grace, too.
fn ended_by_signals(grace: Duration) -> (Arc<AtomicBool>, Arc<AtomicBool>) {
    let (drain, stop) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let flags = (Arc::clone(&drain), Arc::clone(&stop));
    let count = AtomicU32::new(0);
    // Where signals cannot be caught, they end the process at once, and no job is lost by that.
    let _ = ctrlc::set_handler(move || match count.fetch_add(1, Relaxed) {
        0 => {
            flags.0.store(true, Relaxed);
            let stop = Arc::clone(&flags.1);
            std::thread::spawn(move || {
                std::thread::sleep(grace);
                stop.store(true, Relaxed);
            });
        }
        1 => flags.1.store(true, Relaxed),
        _ => std::process::exit(STOPPED.into()),
    });
    (drain, stop)
}

/// What a worker says of itself first.
#[derive(Serialize)]
struct About {
    worker: String,
    version: String,
    threads: usize,
    speed: f64,
}

/// Shows what a worker does.
struct Screen {
    json: bool,
    bar: ProgressBar,
    running: Vec<String>,
    done: u64,
    failed: u64,
}

impl Screen {
    fn show(
        &mut self,
        about: &About,
        server: &str,
        event: WorkerEvent,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        match event {
            WorkerEvent::Done(_, done) => self.done = done,
            WorkerEvent::Failed(..) => self.failed += 1,
            _ => {}
        }
        if self.json {
            json_line(out, &Row::new(about, &event))?;
            return Ok(out.flush()?);
        }
        match event {
            WorkerEvent::Ready => {
                let About { worker, version, threads, speed } = about;
                let speed = grouped(&format!("{speed:.0}"));
                let threads = counted(*threads as u64, "thread");
                writeln!(out, "{worker}: {threads}, {speed} nodes/s each")?;
                writeln!(out, "Waiting for jobs of version {version} from {server}")?;
                out.flush()?;
            }
            WorkerEvent::Begun(job) => self.running.push(job),
            WorkerEvent::Done(job, done) => {
                self.end(&job);
                let done = counted(done, "job");
                self.bar.set_message(format!("{done} done; {}", self.running.join(", ")));
                self.bar.tick();
            }
            WorkerEvent::Failed(job, reason) => {
                self.end(&job);
                writeln!(out, "{job} failed: {reason}")?;
                out.flush()?;
            }
            WorkerEvent::Unfit(reason) => {
                writeln!(out, "Some jobs are left to others: {reason}")?;
                out.flush()?;
            }
            WorkerEvent::Away => {
                writeln!(out, "The server is away; waiting for it to come back")?;
                out.flush()?;
            }
            WorkerEvent::Back => {
                writeln!(out, "The server is back")?;
                out.flush()?;
            }
            WorkerEvent::Ending(0) => {}
            WorkerEvent::Ending(running) => {
                writeln!(out, "Ending; {} to finish first", counted(running as u64, "job"))?;
                out.flush()?;
            }
            WorkerEvent::Left { jobs, is_away } => {
                let jobs = counted(jobs as u64, "job");
                let reason = if is_away { "The server does not answer: " } else { "" };
                let others = "neither finished nor given back; other workers will do them";
                writeln!(out, "{reason}{jobs} {others}")?;
                out.flush()?;
            }
        }
        Ok(())
    }

    /// Says how it ended.
    fn close(&self, out: &mut dyn Write) -> Result<(), Error> {
        self.bar.finish_and_clear();
        match self.json {
            true => json_line(out, &Row::Ended { done: self.done, failed: self.failed })?,
            false => writeln!(out, "Ended after {}", counted(self.done, "job"))?,
        }
        Ok(out.flush()?)
    }

    fn end(&mut self, job: &str) {
        if let Some(place) = self.running.iter().position(|other| other == job) {
            self.running.remove(place);
        }
    }
}
