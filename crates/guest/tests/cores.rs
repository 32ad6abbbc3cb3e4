//! Guests that think at the same time have cores of their own, whatever threads they start. The
//! tests have a process to themselves, because they look at all its guests.

#![cfg(target_os = "linux")]

#[path = "guest/hosting.rs"]
#[expect(dead_code, reason = "shared with the other tests")]
mod hosting;

use isrever_agent::{Agent, Limits};
use isrever_board::Color;
use isrever_guest::Python;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Starts threads that compute until its time is over.
const THREADS: &str = "
import threading

def compute():
    while True:
        pass

class AI(object):
    def __init__(self, size, color, time_out):
        self.candidate_list = []
    def go(self, board):
        self.candidate_list = [(2, 3)]
        for _ in range(4):
            threading.Thread(target=compute, daemon=True).start()
        compute()
";

/// Tries to choose its cores, and plays if it may not.
const CHOOSES: &str = "
import sys
posix = sys.modules['posix']

class AI(object):
    def __init__(self, size, color, time_out):
        self.candidate_list = []
    def go(self, board):
        for who in (0, 1):
            try:
                posix.sched_setaffinity(who, {0})
            except PermissionError:
                continue
            except ProcessLookupError:
                continue
            raise RuntimeError('it chooses the cores of ' + str(who))
        self.candidate_list = [(2, 3)]
";

/// The cores of all threads of each guest of this process, as the kernel writes them.
fn cores() -> Vec<Vec<String>> {
    let mark = format!("guest-of-{}", std::process::id());
    let mut guests = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if !String::from_utf8_lossy(&line).contains(&mark) {
            continue;
        }
        let threads = fs::read_dir(entry.path().join("task")).into_iter().flatten().flatten();
        let statuses =
            threads.filter_map(|task| fs::read_to_string(task.path().join("status")).ok());
        let allowed = statuses.filter_map(|status| {
            let lines = status.lines();
            lines
                .filter_map(|line| line.strip_prefix("Cpus_allowed_list:"))
                .map(str::trim)
                .next()
                .map(str::to_owned)
        });
        guests.push(allowed.collect());
    }
    guests
}

/// An agent that is ready for its first move.
fn ready(lines: &str) -> Python {
    let mut agent = hosting::written(lines, hosting::settings());
    agent.prepare(&hosting::game(), Color::Black, None).unwrap();
    agent
}

#[test]
fn threads_of_one_guest_never_run_on_the_cores_of_another() {
    let agents = [ready(THREADS), ready(THREADS)];
    let stop = Arc::new(AtomicBool::new(false));
    let think = |mut agent: Python| {
        let stop = Arc::clone(&stop);
        thread::spawn(move || {
            let limits = Limits { stop, ..Limits::of_time(Duration::from_secs(600)) };
            agent.choose(&hosting::game(), &limits)
        })
    };
    let thinking = agents.map(think);
    let has_enough = thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
    let end = Instant::now() + Duration::from_secs(300);
    let found = loop {
        let guests = cores();
        let have_threads = guests.len() == 2 && guests.iter().all(|threads| threads.len() > 4);
        let sets: Vec<BTreeSet<&String>> =
            guests.iter().map(|cores| cores.iter().collect()).collect();
        // A machine with one core has nothing to share out.
        let are_apart = sets.iter().all(|set| set.len() == 1) && (sets.first() != sets.last());
        if have_threads && (are_apart || !has_enough) {
            break true;
        }
        if Instant::now() > end {
            break false;
        }
        thread::yield_now();
    };
    stop.store(true, Relaxed);
    let last = cores();
    for agent in thinking {
        agent.join().unwrap().unwrap();
    }
    assert!(found, "{last:?}");
}

#[test]
fn a_guest_cannot_choose_its_cores_or_another_s() {
    let choice = ready(CHOOSES).choose(&hosting::game(), &Limits::default()).unwrap();
    assert_eq!(choice.square.to_string(), "d3");
}
