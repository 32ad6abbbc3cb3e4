//! Hostile agents leave nothing behind. The one test has a process to itself, because it counts
//! that process's children, descriptors and memory.

#![cfg(target_os = "linux")]

#[path = "guest/hostile.rs"]
#[expect(dead_code, reason = "shared with the other tests")]
mod hostile;
#[path = "guest/hosting.rs"]
#[expect(dead_code, reason = "shared with the other tests")]
mod hosting;

use hostile::{CASES, lines};
use isrever_agent::{Agent, Limits};
use isrever_guest::{Layer, PythonSettings};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Everything that belongs to this process or was started by it.
#[derive(Debug, PartialEq, Eq)]
struct Traces {
    /// Children, zombies included, and their children wherever they are.
    processes: Vec<String>,
    descriptors: usize,
    folders: Vec<String>,
}

impl Traces {
    fn count() -> Traces {
        let own = std::process::id();
        let mark = format!("guest-of-{own}");
        let mut processes = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let path = entry.path();
            let (Ok(stat), Ok(line)) =
                (fs::read_to_string(path.join("stat")), fs::read(path.join("cmdline")))
            else {
                continue;
            };
            // After the name in parentheses come the state and the parent.
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
            let is_ours = fields.get(1) == Some(&own.to_string().as_str());
            if is_ours || String::from_utf8_lossy(&line).contains(&mark) {
                processes.push(stat);
            }
        }
        let prefix = format!("isrever-guest-{own}-");
        let folders = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
        let folders = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
        Traces {
            processes,
            descriptors: fs::read_dir("/proc/self/fd").unwrap().count(),
            folders: folders.filter(|name| name.starts_with(&prefix)).collect(),
        }
    }
}

/// The resident memory of this process, in bytes.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// Waits until the only guest is suspended, which may take the kernel a while.
fn is_suspended() -> bool {
    let end = Instant::now() + Duration::from_secs(300);
    while Instant::now() < end {
        let processes = Traces::count().processes;
        let [process] = processes.as_slice() else { return false };
        if process.rsplit(')').next().is_some_and(|behind| behind.trim().starts_with('T')) {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

#[test]
fn nothing_is_left_behind() {
    let neighbour = Path::new(env!("CARGO_TARGET_TMPDIR")).join("traces-neighbour");
    fs::write(&neighbour, "a secret").unwrap();
    let settings =
        |without| PythonSettings { output_bytes: 1 << 20, without, ..hosting::settings() };
    let run = |case: &hostile::Case, without| {
        let lines = lines(case, neighbour.to_str().unwrap());
        let mut agent = hosting::written(&lines, settings(without));
        // Another test checks what they choose.
        let chosen = agent.choose(&hosting::game(), &Limits::default());
        let is_suspended = chosen.is_ok() && is_suspended();
        drop(agent);
        (chosen, is_suspended)
    };
    // The first guest starts the spawner's thread, and fills caches of libraries.
    let quiet = CASES.iter().find(|case| case.name == "prints a little").unwrap();
    let (chosen, is_suspended) = run(quiet, None);
    assert!(chosen.is_ok() && is_suspended, "{chosen:?}");

    let (before, memory) = (Traces::count(), resident());
    assert!(before.processes.is_empty() && before.folders.is_empty(), "{before:?}");
    for (place, case) in CASES.iter().enumerate() {
        // Every second case runs without namespaces, which would clean up by themselves.
        let without = (place % 2 == 1).then_some(Layer::Namespaces);
        // A guest that was killed because it did not stop is never suspended.
        let _ = run(case, without);
        assert_eq!(Traces::count(), before, "{} {without:?}", case.name);
    }
    let grown = resident().saturating_sub(memory);
    assert!(grown < 8 << 20, "{grown} bytes of memory stay");
    fs::remove_file(&neighbour).unwrap();
}
