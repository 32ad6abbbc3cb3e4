//! `isrever club judge`: does the jobs of a club until it is told to stop.

use super::open;
use crate::cluster::{ClusterArgs, host};
use crate::commands::stopped_by_ctrl_c;
use crate::error::Error;
use crate::log::{self, LogLevel};
use crate::players::{guest_defaults, interpreter};
use isrever_club::{Job, JobKind};
use isrever_guest::{PythonSettings, Turns};
use isrever_judge::{Judge, Judging, News, Run};
use isrever_web::date::now_ms;
use std::ffi::{OsStr, OsString};
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
  isrever club judge /srv/club --cluster nats://head:4222 --cluster-key token
  isrever club judge /srv/club --places 4 --place 1
  isrever club judge /srv/club --places 4 --replies
isrever serve --club starts judges of its own; --judges 0 leaves that to you. Any number of judges
may work for a club on the machine that has its file. A judge does one job at a time: one with
--replies is there for people who play against an agent, so that they need not wait until another
judge's game is over. With --cluster it does nothing itself: it gives the jobs to the workers of a
cluster (isrever worker), as many as they have cores for. Python agents run in the same sandbox as
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

    /// Do nothing but let agents reply to people's moves
    #[arg(long)]
    replies: bool,

    /// How many judges share the cores of this machine: one agent of theirs thinks on a core at a
    /// time, those that reply to people included, and the others' clocks stand still
    #[arg(long, value_name = "N", conflicts_with = "url",
          value_parser = clap::value_parser!(u16).range(1..))]
    places: Option<u16>,

    /// Which of them this is, from 1: its agents keep to its cores [default: none of them; its agents
    /// think where a core is free]
    #[arg(long, value_name = "K", requires = "places",
          value_parser = clap::value_parser!(u16).range(1..))]
    place: Option<u16>,

    #[command(flatten)]
    cluster: ClusterArgs,

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
    args.cluster.reach()?;
    let python = PythonSettings { turns: args.turns()?, ..python(args.python.as_deref())? };
    log::start(args.log);
    let stop = stopped_by_ctrl_c();
    if args.until_closed {
        stop_when_closed(&stop);
    }
    let name = format!("{}-{}", host(), std::process::id());
    tracing::info!("{name} waits for jobs");
    let memory_mib = club.terms().map_err(|error| Error::Io(error.to_string()))?.memory_mib;
    let run = Run { name: format!("{name} {}", now_ms()), memory_mib };
    let judging = Judging { catalogue: Arc::new(isrever_players::catalogue()), python, run };
    let kinds: &[JobKind] = if args.replies { &[JobKind::Reply] } else { &JobKind::ALL };
    let judge = Judge::new(club, name, judging).only(kinds);
    if !args.cluster.is_wanted() {
        judge.work(&stop, &mut tell);
        return Ok(());
    }
    let crew = args.cluster.crew(0, &args.directory, "club");
    judge.work_with(&crew, &stop, &mut tell).map_err(|error| Error::Io(error.to_string()))
}

impl JudgeArgs {
    /// The turns that agents take, if several judges share the cores.
    fn turns(&self) -> Result<Option<Arc<Turns>>, Error> {
        let Some(places) = self.places.map(usize::from) else { return Ok(None) };
        // Beside the club's file, which only this machine's judges use.
        let folder = self.directory.join("turns");
        let turns = match self.place.map(usize::from) {
            None => Turns::anywhere(folder.clone(), places),
            Some(place) if place <= places => Turns::at(folder.clone(), place - 1, places),
            Some(place) => {
                let offence = format_args!("there are {places} places; expected 1 to {places}");
                return Err(Error::input(format_args!("--place {place}"), offence));
            }
        };
        let turns = turns.map_err(|error| Error::Io(format!("{}: {error}", folder.display())))?;
        Ok(Some(Arc::new(turns)))
    }
}

/// How submissions run here.
pub(crate) fn python(named: Option<&OsStr>) -> Result<PythonSettings, Error> {
    let policy = guest_defaults().sandbox;
    Ok(PythonSettings { policy, ..PythonSettings::new(interpreter(named)?) })
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
