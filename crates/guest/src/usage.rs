//! How long processes have run, and how long threads have waited for a processor, by `/proc`.

use rustix::process::Pid;
use std::fs;
use std::time::Duration;

/// What a process has had of the processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// How long its threads have run, in all.
    pub(crate) ran: Duration,
    /// How long its first thread was ready and had no processor; `None` if the kernel does not say.
    pub(crate) waited: Option<Duration>,
}

impl Usage {
    /// What process `pid` has had so far; nothing if it does not exist.
    pub(crate) fn of(pid: Pid) -> Usage {
        let pid = pid.as_raw_nonzero();
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let waited = fs::read_to_string(format!("/proc/{pid}/schedstat"));
        Usage {
            ran: read_ran(&stat).unwrap_or_default(),
            waited: waited.ok().and_then(|text| read_waited(&text)),
        }
    }

    /// What it has had since it had `earlier`.
    pub(crate) fn since(self, earlier: Usage) -> Usage {
        let since = |now: Duration, then: Duration| now.saturating_sub(then);
        Usage {
            ran: since(self.ran, earlier.ran),
            waited: self.waited.zip(earlier.waited).map(|(now, then)| since(now, then)),
        }
    }
}

/// How long this thread was ready and had no processor, so far; zero if the kernel does not say.
pub(crate) fn own_wait() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat");
    text.ok().and_then(|text| read_waited(&text)).unwrap_or_default()
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

/// The waiting time in a `schedstat`: the second number, in nanoseconds.
fn read_waited(text: &str) -> Option<Duration> {
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
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
        assert_eq!(read_waited("174712 2476430 2\n"), Some(Duration::from_nanos(2_476_430)));
        assert_eq!(read_waited("0"), None);
    }

    #[test]
    fn a_process_that_computes_has_run() {
        let own = rustix::process::getpid();
        let before = Usage::of(own);
        while Usage::of(own).since(before).ran.is_zero() {
            std::hint::black_box((0..100_000_u64).sum::<u64>());
        }
    }
}
