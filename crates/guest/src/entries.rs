//! The agents of this crate in a catalogue: `python:`, `nboard:` and `gtp:`.

use crate::engine::Command;
use crate::gtp::Gtp;
use crate::interpreter::Interpreter;
use crate::nboard::Nboard;
use crate::python::{Python, PythonSettings, Source};
use crate::sandbox::Policy;
use isrever_agent::{Agent, Catalogue, Entry, Settings, Spec, SpecError};
use std::path::{Path, PathBuf};

/// What holds for agents whose specs do not say otherwise.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// The Python that runs them; without one, the first `python3` on the path that has numpy.
    pub python: Option<PathBuf>,
    /// How much of the sandbox is insisted on.
    pub sandbox: Policy,
}

/// Enters the agents of this crate into a catalogue.
pub fn enter(catalogue: &mut Catalogue, defaults: Defaults) {
    let about =
        "a course's Python file in a sandbox: python:ai.py,python=…,time=5s,game=180s,memory=100";
    catalogue.add(Entry::new("python", about, move |spec, seed| python(spec, seed, &defaults)));
    let about = "an engine that speaks NBoard: nboard:depth=12,time=60s,COMMAND";
    catalogue.add(Entry::new("nboard", about, |spec, _| {
        Ok(Box::new(Nboard::new(Command::read(spec.name, spec.rest)?)))
    }));
    let about = "an engine that speaks GTP: gtp:time=60s,COMMAND; it cannot be told the rule";
    catalogue.add(Entry::new("gtp", about, |spec, _| {
        Ok(Box::new(Gtp::new(Command::read(spec.name, spec.rest)?)))
    }));
}

/// Reads `path/to/ai.py,key=value,…`.
fn python(spec: Spec<'_>, seed: u64, defaults: &Defaults) -> Result<Box<dyn Agent>, SpecError> {
    let other = |offence: String| SpecError::Other { agent: spec.name.to_owned(), offence };
    let (path, rest) = spec.rest.split_once(',').unwrap_or((spec.rest, ""));
    if path.trim().is_empty() {
        return Err(other("no file; expected python:path/to/ai.py".to_owned()));
    }
    let mut settings = Settings::new(Spec { name: spec.name, rest })?;
    let mebibytes = |text: &str| {
        text.parse::<u64>().ok().filter(|mib| (1..=1 << 20).contains(mib)).map(|mib| mib << 20)
    };
    let named = settings.text("python").map(PathBuf::from);
    let move_time = settings.time()?;
    let game_time = settings.duration("game")?;
    let start_time = settings.duration("start")?;
    let memory = settings.read("memory", "MiB from 1 to 1048576", mebibytes)?;
    let output = settings.read("output", "MiB from 1 to 1048576", mebibytes)?;
    let policy = settings.read("sandbox", "auto, full, weak or off", |text| text.parse().ok())?;
    settings.finish()?;
    let path = Path::new(path.trim());
    let source =
        Source::read(path).map_err(|error| other(format!("{}: {error}", path.display())))?;
    let named = named.or_else(|| defaults.python.clone());
    let interpreter =
        Interpreter::find(named.as_deref()).map_err(|error| other(error.to_string()))?;
    let usual = PythonSettings::new(interpreter);
    let settings = PythonSettings {
        move_time: move_time.unwrap_or(usual.move_time),
        game_time: game_time.unwrap_or(usual.game_time),
        is_move_time_own: move_time.is_some(),
        is_game_time_own: game_time.is_some(),
        start_time: start_time.unwrap_or(usual.start_time),
        memory_bytes: memory.unwrap_or(usual.memory_bytes),
        output_bytes: output.unwrap_or(usual.output_bytes),
        seed,
        policy: policy.unwrap_or(defaults.sandbox),
        ..usual
    };
    Ok(Box::new(Python::new(source, settings)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(spec: &str) -> String {
        let mut catalogue = isrever_agent::catalogue();
        enter(&mut catalogue, Defaults::default());
        match catalogue.make(spec, 1) {
            Ok(agent) => panic!("{spec} is {}", agent.name()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn specs_that_are_wrong_say_what_was_expected() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/agents/simple.py");
        for (spec, words) in [
            ("python:", "python: no file; expected python:path/to/ai.py"),
            ("python:no/such.py", "python: no/such.py: no such file; expected a Python file"),
            ("python:/", "python: /: not a file; expected a Python file"),
            ("python:x.py,memory=0", "python was given memory=0; expected MiB from 1"),
            ("python:x.py,sandbox=no", "expected auto, full, weak or off"),
            ("python:x.py,time=5", "expected a time such as 5s, 250ms or 3m"),
            ("python:x.py,cpu=1", "expected python, time, game, start, memory, output or sandbox"),
            (&format!("python:{file},python=/no/python"), "cannot be started"),
            ("nboard:", "nboard: no program; expected a command line"),
            ("gtp:/no/such/engine", "is not found; expected a program"),
        ] {
            let said = refusal(spec);
            assert!(said.contains(words), "{words:?} is not in {said:?}");
        }
    }
}
