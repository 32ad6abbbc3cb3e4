//! Agents that cheat, stall, crash and attack: each loses for the right reason or plays, and leaves
//! nothing behind.
//!
//! Every case runs in the whole sandbox and again without namespaces, as on machines that lack
//! them. The tests have a process to themselves, because they count its children, descriptors and
//! memory, and the folders it made.

#![cfg(target_os = "linux")]

#[path = "../guest/hosting.rs"]
#[expect(dead_code, reason = "shared with the other tests")]
mod hosting;
mod traces;

use isrever_agent::{Agent, Choice, Forfeit, Limits};
use isrever_guest::{Layer, PythonSettings};
use isrever_testkit::attacks::{Attack, Outcome, attacks};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use traces::Traces;

/// How many cases run at once, before what they left behind is counted.
const BATCH: usize = 6;

/// No message for people is longer, whatever an agent says.
const LONGEST_MESSAGE: usize = 2_000;

/// One test counts at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Runs one case with every layer of the sandbox but one.
fn run(case: &Attack, without: Option<Layer>, neighbour: &Path) -> Result<Choice, Forfeit> {
    let mut settings = PythonSettings { output_bytes: 1 << 20, without, ..hosting::settings() };
    if !case.is_endless {
        settings.move_time = Duration::from_secs(20);
    }
    let lines = case.file(neighbour.to_str().expect("the path is plain"));
    hosting::written(&lines, settings).choose(&hosting::game(), &Limits::default())
}

/// What is wrong about a case's outcome, if anything.
fn wrong(case: &Attack, has_namespaces: bool, chosen: &Result<Choice, Forfeit>) -> Option<String> {
    let is_right = match (case.outcome(has_namespaces), chosen) {
        (Outcome::Plays, Ok(choice)) => choice.square.to_string() == "d3",
        (Outcome::Loses(reason, words), Err(forfeit)) => {
            let is_said = words.iter().any(|word| forfeit.details.contains(word));
            let is_plain = !forfeit.details.contains(char::is_control);
            let is_short = forfeit.details.len() < LONGEST_MESSAGE;
            forfeit.reason == reason && is_said && is_plain && is_short
        }
        _ => false,
    };
    (!is_right).then(|| format!("{}: {chosen:?}", case.name))
}

/// A file of somebody else's, with a secret in it.
fn neighbour(name: &str) -> PathBuf {
    let neighbour = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&neighbour, "a secret").unwrap();
    neighbour
}

/// Runs every case, and counts after each batch what is left.
fn check_all(name: &str, without: Option<Layer>) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let neighbour = neighbour(name);
    // The first guest starts the spawner's thread, and fills caches of libraries.
    let mut quiet = hosting::agent("simple.py", PythonSettings { without, ..hosting::settings() });
    let chosen = quiet.choose(&hosting::game(), &Limits::default());
    assert!(chosen.is_ok() && traces::is_suspended(), "{chosen:?}");
    let sandbox = quiet.sandbox().unwrap().clone();
    let has_namespaces = sandbox.active.contains(&Layer::Namespaces);
    drop(quiet);

    let (before, memory) = (Traces::count(), traces::resident());
    assert!(before.is_empty(), "{before:?}");
    let mut faults = Vec::new();
    for batch in attacks().chunks(BATCH) {
        thread::scope(|scope| {
            let run = |case| (case, run(case, without, &neighbour));
            let running: Vec<_> =
                batch.iter().map(|&case| scope.spawn(move || run(case))).collect();
            for (case, chosen) in running.into_iter().map(|one| one.join().unwrap()) {
                faults.extend(wrong(case, has_namespaces, &chosen));
            }
        });
        let left = Traces::count();
        if left != before {
            let names: Vec<&str> = batch.iter().map(|case| case.name).collect();
            faults.push(format!("one of {names:?} left {left:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let grown = traces::resident().saturating_sub(memory);
    assert!(grown < 8 << 20, "{grown} bytes of memory stay");
    assert_eq!(fs::read_to_string(&neighbour).unwrap(), "a secret");
    fs::remove_file(&neighbour).unwrap();
    // For the record.
    let (mut out, count) = (std::io::stdout(), attacks().len());
    writeln!(out, "\n{count} attacks, sandbox: {sandbox}, left: {before:?}").unwrap();
}

#[test]
fn the_security_page_knows_how_many_attacks_there_are() {
    let page = include_str!("../../../../SECURITY.md");
    let words = format!("\n{} attacks ", attacks().len());
    assert!(page.contains(&words), "SECURITY.md does not begin a line with {words:?}");
}

#[test]
fn hostile_agents_in_the_whole_sandbox_get_and_leave_nothing() {
    check_all("neighbour", None);
}

#[test]
fn hostile_agents_without_namespaces_get_and_leave_nothing() {
    check_all("other-neighbour", Some(Layer::Namespaces));
}
