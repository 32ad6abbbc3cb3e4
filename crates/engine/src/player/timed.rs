//! A search and a clock: the only place of this crate that knows what time it is.

use crate::clock::{Budget, Clock, LOOK};
use isrever_agent::Limits;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a search is told while it runs.
pub(super) struct Timer<'a> {
    began: Instant,
    clock: Option<&'a Mutex<Clock>>,
    stop: &'a AtomicBool,
}

impl<'a> Timer<'a> {
    /// Set when the time is over or the caller says so.
    pub(super) fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    /// A pass of the search begins; if there is no time for it, it is told to stop.
    pub(super) fn begin_pass(&self) {
        if let Some(clock) = self.clock
            && !locked(clock).begin_pass(self.began.elapsed())
        {
            self.stop.store(true, Relaxed);
        }
    }
}

/// Does `work` within `limits`, on a board with this many empty squares.
///
/// A second thread watches the clock and the caller's flag. `longest_wait` is how long the machine
/// let us wait before, and after.
pub(super) fn timed<R>(
    limits: &Limits,
    empties: u32,
    longest_wait: &mut Duration,
    work: impl FnOnce(&Timer<'_>) -> R,
) -> R {
    let began = Instant::now();
    let clock = budget(limits, empties, began).map(|budget| Clock::new(budget, *longest_wait));
    let clock = clock.map(Mutex::new);
    let stop = &AtomicBool::new(limits.stop.load(Relaxed));
    let result = std::thread::scope(|scope| {
        let clock = clock.as_ref();
        let (done, is_done) = mpsc::channel::<()>();
        // The receiver moves into the thread; the search's end is noticed by the sender's.
        let watch = move || {
            loop {
                let wait = clock.map_or(LOOK, |clock| locked(clock).wait(began.elapsed()));
                if is_done.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
                let is_late = clock.is_some_and(|clock| locked(clock).read(began.elapsed()));
                if is_late || limits.stop.load(Relaxed) {
                    stop.store(true, Relaxed);
                    break;
                }
            }
        };
        let watch = std::thread::Builder::new().spawn_scoped(scope, watch);
        if watch.is_err() && clock.is_some() {
            // Nobody can watch the clock: the quickest answer is the only safe one.
            stop.store(true, Relaxed);
        }
        let result = work(&Timer { began, clock, stop });
        drop(done);
        result
    });
    if let Some(clock) = clock {
        let clock = clock.into_inner().unwrap_or_else(PoisonError::into_inner);
        *longest_wait = clock.answered(began.elapsed());
    }
    result
}

/// What the move may take from now on, if time is limited.
fn budget(limits: &Limits, empties: u32, now: Instant) -> Option<Budget> {
    let own = limits.deadline.map(|deadline| deadline.saturating_duration_since(now));
    match (limits.clock, own) {
        (None, own) => own.map(Budget::of_move),
        (Some(clock), None) => Some(Budget::of_game(clock, empties)),
        (Some(clock), Some(own)) => Some(Budget::of_game(clock, empties).within(own)),
    }
}

fn locked(clock: &Mutex<Clock>) -> MutexGuard<'_, Clock> {
    // Nothing is half done in it, whoever panicked.
    clock.lock().unwrap_or_else(PoisonError::into_inner)
}
