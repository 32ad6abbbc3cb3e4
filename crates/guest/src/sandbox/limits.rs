//! Resource limits of a guest, and the memory it uses.
//!
//! What counts is what the machine loses. The limit on memory is `RLIMIT_DATA`,
//! on private writable memory (`VmData`): to ask for more is an error in the
//! guest. Not in that number are pages that were made read-only, shared files,
//! page tables and what was swapped out, so the host watches all of these as
//! well. `RLIMIT_AS` bounds how many page tables there can be; it is set when the
//! libraries are loaded, because it also counts what they only reserve. Shared
//! memory and large buffers of the kernel's are refused by `seccomp`. Where a
//! guest has a control group ([`super::cgroup`]), its charges are one more limit.

use rustix::io;
use rustix::process::{Pid, Resource, Rlimit, prlimit, setrlimit};
use std::fs;
use std::time::Duration;

/// The most bytes of one file, and of the guest's folder.
pub(crate) const FOLDER_BYTES: u64 = 16 << 20;

/// The most open files; libraries need a dozen.
const FILES: u64 = 64;

/// The most threads. The kernel keeps this limit where it counts the guest's alone, the host
/// everywhere.
pub(crate) const THREADS: u64 = 64;

/// The stack; agents of the course recurse deeply.
const STACK_BYTES: u64 = 8 << 20;

/// The limit while libraries load, before the guest's own is known: far more than they need.
const FIRST_DATA_BYTES: u64 = 4 << 30;

/// Address space beyond the guest's own memory, for libraries that it loads later. The page tables
/// of so much take 8 MiB at most.
const MORE_ADDRESSES: u64 = 4 << 30;

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
    /// Resident or swapped memory that belongs to no file, and page tables.
    pub(crate) resident: u64,
    /// The whole address space.
    pub(crate) addresses: u64,
    /// The number of threads.
    pub(crate) threads: u64,
    /// What the kernel charges its control group, if it has one.
    pub(crate) charged: u64,
}

impl Memory {
    /// What process `pid` uses now; `None` if it does not exist.
    pub(crate) fn of(pid: Pid) -> Option<Memory> {
        let path = format!("/proc/{}/status", pid.as_raw_nonzero());
        Some(Memory::read(&fs::read_to_string(path).ok()?))
    }

    /// The larger of both, number by number.
    pub(crate) fn max(self, other: Memory) -> Memory {
        Memory {
            data: self.data.max(other.data),
            resident: self.resident.max(other.resident),
            addresses: self.addresses.max(other.addresses),
            threads: self.threads.max(other.threads),
            charged: self.charged.max(other.charged),
        }
    }

    /// How much more than `baseline` it is, by the measure that shows most.
    pub(crate) fn beyond(self, baseline: Memory) -> u64 {
        let data = self.data.saturating_sub(baseline.data);
        data.max(self.resident.saturating_sub(baseline.resident))
    }

    /// Reads a `/proc/PID/status`.
    fn read(status: &str) -> Memory {
        let mut memory = Memory::default();
        for line in status.lines() {
            let mut words = line.split_whitespace();
            let (Some(name), Some(Ok(number))) =
                (words.next(), words.next().map(str::parse::<u64>))
            else {
                continue;
            };
            match name {
                "VmData:" => memory.data = number << 10,
                "VmSize:" => memory.addresses = number << 10,
                "RssAnon:" | "RssShmem:" | "VmPTE:" | "VmSwap:" | "HugetlbPages:" => {
                    memory.resident += number << 10;
                }
                "Threads:" => memory.threads = number,
                _ => {}
            }
        }
        memory
    }
}

/// Limits the memory of process `pid` to `own` bytes beyond `baseline`, for good.
pub(crate) fn limit_memory(pid: Pid, baseline: Memory, own: u64) -> io::Result<()> {
    let addresses = baseline.addresses.saturating_add(own).saturating_add(MORE_ADDRESSES);
    let data = baseline.data.saturating_add(own);
    for (resource, most) in [(Resource::Data, data), (Resource::As, addresses)] {
        // The guest has inherited our limits, and a limit that is tighter cannot be raised.
        let inherited = rustix::process::getrlimit(resource).maximum;
        let most = inherited.map_or(most, |maximum| maximum.min(most));
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        prlimit(Some(pid), resource, limit)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_status_is_read() {
        let status = "Name:\tpython3\nVmSize:\t 2048 kB\nVmData:\t   1024 kB\nRssAnon:\t 8 kB\n\
                      RssFile:\t 4 kB\nRssShmem:\t 2 kB\nVmPTE:\t 4 kB\nVmSwap:\t 16 kB\n\
                      HugetlbPages:\t 32 kB\nThreads:\t3\nVmFoo: x kB\n";
        let memory = Memory {
            data: 1 << 20,
            resident: 62 << 10,
            addresses: 2 << 20,
            threads: 3,
            charged: 0,
        };
        assert_eq!(Memory::read(status), memory);
        let own = Memory::of(rustix::process::getpid()).expect("this process is there");
        assert!(own.data > 0 && own.resident > 0 && own.addresses > 0 && own.threads > 0);
        assert_eq!(Memory::read(""), Memory::default());
    }

    #[test]
    fn memory_counts_by_the_measure_that_shows_most() {
        let baseline = Memory { data: 10, resident: 100, ..Memory::default() };
        let more = Memory { data: 15, resident: 120, ..Memory::default() };
        assert_eq!((more.beyond(baseline), baseline.beyond(more)), (20, 0));
        assert_eq!(baseline.max(more), more);
    }
}
