//! How an agent is asked for: `name`, or `name:key=value,key=value`.
//!
//! A [`Spec`] is the name and the rest, no more: what the rest means is the
//! business of who answers to the name, be it a command line after `nboard:`.
//! [`Settings`] reads the usual rest, a list of keys and values.

use crate::limits::Share;
use crate::parameters::{Parameter, ParameterError, Parameters};
use crate::preset::Preset;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A name and what stands behind the colon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spec<'a> {
    /// Which agent.
    pub name: &'a str,
    /// How it is to be; empty if there is no colon.
    pub rest: &'a str,
}

impl<'a> Spec<'a> {
    /// Splits a spec at its first colon. Any text is a spec; not every one has an agent.
    pub fn new(text: &'a str) -> Spec<'a> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        Spec { name: name.trim(), rest: rest.trim() }
    }
}

/// Writes `name`, or `name:rest`.
impl fmt::Display for Spec<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if self.rest.is_empty() { Ok(()) } else { write!(f, ":{}", self.rest) }
    }
}

/// Keys and values that wait to be asked for. What nobody asked for is an error in the end.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    agent: &'a str,
    waiting: Vec<(&'a str, &'a str)>,
    asked: Vec<String>,
}

impl<'a> Settings<'a> {
    /// Reads `key=value,key=value`.
    pub fn new(spec: Spec<'a>) -> Result<Settings<'a>, SpecError> {
        let mut waiting: Vec<(&str, &str)> = Vec::new();
        let items = spec.rest.split(',').map(str::trim);
        for item in items.filter(|_| !spec.rest.is_empty()) {
            let (key, value) = match item.split_once('=') {
                Some((key, value)) if !key.trim().is_empty() => (key.trim(), value.trim()),
                _ => return Err(SpecError::no_value(spec.name, item)),
            };
            if waiting.iter().any(|&(other, _)| other == key) {
                return Err(SpecError::Twice { agent: spec.name.to_owned(), key: key.to_owned() });
            }
            waiting.push((key, value));
        }
        Ok(Settings { agent: spec.name, waiting, asked: Vec::new() })
    }

    /// The value of `key` as text, if it was given.
    pub fn text(&mut self, key: &str) -> Option<&'a str> {
        if !self.asked.iter().any(|asked| asked == key) {
            self.asked.push(key.to_owned());
        }
        let place = self.waiting.iter().position(|&(waiting, _)| waiting == key)?;
        Some(self.waiting.remove(place).1)
    }

    /// The value of `key` as `read` understands it, if it was given. `expected` says what it
    /// understands.
    pub fn read<T>(
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
        key: &str,
    ) -> Result<Option<T>, SpecError> {
        self.read(key, "a whole number from 1 up", |text| {
            text.parse().ok().filter(|count| *count > T::default())
        })
    }

    /// The limits an agent may set itself: `time`, `depth` and `nodes`.
    pub fn share(&mut self) -> Result<Share, SpecError> {
        Ok(Share { time: self.time()?, depth: self.count("depth")?, nodes: self.count("nodes")? })
    }

    /// The time for a move alone, for agents that count neither plies nor boards.
    pub fn time(&mut self) -> Result<Option<Duration>, SpecError> {
        self.read("time", "a time such as 5s or 250ms", duration)
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

    /// Changes those of `parameters` that are named, after those of a preset if one is asked for.
    pub fn parameters(&mut self, parameters: &mut Parameters) -> Result<(), SpecError> {
        let presets = parameters.presets();
        if !presets.is_empty() {
            let called = |name: &str| presets.iter().find(|preset| preset.name == name);
            if let Some(preset) = self.read("preset", &Preset::names(presets), called)? {
                preset.apply(parameters).map_err(|error| self.refuse(error))?;
            }
        }
        for parameter in parameters.table() {
            let value: Option<f64> =
                self.read(&parameter.name, "a number", |text| text.parse().ok())?;
            let Some(value) = value else { continue };
            parameters.set(&parameter.name, value).map_err(|error| self.refuse(error))?;
        }
        Ok(())
    }

    fn refuse(&self, error: ParameterError) -> SpecError {
        SpecError::Parameter { agent: self.agent.to_owned(), error: Box::new(error) }
    }

    /// Refuses what is left over.
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

/// Reads a time such as `5s`, `0.5s` or `250ms`: more than none, at most a day.
pub fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s')?, 1.0),
    };
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let seconds = number.parse::<f64>().ok()? * unit;
    (seconds > 0.0 && seconds <= 86_400.0).then(|| Duration::from_secs_f64(seconds))
}

