//! Searches whose time is taken, by a clock that the caller has.

use super::searches::Searches;
use isrever_book::Line;
use isrever_jobs::{Failure, Manifest, Work};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The time since some moment.
pub type Clock<'a> = &'a (dyn Fn() -> Duration + Sync);

/// The same work as the searches; what is done on this machine is timed.
pub(super) struct Timed<'a> {
    searches: &'a Searches,
    clock: Clock<'a>,
    nanos: AtomicU64,
}

impl<'a> Timed<'a> {
    pub(super) fn new(searches: &'a Searches, clock: Clock<'a>) -> Timed<'a> {
        Timed { searches, clock, nanos: AtomicU64::new(0) }
    }

    /// The time inside searches of this machine, those that were stopped included, added up over its
    /// threads.
    pub(super) fn spent(&self) -> Duration {
        Duration::from_nanos(self.nanos.load(Relaxed))
    }
}

impl Work for Timed<'_> {
    type Job = <Searches as Work>::Job;
    type Output = Line;
    type ThreadState = ();

    fn thread_state(&self) {}

    fn perform(
        &self,
        state: &mut (),
        job: &Self::Job,
        stop: &Arc<AtomicBool>,
    ) -> Result<Line, Failure> {
        let begun = (self.clock)();
        let found = self.searches.perform(state, job, stop);
        let nanos = (self.clock)().saturating_sub(begun).as_nanos();
        self.nanos.fetch_add(u64::try_from(nanos).unwrap_or(u64::MAX), Relaxed);
        found
    }

    fn manifest(&self) -> Result<Manifest, String> {
        self.searches.manifest()
    }
}
