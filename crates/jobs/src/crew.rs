//! Who does the work: threads of this machine, or other machines.

use crate::order::InOrder;
use crate::remote::{self, Remote, RemoteError};
use crate::threads;
use crate::work::{Done, Next, Work};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

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

/// Why not all outputs are there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// Somebody stopped it.
    Stopped,
    /// It cannot be done: one line for people.
    Failed(String),
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfinished::Stopped => f.write_str("stopped"),
            Unfinished::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unfinished {}

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
        self.run_of(None, work, next, take, stop)
    }

    /// The same of `total` jobs at most, those that were done before included: other machines tell
    /// people.
    pub fn run_of<W: Work, E>(
        &self,
        total: Option<u64>,
        work: &W,
        next: &(dyn Fn() -> Next<W::Job> + Sync),
        take: &mut dyn FnMut(Done<W::Output>) -> Result<(), E>,
        stop: &AtomicBool,
    ) -> Result<(), RunError<E>> {
        match self {
            Crew::Here(count) => threads::run(*count, work, next, take, stop),
            Crew::Elsewhere(remote) => remote::run(remote.as_ref(), total, work, next, take, stop),
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
        let total = Some(numbers.end.saturating_sub(numbers.start));
        let order = InOrder::new(numbers, self.ahead());
        let next = || order.next(&job);
        self.run_of(total, work, &next, &mut |done| order.take(done, take), stop)?;
        Ok(order.is_over())
    }

    /// Forgets what is kept of a run that was ended before its last job, because there was enough: so
    /// that other machines keep nothing for whoever might go on with it.
    pub fn forget<W: Work>(&self, work: &W) {
        if let Crew::Elsewhere(remote) = self
            && let Ok(manifest) = work.manifest()
        {
            remote.forget(&manifest);
        }
    }

    /// The outputs of the jobs with the numbers from 0 up to `count`, in this order. `done` is told
    /// of each when it comes.
    pub fn collect<W: Work>(
        &self,
        work: &W,
        count: u64,
        job: impl Fn(u64) -> W::Job + Sync,
        done: &mut dyn FnMut(&W::Output),
        stop: &AtomicBool,
    ) -> Result<Vec<W::Output>, Unfinished> {
        let mut outputs = BTreeMap::new();
        let given = AtomicU64::new(0);
        let next = || match given.fetch_add(1, Relaxed) {
            number if number < count => Next::Job(number, job(number)),
            _ => Next::Nothing,
        };
        let mut take = |taken: Done<W::Output>| {
            done(&taken.output);
            outputs.insert(taken.number, taken.output);
            Ok::<(), Infallible>(())
        };
        self.run_of(Some(count), work, &next, &mut take, stop)
            .map_err(|error| Unfinished::Failed(error.to_string()))?;
        match outputs.len() as u64 == count {
            true => Ok(outputs.into_values().collect()),
            false => Err(Unfinished::Stopped),
        }
    }

    /// How many jobs may be done before their turn: enough that nobody waits for the slowest.
    fn ahead(&self) -> u64 {
        match self {
            Crew::Here(count) => 16 * (*count).max(1) as u64,
            Crew::Elsewhere(_) => 100_000,
        }
    }
}
