//! Hostile agents against the walls.

use crate::hosting::{game, loses, settings, written};
use crate::hostile::{CASES, Case, Fate, lines};
use isrever_agent::{Agent, Limits, Reason};
use isrever_guest::{Layer, Policy, PythonSettings};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What is wrong about what becomes of a case.
pub(crate) fn wrong(case: &Case, settings: &PythonSettings, neighbour: &Path) -> Option<String> {
    let lines = lines(case, neighbour.to_str().unwrap());
    let mut settings = settings.clone();
    if !case.is_endless {
        settings.move_time = Duration::from_secs(10);
    }
    let mut agent = written(&lines, settings);
    let chosen = agent.choose(&game(), &Limits::default());
    let is_right = match (case.fate, &chosen) {
        (Fate::Plays, Ok(choice)) => choice.square.to_string() == "d3",
        (Fate::Loses(reason, words), Err(forfeit)) => {
            // Without a file system of its own, a folder is measured instead of being full.
            let is_full = case.name == "fills its folder" && forfeit.reason == Reason::Memory;
            let is_said = words.iter().any(|word| forfeit.details.contains(word));
            is_full || (forfeit.reason == reason && is_said)
        }
        _ => false,
    };
    (!is_right).then(|| format!("{}: {chosen:?}", case.name))
}

/// Every case, behind every wall but one.
fn check_all(name: &str, without: Option<Layer>) {
    let neighbour = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&neighbour, "a secret").unwrap();
    let settings = PythonSettings { output_bytes: 1 << 20, without, ..settings() };
    let wrong: Vec<String> =
        CASES.iter().filter_map(|case| wrong(case, &settings, &neighbour)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(fs::read_to_string(&neighbour).unwrap(), "a secret");
    fs::remove_file(&neighbour).unwrap();
}

#[test]
fn hostile_agents_behind_all_walls() {
    check_all("neighbour", None);
}

#[test]
fn hostile_agents_without_namespaces() {
    check_all("other-neighbour", Some(Layer::Namespaces));
}
