//! How long processes have run, and how long their threads waited for a processor, by `/proc`.

use rustix::process::Pid;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What a process has had of the processors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// How long its threads have run, in all.
    pub(crate) ran: Duration,
    /// Its threads, by their numbers, as far as the kernel tells of them.
    pub(crate) threads: BTreeMap<u32, ThreadUsage>,
}

/// What a thread has had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ThreadUsage {
    /// How long it was ready and had no processor, up to when it last got one.
    pub(crate) waited: Duration,
    /// How long it has run, up to the kernel's last tick.
    pub(crate) ran: Duration,
    /// How often it got a processor.
    pub(crate) turns: u64,
    /// Whether it runs or is ready to.
    pub(crate) is_ready: bool,
}

impl Usage {
    /// What process `pid` has had so far; nothing if it does not exist.
    pub(crate) fn of(pid: Pid) -> Usage {
        let folder = format!("/proc/{}", pid.as_raw_nonzero());
        let stat = fs::read_to_string(format!("{folder}/stat")).unwrap_or_default();
        let threads = fs::read_dir(format!("{folder}/task")).into_iter().flatten().flatten();
        let thread = |entry: fs::DirEntry| {
            let number = entry.file_name().to_str()?.parse().ok()?;
            Some((number, ThreadUsage::read(&entry.path())?))
        };
        let threads = threads.filter_map(thread).collect();
        Usage { ran: read_ran(&stat).unwrap_or_default(), threads }
    }
}

impl ThreadUsage {
    /// What the thread of this folder has had. One that has just ended has none.
    fn read(folder: &Path) -> Option<ThreadUsage> {
        let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
        // A thread may run between the two: then it was ready before.
        let is_ready = read_state(&read("stat")?) == Some("R");
        let [ran, waited, turns] = read_schedule(&read("schedstat")?)?;
        let [ran, waited] = [ran, waited].map(Duration::from_nanos);
        Some(ThreadUsage { waited, ran, turns, is_ready })
    }
}

/// How long this thread was ready and had no processor, so far; zero if the kernel does not say.
pub(crate) fn own_wait() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat");
    let schedule = text.ok().and_then(|text| read_schedule(&text));
    schedule.map(|[_, waited, _]| Duration::from_nanos(waited)).unwrap_or_default()
}

/// The processor time in a `/proc/PID/stat`, that of children that were waited for included.
fn read_ran(stat: &str) -> Option<Duration> {
    // The name in parentheses may have anything in it; the times are 12 fields after it.
    let (_, fields) = stat.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(4);
    let ticks: u64 = times.map(|ticks| ticks.parse().unwrap_or(0)).sum();
    let each = rustix::param::clock_ticks_per_second().max(1);
    Some(Duration::from_millis(ticks * 1_000 / each))
}

/// The state of a thread in its `stat`.
fn read_state(stat: &str) -> Option<&str> {
    stat.rsplit_once(')')?.1.split_whitespace().next()
}

/// The numbers of a `schedstat`: nanoseconds run, nanoseconds waited, and how often it ran.
fn read_schedule(text: &str) -> Option<[u64; 3]> {
    let mut numbers = text.split_whitespace().map(|number| number.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_behind_any_name() {
        let stat = "7 (a) b (c) R 1 7 7 0 -1 4194560 83 0 0 0 120 30 5 0 20 0 1 0 9 1 2";
        let tick = 1_000 / rustix::param::clock_ticks_per_second();
        assert_eq!(read_ran(stat), Some(Duration::from_millis(155 * tick)));
        assert_eq!(read_ran(""), None);
        assert_eq!((read_state(stat), read_state("")), (Some("R"), None));
        assert_eq!(read_schedule("174712 2476430 2\n"), Some([174_712, 2_476_430, 2]));
        assert_eq!(read_schedule("0 1"), None);
    }

    #[test]
    fn a_process_that_computes_has_run() {
        let own = rustix::process::getpid();
        let before = Usage::of(own).ran;
        while Usage::of(own).ran == before {
            std::hint::black_box((0..100_000_u64).sum::<u64>());
        }
    }
}
