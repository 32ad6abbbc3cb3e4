//! Long work: Python goes on meanwhile, hears of its progress, and can end it.
//!
//! The work has a thread of its own and no Python in it. Whoever asked waits without holding the
//! interpreter, wakes up for every piece of news and at least every few milliseconds, and then
//! calls the caller's function and lets Python handle its signals. What either raises stops the
//! work and is raised again once it has ended: Ctrl-C ends any search within a moment.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

/// The longest time between two looks at Python's signals.
const LOOK: Duration = Duration::from_millis(5);

/// A long call in work: the flag that ends it, and a channel for its news.
pub(crate) struct Call<N> {
    stop: Arc<AtomicBool>,
    news: Sender<N>,
    is_heard: bool,
}

impl<N> Call<N> {
    /// A call, its stop flag, and the receiver of its news.
    fn new(is_heard: bool) -> (Call<N>, Arc<AtomicBool>, Receiver<N>) {
        let stop = Arc::new(AtomicBool::new(false));
        let (news, heard) = mpsc::channel();
        (Call { stop: Arc::clone(&stop), news, is_heard }, stop, heard)
    }

    /// Set when the work is to end within a moment.
    pub(crate) fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Tells what is `news` by now, if anybody listens.
    pub(crate) fn tell(&self, news: impl FnOnce() -> N) {
        if self.is_heard {
            // Who has left wants to hear no more.
            let _ = self.news.send(news());
        }
    }
}

/// Who thinks, unless it does so already: on another thread, or below this very call.
pub(crate) fn unless_thinking<'a, T>(
    thinker: &'a Mutex<T>,
    name: &str,
) -> PyResult<MutexGuard<'a, T>> {
    match thinker.try_lock() {
        Ok(thinker) => Ok(thinker),
        // A search that panicked leaves nothing half done that the next would not begin anew.
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            let words = format!("the {name} is thinking already; expected one question at a time");
            Err(PyRuntimeError::new_err(words))
        }
    }
}

/// Hears all news until the work has ended: `progress` is called with them, and Python handles its
/// signals. What either raises is the end of it.
fn listen<'py, N: Send + IntoPyObject<'py>>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    news: &mut Receiver<N>,
) -> PyResult<()> {
    loop {
        let receiver = &mut *news;
        match py.detach(move || receiver.recv_timeout(LOOK)) {
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => (),
            Ok(news) => progress.map_or(Ok(()), |call| call.call1((news,)).map(drop))?,
        }
        py.check_signals()?;
    }
}

/// Does `work` on a thread of its own; `progress` is called with all news.
pub(crate) fn attend<'py, N: Send + IntoPyObject<'py>, R: Send>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    work: impl FnOnce(&Call<N>) -> R + Send,
) -> PyResult<R> {
    let (call, stop, mut news) = Call::new(progress.is_some());
    let (ended, heard) = thread::scope(|scope| {
        // The call moves into the thread, so that its end closes the channel.
        let worker = thread::Builder::new().spawn_scoped(scope, move || {
            let call = call;
            work(&call)
        })?;
        let heard = listen(py, progress, &mut news);
        if heard.is_err() {
            stop.store(true, Relaxed);
        }
        Ok::<_, PyErr>((py.detach(|| worker.join()), heard))
    })?;
    let result = ended.unwrap_or_else(|panic| resume_unwind(panic));
    heard.map(|()| result)
}

/// The same for work that looks at its flag only now and then: who has raised something does not
/// wait for it.
#[cfg(target_os = "linux")]
pub(crate) fn attend_or_leave<'py, N: Send + IntoPyObject<'py> + 'static, R: Send + 'static>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    work: impl FnOnce(&Call<N>) -> R + Send + 'static,
) -> PyResult<R> {
    let (call, stop, mut news) = Call::new(progress.is_some());
    let worker = thread::Builder::new().spawn(move || {
        let call = call;
        work(&call)
    })?;
    listen(py, progress, &mut news).inspect_err(|_| stop.store(true, Relaxed))?;
    Ok(py.detach(|| worker.join()).unwrap_or_else(|panic| resume_unwind(panic)))
}
