//! The usability test of an agent's file for the web board.

use crate::players::guest_defaults;
use isrever_agent::AgentSpec;
use isrever_board::{Color, Rule, Size, Square};
use isrever_guest::check::{Check, Finding, Summary};
use isrever_web::{CheckTotal, CheckedCase, Checker};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Tests the file that an agent's spec names, under the limits that it sets.
pub(super) struct FileChecker;

/// The reader wants no more cases.
struct Left;

impl Checker for FileChecker {
    fn check(
        &self,
        spec: &AgentSpec,
        (rule, size): (Rule, Size),
        stop: &Arc<AtomicBool>,
        each: &mut dyn FnMut(CheckedCase) -> bool,
    ) -> Result<CheckTotal, String> {
        let (source, settings) = isrever_guest::read_python(spec, 1, &guest_defaults())
            .map_err(|error| error.to_string())?;
        let check = Check { source, settings, size, rule, stop: Arc::clone(stop) };
        let mut total = CheckTotal::default();
        let run = check.run(|finding| {
            let count = if finding.is_passed() { &mut total.passed } else { &mut total.failed };
            *count += 1;
            if each(case_of(finding)) { Ok(()) } else { Err(Left) }
        });
        match run {
            Ok(Summary { trouble: Some(trouble), .. }) => Err(trouble.to_string()),
            Ok(Summary { skipped, .. }) => Ok(CheckTotal { skipped, ..total }),
            Err(Left) => Ok(total),
        }
    }
}

/// A case as the web board tells it.
fn case_of(finding: &Finding) -> CheckedCase {
    let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect();
    let (position, answer) = (&finding.case.position, finding.answer.as_ref());
    let size = position.size();
    let disc = |square| position.disc(square).map_or('-', Color::letter);
    CheckedCase {
        name: finding.case.name.to_owned(),
        about: finding.case.about.to_owned(),
        board: size.squares().map(disc).collect(),
        size: size.width(),
        color: position.turn().to_string(),
        expected: names(&finding.expected),
        list: answer.map(|_| names(&finding.found())),
        decision: finding.decision().map(|square| square.to_string()),
        forfeit: finding.forfeit.as_ref().map(|forfeit| forfeit.reason.word().to_owned()),
        passed: finding.is_passed(),
        faults: finding.faults.clone(),
        notes: finding.notes.clone(),
        seconds: answer.map(|answer| answer.time.as_secs_f64()),
        late: answer.is_some_and(|answer| answer.is_late),
    }
}
