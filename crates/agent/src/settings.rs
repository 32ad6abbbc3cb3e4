//! The settings of an agent: the keys it declares, and their values in a spec.
//!
//! A [`Key`] is data that lists, servers and readers share. [`Settings`] gives the
//! values to the agent that asks for them, and refuses the rest.

use crate::duration::{EXPECTED_DURATION, duration};
use crate::limits::Share;
use crate::parameters::{Parameter, ParameterError, Parameters};
use crate::preset::Preset;
use crate::spec::{AgentSpec, Item, SpecError};
use isrever_board::{Rule, Size};
use std::str::FromStr;
use std::time::Duration;

/// A key of an agent's settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Its name in specs.
    pub name: &'static str,
    /// What values it takes, for messages of the form "expected …".
    pub expected: &'static str,
    scope: Scope,
}

/// What a setting decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    Play,
    Machine,
    File,
}

const COUNT: &str = "a whole number from 1 up";

impl Key {
    /// The time for a move.
    pub const TIME: Key = Key::new("time", EXPECTED_DURATION);
    /// Plies to look ahead at most.
    pub const DEPTH: Key = Key::new("depth", COUNT);
    /// Boards to visit at most.
    pub const NODES: Key = Key::new("nodes", COUNT);
    /// The limits that an agent may set itself.
    pub const LIMITS: [Key; 3] = [Key::TIME, Key::DEPTH, Key::NODES];

    /// A key that decides how the agent plays.
    pub const fn new(name: &'static str, expected: &'static str) -> Key {
        Key { name, expected, scope: Scope::Play }
    }

    /// A key whose value is a whole number from 1 up.
    pub const fn count(name: &'static str) -> Key {
        Key::new(name, COUNT)
    }

    /// The same key, if it decides what the agent takes of the machine: threads, memory, programs.
    #[must_use]
    pub const fn of_machine(self) -> Key {
        Key { scope: Scope::Machine, ..self }
    }

    /// The same key, if its value is the name of a file.
    #[must_use]
    pub const fn of_file(self) -> Key {
        Key { scope: Scope::File, ..self }
    }

    /// Whether its value is the name of a file.
    pub fn is_file(&self) -> bool {
        self.scope == Scope::File
    }

    /// Whether only the owner of the machine should set it: files, threads, memory.
    pub fn is_owners(&self) -> bool {
        self.scope != Scope::Play
    }
}

/// Settings that an agent has not asked for yet. Those left in the end are errors.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    agent: &'a str,
    waiting: Vec<(&'a str, &'a str)>,
    asked: Vec<String>,
    game: (Rule, Size),
}

