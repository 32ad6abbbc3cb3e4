//! The work that the pool's threads do: requests and streams.

use crate::refusal::Refusal;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How long a request may think while others wait: longer than most need.
const REQUEST_SLICE: Duration = Duration::from_millis(150);

/// How long a stream may think while others wait.
const STREAM_SLICE: Duration = Duration::from_millis(40);

/// Whether there is more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    More,
    Done,
}

/// Something to think about, slice by slice.
pub(crate) trait Work: Send {
    /// When it must be over at the latest.
    fn deadline(&self) -> Option<Instant>;

    /// How long a slice may be while others wait.
    fn slice(&self) -> Duration {
        STREAM_SLICE
    }

    /// Thinks until it is done or the flag is set.
    fn go(&mut self, stop: &Arc<AtomicBool>) -> Step;

    /// Tells whoever waits that nothing more will come.
    fn refuse(&mut self, refusal: Refusal);
}

/// Work that is done in one slice, and answered once.
pub(super) struct Request<F, R> {
    think: Option<F>,
    answer: Option<oneshot::Sender<Result<R, Refusal>>>,
}

/// Where the answer arrives.
pub(super) type Answer<R> = oneshot::Receiver<Result<R, Refusal>>;

impl<R, F: FnOnce(&Arc<AtomicBool>) -> R> Request<F, R> {
    pub(super) fn new(think: F) -> (Request<F, R>, Answer<R>) {
        let (answer, answered) = oneshot::channel();
        (Request { think: Some(think), answer: Some(answer) }, answered)
    }

    fn tell(&mut self, result: Result<R, Refusal>) {
        if let Some(answer) = self.answer.take() {
            // Who has left does not want to know.
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
