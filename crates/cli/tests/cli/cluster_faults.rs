//! Servers, workers and submitters that are killed and frozen at random: what comes out is what one
//! machine makes of it.

use crate::arena_kill::games;
use crate::cluster::{Process, TOURNAMENT, ask, text};
use crate::program::{directory, run};
use isrever_agent::Rng;
use isrever_testkit::NatsServer;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime};

/// What befalls a cluster.
#[derive(Clone, Copy, Debug)]
enum Fault {
    WorkerKilled,
    WorkerFrozen,
    ServerKilled,
    ServerFrozen,
    SubmitterKilled,
}

const FAULTS: [Fault; 5] = [
    Fault::WorkerKilled,
    Fault::WorkerFrozen,
    Fault::ServerKilled,
    Fault::ServerFrozen,
    Fault::SubmitterKilled,
];

/// The variable with the seed of an earlier run.
const SEED: &str = "ISREVER_FAULTS_SEED";

/// A server with three workers of one thread each, and a submitter.
struct Site<'a> {
    server: NatsServer,
    url: String,
    workers: Vec<Process>,
    /// Starts the submitter again, told its server.
    resume: &'a dyn Fn(&str) -> Process,
    submitter: Process,
    /// The worker that is frozen.
    frozen: Option<usize>,
    /// How many workers there have been.
    hired: usize,
    /// The jobs that workers have told of.
    done: Arc<AtomicUsize>,
    seed: u64,
    rng: Rng,
    /// What has befallen it, for people.
    log: Vec<String>,
}

impl<'a> Site<'a> {
    fn new(
        folder: &Path,
        start: &dyn Fn(&str) -> Process,
        resume: &'a dyn Fn(&str) -> Process,
    ) -> Site<'a> {
        let server = NatsServer::plain(folder);
        let url = server.url("");
        let now = || SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64;
        let given = std::env::var(SEED).ok();
        let seed = given.map_or_else(now, |seed| seed.parse().expect("a seed is a number"));
        let mut site = Site {
            submitter: start(&url),
            server,
            url,
            workers: Vec::new(),
            resume,
            frozen: None,
            hired: 0,
            done: Arc::default(),
            seed,
            rng: Rng::new(seed),
            log: Vec::new(),
        };
        site.workers = (0..3).map(|_| site.hire()).collect();
        site
    }

    /// A worker whose jobs are counted.
    fn hire(&mut self) -> Process {
        let name = format!("worker-{}", self.hired);
        self.hired += 1;
        let (worker, lines) = Process::ready_worker(&self.url, &name);
        let done = Arc::clone(&self.done);
        std::thread::spawn(move || {
            let lines = lines.map_while(Result::ok);
            lines.filter(|line| line.contains("\"done\"")).for_each(|_| {
                done.fetch_add(1, Relaxed);
            });
        });
        worker
    }

    fn is_over(&mut self) -> bool {
        self.submitter.0.try_wait().unwrap().is_some()
    }

    /// Whether somebody waits for a run.
    fn has_submitter(&self) -> bool {
        let runs = &ask(&self.url)["runs"];
        runs.as_array().unwrap().iter().any(|run| run["has_submitter"] == true)
    }

    /// Lets each kind of fault befall it once, and three more, in any order, at moments before so many
    /// jobs are done; then waits for the end.
    fn suffer(&mut self, before: u32) {
        let mut faults = FAULTS.to_vec();
        faults.extend((0..3).map(|_| FAULTS[self.rng.index(FAULTS.len())]));
        let mut moments: Vec<_> = faults.iter().map(|_| 1 + self.rng.below(before)).collect();
        moments.sort_unstable();
        for moment in moments {
            let fault = faults.swap_remove(self.rng.index(faults.len()));
            let done = Arc::clone(&self.done);
            let is_reached = || done.load(Relaxed) >= moment as usize;
            wait_until("so much is done", || is_reached() || self.is_over());
            let (done, is_over) = (self.done.load(Relaxed), self.is_over());
            self.log.push(format!("{fault:?} after {done} jobs, the end: {is_over}"));
            self.thaw();
            self.befall(fault);
        }
        self.thaw();
        assert!(self.submitter.0.wait().unwrap().success());
    }

    fn befall(&mut self, fault: Fault) {
        let victim = self.rng.index(self.workers.len());
        match fault {
            Fault::WorkerKilled => self.workers[victim] = self.hire(),
            Fault::WorkerFrozen => {
                self.workers[victim].signal("-STOP");
                self.frozen = Some(victim);
            }
            Fault::ServerKilled => self.server.restart(),
            Fault::ServerFrozen => {
                // As long as it takes others to notice, once or twice.
                let id = self.server.id().to_string();
                let signal = |signal: &str| {
                    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
                };
                signal("-STOP");
                for _ in 0..=self.rng.below(2) {
                    let asked = run(["cluster", "status", "--cluster", &self.url]);
                    assert_eq!(asked.status, Some(1), "{}", asked.err);
                    assert!(asked.err.contains("takes connections there and says nothing"));
                }
                signal("-CONT");
            }
            Fault::SubmitterKilled => {
                self.submitter.0.kill().unwrap();
                self.submitter.0.wait().unwrap();
                self.submitter = (self.resume)(&self.url);
                // Commands do not wait long for a server that was never there.
                wait_until("it is there", || self.is_over() || self.has_submitter());
            }
        }
    }

    fn thaw(&mut self) {
        if let Some(frozen) = self.frozen.take() {
            self.workers[frozen].signal("-CONT");
        }
    }
}

