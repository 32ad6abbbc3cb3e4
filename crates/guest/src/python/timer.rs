//! Times what a process is asked to do, on the wall or by its own processor time.

use crate::usage::Usage;
use isrever_agent::TimedBy;
use rustix::process::Pid;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The time between two looks at the processor time.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// A timer for one process and one task.
pub(super) struct Timer {
    pid: Pid,
    timed_by: TimedBy,
    /// The time for the task.
    pub(super) time: Duration,
    began: Instant,
    usage: Cell<OwnTime>,
}

impl Timer {
    /// Starts the clock of process `pid`, which may take `time`.
    pub(super) fn start(pid: Pid, timed_by: TimedBy, time: Duration) -> Timer {
        let usage = match timed_by {
            TimedBy::Wall => Usage::default(),
            TimedBy::Processor => Usage::of(pid),
        };
        let (began, usage) = (Instant::now(), Cell::new(OwnTime::new(usage)));
        Timer { pid, timed_by, time, began, usage }
    }

    /// How much of its time the process had used when it answered. `lag` is how much later that was
    /// noticed, because this thread had no processor.
    pub(super) fn used(&self, lag: Duration) -> Duration {
        let wall = self.began.elapsed().saturating_sub(lag);
        match self.timed_by {
            TimedBy::Wall => wall,
            TimedBy::Processor => {
                let mut usage = self.usage.get();
                let own = usage.look(wall, Usage::of(self.pid));
                self.usage.set(usage);
                own
            }
        }
    }

    /// When to look again whether the time is over; `None` once it is.
    pub(super) fn next_look(&self) -> Option<Instant> {
        let now = Instant::now();
        let end = self.began + self.timed_by.longest_wait(self.time);
        let next = match self.timed_by {
            TimedBy::Wall => end,
            TimedBy::Processor => {
                let left = self.time.checked_sub(self.used(Duration::ZERO))?;
                end.min(now + left.clamp(Duration::from_millis(1), LOOK_INTERVAL))
            }
        };
        (now < end).then_some(next)
    }
}

/// The time of a process's own: what it ran or slept, but not what its threads waited for a
/// processor. A thread that sleeps may wait for another that has none, as threads of Python do for
/// one that holds the interpreter: so waits of all threads count. It is never less than what they
/// ran, in all.
#[derive(Clone, Copy, Debug)]
struct OwnTime {
    first: Usage,
    last: Usage,
    /// The time on the wall at the last look.
    looked: Duration,
    /// Since when, at the earliest, a thread has been waiting and none has run: the kernel counts a
    /// wait only when it ends.
    waits_since: Option<Duration>,
}

impl OwnTime {
    fn new(usage: Usage) -> OwnTime {
        let waits_since = usage.is_ready.then_some(Duration::ZERO);
        OwnTime { first: usage, last: usage, looked: Duration::ZERO, waits_since }
    }

    /// The time of its own after so much time on the wall, when it has had so much.
    fn look(&mut self, wall: Duration, usage: Usage) -> Duration {
        // If none has run since the last look and one is ready, it has waited all the time.
        let is_same = self.last.is_ready && usage.progress == self.last.progress;
        self.waits_since = match usage.is_ready {
            false => None,
            true if is_same => self.waits_since.or(Some(self.looked)),
            true => Some(self.looked),
        };
        (self.last, self.looked) = (usage, wall);
        let waits = self.waits_since.map_or(Duration::ZERO, |since| wall.saturating_sub(since));
        let awake = match (usage.waited, self.first.waited) {
            (Some(waited), Some(first)) => {
                wall.saturating_sub(waited.saturating_sub(first) + waits)
            }
            // A kernel that does not say: a part of the wall's time ends sleepers.
            _ => wall / 4,
        };
        awake.max(usage.ran.saturating_sub(self.first.ran))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// A process that sleeps after so much.
    fn usage(ran: u64, waited: u64) -> Usage {
        Usage { ran: ms(ran), waited: Some(ms(waited)), progress: [ran, 1], is_ready: false }
    }

    #[test]
    fn waiting_for_a_processor_is_free_and_sleeping_is_not() {
        let own = |wall, ran, waited| {
            OwnTime::new(usage(0, 0)).look(ms(wall), usage(ran, waited)).as_millis()
        };
        assert_eq!(own(1_000, 1_000, 0), 1_000, "alone on its core");
        assert_eq!(own(1_000, 100, 900), 100, "beside nine others");
        assert_eq!(own(1_000, 0, 0), 1_000, "asleep");
        assert_eq!(own(1_000, 100, 400), 600, "asleep for half of the time");
        assert_eq!(own(1_000, 1_000, 990), 1_000, "its own threads keep the first one waiting");
        assert_eq!(own(1_000, 2_000, 0), 2_000, "two threads on two cores");
        assert_eq!(own(1_000, 100, 1_500), 100, "two threads, both without a core for long");
        let unknown = Usage { waited: None, ..usage(10, 0) };
        assert_eq!(OwnTime::new(unknown).look(ms(1_000), unknown), ms(250));
    }

    #[test]
    fn a_wait_that_goes_on_is_free_too() {
        let ready = |ran, waited| Usage { is_ready: true, ..usage(ran, waited) };
        let mut time = OwnTime::new(ready(5, 0));
        assert_eq!(time.look(ms(500), ready(5, 0)), ms(0), "it waits from the beginning on");
        assert_eq!(time.look(ms(900), ready(5, 0)), ms(0));
        // It has run, and waits again; at most since the last look.
        assert_eq!(time.look(ms(1_200), ready(15, 1_000)), ms(10));
        assert_eq!(time.look(ms(1_500), ready(15, 1_000)), ms(10));
        // Then it slept for long, and woke up a moment ago.
        assert_eq!(time.look(ms(3_500), usage(25, 1_400)), ms(2_100));
        assert_eq!(time.look(ms(3_520), ready(25, 1_400)), ms(2_100));
        assert_eq!(time.look(ms(3_540), ready(45, 1_400)), ms(2_120));
    }

    #[test]
    fn a_wall_clock_is_over_at_its_end_and_forgives_our_own_lag() {
        let own = rustix::process::getpid();
        let over = Timer::start(own, TimedBy::Wall, Duration::ZERO);
        assert_eq!(over.next_look(), None);
        let far = Timer::start(own, TimedBy::Wall, ms(3_600_000));
        assert_eq!(far.next_look(), Some(far.began + ms(3_600_000)));
        assert_eq!(far.used(ms(3_600_000)), Duration::ZERO);
        let far = Timer::start(own, TimedBy::Processor, ms(3_600_000));
        assert!(far.next_look().is_some_and(|next| next <= Instant::now() + LOOK_INTERVAL));
    }
}
