//! The agents of this crate in a catalogue: `python:`, `nboard:` and `gtp:`.

use crate::engine::Command;
use crate::gtp::Gtp;
use crate::interpreter::Interpreter;
use crate::nboard::Nboard;
use crate::python::{Python, PythonSettings, Source};
use crate::sandbox::Policy;
use isrever_agent::{
    Agent, AgentSpec, Catalogue, EXPECTED_DURATION, Entry, Form, Key, Kind, Needs, Settings,
    SpecError,
};
use std::path::{Path, PathBuf};

/// Settings of agents whose specs do not set them.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// The Python that runs them; without one, the first `python3` on the path that has numpy.
    pub python: Option<PathBuf>,
    /// Which layers of the sandbox are required.
    pub sandbox: Policy,
}

/// Adds the agents of this crate to a catalogue.
pub fn enter(catalogue: &mut Catalogue, defaults: Defaults) {
    let about =
        "a course's Python file in a sandbox: python:ai.py,python=…,time=5s,game=180s,memory=100";
    let make = move |spec: &AgentSpec, seed| python(spec, seed, &defaults);
    catalogue.add(
        Entry::new("python", about, make)
            .of_kind(Kind::Python)
            .of_form(Form::File)
            .with_keys(&PYTHON_KEYS)
            .with_needs(|settings| {
                let memory_bytes = memory(settings)?.unwrap_or(PythonSettings::MEMORY_BYTES);
                Ok(Needs { memory_bytes: Some(memory_bytes), ..Needs::default() })
            }),
    );
    let about = "an engine that speaks NBoard: nboard:depth=12,time=60s,COMMAND";
    catalogue.add(program("nboard", about, |command| Box::new(Nboard::new(command))));
    let about = "an engine that speaks GTP: gtp:time=60s,COMMAND; it cannot be told the rule";
    catalogue.add(program("gtp", about, |command| Box::new(Gtp::new(command))));
}

/// The entry of programs that speak a protocol.
fn program(name: &'static str, about: &'static str, agent: fn(Command) -> Box<dyn Agent>) -> Entry {
    Entry::new(name, about, move |spec, _| Ok(agent(Command::read(spec)?)))
        .of_kind(Kind::Program)
        .of_form(Form::Command)
        .with_keys(&Key::LIMITS)
        .with_needs(|_| Ok(Needs { memory_bytes: None, ..Needs::default() }))
}

const MIB: &str = "MiB from 1 to 1048576";
const PYTHON: Key = Key::new("python", "a program").of_machine();
const GAME: Key = Key::new("game", EXPECTED_DURATION);
const START: Key = Key::new("start", EXPECTED_DURATION);
const MEMORY: Key = Key::new("memory", MIB).of_machine();
const OUTPUT: Key = Key::new("output", MIB).of_machine();
const SANDBOX: Key = Key::new("sandbox", "auto, full, weak or off").of_machine();

/// The keys of `python:`, in the order in which refusals list them.
const PYTHON_KEYS: [Key; 7] = [PYTHON, Key::TIME, GAME, START, MEMORY, OUTPUT, SANDBOX];

/// Reads a number of MiB, in bytes.
fn mebibytes(text: &str) -> Option<u64> {
    text.parse::<u64>().ok().filter(|mib| (1..=1 << 20).contains(mib)).map(|mib| mib << 20)
}

/// Reads the most memory of a Python file.
fn memory(settings: &mut Settings<'_>) -> Result<Option<u64>, SpecError> {
    settings.read(&MEMORY, mebibytes)
}

/// Makes the agent of `path/to/ai.py,key=value,…`.
fn python(spec: &AgentSpec, seed: u64, defaults: &Defaults) -> Result<Box<dyn Agent>, SpecError> {
    let (source, settings) = read_python(spec, seed, defaults)?;
    Ok(Box::new(Python::new(source, settings)))
}

/// Reads the file of `python:path/to/ai.py,key=value,…`, and how to run it.
pub fn read_python(
    spec: &AgentSpec,
    seed: u64,
    defaults: &Defaults,
) -> Result<(Source, PythonSettings), SpecError> {
    let other = |offence: String| SpecError::other(spec.name(), offence);
    let (mut settings, path) = Form::File.read(spec, &PYTHON_KEYS)?;
    if path.is_empty() {
        return Err(other("no file; expected python:path/to/ai.py".to_owned()));
    }
    let named = settings.text(PYTHON.name).map(PathBuf::from);
    let move_time = settings.time()?;
    let game_time = settings.duration(&GAME)?;
    let start_time = settings.duration(&START)?;
    let memory = memory(&mut settings)?;
    let output = settings.read(&OUTPUT, mebibytes)?;
    let policy = settings.read(&SANDBOX, |text| text.parse().ok())?;
    settings.finish()?;
    let path = Path::new(path);
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
    Ok((source, settings))
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
    fn wrong_specs_are_refused_with_what_was_expected() {
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