/// Why a spec gives no agent.
#[derive(Clone, PartialEq, Debug)]
pub enum SpecError {
    /// No agent has this name.
    UnknownName {
        /// The name asked for.
        name: String,
        /// The known name most like it, if one is much like it.
        nearest: Option<String>,
        /// The names there are.
        known: Vec<String>,
    },
    /// The agent has no such key.
    UnknownKey {
        /// The agent.
        agent: String,
        /// The key.
        key: String,
        /// The keys there are.
        allowed: Vec<String>,
    },
    /// Something is no `key=value`.
    NoValue {
        /// The agent.
        agent: String,
        /// What stands there instead.
        item: String,
    },
    /// A key is given twice.
    Twice {
        /// The agent.
        agent: String,
        /// The key.
        key: String,
    },
    /// A value is not understood.
    BadValue {
        /// The agent.
        agent: String,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What would have been.
        expected: String,
    },
    /// A parameter cannot have this value.
    Parameter {
        /// The agent.
        agent: String,
        /// What is wrong with it.
        error: Box<ParameterError>,
    },
    /// Something else that the agent of this name says of its rest.
    Other {
        /// The agent.
        agent: String,
        /// What is wrong and what was expected.
        offence: String,
    },
}

impl SpecError {
    fn no_value(agent: &str, item: &str) -> SpecError {
        SpecError::NoValue { agent: agent.to_owned(), item: item.to_owned() }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::UnknownName { name, nearest, known } => {
                write!(f, "no agent is called {name:?}")?;
                if let Some(nearest) = nearest {
                    write!(f, " (did you mean {nearest}?)")?;
                }
                write!(f, "; expected {}", or_list(known))
            }
            SpecError::UnknownKey { agent, key, allowed } if allowed.is_empty() => {
                write!(f, "{agent} has no key {key:?}; expected {agent} alone")
            }
            SpecError::UnknownKey { agent, key, allowed } => {
                write!(f, "{agent} has no key {key:?}; expected {}", or_list(allowed))
            }
            SpecError::NoValue { agent, item } => {
                write!(f, "{agent} was given {item:?}; expected key=value")
            }
            SpecError::Twice { agent, key } => {
                write!(f, "{agent} was given {key} more than once; expected it once")
            }
            SpecError::BadValue { agent, key, value, expected } => {
                write!(f, "{agent} was given {key}={value}; expected {expected}")
            }
            SpecError::Parameter { agent, error } => write!(f, "{agent}: {error}"),
            SpecError::Other { agent, offence } => write!(f, "{agent}: {offence}"),
        }
    }
}

impl std::error::Error for SpecError {}

/// `a, b or c`.
fn or_list(names: &[String]) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_is_a_name_and_the_rest_as_it_stands() {
        for (text, name, rest) in [
            ("random", "random", ""),
            ("greedy:by=mobility", "greedy", "by=mobility"),
            ("greedy:", "greedy", ""),
            ("nboard:/opt/edax -l 4:x,y=z", "nboard", "/opt/edax -l 4:x,y=z"),
            ("", "", ""),
        ] {
            assert_eq!(Spec::new(text), Spec { name, rest });
        }
        assert_eq!(Spec::new("greedy: by=discs ").to_string(), "greedy:by=discs");
    }

    #[test]
    fn settings_give_what_was_said_and_refuse_what_is_left() {
        let mut settings =
            Settings::new(Spec::new("mcts:playouts=1000, threads = 2,time=0.5s")).unwrap();
        assert_eq!(settings.count("playouts"), Ok(Some(1_000u64)));
        assert_eq!(settings.text("threads"), Some("2"));
        assert_eq!(settings.share().unwrap().time, Some(Duration::from_millis(500)));
        assert_eq!(settings.text("playouts"), None, "taken already");
        assert_eq!(settings.finish(), Ok(()));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_was_expected() {
        let refusal = |text: &'static str| {
            let read = |text| -> Result<(), SpecError> {
                let mut settings = Settings::new(Spec::new(text))?;
                settings.share()?;
                settings.finish()
            };
            read(text).unwrap_err().to_string()
        };
        for (text, message) in [
            ("a:loud=1", "a has no key \"loud\"; expected time, depth or nodes"),
            ("a:depth", "a was given \"depth\"; expected key=value"),
            ("a:=3", "a was given \"=3\"; expected key=value"),
            ("a:depth=3,", "a was given \"\"; expected key=value"),
            ("a:depth=3,depth=4", "a was given depth more than once; expected it once"),
            ("a:depth=", "a was given depth=; expected a whole number from 1 up"),
            ("a:depth=0", "a was given depth=0; expected a whole number from 1 up"),
            ("a:nodes=-1", "a was given nodes=-1; expected a whole number from 1 up"),
            ("a:time=5", "a was given time=5; expected a time such as 5s or 250ms"),
            ("a:time=infs", "a was given time=infs; expected a time such as 5s or 250ms"),
        ] {
            assert_eq!(refusal(text), message, "{text}");
        }
    }

    #[test]
    fn times() {
        for (text, milliseconds) in
            [("5s", 5_000), ("250ms", 250), ("0.5s", 500), ("86400s", 86_400_000)]
        {
            assert_eq!(duration(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "5", "0s", "-1s", "+1s", "NaNs", "infs", "1e9s", "5 m", "5min"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