impl<'a> Settings<'a> {
    /// The settings of a spec that has nothing else behind its colon.
    pub fn new(spec: &AgentSpec) -> Result<Settings<'_>, SpecError> {
        Settings::of(spec.name(), &spec.items)
    }

    /// The settings in `items`, each with a key of its own.
    pub(crate) fn of(agent: &'a str, items: &'a [Item]) -> Result<Settings<'a>, SpecError> {
        let mut waiting: Vec<(&str, &str)> = Vec::new();
        for item in items {
            let Some((key, value)) = &item.setting else {
                let item = item.text.clone();
                return Err(SpecError::NoValue { agent: agent.to_owned(), item });
            };
            if waiting.iter().any(|(other, _)| other == key) {
                return Err(SpecError::Twice { agent: agent.to_owned(), key: key.clone() });
            }
            waiting.push((key, value));
        }
        Ok(Settings { agent, waiting, asked: Vec::new(), game: (Rule::default(), Size::EIGHT) })
    }

    /// The same settings, for games of this rule and size.
    #[must_use]
    pub(crate) fn in_game(self, rule: Rule, size: Size) -> Settings<'a> {
        Settings { game: (rule, size), ..self }
    }

    /// The rule and size that defaults are for, where they depend on them: the reversed rule on 8×8
    /// unless somebody asks about another game.
    pub fn game(&self) -> (Rule, Size) {
        self.game
    }

    /// The value of `key` as text, if it was given.
    pub fn text(&mut self, key: &str) -> Option<&'a str> {
        if !self.asked.iter().any(|asked| asked == key) {
            self.asked.push(key.to_owned());
        }
        let place = self.waiting.iter().position(|&(waiting, _)| waiting == key)?;
        Some(self.waiting.remove(place).1)
    }

    /// The value of `key` as `read` understands it, if it was given.
    pub fn read<T>(
        &mut self,
        key: &Key,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, SpecError> {
        self.read_as(key.name, key.expected, read)
    }

    fn read_as<T>(
        &mut self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, SpecError> {
        let Some(value) = self.text(key) else { return Ok(None) };
        match read(value) {
            Some(read) => Ok(Some(read)),
            None => Err(SpecError::BadValue {
                agent: self.agent.to_owned(),
                key: key.to_owned(),
                value: value.to_owned(),
                expected: expected.to_owned(),
            }),
        }
    }

    /// A whole number from 1 up, if `key` was given.
    pub fn count<T: FromStr + PartialOrd + Default>(
        &mut self,
        key: &Key,
    ) -> Result<Option<T>, SpecError> {
        self.read(key, |text| text.parse().ok().filter(|count| *count > T::default()))
    }

    /// A duration such as `5s` or `3m`, if `key` was given.
    pub fn duration(&mut self, key: &Key) -> Result<Option<Duration>, SpecError> {
        self.read(key, |text| duration(text).ok())
    }

    /// The limits an agent may set itself: `time`, `depth` and `nodes`.
    pub fn share(&mut self) -> Result<Share, SpecError> {
        Ok(Share {
            time: self.time()?,
            depth: self.count(&Key::DEPTH)?,
            nodes: self.count(&Key::NODES)?,
        })
    }

    /// The time for a move alone, for agents that count neither plies nor boards.
    pub fn time(&mut self) -> Result<Option<Duration>, SpecError> {
        self.duration(&Key::TIME)
    }

    /// The parameters of `table`, changed as the settings say.
    pub fn table(
        &mut self,
        table: &'static [Parameter],
        presets: &'static [Preset],
    ) -> Result<Parameters, SpecError> {
        let mut parameters = Parameters::new(table).with_presets(presets);
        self.parameters(&mut parameters)?;
        Ok(parameters)
    }

    /// Changes the named ones of `parameters`, after those of a preset if the settings name one.
    pub fn parameters(&mut self, parameters: &mut Parameters) -> Result<(), SpecError> {
        let presets = parameters.presets();
        if !presets.is_empty() {
            let called = |name: &str| presets.iter().find(|preset| preset.name == name);
            if let Some(preset) = self.read_as("preset", &Preset::names(presets), called)? {
                parameters.apply(preset).map_err(|error| self.refuse(error))?;
            }
        }
        for parameter in parameters.table() {
            let value: Option<f64> =
                self.read_as(&parameter.name, "a number", |text| text.parse().ok())?;
            let Some(value) = value else { continue };
            parameters.set(&parameter.name, value).map_err(|error| self.refuse(error))?;
        }
        Ok(())
    }

    fn refuse(&self, error: ParameterError) -> SpecError {
        SpecError::Parameter { agent: self.agent.to_owned(), error: Box::new(error) }
    }

    /// Refuses the settings that the agent did not ask for.
    pub fn finish(self) -> Result<(), SpecError> {
        match self.waiting.first() {
            None => Ok(()),
            Some(&(key, _)) => Err(SpecError::UnknownKey {
                agent: self.agent.to_owned(),
                key: key.to_owned(),
                allowed: self.asked,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_give_what_was_said_and_refuse_what_is_left() {
        let spec = AgentSpec::new("mcts:playouts=1000, threads = 2,time=0.5s");
        let mut settings = Settings::new(&spec).unwrap();
        assert_eq!(settings.count(&Key::count("playouts")), Ok(Some(1_000u64)));
        assert_eq!(settings.text("threads"), Some("2"));
        assert_eq!(settings.share().unwrap().time, Some(Duration::from_millis(500)));
        assert_eq!(settings.text("playouts"), None, "taken already");
        assert_eq!(settings.finish(), Ok(()));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_was_expected() {
        let refusal = |text: &str| {
            let read = |text| -> Result<(), SpecError> {
                let spec = AgentSpec::new(text);
                let mut settings = Settings::new(&spec)?;
                settings.share()?;
                settings.finish()
            };
            read(text).unwrap_err().to_string()
        };
        for (text, message) in [
            ("a:loud=1", "a has no key \"loud\"; expected time, depth or nodes"),
            (
                "a:dpeth=1",
                "a has no key \"dpeth\" (did you mean depth?); expected time, depth or nodes",
            ),
            ("a:depth", "a was given \"depth\"; expected key=value"),
            ("a:=3", "a was given \"=3\"; expected key=value"),
            ("a:depth=3,", "a was given \"\"; expected key=value"),
            ("a:depth=3,depth=4", "a was given depth more than once; expected it once"),
            ("a:depth=", "a was given depth=; expected a whole number from 1 up"),
            ("a:depth=0", "a was given depth=0; expected a whole number from 1 up"),
            ("a:nodes=-1", "a was given nodes=-1; expected a whole number from 1 up"),
            ("a:time=5", "a was given time=5; expected a time such as 5s, 250ms or 3m"),
            ("a:time=infs", "a was given time=infs; expected a time such as 5s, 250ms or 3m"),
        ] {
            assert_eq!(refusal(text), message, "{text}");
        }
    }

    #[test]
    fn keys_say_who_should_set_them() {
        let [play, machine, file] =
            [Key::TIME, Key::count("threads").of_machine(), Key::new("book", "a file").of_file()];
        assert!(!play.is_owners() && machine.is_owners() && file.is_owners());
        assert!(file.is_file() && !machine.is_file() && !play.is_file());
    }
}
