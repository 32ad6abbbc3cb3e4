//! What guests leave behind: processes, descriptors, folders, memory.

use std::fs;
use std::time::{Duration, Instant};

/// Everything that belongs to this process or was started by it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Traces {
    /// Children, zombies included, and their children wherever they are.
    processes: Vec<String>,
    descriptors: usize,
    folders: Vec<String>,
}

impl Traces {
    pub(crate) fn count() -> Traces {
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

    /// Whether no guest has left anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.processes.is_empty() && self.folders.is_empty()
    }
}

/// The resident memory of this process, in bytes.
pub(crate) fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// Waits until the only guest is suspended, which may take the kernel a while.
pub(crate) fn is_suspended() -> bool {
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
