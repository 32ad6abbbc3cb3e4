//! Threads that wait for work between the questions of a searcher.
//!
//! The standard library lends borrowed work only to threads that end with it,
//! and starting those costs more than a short question. rayon's scopes lend it
//! too, but who waits for one on a thread of another rayon pool does other work
//! of that pool meanwhile: a whole game, in the middle of a move.
#![allow(unsafe_code, reason = "work is lent to threads that outlive it; the block says why")]

use super::Helper;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::{mem, process, thread};

/// Threads that live until this is dropped; started when they are first needed.
#[derive(Default)]
pub(super) struct OwnThreads {
    threads: Vec<Sender<Lent>>,
    /// The process that started them: a fork has none of its parent's threads.
    process: u32,
}

/// Work that somebody waits for.
struct Lent {
    work: Helper<'static>,
    /// Told when the work has returned, and nothing of it is left.
    returned: Arc<Returned>,
}

impl OwnThreads {
    /// Runs `main` on the calling thread and each of `helpers` on a thread; returns when all have
    /// returned. If the system refuses threads, some helpers do not run.
    ///
    /// # Panics
    /// If a helper does.
    pub(super) fn run<'a, R>(
        &mut self,
        main: impl FnOnce() -> R,
        helpers: impl Iterator<Item = Helper<'a>>,
    ) -> R {
        self.leave_to_parent();
        // Waits for all helpers when it is dropped, however this function ends.
        let lender = Lender::default();
        for (at, helper) in helpers.enumerate() {
            if at == self.threads.len() {
                match started() {
                    Some(thread) => self.threads.push(thread),
                    None => break,
                }
            }
            lender.returned.expect_one();
            // SAFETY: only the lifetime changes. The work is run and dropped, or dropped unsent,
            // before the lender is told, and the lender is dropped before 'a ends.
            let work = unsafe { mem::transmute::<Helper<'a>, Helper<'static>>(helper) };
            let lent = Lent { work, returned: lender.returned.clone() };
            if let Err(unsent) = self.threads[at].send(lent) {
                let Lent { work, returned } = unsent.0;
                drop(work);
                returned.tell(false);
            }
        }
        main()
    }

    /// Forgets threads that a fork has left behind.
    fn leave_to_parent(&mut self) {
        if mem::replace(&mut self.process, process::id()) != process::id() {
            // Dropping a sender may wait for a lock that one of them held.
            mem::forget(mem::take(&mut self.threads));
        }
    }
}

impl Drop for OwnThreads {
    fn drop(&mut self) {
        self.leave_to_parent();
    }
}

/// A thread that does what it is sent until nobody can send any more.
fn started() -> Option<Sender<Lent>> {
    let (sender, receiver): (_, Receiver<Lent>) = channel();
    let work = move || {
        for Lent { work, returned } in receiver {
            let panicked = catch_unwind(AssertUnwindSafe(work)).is_err();
            returned.tell(panicked);
        }
    };
    thread::Builder::new().name("search".to_owned()).spawn(work).ok()?;
    Some(sender)
}

/// Waits, when it is dropped, for all whom it lent work.
#[derive(Default)]
struct Lender {
    returned: Arc<Returned>,
}

impl Drop for Lender {
    fn drop(&mut self) {
        let has_panicked = self.returned.wait();
        assert!(!has_panicked || thread::panicking(), "a thread of the search panicked");
    }
}

/// How many have yet to return, and whether one of them panicked.
#[derive(Default)]
struct Returned {
    state: Mutex<(usize, bool)>,
    changed: Condvar,
}

impl Returned {
    fn expect_one(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).0 += 1;
    }

    fn tell(&self, has_panicked: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 -= 1;
        state.1 |= has_panicked;
        self.changed.notify_one();
    }

    /// Waits until all have returned; whether one of them panicked.
    fn wait(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.0 > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::sync::Barrier;

    #[test]
    fn the_same_threads_work_again_and_again() {
        let mut own = OwnThreads::default();
        let seen = Mutex::new(HashSet::new());
        for _ in 0..20 {
            // Nobody passes before all four are here, so no thread does the work of two.
            let all = Barrier::new(4);
            let meet = || {
                all.wait();
                seen.lock().unwrap().insert(thread::current().id());
            };
            own.run(meet, (0..3).map(|_| -> Helper<'_> { Box::new(meet) }));
        }
        let seen = seen.into_inner().unwrap();
        assert!(seen.len() == 4 && seen.contains(&thread::current().id()), "{seen:?}");
    }

    #[test]
    fn borrowed_work_is_done_when_run_returns() {
        let mut own = OwnThreads::default();
        for _ in 0..200 {
            let mut counts = [0; 3];
            let helpers = counts.iter_mut().map(|count| -> Helper<'_> {
                Box::new(move || (0..1_000).for_each(|_| *count += 1))
            });
            own.run(|| (), helpers);
            assert_eq!(counts, [1_000; 3]);
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_after_all_have_returned() {
        let mut own = OwnThreads::default();
        let done = Mutex::new(0);
        let helpers: [Helper<'_>; 2] =
            [Box::new(|| panic!("on purpose")), Box::new(|| *done.lock().unwrap() += 1)];
        let outcome = catch_unwind(AssertUnwindSafe(|| own.run(|| (), helpers.into_iter())));
        assert!(outcome.is_err());
        assert_eq!(*done.lock().unwrap(), 1);
        // Nobody is lost by it.
        let helper: Helper<'_> = Box::new(|| *done.lock().unwrap() += 1);
        let answer = own.run(|| 7, [helper].into_iter());
        assert_eq!((answer, *done.lock().unwrap()), (7, 2));
    }
}