impl Drop for Site<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let (seed, log) = (self.seed, self.log.join("\n"));
            let _ = writeln!(io::stderr(), "{SEED}={seed} draws these faults again:\n{log}");
        }
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(600), "not yet: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_tournament_on_a_cluster_is_the_same_whatever_is_killed_or_frozen_when() {
    let folder = directory("cluster-tournament");
    let [here, there] = ["here.db", "there.db"].map(|name| folder.join(name));
    run([&TOURNAMENT[..], &["--db", text(&here)]].concat()).ok();
    let expected = games(&here);
    assert_eq!(expected.len(), 504);
    let db = text(&there);
    let start =
        |url: &str| Process::silent(&[&TOURNAMENT[..], &["--db", db, "--cluster", url]].concat());
    let resume = |url: &str| Process::silent(&["arena", "resume", db, "--cluster", url]);
    let mut site = Site::new(&folder.join("server"), &start, &resume);
    site.suffer(450);
    let played = games(&there);
    assert!(played == expected, "{} games, or others", played.len());

    // The file says who played each game.
    let store = isrever_arena::Store::open(&there).unwrap();
    let tournament = store.tournaments().unwrap().remove(0);
    let origins = store.origins(tournament.id).unwrap();
    assert_eq!(origins.len(), 504);
    assert!(origins.values().all(|origin| origin.speed == 1e6));
    let names: Vec<_> = (0..site.hired).map(|number| format!("worker-{number}")).collect();
    assert!(origins.values().all(|origin| names.contains(&origin.worker)));
}

#[test]
fn weights_from_a_cluster_are_the_same_bit_by_bit_whatever_is_killed_or_frozen_when() {
    let folder = directory("cluster-weights");
    let [here, there] = ["here", "there"].map(|name| folder.join(name));
    let options = ["--depth", "1", "--solve-from", "8", "--pairs", "20", "--generations", "2"];
    let games = ["train", "loop", "--games", "1200", "--chunk", "300", "--dir"];
    let settings = |folder| [&games[..], &[text(folder)], &options].concat();
    run(settings(&here)).ok();
    let start = |url: &str| Process::silent(&[&settings(&there)[..], &["--cluster", url]].concat());
    let mut site = Site::new(&folder.join("server"), &start, &start);
    // Two generations of forty jobs each, and the games that compare them.
    site.suffer(80);
    for file in [
        "g00/games-0000.dat",
        "g00/games-0003.dat",
        "g01/games-0000.dat",
        "g01/games-0003.dat",
        "g01/weights.bin",
    ] {
        let [one, other] = [&here, &there].map(|folder| fs::read(folder.join(file)).unwrap());
        assert!(one == other, "{file}");
    }
}
