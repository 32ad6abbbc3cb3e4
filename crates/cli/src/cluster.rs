//! Other machines that do the work: the options, and what their workers can do.

use crate::commands::{club, lab};
use crate::error::{Error, STOPPED};
use crate::messages::grouped;
use crate::players;
use crate::progress::words;
use crate::weights;
use isrever_arena::Games;
use isrever_cluster::{Address, Cluster, ClusterError, News, Sent, Unfit, Unopened};
use isrever_jobs::{AnyWork, Crew, RunError};
use isrever_lab::growth::Searches;
use isrever_lab::openings::Values;
use isrever_lab::solving::Solving;
use isrever_lab::{selfplay, tune};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The kinds of jobs that workers do.
pub(crate) const KINDS: [&str; 8] = [
    Games::KIND,
    selfplay::Games::KIND,
    tune::KIND,
    Solving::KIND,
    Values::KIND,
    Searches::KIND,
    lab::KIND,
    club::KIND,
];

/// Where a cluster is and how to get in.
#[derive(clap::Args, Debug, Clone)]
pub(crate) struct AddressArgs {
    /// The cluster's NATS server: nats://HOST:4222, or tls://HOST:4222
    #[arg(long = "cluster", value_name = "URL")]
    url: String,

    #[command(flatten)]
    secrets: SecretArgs,
}

/// Where to have the work done, if not here.
#[derive(clap::Args, Debug, Clone, Default)]
pub(crate) struct ClusterArgs {
    /// Have it done by the workers of a cluster: the address of its NATS server,
    /// nats://HOST:4222 or tls://HOST:4222
    #[arg(long = "cluster", value_name = "URL")]
    url: Option<String>,

    #[command(flatten)]
    secrets: SecretArgs,
}

/// What a server wants to see before it lets anybody in.
#[derive(clap::Args, Debug, Clone, Default)]
struct SecretArgs {
    /// A file with the cluster's token, the seed of an NKey, or a user's credentials
    #[arg(long, value_name = "FILE", requires = "url")]
    cluster_key: Option<PathBuf>,

    /// A file with the certificate by which the cluster's server is known
    #[arg(long, value_name = "FILE", requires = "url")]
    cluster_ca: Option<PathBuf>,
}

impl AddressArgs {
    pub(crate) fn address(&self) -> Address {
        self.secrets.address(&self.url)
    }
}

impl SecretArgs {
    fn address(&self, url: &str) -> Address {
        Address {
            url: url.to_owned(),
            key: self.cluster_key.clone(),
            authority: self.cluster_ca.clone(),
            certificate: None,
        }
    }
}

impl ClusterArgs {
    /// Whether other machines are to do the work.
    pub(crate) fn is_wanted(&self) -> bool {
        self.url.is_some()
    }

    /// Makes sure that the cluster can be used, if there is to be one. Before anything is written: a
    /// wrong address, key or certificate leaves nothing behind.
    pub(crate) fn reach(&self) -> Result<(), Error> {
        let Some(url) = &self.url else { return Ok(()) };
        let reached = self.secrets.address(url).reach(Cluster::PATIENCE, &|_| ());
        reached.map_err(|error| cluster_error(&error))
    }

    /// Catches Ctrl-C and SIGTERM, if there is to be a cluster, so that nothing stays queued there.
    /// Work on this machine's threads ends with the process, as it always did.
    pub(crate) fn interruption(&self) -> Interruption {
        let (stop, is_waiting) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        if self.url.is_some() {
            let (stop, is_waiting) = (Arc::clone(&stop), Arc::clone(&is_waiting));
            // Where it cannot be caught, it ends the process at once, and status lists what is left.
            let _ = ctrlc::set_handler(move || {
                if !is_waiting.load(Relaxed) || stop.swap(true, Relaxed) {
                    std::process::exit(STOPPED.into());
                }
            });
        }
        Interruption { stop, is_waiting }
    }

    /// Who does the work: the cluster, or `threads` threads of this machine. A run on this machine
    /// for the same `part` of the same `output` goes on where one was killed.
    pub(crate) fn crew(&self, threads: usize, output: &Path, part: &str) -> Crew {
        let Some(url) = &self.url else { return Crew::Here(threads) };
        let output = std::path::absolute(output).unwrap_or_else(|_| output.to_owned());
        let said = Mutex::new(None);
        Crew::Elsewhere(Arc::new(Cluster {
            address: self.secrets.address(url),
            version: version(),
            purpose: format!("{} {} {part}", host(), output.display()),
            title: format!("{}:{}", host(), output.display()),
            tell: Box::new(move |news| tell(&news, &said)),
        }))
    }
}

/// Ctrl-C: while a cluster does the work, the first one stops it and withdraws what is queued. A second
/// one, and one that comes while nobody waits for a cluster, ends the process.
pub(crate) struct Interruption {
    stop: Arc<AtomicBool>,
    is_waiting: Arc<AtomicBool>,
}

