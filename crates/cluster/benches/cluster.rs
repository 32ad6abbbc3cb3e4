//! What a cluster costs: small jobs a second, jobs of a second against threads, memory.
//!
//! `cargo bench -p isrever-cluster` starts a server and workers on this machine. With `--test` it
//! does a little of everything.

use isrever_cluster::{Address, Cluster, Worker};
use isrever_jobs::{AnyWork, Crew, Failure, Manifest, Origin, Work};
use isrever_testkit::NatsServer;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Computes for about so many milliseconds.
struct Busy(u64);

impl Work for Busy {
    type Job = u64;
    type Output = u64;
    type Desk = ();

    fn desk(&self) {}

    fn perform(&self, (): &mut (), job: &u64, _: &Arc<AtomicBool>) -> Result<u64, Failure> {
        let mut value = *job;
        // About a million steps are a millisecond on today's machines.
        for _ in 0..self.0 * 1_100_000 {
            value = std::hint::black_box(value.wrapping_mul(6_364_136_223_846_793_005) + 1);
        }
        Ok(value)
    }

    fn manifest(&self) -> Result<Manifest, String> {
        Ok(Manifest::new("busy", &self.0))
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
            let milliseconds = sent.text.parse().map_err(|_| "no number".to_owned())?;
            Ok(Arc::new(Busy(milliseconds)) as Arc<dyn AnyWork>)
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

/// The memory of this process in MiB.
fn memory() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|kib| kib.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

#[expect(clippy::print_stdout, reason = "a benchmark tells what it found")]
fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let server = NatsServer::plain(&folder());
    let (url, drain) = (server.url(""), Arc::new(AtomicBool::new(false)));
    let workers = ["one", "two"].map(|name| worker(&url, name, &drain));
    let cluster = Cluster {
        address: Address { url: url.clone(), ..Address::default() },
        version: "1".to_owned(),
        purpose: "bench".to_owned(),
        tell: Box::new(|_| {}),
    };
    let (here, there) = (Crew::Here(2), Crew::Elsewhere(Arc::new(cluster)));
    let many = if is_test { 200 } else { 50_000 };
    time(&there, &Busy(0), many / 10);
    for _ in 0..2 {
        let before = memory();
        let took = time(&there, &Busy(0), many).as_secs_f64();
        let (rate, after) = (many as f64 / took, memory());
        println!("{many} empty jobs: {rate:.0} a second; memory {before:.1} to {after:.1} MiB");
    }
    let (milliseconds, count) = if is_test { (5, 4) } else { (1_000, 60) };
    let work = Busy(milliseconds);
    time(&there, &work, 2);
    for _ in 0..2 {
        let [threads, workers] = [&here, &there].map(|crew| time(crew, &work, count).as_secs_f64());
        let each = threads * 2.0 / count as f64;
        let share = 100.0 * threads / workers;
        println!(
            "{count} jobs of {each:.2} s: 2 threads {threads:.2} s, 2 workers {workers:.2} s, {share:.1} %"
        );
    }
    drain.store(true, Relaxed);
    workers.into_iter().for_each(|worker| worker.join().expect("it ends"));
}
