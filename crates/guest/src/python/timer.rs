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
/// processor, nor what the host of a virtual machine withheld from the one they had. A thread that
/// sleeps may wait for another that has none, as threads of Python do for one that holds the
/// interpreter: so waits of all threads count. It is never less than what they ran, in all.
#[derive(Debug)]
struct OwnTime {
    /// How long the threads had run at the beginning.
    ran: Duration,
    /// The time on the wall at the last look.
    looked: Duration,
    /// What threads have waited since the beginning, without waits that go on.
    waited: Duration,
    /// What was withheld from threads in turns that are over, those of ended threads included.
    withheld: Duration,
    /// The threads at the last look.
    threads: BTreeMap<u32, Seen>,
}

/// A thread at some look.
#[derive(Clone, Copy, Debug)]
struct Seen {
    usage: ThreadUsage,
    /// Since when, at the earliest, it has been waiting: the kernel counts a wait only when it ends.
    waits_since: Option<Duration>,
    /// The first look of those that have all found it ready in the same turn, and what it had had
    /// by then. It has got no processor anew since: it runs, or waits for its next turn. It may have
    /// slept before such a wait, but for less than the time between two looks.
    first: (Duration, ThreadUsage),
}

impl Seen {
    /// A thread that was not there at the look before, which was at `looked`.
    fn new(looked: Duration, wall: Duration, usage: ThreadUsage) -> Seen {
        Seen { usage, waits_since: usage.is_ready.then_some(looked), first: (wall, usage) }
    }

    /// The thread at the look after this one, which was at `looked`.
    fn then(&self, looked: Duration, wall: Duration, usage: ThreadUsage) -> Seen {
        // If it has not run since the last look and is ready, it has waited all the time.
        let since = self.waits_since.filter(|_| self.usage == usage).unwrap_or(looked);
        let waits_since = usage.is_ready.then_some(since);
        let first = if self.is_same_turn(usage) { self.first } else { (wall, usage) };
        Seen { usage, waits_since, first }
    }

    fn is_same_turn(&self, usage: ThreadUsage) -> bool {
        self.usage.is_ready && usage.is_ready && self.usage.turns == usage.turns
    }

    /// What was withheld from it in this turn up to `wall`, when it has had `usage`: what it has
    /// neither run nor waited.
    fn withheld(&self, wall: Duration, usage: ThreadUsage) -> Duration {
        let (since, first) = self.first;
        let had = (usage.ran + usage.waited).saturating_sub(first.ran + first.waited);
        wall.saturating_sub(since).saturating_sub(had)
    }
}

impl OwnTime {
    fn new(usage: Usage) -> OwnTime {
        let seen = |(id, usage)| (id, Seen::new(Duration::ZERO, Duration::ZERO, usage));
        OwnTime {
            ran: usage.ran,
            looked: Duration::ZERO,
            waited: Duration::ZERO,
            withheld: Duration::ZERO,
            threads: usage.threads.into_iter().map(seen).collect(),
        }
    }

    /// The time of its own after so much time on the wall, when it has had so much.
    fn look(&mut self, wall: Duration, usage: Usage) -> Duration {
        let ran = usage.ran.saturating_sub(self.ran);
        let is_told = !usage.threads.is_empty();
        let looked = std::mem::replace(&mut self.looked, wall);
        let mut earlier = std::mem::take(&mut self.threads);
        for (id, usage) in usage.threads {
            let seen = match earlier.remove(&id) {
                Some(before) => {
                    self.waited += usage.waited.saturating_sub(before.usage.waited);
                    if !before.is_same_turn(usage) {
                        self.withheld += before.withheld(looked, usage);
                    }
                    before.then(looked, wall, usage)
                }
                None => {
                    self.waited += usage.waited;
                    Seen::new(looked, wall, usage)
                }
            };
            self.threads.insert(id, seen);
        }
        // The others have ended. What they had after the last look is unknown.
        let ended = earlier.values().map(|seen| seen.withheld(looked, seen.usage));
        self.withheld += ended.sum::<Duration>();
        let goes_on = |seen: &Seen| {
            let wait = wall.saturating_sub(seen.waits_since?);
            Some(wait.max(seen.withheld(wall, seen.usage)))
        };
        let going_on: Duration = self.threads.values().filter_map(goes_on).sum();
        let awake = match is_told {
            true => wall.saturating_sub(self.waited + self.withheld + going_on),
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

    /// A thread that has got a processor anew whenever it has run.
    fn thread(ran: u64, waited: u64, is_ready: bool) -> ThreadUsage {
        ThreadUsage { waited: ms(waited), ran: ms(ran), turns: ran, is_ready }
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
    fn what_the_host_of_a_virtual_machine_withholds_is_free() {
        let thread = |turns, ran, waited, is_ready| Usage {
            ran: ms(ran),
            threads: [(1, ThreadUsage { waited: ms(waited), ran: ms(ran), turns, is_ready })]
                .into(),
        };
        let mut time = OwnTime::new(thread(1, 0, 0, true));
        assert_eq!(time.look(ms(20), thread(1, 20, 0, true)), ms(20));
        // Its processor stands still, then runs at half its speed, and has ended when it sleeps.
        assert_eq!(time.look(ms(420), thread(1, 20, 0, true)), ms(20));
        assert_eq!(time.look(ms(440), thread(1, 30, 0, true)), ms(30));
        assert_eq!(time.look(ms(460), thread(1, 40, 0, true)), ms(40));
        assert_eq!(
            time.look(ms(480), thread(2, 50, 5, false)),
            ms(70),
            "at most since the last look"
        );
        assert_eq!(time.look(ms(980), thread(2, 50, 5, false)), ms(570), "asleep");
        // What was withheld while it waited in the same turn is counted once.
        assert_eq!(time.look(ms(1_000), thread(3, 60, 10, true)), ms(565));
        assert_eq!(time.look(ms(1_100), thread(3, 60, 10, true)), ms(565));
        assert_eq!(time.look(ms(1_200), thread(4, 70, 180, false)), ms(615));
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

    /// A process whose first thread sleeps, while another is in its first turn or sleeps after it.
    fn with_worker(ran: u64, is_ready: bool) -> Usage {
        let worker = ThreadUsage { waited: ms(0), ran: ms(ran), turns: 1, is_ready };
        Usage { ran: ms(ran), threads: [(1, thread(0, 0, false)), (2, worker)].into() }
    }

    /// The same process when the other thread has ended.
    fn without_worker(ran: u64) -> Usage {
        Usage { ran: ms(ran), threads: [(1, thread(0, 0, false))].into() }
    }

    #[test]
    fn what_was_withheld_from_a_thread_still_counts_when_it_has_ended() {
        let mut time = OwnTime::new(with_worker(0, true));
        assert_eq!(time.look(ms(20), with_worker(20, true)), ms(20));
        assert_eq!(time.look(ms(420), with_worker(20, true)), ms(20));
        assert_eq!(time.look(ms(440), without_worker(30)), ms(40));
        assert_eq!(time.look(ms(940), without_worker(30)), ms(540), "counted once");
    }

    #[test]
    fn what_a_new_thread_runs_is_not_withheld() {
        let begin = || {
            let mut time = OwnTime::new(without_worker(0));
            assert_eq!(time.look(ms(20), with_worker(20, true)), ms(20));
            assert_eq!(time.look(ms(40), with_worker(40, true)), ms(40));
            time
        };
        assert_eq!(begin().look(ms(60), with_worker(40, false)), ms(60), "asleep");
        assert_eq!(begin().look(ms(60), without_worker(40)), ms(60), "ended");
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