impl Interruption {
    /// Waits for work with a flag that stops it.
    pub(crate) fn during<T>(&self, work: impl FnOnce(&AtomicBool) -> T) -> T {
        self.is_waiting.store(true, Relaxed);
        let result = work(&self.stop);
        self.is_waiting.store(false, Relaxed);
        result
    }

    /// What is said if the work was stopped: what is kept, and how to go on.
    pub(crate) fn stopped(kept: impl std::fmt::Display) -> Error {
        Error::Stopped(format!("stopped: {kept}; the same command goes on"))
    }
}

/// Tells the person what is amiss, once.
fn tell(news: &News, said: &Mutex<Option<String>>) {
    let line = match news {
        News::Workers { fit: 0, unfit, .. } if unfit.is_empty() => {
            Some("no workers are there; start some with isrever worker".to_owned())
        }
        News::Workers { fit: 0, unfit, .. } => Some(nobody(unfit)),
        News::Workers { .. } => None,
        News::Cancelled { age_s } => {
            let age = words(Duration::from_secs(*age_s));
            Some(format!("the run was cancelled {age} ago; it begins anew"))
        }
        News::Away => Some("the server is away; waiting for it to come back".to_owned()),
        News::Back => Some("the server is back".to_owned()),
        News::SetAside { number, reason } => Some(format!("job {number} is set aside: {reason}")),
    };
    let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(line) = line.as_ref().filter(|line| said.as_ref() != Some(*line)) {
        let _ = writeln!(io::stderr(), "isrever: cluster: {line}");
    }
    *said = line;
}

/// Why no worker takes the jobs: what the first says, and how many there are.
fn nobody(unfit: &[(String, Unfit)]) -> String {
    let (worker, why) = &unfit[0];
    let why = match why {
        Unfit::Version(found) => format!("has version {found}; expected {}", version()),
        Unfit::Kind => {
            "takes other kinds of jobs; expected a worker with others or all --kinds".to_owned()
        }
        Unfit::Speed(speed) => {
            format!("has slower cores; expected at least {} nodes/s", grouped(&speed.to_string()))
        }
        Unfit::Machine(reason) => format!("cannot: {reason}"),
    };
    match unfit.len() {
        1 => format!("the only worker does not take these jobs: {worker} {why}"),
        count => format!("none of {count} workers takes these jobs: {worker} {why}"),
    }
}

/// What results of jobs depend on: the program's version, and a hash of its sources and weights.
pub(crate) fn version() -> String {
    format!("{}-{}", env!("CARGO_PKG_VERSION"), env!("ISREVER_SOURCES"))
}

/// What this machine is called.
pub(crate) fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok());
    name.map_or_else(|| "machine".to_owned(), |name| name.trim().to_owned())
}

/// What goes wrong with a cluster.
pub(crate) fn cluster_error(error: &ClusterError) -> Error {
    match error.is_input() {
        true => Error::Input(error.to_string()),
        false => Error::Io(error.to_string()),
    }
}

/// What goes wrong with work, here or elsewhere.
pub(crate) fn run_error(error: RunError<Error>) -> Error {
    match error {
        RunError::Take(error) => error,
        RunError::Machine(why) => Error::Io(why),
        RunError::Remote(error) => Error::Io(error.to_string()),
    }
}

/// Opens a piece of work at a worker.
pub(crate) fn open(
    sent: &Sent,
    find: &dyn Fn(&str) -> Option<PathBuf>,
) -> Result<Arc<dyn AnyWork>, Unopened> {
    if sent.version != version() {
        let version = version();
        return Err(format!("work of version {}; expected version {version}", sent.version).into());
    }
    let catalogue = || Arc::new(players::catalogue());
    let load = |path: &Path| {
        weights::load(path).map_err(|error| error.line().unwrap_or_default().to_owned())
    };
    let text = sent.text.as_str();
    match sent.kind.as_str() {
        Games::KIND => {
            let games = Games::read(text, catalogue(), find).map_err(|error| error.to_string())?;
            // Whoever sent them could make their agents, so if one cannot be made it is for want of
            // something here, such as Python.
            games.check().map_err(Unopened::Unfit)?;
            Ok(Arc::new(games))
        }
        selfplay::Games::KIND => Ok(Arc::new(selfplay::Games::read(text, find, &load)?)),
        tune::KIND => Ok(tune::open(text, catalogue(), find)?),
        Solving::KIND => Ok(Arc::new(Solving::read(text, find, &load)?)),
        Values::KIND => Ok(Arc::new(Values::read(text, find, &load)?)),
        Searches::KIND => Ok(Arc::new(Searches::read(text, find, &load)?)),
        lab::KIND => Ok(Arc::new(lab::Experiments::read(text)?)),
        club::KIND => club::open_jobs(text),
        other => Err(format!("no such kind of job: {other}").into()),
    }
}
