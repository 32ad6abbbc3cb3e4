//! The usability test of an agent's file for the web board.

use crate::players::guest_defaults;
use isrever_agent::AgentSpec;
use isrever_board::{Rule, Size};
use isrever_club::{CheckTotal, CheckedCase};
use isrever_guest::check::{Check, Summary};
use isrever_judge::checked_case;
use isrever_web::Checker;
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
            if each(checked_case(finding)) { Ok(()) } else { Err(Left) }
        });
        match run {
            Ok(Summary { trouble: Some(trouble), .. }) => Err(trouble.to_string()),
            Ok(Summary { skipped, .. }) => Ok(CheckTotal { skipped, ..total }),
            Err(Left) => Ok(total),
        }
    }
}
