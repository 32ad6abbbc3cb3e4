//! The usability test of a course's file, for `arena.check`.

use crate::arguments::{RuleArg, SizeArg, TimedByArg, number, numbers, refusal};
use crate::board::Board;
use crate::long_call::run_or_abandon;
use crate::pickled::pickled;
use crate::players;
use isrever_guest::check::{self as usability, Check};
use isrever_guest::{Interpreter, Policy, PythonSettings, Source};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The result of one case.
#[pyclass(module = "isrever.arena", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Finding {
    /// The case's name, and what is special about it.
    name: String,
    about: String,
    board: Board,
    /// The side that the agent played: −1 black, 1 white.
    color: i8,
    passed: bool,
    /// The squares that the list must hold, those it held, and its last element.
    expected: Vec<String>,
    found: Vec<String>,
    decision: Option<String>,
    /// What is wrong, and what is worth knowing but not wrong.
    faults: Vec<String>,
    notes: Vec<String>,
    /// The time it took, where one move was asked for.
    seconds: Option<f64>,
    /// The most memory of its own so far, in bytes, where one move was asked for.
    memory_bytes: Option<u64>,
}

pickled!(Finding {
    name,
    about,
    board,
    color,
    passed,
    expected,
    found,
    decision,
    faults,
    notes,
    seconds,
    memory_bytes,
});

impl From<&usability::Finding> for Finding {
    fn from(finding: &usability::Finding) -> Finding {
        let names = |squares: &[isrever_board::Square]| -> Vec<String> {
            squares.iter().map(isrever_board::Square::to_string).collect()
        };
        let position = &finding.case.position;
        Finding {
            name: finding.case.name.to_owned(),
            about: finding.case.about.to_owned(),
            color: number(position.turn()),
            board: position.clone().into(),
            passed: finding.is_passed(),
            expected: names(&finding.expected),
            found: names(&finding.found()),
            decision: finding.decision().map(|square| square.to_string()),
            faults: finding.faults.clone(),
            notes: finding.notes.clone(),
            seconds: finding.answer.as_ref().map(|answer| answer.time.as_secs_f64()),
            memory_bytes: finding.answer.as_ref().map(|answer| answer.memory_bytes),
        }
    }
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        let verdict = if self.passed { "passed" } else { "failed" };
        format!("<Finding {} {verdict}>", self.name)
    }
}

/// The caller asked for an end.
struct Stopped;

/// Tests a file: returns the findings, how many cases were not tried, and the sandbox it ran in.
/// `isrever.arena.check` calls it.
#[pyfunction]
#[pyo3(signature = (path, *, python, size, rule, time, game_time, clock, memory_mb, sandbox, progress))]
#[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
pub(crate) fn check(
    py: Python<'_>,
    path: PathBuf,
    python: Option<PathBuf>,
    size: SizeArg,
    rule: RuleArg,
    #[pyo3(from_py_with = numbers::move_time)] time: Option<Duration>,
    #[pyo3(from_py_with = numbers::game_time)] game_time: Option<Duration>,
    clock: TimedByArg,
    #[pyo3(from_py_with = numbers::memory_mb)] memory_mb: u64,
    sandbox: &str,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<Finding>, usize, Option<String>)> {
    let source =
        Source::read(&path).map_err(|error| refusal(format!("{}: {error}", path.display())))?;
    let python = match python {
        Some(python) => Some(python),
        None => players::interpreter(py)?,
    };
    let interpreter = py.detach(|| Interpreter::find(python.as_deref())).map_err(refusal)?;
    let policy: Policy =
        sandbox.parse().map_err(|words| refusal(format!("sandbox: {sandbox:?} is {words}")))?;
    let course = PythonSettings::new(interpreter);
    let settings = PythonSettings {
        move_time: time.unwrap_or(course.move_time),
        game_time: game_time.unwrap_or(course.game_time),
        timed_by: clock.0,
        memory_bytes: memory_mb << 20,
        policy,
        ..course
    };
    let check = Check { source, settings, size: size.0, rule: rule.0, stop: Arc::default() };
    // A case lasts until the agent's time is over, which may take minutes.
    let (findings, summary) = run_or_abandon(py, progress, move |call| {
        let mut findings = Vec::new();
        let summary = check.run(|finding| {
            let finding = Finding::from(finding);
            call.report(|| finding.clone());
            findings.push(finding);
            if call.stop().load(Relaxed) { Err(Stopped) } else { Ok(()) }
        });
        (findings, summary)
    })?;
    // Whatever stopped the test has raised an exception, which the caller gets.
    let summary = summary.unwrap_or_else(|Stopped| usability::Summary::default());
    if let Some(trouble) = &summary.trouble {
        return Err(PyOSError::new_err(format!("{} {trouble}", path.display())));
    }
    Ok((findings, summary.skipped, summary.sandbox.map(|sandbox| sandbox.to_string())))
}
