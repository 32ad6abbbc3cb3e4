//! Python functions as agents: they take a game and return a move.
//!
//! A function runs in this very process, so it cannot be ended as a program can. One that goes on
//! long after its time, or after whoever asked has left, is interrupted as Ctrl-C would do it: by an
//! exception that is raised in its thread. Left alone, it would take turns from everybody else, and
//! a thread that is still in Python when Python ends is a fatal error.

use crate::arguments::MoveArg;
use crate::game::Game;
use isrever_agent::{Agent, Choice, Forfeit, Limits, Reason};
use isrever_board::{self as rules, Move};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two looks at the calls that run.
const LOOK: Duration = Duration::from_millis(50);

/// How long after its time a function may go on: longer than a move may be late in a match.
const PATIENCE: Duration = Duration::from_millis(100);

/// An agent that is a function of Python.
#[derive(Clone)]
pub(super) struct Callable {
    name: String,
    function: Arc<Py<PyAny>>,
    watch: Arc<Watch>,
}

impl Callable {
    pub(super) fn new(name: String, function: Py<PyAny>, watch: &Arc<Watch>) -> Callable {
        Callable { name, function: Arc::new(function), watch: Arc::clone(watch) }
    }
}

impl Agent for Callable {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, game: &rules::Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let began = Instant::now();
        let crash = |error: PyErr| Forfeit::new(Reason::Crash, error.to_string());
        Python::attach(|py| {
            let thread = py.import("_thread").and_then(|module| module.call_method0("get_ident"));
            let thread = thread.and_then(|number| number.extract()).map_err(crash)?;
            self.watch.begin(thread, limits);
            let answer = self.function.bind(py).call1((Game::from(game.clone()),));
            if self.watch.end(thread) {
                let seconds = began.elapsed().as_secs_f64();
                return Err(Forfeit::new(Reason::Time, format!("no answer within {seconds:.3} s")));
            }
            let garbage = |error: PyErr| Forfeit::new(Reason::Garbage, error.value(py).to_string());
            let mv = answer.map_err(crash)?.extract::<MoveArg>().and_then(|mv| mv.on(game.size()));
            match mv.map_err(garbage)? {
                Move::Place(square) => Ok(square.into()),
                Move::Pass => Err(Forfeit::new(Reason::Illegal, "a pass where there is a move")),
            }
        })
    }
}

/// A call that runs.
struct Call {
    /// Python's number of its thread.
    thread: u64,
    late_at: Option<Instant>,
    stop: Arc<AtomicBool>,
    is_interrupted: bool,
}

impl Call {
    fn is_overdue(&self) -> bool {
        self.stop.load(Relaxed) || self.late_at.is_some_and(|late| Instant::now() > late)
    }
}

/// Who looks after the calls that run. Calls are entered and removed by threads that hold the
/// interpreter.
#[derive(Default)]
pub(super) struct Watch(Mutex<Vec<Call>>);

impl Watch {
    /// A watch with a thread that lasts as long as anybody has it.
    pub(super) fn new() -> PyResult<Arc<Watch>> {
        let watch = Arc::new(Watch::default());
        let weak = Arc::downgrade(&watch);
        thread::Builder::new().spawn(move || Watch::keep(&weak))?;
        Ok(watch)
    }

    fn keep(watch: &Weak<Watch>) {
        while let Some(watch) = watch.upgrade() {
            if watch.calls().iter().any(Call::is_overdue) {
                // There is nobody to interrupt once Python is ending, and who cannot be stays.
                let _ = Python::try_attach(|py| watch.interrupt(py));
            }
            drop(watch);
            thread::sleep(LOOK);
        }
    }

    fn calls(&self) -> MutexGuard<'_, Vec<Call>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, thread: u64, limits: &Limits) {
        let late_at = limits.deadline.map(|deadline| deadline + PATIENCE);
        let stop = Arc::clone(&limits.stop);
        self.calls().push(Call { thread, late_at, stop, is_interrupted: false });
    }

    /// Removes a call. Whether it was interrupted.
    fn end(&self, thread: u64) -> bool {
        let mut calls = self.calls();
        let place = calls.iter().rposition(|call| call.thread == thread);
        place.is_some_and(|place| calls.swap_remove(place).is_interrupted)
    }

    /// Raises an exception in the thread of every call that is overdue.
    fn interrupt(&self, py: Python<'_>) -> PyResult<()> {
        let ctypes = py.import("ctypes")?;
        let raise = ctypes.getattr("pythonapi")?.getattr("PyThreadState_SetAsyncExc")?;
        let (number, object) = (ctypes.getattr("c_ulong")?, ctypes.getattr("py_object")?);
        let exception = object.call1((py.get_type::<PyKeyboardInterrupt>(),))?;
        // From here on no line of Python runs, so the interpreter is held, and no call can end.
        let mut overdue = Vec::new();
        for call in self.calls().iter_mut().filter(|call| call.is_overdue()) {
            call.is_interrupted = true;
            overdue.push(call.thread);
        }
        for thread in overdue {
            raise.call1((number.call1((thread,))?, &exception))?;
        }
        Ok(())
    }
}
