//! Numbers: what a guest may use, as the kernel counts it.
//!
//! Memory is the private writable memory of the process (`VmData`), which the
//! kernel refuses beyond a limit; `RLIMIT_AS` would count libraries and the
//! space that they only reserve. What is resident is watched as well, because
//! shared memory is not in that number.

use rustix::io;
use rustix::process::{Pid, Resource, Rlimit, prlimit, setrlimit};
use std::fs;
use std::time::Duration;

/// The most bytes of one file, and of the guest's folder.
pub(crate) const FOLDER_BYTES: u64 = 16 << 20;

/// Open files at a time; libraries need a dozen.
const FILES: u64 = 64;

/// Threads at a time, where the kernel counts them for the guest alone.
const THREADS: u64 = 64;

/// Bytes of stack; deep recursion of a course's agent needs some.
const STACK_BYTES: u64 = 8 << 20;

/// Far beyond what any library needs before the guest's own limit is known.
const FIRST_DATA_BYTES: u64 = 16 << 30;

/// What to set before a guest is started.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    limits: Vec<(Resource, u64)>,
}

impl Bounds {
    /// For a guest that may compute for `time` in all.
    pub(crate) fn new(time: Duration) -> Bounds {
        Bounds {
            limits: vec![
                (Resource::Core, 0),
                // The clock is kept elsewhere; this ends what nobody is there to end.
                (Resource::Cpu, time.as_secs().saturating_mul(2).saturating_add(10)),
                (Resource::Data, FIRST_DATA_BYTES),
                (Resource::Fsize, FOLDER_BYTES),
                (Resource::Memlock, 0),
                (Resource::Nofile, FILES),
                (Resource::Stack, STACK_BYTES),
            ],
        }
    }

    /// Sets them for this process. Allocates nothing: it is called between clone and exec.
    pub(crate) fn apply(&self, is_own_user: bool) -> io::Result<()> {
        for &(resource, most) in &self.limits {
            set(resource, most)?;
        }
        // Elsewhere the user's other processes would be counted too.
        if is_own_user { set(Resource::Nproc, THREADS) } else { Ok(()) }
    }
}

/// Sets a limit, or leaves one that is tighter already.
fn set(resource: Resource, most: u64) -> io::Result<()> {
    let now = rustix::process::getrlimit(resource);
    let most = now.maximum.map_or(most, |maximum| maximum.min(most));
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
}

/// What a process uses, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Private writable memory, touched or not.
    pub(crate) data: u64,
    /// Memory that is there and belongs to no file.
    pub(crate) resident: u64,
}

impl Memory {
    /// What process `pid` uses now, if it is there.
    pub(crate) fn of(pid: Pid) -> Option<Memory> {
        let path = format!("/proc/{}/status", pid.as_raw_nonzero());
        Some(Memory::read(&fs::read_to_string(path).ok()?))
    }

    /// Reads the kernel's table of a process.
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

/// Lets process `pid` have `most` bytes of private writable memory, and no more for ever.
pub(crate) fn limit_data(pid: Pid, most: u64) -> io::Result<()> {
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    prlimit(Some(pid), Resource::Data, limit).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_s_table_is_read() {
        let status = "Name:\tpython3\nVmData:\t   1024 kB\nRssAnon:\t 8 kB\nRssFile:\t 4 kB\n\
                      RssShmem:\t 2 kB\nThreads:\t1\nVmFoo: x kB\n";
        assert_eq!(Memory::read(status), Memory { data: 1 << 20, resident: 10 << 10 });
        let own = Memory::of(rustix::process::getpid()).expect("this process is there");
        assert!(own.data > 0 && own.resident > 0);
        assert_eq!(Memory::read(""), Memory::default());
    }
}
