//! Work on other machines: jobs and outputs as bytes.

use crate::crew::RunError;
use crate::manifest::Manifest;
use crate::work::{Done, Failure, Message, Next, Work};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Machines that do jobs.
pub trait Remote: Send + Sync {
    /// Has the jobs done that `tasks` gives out, until there are no more or `stop` is set.
    fn run(
        &self,
        manifest: &Manifest,
        tasks: &mut dyn Tasks,
        stop: &AtomicBool,
    ) -> Result<(), RemoteError>;

    /// Forgets what is kept of a run of this manifest that was ended before its last job: nobody will
    /// go on with it.
    fn forget(&self, _manifest: &Manifest) {}
}

/// Where a remote has its jobs from, and brings their outputs.
pub trait Tasks {
    /// The next job.
    fn next(&mut self) -> Next<Vec<u8>>;

    /// Takes an output. That of a job that was not given out, or has its output already, counts for
    /// nothing. `false` if no more is wanted.
    fn take(&mut self, done: Done<Vec<u8>>) -> bool;

    /// How many jobs the work has at most, those that were done before included, if that is known.
    fn total(&self) -> Option<u64>;
}

/// Why other machines cannot do the work: one line for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteError(pub String);

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RemoteError {}

/// Has work done by a remote.
pub(crate) fn run<W: Work, E>(
    remote: &dyn Remote,
    total: Option<u64>,
    work: &W,
    next: &(dyn Fn() -> Next<W::Job> + Sync),
    take: &mut dyn FnMut(Done<W::Output>) -> Result<(), E>,
    stop: &AtomicBool,
) -> Result<(), RunError<E>> {
    let manifest = work.manifest().map_err(RunError::Machine)?;
    let mut tasks = Typed::<W, E> { next, take, total, awaited: HashSet::new(), error: None };
    let result = remote.run(&manifest, &mut tasks, stop);
    match tasks.error {
        Some(error) => Err(error),
        None => result.map_err(RunError::Remote),
    }
}

/// Turns jobs into bytes, and bytes into outputs.
struct Typed<'a, W: Work, E> {
    next: &'a (dyn Fn() -> Next<W::Job> + Sync),
    take: &'a mut dyn FnMut(Done<W::Output>) -> Result<(), E>,
    total: Option<u64>,
    /// The jobs that are given out and not done.
    awaited: HashSet<u64>,
    error: Option<RunError<E>>,
}

impl<W: Work, E> Tasks for Typed<'_, W, E> {
    fn next(&mut self) -> Next<Vec<u8>> {
        match (self.next)() {
            Next::Job(number, job) => {
                self.awaited.insert(number);
                Next::Job(number, job.to_bytes())
            }
            Next::Wait => Next::Wait,
            Next::Nothing => Next::Nothing,
        }
    }

    fn take(&mut self, Done { number, output, origin }: Done<Vec<u8>>) -> bool {
        if !self.awaited.remove(&number) {
            return true;
        }
        let taken = match W::Output::from_bytes(&output) {
            Some(output) => (self.take)(Done { number, output, origin }).map_err(RunError::Take),
            None => {
                let who =
                    origin.map_or_else(String::new, |origin| format!(" of {}", origin.worker));
                let why = format!("the answer{who} to job {number} is not one; expected an output");
                Err(RunError::Remote(RemoteError(why)))
            }
        };
        self.error = taken.err();
        self.error.is_none()
    }

    fn total(&self) -> Option<u64> {
        self.total
    }
}

/// Work of any kind, at the machine that does it.
pub trait AnyWork: Send + Sync {
    /// A performer for a thread that begins.
    fn performer(self: Arc<Self>) -> Box<dyn Performer>;
}

/// Does jobs of a piece of work on one thread.
pub trait Performer: Send {
    /// Does a job that arrived as bytes. `None` if they are no job of this work.
    fn perform(&mut self, job: &[u8], stop: &Arc<AtomicBool>) -> Option<Result<Vec<u8>, Failure>>;
}

impl<W: Work<ThreadState: Send> + Send + 'static> AnyWork for W {
    fn performer(self: Arc<Self>) -> Box<dyn Performer> {
        let state = self.thread_state();
        Box::new(WorkPerformer { work: self, state })
    }
}

struct WorkPerformer<W: Work> {
    work: Arc<W>,
    state: W::ThreadState,
}

impl<W: Work<ThreadState: Send> + Send> Performer for WorkPerformer<W> {
    fn perform(&mut self, job: &[u8], stop: &Arc<AtomicBool>) -> Option<Result<Vec<u8>, Failure>> {
        let job = W::Job::from_bytes(job)?;
        let performed = self.work.perform(&mut self.state, &job, stop);
        Some(performed.map(|output| output.to_bytes()))
    }
}
