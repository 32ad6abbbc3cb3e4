//! Long calls: other threads of Python run meanwhile, progress is reported, Ctrl-C ends them.
//!
//! The work runs on a thread of its own, without Python. The calling thread releases the
//! interpreter and waits. For every report, and at least every few milliseconds, it wakes up, calls
//! the caller's `progress` and lets Python handle its signals. If either raises an exception, it
//! stops the work, and raises the exception again once the work has ended: Ctrl-C ends any search
//! at once.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest time between two checks of Python's signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(5);

/// A running call: the flag that ends it, and a channel for its reports.
pub(crate) struct Call<N> {
    stop: Arc<AtomicBool>,
    reports: Sender<N>,
    has_progress: bool,
}

impl<N> Call<N> {
    /// A call, its stop flag, and the receiver of its reports.
    fn new(has_progress: bool) -> (Call<N>, Arc<AtomicBool>, Receiver<N>) {
        let stop = Arc::new(AtomicBool::new(false));
        let (reports, received) = mpsc::channel();
        (Call { stop: Arc::clone(&stop), reports, has_progress }, stop, received)
    }

    /// Set when the work must end at once.
    pub(crate) fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Sends a report, which is made only if the caller passed a `progress`.
    pub(crate) fn report(&self, report: impl FnOnce() -> N) {
        if self.has_progress {
            // An abandoned call has no receiver any more.
            let _ = self.reports.send(report());
        }
    }
}

/// Locks an engine or agent, unless it already searches: on another thread, or further up this
/// thread's own stack.
pub(crate) fn lock_if_idle<'a, T>(player: &'a Mutex<T>, name: &str) -> PyResult<MutexGuard<'a, T>> {
    match player.try_lock() {
        Ok(player) => Ok(player),
        // After a panic the next search starts from a clean state.
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            let words = format!("the {name} is thinking already; expected one question at a time");
            Err(PyRuntimeError::new_err(words))
        }
    }
}

/// Receives all reports until the work has ended: passes them to `progress`, lets Python handle its
/// signals, and sets `stop` at the deadline. Returns at once if an exception is raised.
fn listen<'py, N: Send + IntoPyObject<'py>>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    reports: &mut Receiver<N>,
    stop: &AtomicBool,
    deadline: Option<Instant>,
) -> PyResult<()> {
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            stop.store(true, Relaxed);
        }
        let wait = left
            .filter(|left| !left.is_zero())
            .map_or(SIGNAL_INTERVAL, |left| left.min(SIGNAL_INTERVAL));
        let receiver = &mut *reports;
        match py.detach(move || receiver.recv_timeout(wait)) {
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => (),
            Ok(report) => progress.map_or(Ok(()), |call| call.call1((report,)).map(drop))?,
        }
        py.check_signals()?;
    }
}

/// Runs `work` on a thread of its own; `progress` is called with all its reports.
pub(crate) fn run<'py, N: Send + IntoPyObject<'py>, R: Send>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    work: impl FnOnce(&Call<N>) -> R + Send,
) -> PyResult<R> {
    run_until(py, progress, None, work)
}

/// The same, and stops the work at the deadline.
pub(crate) fn run_until<'py, N: Send + IntoPyObject<'py>, R: Send>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    deadline: Option<Instant>,
    work: impl FnOnce(&Call<N>) -> R + Send,
) -> PyResult<R> {
    let (call, stop, mut reports) = Call::new(progress.is_some());
    let (ended, listened) = thread::scope(|scope| {
        // The call moves into the thread, so that its end closes the channel.
        let worker = thread::Builder::new().spawn_scoped(scope, move || {
            let call = call;
            work(&call)
        })?;
        let listened = listen(py, progress, &mut reports, &stop, deadline);
        if listened.is_err() {
            stop.store(true, Relaxed);
        }
        Ok::<_, PyErr>((py.detach(|| worker.join()), listened))
    })?;
    let result = ended.unwrap_or_else(|panic| resume_unwind(panic));
    listened.map(|()| result)
}

/// The same for work that checks its stop flag rarely: an exception does not wait for its end.
#[cfg(target_os = "linux")]
pub(crate) fn run_or_abandon<'py, N: Send + IntoPyObject<'py> + 'static, R: Send + 'static>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    work: impl FnOnce(&Call<N>) -> R + Send + 'static,
) -> PyResult<R> {
    let (call, stop, mut reports) = Call::new(progress.is_some());
    let worker = thread::Builder::new().spawn(move || {
        let call = call;
        work(&call)
    })?;
    listen(py, progress, &mut reports, &stop, None).inspect_err(|_| stop.store(true, Relaxed))?;
    Ok(py.detach(|| worker.join()).unwrap_or_else(|panic| resume_unwind(panic)))
}
