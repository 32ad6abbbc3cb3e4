//! The watchdog of a search: the only place of this crate that reads a clock.
//!
//! Where time is limited, the search runs on a thread of its own, and the
//! caller waits for it. The thread that must answer in time is asleep until
//! then, and a busy machine wakes a sleeper sooner than it resumes a worker.
//! When time is up, the answer is what the search reported last, even if it has
//! not had a moment to notice the stop flag. Without a time limit the search
//! runs on the caller's thread.

use crate::clock::{Clock, MoveBudget};
use isrever_agent::Limits;
use isrever_search::Pool;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// More boards than a thread stores in a millisecond.
const STORED_A_MILLISECOND: u64 = 12_000;

/// Receives what a search reports on its way.
pub(super) type Listener<'a, N> = &'a mut (dyn FnMut(N) + Send);

/// What a search reports to the waiting caller.
enum Message<N, R> {
    Note(N),
    Result(R),
}

/// The connection of a search with its watchdog.
pub(super) struct Watched<'a, N> {
    began: Instant,
    clock: Option<Arc<Mutex<Clock>>>,
    stop: Arc<AtomicBool>,
    note: Mutex<Listener<'a, N>>,
}

impl<N> Watched<'_, N> {
    /// Set when time is up or the caller says so.
    pub(super) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// An iteration begins; if there is no time for it, the search is stopped.
    pub(super) fn begin_iteration(&self) {
        if let Some(clock) = &self.clock
            && !locked(clock).begin_iteration(self.began.elapsed())
        {
            self.stop.store(true, Relaxed);
        }
    }

    /// As many boards as these threads can store in time, if that is limited.
    pub(super) fn expected_entries(&self, pool: Pool) -> Option<u64> {
        let time = self.clock.as_ref().map(|clock| locked(clock).maximum())?;
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Some(milliseconds.saturating_mul(STORED_A_MILLISECOND * pool.count() as u64))
    }

    /// Reports what was found so far.
    pub(super) fn note(&self, note: N) {
        locked(&self.note)(note);
    }
}

/// The time until the answer must be there, if only that is limited.
pub(super) fn time_left(limits: &Limits) -> Option<Duration> {
    limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
}

