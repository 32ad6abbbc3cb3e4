//! `isrever club judge`: does the jobs of a club until it is told to stop.

use super::open;
use crate::cluster::host;
use crate::commands::stopped_by_ctrl_c;
use crate::error::Error;
use crate::log::{self, LogLevel};
use crate::players::{guest_defaults, interpreter};
use isrever_club::Job;
use isrever_guest::PythonSettings;
use isrever_judge::{Judge, News};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// How long a judge whose standard input is closed has for ending in order.
const GRACE: Duration = Duration::from_secs(10);

/// Check submissions, play battles and review games, one at a time
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever club judge /srv/club
  isrever club judge /srv/club --python /opt/course/bin/python3 --log info
isrever serve --club starts judges of its own; --judges 0 leaves that to you. Any number of judges
may work for a club on the machine that has its file. Python agents run in the same sandbox as
everywhere.
Ctrl-C or SIGTERM stops it, with exit status 0; its job is given back. A judge that is killed does
no harm: another one does its job half a minute later.")]
pub(super) struct JudgeArgs {
    /// The club's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// The Python that runs agents [default: $ISREVER_PYTHON, or the first python3 with numpy]
    #[arg(long, value_name = "PROGRAM")]
    python: Option<OsString>,

    /// What to log: faults (error, warn), or every job (info)
    #[arg(long, value_enum, default_value_t, value_name = "LEVEL")]
    log: LogLevel,

    /// End when standard input is closed, as it is when the program that started the judge has ended
    #[arg(long)]
    until_closed: bool,
}

/// Does jobs until it is told to stop.
pub(super) fn run(args: &JudgeArgs) -> Result<(), Error> {
    let club = open(&args.directory)?;
    let python = PythonSettings {
        policy: guest_defaults().sandbox,
        ..PythonSettings::new(interpreter(args.python.as_deref())?)
    };
    log::start(args.log);
    let stop = stopped_by_ctrl_c();
    if args.until_closed {
        stop_when_closed(&stop);
    }
    let name = format!("{}-{}", host(), std::process::id());
    tracing::info!("{name} waits for jobs");
    let judge = Judge::new(club, name, Arc::new(isrever_players::catalogue()), python);
    judge.work(&stop, &mut tell);
    Ok(())
}

/// Sets `stop` when standard input is closed. A judge that does not end then is ended.
fn stop_when_closed(stop: &Arc<AtomicBool>) {
    let stop = Arc::clone(stop);
    std::thread::spawn(move || {
        // What is written there does not matter, nor how it ends.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        stop.store(true, Relaxed);
        std::thread::sleep(GRACE);
        std::process::exit(1);
    });
}

/// Logs what came of a job in one line.
fn tell(news: News) {
    let words = |job: &Job| format!("{} {}", job.kind.word(), job.subject);
    match news {
        News::Done(job) => tracing::info!("{}: done", words(&job)),
        News::Lost(job) => tracing::info!("{}: left to others", words(&job)),
        News::SetAside(job, reason) => tracing::warn!("{} is set aside: {reason}", words(&job)),
        News::Trouble(reason) => tracing::warn!("{reason}"),
    }
}
