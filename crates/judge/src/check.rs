//! Checks a submission: the usability test, and how fast this machine is.

use crate::speed::exercise;
use isrever_board::Square;
use isrever_club::{CheckProgress, CheckTotal, CheckedCase, Report, Terms};
use isrever_guest::check::{Check, Finding, Summary, cases as all_cases};
use isrever_guest::{PythonSettings, Source};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// Whole games that an agent plays after the single boards.
const GAMES: u32 = 2;

/// How many cases of a check are done, for those who wait for it.
pub(crate) struct Progress {
    done: AtomicU32,
    cases: u32,
}

impl Progress {
    pub(crate) fn new(terms: &Terms) -> Progress {
        let boards = u32::try_from(all_cases(terms.size).len()).unwrap_or(u32::MAX);
        Progress { done: AtomicU32::new(0), cases: boards.saturating_add(GAMES) }
    }

    pub(crate) fn now(&self) -> CheckProgress {
        CheckProgress { done: self.done.load(Relaxed), cases: self.cases }
    }
}

/// Runs the test; an error is this machine's, and says nothing of the submission.
pub(crate) fn check(
    source: Source,
    settings: &PythonSettings,
    terms: &Terms,
    progress: &Progress,
    stop: &Arc<AtomicBool>,
) -> Result<Report, String> {
    let seconds = exercise(settings).map_err(|error| error.to_string())?;
    let (size, rule) = (terms.size, terms.rule);
    let check = Check { source, settings: settings.clone(), size, rule, stop: Arc::clone(stop) };
    let mut cases = Vec::new();
    let mut slowest = None;
    let mut memory_bytes = None;
    let mut printed: Vec<String> = Vec::new();
    let Ok(summary) = check.run(|finding| {
        cases.push(checked_case(finding));
        progress.done.fetch_add(1, Relaxed);
        slowest = slowest.max(finding.slowest);
        memory_bytes = memory_bytes.max(finding.memory_bytes);
        if !finding.printed.is_empty() {
            printed.clone_from(&finding.printed);
        }
        Ok::<(), Infallible>(())
    });
    let Summary { passed, failed, skipped, sandbox, trouble } = summary;
    match trouble {
        Some(trouble) => Err(trouble.to_string()),
        None => Ok(Report {
            cases,
            total: CheckTotal { passed, failed, skipped },
            seconds: Some(seconds.as_secs_f64()),
            own_seconds: None,
            sandbox: sandbox.map(|sandbox| sandbox.to_string()),
            python: Some(settings.interpreter.to_string()),
            slowest: slowest.map(|time: Duration| time.as_secs_f64()),
            memory_bytes,
            printed,
        }),
    }
}

/// A finding of a usability test as plain data.
pub fn checked_case(finding: &Finding) -> CheckedCase {
    let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect();
    let (position, answer) = (&finding.case.position, finding.answer.as_ref());
    CheckedCase {
        name: finding.case.name.to_owned(),
        about: finding.case.about.to_owned(),
        board: position.letters(),
        size: position.size().width(),
        color: position.turn().to_string(),
        expected: names(&finding.expected),
        list: answer.map(|_| names(&finding.found())),
        decision: finding.decision().map(|square| square.to_string()),
        forfeit: finding.forfeit.as_ref().map(|forfeit| forfeit.reason.word().to_owned()),
        passed: finding.is_passed(),
        faults: finding.faults.clone(),
        notes: finding.notes.clone(),
        seconds: answer.map(|answer| answer.time.as_secs_f64()),
        late: finding.late > 0,
    }
}
