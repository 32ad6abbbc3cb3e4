//! A search and a clock: the only place of this crate that knows what time it is.
//!
//! The search runs on a thread of its own, and whoever asked waits for it. So
//! the one who must answer in time is asleep until then, which a busy machine
//! wakes sooner than it goes on with one that works; and when time is up there
//! is an answer by what the search has told on its way, even if it has not had
//! a moment to notice that it should stop.

use crate::clock::{Budget, Clock, LOOK};
use isrever_agent::Limits;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a search says: a note on its way, or all it has found.
enum Told<N, R> {
    Note(N),
    All(R),
}

/// What a search is told while it runs, and whom it tells.
pub(super) struct Timer<N, R> {
    began: Instant,
    clock: Option<Arc<Mutex<Clock>>>,
    stop: Arc<AtomicBool>,
    asker: Sender<Told<N, R>>,
}

impl<N, R> Timer<N, R> {
    /// Set when the time is over or the caller says so.
    pub(super) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// A pass of the search begins; if there is no time for it, it is told to stop.
    pub(super) fn begin_pass(&self) {
        if let Some(clock) = &self.clock
            && !locked(clock).begin_pass(self.began.elapsed())
        {
            self.stop.store(true, Relaxed);
        }
    }

    /// Tells what was found so far.
    pub(super) fn note(&self, note: N) {
        // Who has answered already needs no more notes.
        let _ = self.asker.send(Told::Note(note));
    }
}

/// Does `work` within `limits`, on a board with this many empty squares; `hear` is told its notes.
///
/// Gives what the work has found; or nothing, if the time was up before it was there. Then the
/// work ends by itself, unheard. `longest_wait` is how long the machine let us wait before, and
/// after.
pub(super) fn timed<N: Send + 'static, R: Send + 'static>(
    limits: &Limits,
    empties: u32,
    longest_wait: &mut Duration,
    hear: &mut dyn FnMut(N),
    work: impl FnOnce(&Timer<N, R>) -> R + Send + 'static,
) -> Option<R> {
    let began = Instant::now();
    let clock = budget(limits, empties, began).map(|budget| Clock::new(budget, *longest_wait));
    let clock = clock.map(|clock| Arc::new(Mutex::new(clock)));
    let stop = Arc::new(AtomicBool::new(limits.stop.load(Relaxed)));
    let (asker, told) = mpsc::channel();
    let timer = Timer { began, clock: clock.clone(), stop: Arc::clone(&stop), asker };
    let worker = std::thread::Builder::new().spawn(move || {
        let found = work(&timer);
        let _ = timer.asker.send(Told::All(found));
    });
    // A system that has no thread to spare gets the quickest answer.
    let worker = worker.ok()?;
    let mut is_stopped = stop.load(Relaxed);
    let found = loop {
        let now = began.elapsed();
        let wait = match &clock {
            Some(clock) if is_stopped => locked(clock).give_up_at().saturating_sub(now),
            Some(clock) => locked(clock).wait(now),
            None => LOOK,
        };
        match told.recv_timeout(wait) {
            Ok(Told::All(found)) => break Some(found),
            Ok(Told::Note(note)) => hear(note),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("work that has ended has told what it found"),
            },
        }
        let now = began.elapsed();
        if is_stopped && clock.as_ref().is_some_and(|clock| now >= locked(clock).give_up_at()) {
            break None;
        }
        if !is_stopped {
            let is_late = clock.as_ref().is_some_and(|clock| locked(clock).read(now));
            is_stopped = is_late || limits.stop.load(Relaxed);
            stop.store(is_stopped || stop.load(Relaxed), Relaxed);
        }
    };
    if let Some(clock) = clock {
        *longest_wait = locked(&clock).answered(began.elapsed());
    }
    found
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

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(time: Duration) -> Limits {
        Limits::of_time(time)
    }

    #[test]
    fn work_that_ends_is_heard_and_so_are_its_notes() {
        let mut notes = Vec::new();
        let mut waits = Duration::ZERO;
        let found =
            timed(&Limits::default(), 60, &mut waits, &mut |note| notes.push(note), |timer| {
                (1..=3).for_each(|note| timer.note(note));
                "found"
            });
        assert_eq!((found, notes), (Some("found"), vec![1, 2, 3]));
    }

    #[test]
    fn work_that_does_not_listen_is_not_waited_for() {
        let (release, held) = mpsc::channel::<()>();
        let mut notes = 0;
        let mut waits = Duration::ZERO;
        let limits = limits(Duration::from_millis(30));
        let found = timed(&limits, 60, &mut waits, &mut |()| notes += 1, move |timer| {
            timer.note(());
            // It goes on until somebody outside lets it go: after the answer.
            held.recv()
        });
        assert!(found.is_none() && notes <= 1);
        drop(release);
    }

    #[test]
    fn a_stop_from_outside_reaches_the_work() {
        let limits = Limits::default();
        let flag = Arc::clone(&limits.stop);
        let mut waits = Duration::ZERO;
        let found = timed(&limits, 60, &mut waits, &mut |()| flag.store(true, Relaxed), |timer| {
            timer.note(());
            while !timer.stop().load(Relaxed) {
                std::thread::yield_now();
            }
            7
        });
        assert_eq!(found, Some(7));
    }

    #[test]
    #[should_panic(expected = "a fault in the work")]
    fn a_fault_in_the_work_is_not_hidden() {
        let mut waits = Duration::ZERO;
        timed(&Limits::default(), 60, &mut waits, &mut |()| {}, |_| panic!("a fault in the work"));
    }
}