/// Runs `search` within `limits`, on a board with this many empty squares; `listener` hears its
/// notes.
///
/// Returns the result, or nothing if time was up before there was one; then the search ends by
/// itself, unheard. `longest_wait` is how long the machine delayed us before, and after.
pub(super) fn watch<N: Send + 'static, R: Send + 'static>(
    limits: &Limits,
    empties: u32,
    longest_wait: &mut Duration,
    listener: Listener<'_, N>,
    search: impl FnOnce(&Watched<'_, N>) -> R + Send + 'static,
) -> Option<R> {
    let began = Instant::now();
    match move_budget(limits, empties, began) {
        None => {
            let stop = Arc::clone(&limits.stop);
            let watched = Watched { began, clock: None, stop, note: Mutex::new(listener) };
            Some(search(&watched))
        }
        Some(budget) => {
            let clock = Arc::new(Mutex::new(Clock::new(budget, *longest_wait)));
            let result = watch_time(limits, began, &clock, listener, search);
            *longest_wait = locked(&clock).answered(began.elapsed());
            result
        }
    }
}

fn watch_time<N: Send + 'static, R: Send + 'static>(
    limits: &Limits,
    began: Instant,
    clock: &Arc<Mutex<Clock>>,
    listener: Listener<'_, N>,
    search: impl FnOnce(&Watched<'_, N>) -> R + Send + 'static,
) -> Option<R> {
    let stop = Arc::new(AtomicBool::new(limits.stop.load(Relaxed)));
    let (sender, messages) = mpsc::channel();
    let (its_clock, its_stop) = (Some(Arc::clone(clock)), Arc::clone(&stop));
    let worker = std::thread::Builder::new().spawn(move || {
        let notes: Sender<Message<N, R>> = sender.clone();
        // A caller that has answered already needs no more notes.
        let mut note = move |note| drop(notes.send(Message::Note(note)));
        let note: Mutex<Listener<'_, N>> = Mutex::new(&mut note);
        let result = search(&Watched { began, clock: its_clock, stop: its_stop, note });
        let _ = sender.send(Message::Result(result));
    });
    // A system without a thread to spare gets the quickest answer.
    let worker = worker.ok()?;
    let mut is_stopped = stop.load(Relaxed);
    loop {
        let now = began.elapsed();
        let wait = match is_stopped {
            true => locked(clock).give_up_at().saturating_sub(now),
            false => locked(clock).wait(now),
        };
        match messages.recv_timeout(wait) {
            Ok(Message::Result(result)) => return Some(result),
            Ok(Message::Note(note)) => listener(note),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a search that has ended has sent its result"),
            },
        }
        let now = began.elapsed();
        if is_stopped && now >= locked(clock).give_up_at() {
            return None;
        }
        if !is_stopped {
            is_stopped = locked(clock).read(now) || limits.stop.load(Relaxed);
            stop.store(is_stopped || stop.load(Relaxed), Relaxed);
        }
    }
}

/// How much time the move may take from now on, if time is limited.
fn move_budget(limits: &Limits, empties: u32, now: Instant) -> Option<MoveBudget> {
    let own = limits.deadline.map(|deadline| deadline.saturating_duration_since(now));
    match (limits.clock, own) {
        (None, own) => own.map(MoveBudget::of_move),
        (Some(clock), None) => Some(MoveBudget::of_game(clock, empties)),
        (Some(clock), Some(own)) => Some(MoveBudget::of_game(clock, empties).within(own)),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No update of what they guard can be half done, even if a thread panicked.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn untimed_and_timed() -> [Limits; 2] {
        [Limits::default(), Limits::of_time(Duration::from_secs(600))]
    }

    #[test]
    fn a_search_that_ends_is_heard_and_so_are_its_notes() {
        for limits in untimed_and_timed() {
            let (mut notes, mut waits) = (Vec::new(), Duration::ZERO);
            let found = watch(&limits, 60, &mut waits, &mut |note| notes.push(note), |watched| {
                (1..=3).for_each(|note| watched.note(note));
                "found"
            });
            assert_eq!((found, notes), (Some("found"), vec![1, 2, 3]));
        }
    }

    #[test]
    fn a_search_that_does_not_stop_is_not_waited_for() {
        let (release, held) = mpsc::channel::<()>();
        let (mut notes, mut waits) = (0, Duration::ZERO);
        let limits = Limits::of_time(Duration::from_millis(30));
        let found = watch(&limits, 60, &mut waits, &mut |()| notes += 1, move |watched| {
            watched.note(());
            // It goes on until the test lets it go, after the answer.
            held.recv()
        });
        assert!(found.is_none() && notes <= 1);
        drop(release);
    }

    #[test]
    fn a_stop_from_outside_reaches_the_search() {
        for limits in untimed_and_timed() {
            let flag = Arc::clone(&limits.stop);
            let mut waits = Duration::ZERO;
            let mut stop = |()| flag.store(true, Relaxed);
            let found = watch(&limits, 60, &mut waits, &mut stop, |watched| {
                watched.note(());
                while !watched.stop().load(Relaxed) {
                    std::thread::yield_now();
                }
                7
            });
            assert_eq!(found, Some(7));
        }
    }

    #[test]
    #[should_panic(expected = "a fault in the search")]
    fn a_fault_in_the_search_is_not_hidden() {
        let limits = Limits::of_time(Duration::from_secs(600));
        let mut waits = Duration::ZERO;
        watch(&limits, 60, &mut waits, &mut |()| {}, |_| panic!("a fault in the search"));
    }
}
