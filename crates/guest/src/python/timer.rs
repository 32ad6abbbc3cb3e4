//! Times what a process is asked to do, on the wall or by its own processor time.

use crate::usage::Usage;
use isrever_agent::TimedBy;
use rustix::process::Pid;
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
    usage: Usage,
}

impl Timer {
    /// Starts the clock of process `pid`, which may take `time`.
    pub(super) fn start(pid: Pid, timed_by: TimedBy, time: Duration) -> Timer {
        let usage = match timed_by {
            TimedBy::Wall => Usage::default(),
            TimedBy::Processor => Usage::of(pid),
        };
        Timer { pid, timed_by, time, began: Instant::now(), usage }
    }

    /// How much of its time the process had used when it answered. `lag` is how much later that was
    /// noticed, because this thread had no processor.
    pub(super) fn used(&self, lag: Duration) -> Duration {
        let wall = self.began.elapsed().saturating_sub(lag);
        match self.timed_by {
            TimedBy::Wall => wall,
            TimedBy::Processor => own_time(wall, Usage::of(self.pid).since(self.usage)),
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

/// The time of a process's own in so much time on the wall: what it ran or slept, but not what its
/// first thread waited for a processor. All its threads count, so that none can run while another
/// is said to wait.
fn own_time(wall: Duration, usage: Usage) -> Duration {
    let awake = match usage.waited {
        Some(waited) => wall.saturating_sub(waited),
        // A kernel that does not say how long it waited: a part of the wall's time ends sleepers.
        None => wall / 4,
    };
    awake.max(usage.ran)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn waiting_for_a_processor_is_free_and_sleeping_is_not() {
        let own = |wall, ran, waited| {
            own_time(ms(wall), Usage { ran: ms(ran), waited: Some(ms(waited)) }).as_millis()
        };
        assert_eq!(own(1_000, 1_000, 0), 1_000, "alone on its core");
        assert_eq!(own(1_000, 100, 900), 100, "beside nine others");
        assert_eq!(own(1_000, 0, 0), 1_000, "asleep");
        assert_eq!(own(1_000, 100, 400), 600, "asleep for half of the time");
        assert_eq!(own(1_000, 1_000, 990), 1_000, "its own threads keep the first one waiting");
        assert_eq!(own(1_000, 2_000, 0), 2_000, "two threads on two cores");
        let unknown = Usage { ran: ms(10), waited: None };
        assert_eq!(own_time(ms(1_000), unknown), ms(250));
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
