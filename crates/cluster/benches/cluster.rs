//! What a cluster costs: small jobs a second, jobs of a second against threads, memory, a crowd.
//!
//! `cargo bench -p isrever-cluster` starts a server and workers on this machine. With `--test` it
//! does a little of everything, with `--crowd` only a thousand workers who sleep instead of working.

use isrever_cluster::{Address, Cluster, Worker};
use isrever_jobs::{AnyWork, Crew, Failure, Manifest, Origin, Work};
use isrever_testkit::NatsServer;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Computes for about so many milliseconds, or sleeps for so long.
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
enum Busy {
    Computes(u64),
    Sleeps(u64),
}

impl Work for Busy {
    type Job = u64;
    type Output = u64;
    type ThreadState = ();

    fn thread_state(&self) {}

    fn perform(&self, (): &mut (), job: &u64, _: &Arc<AtomicBool>) -> Result<u64, Failure> {
        let mut value = *job;
        match *self {
            Busy::Sleeps(milliseconds) => std::thread::sleep(Duration::from_millis(milliseconds)),
            Busy::Computes(milliseconds) => {
                // About a million steps are a millisecond on today's machines.
                for _ in 0..milliseconds * 1_100_000 {
                    value = std::hint::black_box(value.wrapping_mul(6_364_136_223_846_793_005) + 1);
                }
            }
        }
        Ok(value)
    }

    fn manifest(&self) -> Result<Manifest, String> {
        Ok(Manifest::new("busy", self))
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster-bench")
}

/// Starts a worker on a thread until `drain` is set.
fn worker(url: &str, name: &str, drain: &Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
    let worker = Worker {
        address: Address { url: url.to_owned(), ..Address::default() },
        version: "1".to_owned(),
        origin: Origin { worker: name.to_owned(), speed: 1.0 },
        threads: 1,
        memory_bytes: 1 << 30,
        kinds: vec!["busy".to_owned()],
        attempts: 10,
        folder: folder().join(name),
        open: Box::new(|sent, _| {
            let busy: Busy = serde_json::from_str(&sent.text).map_err(|why| why.to_string())?;
            Ok(Arc::new(busy) as Arc<dyn AnyWork>)
        }),
        drain: Arc::clone(drain),
        stop: Arc::default(),
        tell: Box::new(|_| {}),
    };
    std::thread::spawn(move || worker.run().expect("the server is there"))
}

/// Has `count` jobs done; how long it took.
fn time(crew: &Crew, work: &Busy, count: u64) -> Duration {
    let begin = Instant::now();
    let mut take = |_, _| Ok::<(), String>(());
    let over = crew.in_order(work, 0..count, |n| n, &mut take, &AtomicBool::new(false));
    assert!(over.expect("all jobs can be done"));
    begin.elapsed()
}

/// The memory of a process in MiB, and the processor seconds that it has had.
fn spent(process: &str) -> (f64, f64) {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).map(|ticks| ticks.parse().unwrap_or(0.0)).sum();
    // Linux counts hundredths of a second on all common machines.
    (memory(process), ticks / 100.0)
}

/// A thousand workers, each of whom sleeps for some seconds over every job: what do the server and
/// the submitter spend on a job, and where do they come to their limits?
#[expect(clippy::print_stdout, reason = "a benchmark tells what it found")]
fn crowd(server: &NatsServer, count: usize) {
    let (url, drain) = (server.url(""), Arc::new(AtomicBool::new(false)));
    let names = (0..count).map(|number| format!("fake-{number}"));
    let workers: Vec<_> = names.map(|name| worker(&url, &name, &drain)).collect();
    let cluster = cluster(&url, "crowd");
    let crew = Crew::Elsewhere(Arc::new(cluster));
    // They are all there, and counted.
    time(&crew, &Busy::Sleeps(1), 5 * count as u64);
    let server = server.id().to_string();
    for milliseconds in [5_000, 2_000, 1_000, 500] {
        // So many that it does not matter who has the last one.
        let jobs = count as u64 * 40_000 / milliseconds;
        let before = [spent("self"), spent(&server)];
        let took = time(&crew, &Busy::Sleeps(milliseconds), jobs).as_secs_f64();
        let after = [spent("self"), spent(&server)];
        let ideal = jobs as f64 * milliseconds as f64 / 1e3 / count as f64;
        let each = [0, 1].map(|who| 1e6 * (after[who].1 - before[who].1) / jobs as f64);
        println!(
            "{count} workers, jobs of {milliseconds} ms: {:.0} a second, {:.1} % of what sleepers \
             could; processor a job: {:.0} µs submitter and workers, {:.0} µs server; memory {:.0} \
             and {:.0} MiB",
            jobs as f64 / took,
            100.0 * ideal / took,
            each[0],
            each[1],
            after[0].0,
            after[1].0,
        );
    }
    drain.store(true, Relaxed);
    workers.into_iter().for_each(|worker| worker.join().expect("it ends"));
}

/// A cluster, for those who have jobs for it.
fn cluster(url: &str, purpose: &str) -> Cluster {
    Cluster {
        address: Address { url: url.to_owned(), ..Address::default() },
        version: "1".to_owned(),
        purpose: purpose.to_owned(),
        title: purpose.to_owned(),
        tell: Box::new(|_| {}),
    }
}

/// The memory of a process in MiB.
fn memory(process: &str) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|kib| kib.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

#[expect(clippy::print_stdout, reason = "a benchmark tells what it found")]
fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    // What a run that was killed has left would be taken for work already done.
    let _ = fs::remove_dir_all(folder());
    let server = NatsServer::plain(&folder());
    if std::env::args().any(|argument| argument == "--crowd") {
        return crowd(&server, 1_000);
    }
    let (url, drain) = (server.url(""), Arc::new(AtomicBool::new(false)));
    let workers = ["one", "two"].map(|name| worker(&url, name, &drain));
    let cluster = cluster(&url, "bench");
    let (here, there) = (Crew::Here(2), Crew::Elsewhere(Arc::new(cluster)));
    let many = if is_test { 200 } else { 50_000 };
    time(&there, &Busy::Computes(0), many / 10);
    for _ in 0..2 {
        let before = memory("self");
        let took = time(&there, &Busy::Computes(0), many).as_secs_f64();
        let (rate, after) = (many as f64 / took, memory("self"));
        println!("{many} empty jobs: {rate:.0} a second; memory {before:.1} to {after:.1} MiB");
    }
    let (milliseconds, count, rounds) = if is_test { (5, 4, 2) } else { (1_000, 20, 8) };
    let work = Busy::Computes(milliseconds);
    time(&there, &work, 2);
    // In turns, because the machine may be now faster and now slower.
    let mut shares = Vec::new();
    for _ in 0..rounds {
        let [threads, workers] = [&here, &there].map(|crew| time(crew, &work, count).as_secs_f64());
        shares.push(100.0 * threads / workers);
        println!("{count} jobs: 2 threads {threads:.2} s, 2 workers {workers:.2} s");
    }
    shares.sort_by(f64::total_cmp);
    println!(
        "jobs of about {milliseconds} ms: workers do {:.1} % of what threads do, the median of \
         {rounds} rounds ({:.1} to {:.1})",
        (shares[rounds / 2] + shares[(rounds - 1) / 2]) / 2.0,
        shares[0],
        shares[rounds - 1]
    );
    drain.store(true, Relaxed);
    workers.into_iter().for_each(|worker| worker.join().expect("it ends"));
}
