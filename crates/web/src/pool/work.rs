//! The work that the pool's threads do: requests and streams.

use crate::refusal::Refusal;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The longest slice of a request while others wait: longer than most need.
const REQUEST_SLICE: Duration = Duration::from_millis(150);

/// The longest slice of a stream while others wait.
const STREAM_SLICE: Duration = Duration::from_millis(40);

/// Whether there is more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    More,
    Done,
}

/// Work that is done in slices.
pub(crate) trait Work: Send {
    /// When the work must be over.
    fn deadline(&self) -> Option<Instant>;

    /// The longest slice while others wait.
    fn slice(&self) -> Duration {
        STREAM_SLICE
    }

    /// How many threads it searches with; its client is charged for each.
    fn threads(&self) -> u32 {
        1
    }

    /// From when on it may be ended to make room for another stream; `None` if it may not be.
    fn may_leave_from(&self) -> Option<Instant> {
        None
    }

    /// Tells the caller that it was ended to make room for another stream.
    fn leave(&mut self) {}

    /// Works until it is done or the flag is set.
    fn go(&mut self, stop: &Arc<AtomicBool>) -> Step;

    /// Reports to the caller that the work was refused.
    fn refuse(&mut self, refusal: Refusal);
}

/// Work of one slice with one answer.
pub(super) struct Request<F, R> {
    think: Option<F>,
    answer: Option<oneshot::Sender<Result<R, Refusal>>>,
}

/// Receives the answer.
pub(super) type Answer<R> = oneshot::Receiver<Result<R, Refusal>>;

impl<R, F: FnOnce(&Arc<AtomicBool>) -> R> Request<F, R> {
    pub(super) fn new(think: F) -> (Request<F, R>, Answer<R>) {
        let (answer, answered) = oneshot::channel();
        (Request { think: Some(think), answer: Some(answer) }, answered)
    }

    fn tell(&mut self, result: Result<R, Refusal>) {
        if let Some(answer) = self.answer.take() {
            // The caller may have left.
            let _ = answer.send(result);
        }
    }
}

impl<R: Send, F: FnOnce(&Arc<AtomicBool>) -> R + Send> Work for Request<F, R> {
    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn slice(&self) -> Duration {
        REQUEST_SLICE
    }

    fn go(&mut self, stop: &Arc<AtomicBool>) -> Step {
        if let Some(think) = self.think.take() {
            let answer = think(stop);
            self.tell(Ok(answer));
        }
        Step::Done
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.tell(Err(refusal));
    }
}
