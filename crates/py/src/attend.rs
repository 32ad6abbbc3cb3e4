//! Long work: Python goes on meanwhile, hears of its progress, and can end it.
//!
//! The work has a thread of its own and no Python in it. Whoever asked waits without holding the
//! interpreter, wakes up for every piece of news and at least twenty times a second, and then
//! calls the caller's function and lets Python handle its signals. What either raises stops the
//! work and is raised again once it has ended: Ctrl-C ends any search within a moment.

use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// The longest time between two looks at Python's signals.
const LOOK: Duration = Duration::from_millis(50);

/// What the work is given: the flag that ends it, and somebody to tell.
pub(crate) struct Desk<N> {
    stop: Arc<AtomicBool>,
    news: Sender<N>,
    is_heard: bool,
}

impl<N> Desk<N> {
    /// Set when the work is to end within a moment.
    pub(crate) fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Tells what is `news` by now, if anybody listens.
    pub(crate) fn tell(&self, news: impl FnOnce() -> N) {
        if self.is_heard {
            // Nobody leaves before the work has ended.
            let _ = self.news.send(news());
        }
    }
}

/// Does `work` on a thread of its own; `progress` is called with all news.
pub(crate) fn attend<'py, N: Send + IntoPyObject<'py>, R: Send>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    work: impl FnOnce(&Desk<N>) -> R + Send,
) -> PyResult<R> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, mut news) = mpsc::channel();
    let desk = Desk { stop: Arc::clone(&stop), news: sender, is_heard: progress.is_some() };
    let mut raised = None;
    let result = thread::scope(|scope| {
        // The desk goes with the work, so that its end can be heard.
        let worker = thread::Builder::new().spawn_scoped(scope, move || {
            let desk = desk;
            work(&desk)
        })?;
        loop {
            let receiver = &mut news;
            let heard = py.detach(move || receiver.recv_timeout(LOOK));
            let called = match heard {
                Err(RecvTimeoutError::Disconnected) => break,
                // What comes after an error is not heard.
                _ if raised.is_some() => continue,
                Ok(news) => progress.map_or(Ok(()), |call| call.call1((news,)).map(drop)),
                Err(RecvTimeoutError::Timeout) => Ok(()),
            };
            if let Err(error) = called.and_then(|()| py.check_signals()) {
                stop.store(true, Relaxed);
                raised = Some(error);
            }
        }
        Ok::<_, PyErr>(py.detach(|| worker.join()))
    })?;
    match (result, raised) {
        (Err(panic), _) => resume_unwind(panic),
        (Ok(_), Some(error)) => Err(error),
        (Ok(result), None) => Ok(result),
    }
}
