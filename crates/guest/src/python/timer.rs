//! Times what a process is asked to do, on the wall or by its own processor time.

use crate::usage::{ThreadUsage, Usage};
use isrever_agent::TimedBy;
use rustix::process::Pid;
use std::cell::RefCell;
use std::collections::BTreeMap;
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
    own: RefCell<OwnTime>,
}

impl Timer {
    /// Starts the clock of process `pid`, which may take `time`.
    pub(super) fn start(pid: Pid, timed_by: TimedBy, time: Duration) -> Timer {
        let usage = match timed_by {
            TimedBy::Wall => Usage::default(),
            TimedBy::Processor => Usage::of(pid),
        };
        let (began, own) = (Instant::now(), RefCell::new(OwnTime::new(usage)));
        Timer { pid, timed_by, time, began, own }
    }

    /// How much of its time the process had used when it answered. `lag` is how much later that was
    /// noticed, because this thread had no processor.
    pub(super) fn used(&self, lag: Duration) -> Duration {
        let wall = self.began.elapsed().saturating_sub(lag);
        match self.timed_by {
            TimedBy::Wall => wall,
            TimedBy::Processor => self.own.borrow_mut().look(wall, Usage::of(self.pid)),
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
#[derive(Debug)]
struct OwnTime {
    /// How long the threads had run at the beginning.
    ran: Duration,
    /// The time on the wall at the last look.
    looked: Duration,
    /// What threads have waited since the beginning, without waits that go on.
    waited: Duration,
    /// The threads at the last look.
    threads: BTreeMap<u32, Seen>,
}

/// A thread at some look.
#[derive(Clone, Copy, Debug)]
struct Seen {
    usage: ThreadUsage,
    /// Since when, at the earliest, it has been waiting: the kernel counts a wait only when it ends.
    waits_since: Option<Duration>,
}

impl OwnTime {
    fn new(usage: Usage) -> OwnTime {
        let seen = |usage: ThreadUsage| {
            let waits_since = usage.is_ready.then_some(Duration::ZERO);
            Seen { usage, waits_since }
        };
        OwnTime {
            ran: usage.ran,
            looked: Duration::ZERO,
            waited: Duration::ZERO,
            threads: usage.threads.into_iter().map(|(id, usage)| (id, seen(usage))).collect(),
        }
    }

    /// The time of its own after so much time on the wall, when it has had so much.
    fn look(&mut self, wall: Duration, usage: Usage) -> Duration {
        let ran = usage.ran.saturating_sub(self.ran);
        let is_told = !usage.threads.is_empty();
        let mut threads = BTreeMap::new();
        for (id, usage) in usage.threads {
            let before = self.threads.get(&id);
            let waited = before.map_or(Duration::ZERO, |before| before.usage.waited);
            self.waited += usage.waited.saturating_sub(waited);
            // If it has not run since the last look and is ready, it has waited all the time.
            let same = before.filter(|before| before.usage == usage);
            let since = same.and_then(|same| same.waits_since).unwrap_or(self.looked);
            threads.insert(id, Seen { usage, waits_since: usage.is_ready.then_some(since) });
        }
        (self.threads, self.looked) = (threads, wall);
        let going_on = self.threads.values().filter_map(|seen| seen.waits_since);
        let waits: Duration = going_on.map(|since| wall.saturating_sub(since)).sum();
        let awake = match is_told {
            true => wall.saturating_sub(self.waited + waits),
            // A kernel that does not say: a part of the wall's time ends sleepers.
            false => wall / 4,
        };
        awake.max(ran)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn thread(ran: u64, waited: u64, is_ready: bool) -> ThreadUsage {
        ThreadUsage { waited: ms(waited), progress: [ran, 1], is_ready }
    }

    /// A process of one thread that sleeps after so much.
    fn usage(ran: u64, waited: u64) -> Usage {
        Usage { ran: ms(ran), threads: [(1, thread(ran, waited, false))].into() }
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
        let unknown = || Usage { ran: ms(10), threads: BTreeMap::new() };
        assert_eq!(OwnTime::new(unknown()).look(ms(1_000), unknown()), ms(250));
    }

    #[test]
    fn a_wait_that_goes_on_is_free_too() {
        let ready =
            |ran, waited| Usage { ran: ms(ran), threads: [(1, thread(ran, waited, true))].into() };
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
    fn a_thread_that_wakes_now_and_then_hides_no_wait_of_another() {
        // The first waits without end; the second wakes, finds nothing to do, and sleeps.
        let look = |ticks| Usage {
            ran: ms(ticks),
            threads: [(1, thread(5, 0, true)), (2, thread(ticks, 0, false))].into(),
        };
        let mut time = OwnTime::new(look(0));
        for tick in 1..100 {
            assert_eq!(time.look(ms(20 * tick), look(tick)), ms(tick));
        }
    }

    #[test]
    fn what_a_thread_waited_still_counts_when_it_has_ended() {
        let both = Usage {
            ran: ms(10),
            threads: [(1, thread(5, 100, false)), (2, thread(5, 700, false))].into(),
        };
        let mut time = OwnTime::new(usage(0, 100));
        assert_eq!(time.look(ms(1_000), both), ms(300));
        assert_eq!(time.look(ms(1_100), usage(5, 100)), ms(400));
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
