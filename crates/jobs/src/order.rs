//! Puts outputs back into the order of their jobs.

use crate::work::{Done, Next};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Numbered jobs, given out in order, whose outputs are handed on in the same order.
#[derive(Debug)]
pub struct InOrder<T> {
    state: Mutex<State<T>>,
    end: u64,
    ahead: u64,
}

#[derive(Debug)]
struct State<T> {
    /// The next number to give out, and the next to hand on.
    given: u64,
    taken: u64,
    /// What came before its turn.
    early: BTreeMap<u64, T>,
}

impl<T> InOrder<T> {
    /// Jobs with these numbers, none given out more than `ahead` before the one to hand on.
    pub fn new(numbers: Range<u64>, ahead: u64) -> InOrder<T> {
        let Range { start, end } = numbers;
        let state = State { given: start, taken: start, early: BTreeMap::new() };
        InOrder { state: Mutex::new(state), end, ahead: ahead.max(1) }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job.
    pub fn next<J>(&self, job: impl Fn(u64) -> J) -> Next<J> {
        let mut state = self.state();
        let number = state.given;
        if number >= self.end {
            return Next::Nothing;
        }
        if number - state.taken >= self.ahead {
            return Next::Wait;
        }
        state.given += 1;
        drop(state);
        Next::Job(number, job(number))
    }

    /// Keeps an output until its turn, and hands on all whose turn it is.
    pub fn take<E>(
        &self,
        done: Done<T>,
        take: &mut dyn FnMut(u64, T) -> Result<(), E>,
    ) -> Result<(), E> {
        self.state().early.insert(done.number, done.output);
        loop {
            let mut state = self.state();
            let number = state.taken;
            let Some(output) = state.early.remove(&number) else { return Ok(()) };
            state.taken += 1;
            drop(state);
            take(number, output)?;
        }
    }

    /// Whether all are handed on.
    pub fn is_over(&self) -> bool {
        self.state().taken >= self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(number: u64) -> Done<u64> {
        Done { number, output: number * number, origin: None }
    }

    #[test]
    fn outputs_come_in_the_order_of_their_jobs() {
        let order = InOrder::new(3..8, 100);
        let mut taken = Vec::new();
        let mut take = |number, output| {
            taken.push((number, output));
            Ok::<(), ()>(())
        };
        while let Next::Job(..) = order.next(|number| number) {}
        for number in [5, 3, 7, 4, 6] {
            assert!(!order.is_over());
            order.take(done(number), &mut take).unwrap();
        }
        assert!(order.is_over());
        assert_eq!(taken, (3..8).map(|n| (n, n * n)).collect::<Vec<_>>());
    }

    #[test]
    fn nobody_runs_far_ahead_of_the_slowest() {
        let order = InOrder::new(0..10, 2);
        let given = || match order.next(|number| number) {
            Next::Job(number, _) => Some(number),
            _ => None,
        };
        assert_eq!([given(), given(), given()], [Some(0), Some(1), None]);
        let take = &mut |_, _| Ok::<(), ()>(());
        order.take(done(1), take).unwrap();
        assert_eq!(given(), None);
        order.take(done(0), take).unwrap();
        assert_eq!([given(), given(), given()], [Some(2), Some(3), None]);
    }
}
