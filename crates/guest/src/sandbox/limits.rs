//! Resource limits of a guest, and the memory it uses.
//!
//! The limit on memory is `RLIMIT_DATA`, on private writable memory (`VmData`);
//! `RLIMIT_AS` would also count libraries and address space that they only
//! reserve. Shared memory is not in that number, so the host watches the
//! resident memory as well.

use rustix::io;
use rustix::process::{Pid, Resource, Rlimit, prlimit, setrlimit};
use std::fs;
use std::time::Duration;

/// The most bytes of one file, and of the guest's folder.
pub(crate) const FOLDER_BYTES: u64 = 16 << 20;

/// The most open files; libraries need a dozen.
const FILES: u64 = 64;

/// The most threads, where the kernel counts the guest's alone.
const THREADS: u64 = 64;

/// The stack; agents of the course recurse deeply.
const STACK_BYTES: u64 = 8 << 20;

/// The limit while libraries load, before the guest's own is known: far more than they need.
const FIRST_DATA_BYTES: u64 = 16 << 30;

/// The limits that a guest starts with.
#[derive(Clone, Debug)]
pub(crate) struct ResourceLimits {
    limits: Vec<(Resource, u64)>,
}

impl ResourceLimits {
    /// The limits of a guest that may compute for `time` in all.
    pub(crate) fn new(time: Duration) -> ResourceLimits {
        ResourceLimits {
            limits: vec![
                (Resource::Core, 0),
                // The host keeps the clock; this limit ends guests that lost their host.
                (Resource::Cpu, time.as_secs().saturating_mul(2).saturating_add(10)),
                (Resource::Data, FIRST_DATA_BYTES),
                (Resource::Fsize, FOLDER_BYTES),
                (Resource::Memlock, 0),
                (Resource::Nofile, FILES),
                (Resource::Stack, STACK_BYTES),
            ],
        }
    }

    /// Sets the limits of this process. Allocates nothing, because it runs between clone and exec.
    pub(crate) fn apply(&self, is_own_user: bool) -> io::Result<()> {
        for &(resource, most) in &self.limits {
            set(resource, most)?;
        }
        // Outside a user namespace the kernel would count all processes of the user.
        if is_own_user { set(Resource::Nproc, THREADS) } else { Ok(()) }
    }
}

/// Sets a limit, or keeps one that is tighter already.
fn set(resource: Resource, most: u64) -> io::Result<()> {
    let now = rustix::process::getrlimit(resource);
    let most = now.maximum.map_or(most, |maximum| maximum.min(most));
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
}

/// The memory that a process uses, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Private writable memory, touched or not.
    pub(crate) data: u64,
    /// Resident memory that belongs to no file.
    pub(crate) resident: u64,
}

impl Memory {
    /// What process `pid` uses now; `None` if it does not exist.
    pub(crate) fn of(pid: Pid) -> Option<Memory> {
        let path = format!("/proc/{}/status", pid.as_raw_nonzero());
        Some(Memory::read(&fs::read_to_string(path).ok()?))
    }

    /// Reads a `/proc/PID/status`.
    fn read(status: &str) -> Memory {
        let mut memory = Memory::default();
        for line in status.lines() {
            let mut words = line.split_whitespace();
            let (Some(name), Some(Ok(kib))) = (words.next(), words.next().map(str::parse::<u64>))
            else {
                continue;
            };
            match name {
                "VmData:" => memory.data = kib << 10,
                "RssAnon:" | "RssShmem:" => memory.resident += kib << 10,
                _ => {}
            }
        }
        memory
    }
}

/// Limits the private writable memory of process `pid` to `most` bytes, for good.
pub(crate) fn limit_data(pid: Pid, most: u64) -> io::Result<()> {
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    prlimit(Some(pid), Resource::Data, limit).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_status_is_read() {
        let status = "Name:\tpython3\nVmData:\t   1024 kB\nRssAnon:\t 8 kB\nRssFile:\t 4 kB\n\
                      RssShmem:\t 2 kB\nThreads:\t1\nVmFoo: x kB\n";
        assert_eq!(Memory::read(status), Memory { data: 1 << 20, resident: 10 << 10 });
        let own = Memory::of(rustix::process::getpid()).expect("this process is there");
        assert!(own.data > 0 && own.resident > 0);
        assert_eq!(Memory::read(""), Memory::default());
    }
}
