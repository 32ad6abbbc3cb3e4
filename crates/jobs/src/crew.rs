//! Who does the work: threads of this machine, or other machines.

use crate::order::InOrder;
use crate::remote::{self, Remote, RemoteError};
use crate::threads;
use crate::work::{Done, Next, Work};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Who does the work.
#[derive(Clone)]
pub enum Crew {
    /// So many threads of this machine.
    Here(usize),
    /// Other machines.
    Elsewhere(Arc<dyn Remote>),
}

/// Why not all of the work is done.
#[derive(Debug)]
pub enum RunError<E> {
    /// An output was not taken.
    Take(E),
    /// This machine cannot do it.
    Machine(String),
    /// Other machines cannot.
    Remote(RemoteError),
}

impl<E: fmt::Display> fmt::Display for RunError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Take(error) => error.fmt(f),
            RunError::Machine(why) => f.write_str(why),
            RunError::Remote(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for RunError<E> {}

impl Crew {
    /// Does one job after another until `next` has none. `take` gets the outputs on the thread that
    /// calls, each once, in the order in which they are ready. Set `stop`, and it returns soon;
    /// what was begun is lost.
    pub fn run<W: Work, E>(
        &self,
        work: &W,
        next: &(dyn Fn() -> Next<W::Job> + Sync),
        take: &mut dyn FnMut(Done<W::Output>) -> Result<(), E>,
        stop: &AtomicBool,
    ) -> Result<(), RunError<E>> {
        match self {
            Crew::Here(count) => threads::run(*count, work, next, take, stop),
            Crew::Elsewhere(remote) => remote::run(remote.as_ref(), work, next, take, stop),
        }
    }

    /// Does the jobs with these numbers, and hands out their outputs in this order. `false` if it
    /// was stopped before the last.
    pub fn in_order<W: Work, E>(
        &self,
        work: &W,
        numbers: Range<u64>,
        job: impl Fn(u64) -> W::Job + Sync,
        take: &mut dyn FnMut(u64, W::Output) -> Result<(), E>,
        stop: &AtomicBool,
    ) -> Result<bool, RunError<E>> {
        let order = InOrder::new(numbers, self.ahead());
        let next = || order.next(&job);
        self.run(work, &next, &mut |done| order.take(done, take), stop)?;
        Ok(order.is_over())
    }

    /// How many jobs may be done before their turn: enough that nobody waits for the slowest.
    fn ahead(&self) -> u64 {
        match self {
            Crew::Here(count) => 16 * (*count).max(1) as u64,
            Crew::Elsewhere(_) => 100_000,
        }
    }
}
