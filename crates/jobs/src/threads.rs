//! Work on the threads of this machine.

use crate::bell::Bell;
use crate::crew::RunError;
use crate::work::{Done, Failure, Next, Work};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::Duration;

/// How often the caller's thread looks at the flag that stops it, and waiting threads for jobs.
const POLL: Duration = Duration::from_millis(50);

/// Does the work on `count` threads, and at least one.
pub(crate) fn run<W: Work, E>(
    count: usize,
    work: &W,
    next: &(dyn Fn() -> Next<W::Job> + Sync),
    take: &mut dyn FnMut(Done<W::Output>) -> Result<(), E>,
    stop: &AtomicBool,
) -> Result<(), RunError<E>> {
    let count = count.max(1);
    let stopped = Arc::new(AtomicBool::new(stop.load(Relaxed)));
    let shared = Shared { work, next, stop: stopped, news: Bell::default() };
    std::thread::scope(|scope| {
        // A thread that is ahead of whoever takes the outputs waits: few are ever untaken.
        let (send, receive) = mpsc::sync_channel(count);
        for _ in 0..count {
            let (shared, send) = (&shared, send.clone());
            scope.spawn(move || shared.work(&send));
        }
        drop(send);
        // However this ends, the threads end too: the scope waits for them.
        let _end = StopAtTheEnd(&shared.stop);
        loop {
            match receive.recv_timeout(POLL) {
                Ok(Ok(done)) => take(done).map_err(RunError::Take)?,
                Ok(Err(why)) => return Err(RunError::Machine(why)),
                Err(RecvTimeoutError::Timeout) => {}
                // Every thread has ended.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            shared.news.ring();
            if stop.load(Relaxed) {
                shared.stop.store(true, Relaxed);
            }
        }
    })
}

/// Stops the threads when the caller's thread is done with them.
struct StopAtTheEnd<'a>(&'a AtomicBool);

impl Drop for StopAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// What the threads share.
struct Shared<'a, W: Work> {
    work: &'a W,
    next: &'a (dyn Fn() -> Next<W::Job> + Sync),
    stop: Arc<AtomicBool>,
    /// Rings after an output was taken.
    news: Bell,
}

impl<W: Work> Shared<'_, W> {
    /// Does jobs until there are no more.
    fn work(&self, send: &SyncSender<Result<Done<W::Output>, String>>) {
        let mut state = self.work.thread_state();
        while let Some((number, job)) = self.next_job() {
            let result = match self.work.perform(&mut state, &job, &self.stop) {
                Ok(output) => Ok(Done { number, output, origin: None }),
                Err(Failure::Stopped) => return,
                Err(Failure::Machine(why)) => Err(why),
            };
            // The receiver is gone if the run has ended.
            if send.send(result).is_err() {
                return;
            }
        }
    }

    /// The next job, as soon as it is known; `None` if there is none.
    fn next_job(&self) -> Option<(u64, W::Job)> {
        loop {
            let news = self.news.count();
            if self.stop.load(Relaxed) {
                return None;
            }
            match (self.next)() {
                Next::Job(number, job) => return Some((number, job)),
                Next::Nothing => return None,
                Next::Wait => self.news.wait(news, POLL),
            }
        }
    }
}
