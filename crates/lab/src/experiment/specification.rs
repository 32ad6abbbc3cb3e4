//! The settings of an experiment: its keys as a table, and TOML that sets them.
//!
//! A specification is complete: it has the seed and every setting, also those at their default.

use std::fmt;
use std::ops::RangeInclusive;
use toml::Table as Toml;

/// What a setting can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A whole number in a range.
    Count(RangeInclusive<u64>),
    /// A list of two or more different whole numbers in a range, smallest first.
    Counts(RangeInclusive<u64>),
}

/// What a setting is set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A whole number.
    Count(u64),
    /// A list of them.
    Counts(Vec<u64>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Count(number) => write!(f, "{number}"),
            Value::Counts(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
                write!(f, "[{}]", numbers.join(", "))
            }
        }
    }
}

/// Something that can be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Its key.
    pub key: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What it can be.
    pub kind: Kind,
    /// What it is in a full run.
    pub full: Value,
    /// What it is in a smoke run.
    pub quick: Value,
}

impl Setting {
    /// A whole number.
    pub fn count(
        key: &'static str,
        about: &'static str,
        range: RangeInclusive<u64>,
        [full, quick]: [u64; 2],
    ) -> Setting {
        let (full, quick) = (Value::Count(full), Value::Count(quick));
        Setting { key, about, kind: Kind::Count(range), full, quick }
    }

    /// A list of whole numbers.
    pub fn counts(
        key: &'static str,
        about: &'static str,
        range: RangeInclusive<u64>,
        [full, quick]: [&[u64]; 2],
    ) -> Setting {
        let value = |numbers: &[u64]| Value::Counts(numbers.to_vec());
        Setting { key, about, kind: Kind::Counts(range), full: value(full), quick: value(quick) }
    }

    /// What it can be, in words.
    pub fn expected(&self) -> String {
        match &self.kind {
            Kind::Count(range) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            Kind::Counts(range) => format!(
                "a list such as {} of two or more different whole numbers from {} to {}",
                self.full,
                range.start(),
                range.end()
            ),
        }
    }

    fn read(&self, value: &toml::Value) -> Option<Value> {
        let whole = |value: &toml::Value, range: &RangeInclusive<u64>| {
            let number = u64::try_from(value.as_integer()?).ok()?;
            range.contains(&number).then_some(number)
        };
        match &self.kind {
            Kind::Count(range) => whole(value, range).map(Value::Count),
            Kind::Counts(range) => {
                let numbers = value.as_array()?.iter().map(|value| whole(value, range));
                let mut numbers = numbers.collect::<Option<Vec<u64>>>()?;
                let given = numbers.len();
                numbers.sort_unstable();
                numbers.dedup();
                (numbers.len() >= 2 && numbers.len() == given).then_some(Value::Counts(numbers))
            }
        }
    }
}

/// A value as it was typed, or nearly.
pub(crate) fn typed(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => format!("{text:?}"),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(is_true) => is_true.to_string(),
        toml::Value::Datetime(time) => time.to_string(),
        toml::Value::Array(values) => {
            format!("[{}]", values.iter().map(typed).collect::<Vec<_>>().join(", "))
        }
        toml::Value::Table(_) => "a table".to_owned(),
    }
}

/// What is asked of an experiment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// Which experiment.
    pub experiment: String,
    /// Where all random choices come from.
    pub seed: u64,
    values: Vec<(Setting, Value)>,
}

/// Why something is no specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecificationError {
    /// It is not TOML.
    Text {
        /// Where.
        line: usize,
        /// What is wrong.
        offence: String,
    },
    /// There is no such experiment, or none is named.
    Experiment {
        /// What it says.
        named: Option<String>,
        /// Those there are.
        known: Vec<String>,
    },
    /// A key that nobody asked for.
    Unknown {
        /// The key.
        key: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// A value that makes no sense.
    Value {
        /// Of which key.
        key: String,
        /// What it says.
        value: String,
        /// What it could be.
        expected: String,
    },
}

impl fmt::Display for SpecificationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecificationError::Text { line, offence } => {
                write!(f, "line {line}: {offence}; expected TOML such as games = 1000")
            }
            SpecificationError::Experiment { named: None, known } => {
                write!(f, "experiment: not said; expected one of {}", known.join(", "))
            }
            SpecificationError::Experiment { named: Some(named), known } => {
                write!(f, "experiment: {named} is not known; expected one of {}", known.join(", "))
            }
            SpecificationError::Unknown { key, known } => {
                write!(f, "{key}: there is no such key; expected {}", known.join(", "))
            }
            SpecificationError::Value { key, value, expected } => {
                write!(f, "{key}: {value} cannot be; expected {expected}")
            }
        }
    }
}

impl std::error::Error for SpecificationError {}

impl Specification {
    /// What is asked of `experiment` if nothing is said: a full run, or a smoke run.
    pub fn default_of(experiment: &str, settings: &[Setting], is_quick: bool) -> Specification {
        let value = |setting: &Setting| {
            let value = if is_quick { &setting.quick } else { &setting.full };
            (setting.clone(), value.clone())
        };
        Specification {
            experiment: experiment.to_owned(),
            seed: 1,
            values: settings.iter().map(value).collect(),
        }
    }

    /// Which experiment a text asks for, of those that `known` names; and the text, parsed.
    fn named(text: &str, known: &[&str]) -> Result<(String, Toml), SpecificationError> {
        let toml: Toml = text.parse().map_err(|error: toml::de::Error| {
            let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or(text));
            SpecificationError::Text {
                line: before.matches('\n').count() + 1,
                offence: error.message().replace('\n', " ").replace('`', "\""),
            }
        })?;
        let named = toml.get("experiment");
        match named.and_then(toml::Value::as_str).filter(|name| known.contains(name)) {
            Some(name) => Ok((name.to_owned(), toml)),
            None => Err(SpecificationError::Experiment {
                named: named.map(typed),
                known: known.iter().map(|&name| name.to_owned()).collect(),
            }),
        }
    }

    /// Reads a specification of one of the experiments that `known` names; `settings` has theirs.
    /// What it does not say is as in a full run.
    pub fn read(
        text: &str,
        known: &[&str],
        settings: impl Fn(&str) -> Vec<Setting>,
    ) -> Result<Specification, SpecificationError> {
        let (name, toml) = Specification::named(text, known)?;
        let settings = settings(&name);
        let mut specification = Specification::default_of(&name, &settings, false);
        for (key, value) in toml.iter().filter(|(key, _)| *key != "experiment") {
            specification.set(key, value)?;
        }
        Ok(specification)
    }

    /// Sets one key to what was typed for it, as TOML.
    pub fn assign(&mut self, key: &str, text: &str) -> Result<(), SpecificationError> {
        let value = format!("value = {text}").parse::<Toml>().ok();
        let value = value.filter(|toml| toml.len() == 1).and_then(|mut toml| toml.remove("value"));
        match value {
            Some(value) => self.set(key, &value),
            None => self.set(key, &toml::Value::String(text.to_owned())),
        }
    }

    fn set(&mut self, key: &str, value: &toml::Value) -> Result<(), SpecificationError> {
        let wrong = |expected: String| SpecificationError::Value {
            key: key.to_owned(),
            value: typed(value),
            expected,
        };
        if key == "seed" {
            let seed = value.as_integer().and_then(|seed| u64::try_from(seed).ok());
            self.seed = seed.ok_or_else(|| wrong("a whole number from 0 up".to_owned()))?;
            return Ok(());
        }
        let Some(place) = self.values.iter().position(|(setting, _)| setting.key == key) else {
            let own = self.values.iter().map(|(setting, _)| setting.key.to_owned());
            let known = ["experiment", "seed"].map(str::to_owned).into_iter().chain(own).collect();
            return Err(SpecificationError::Unknown { key: key.to_owned(), known });
        };
        let (setting, old) = &mut self.values[place];
        *old = setting.read(value).ok_or_else(|| wrong(setting.expected()))?;
        Ok(())
    }

    /// A whole number.
    ///
    /// # Panics
    /// If the experiment has no such setting.
    pub fn count(&self, key: &str) -> u64 {
        match self.value(key) {
            Value::Count(number) => *number,
            Value::Counts(_) => panic!("{key} is a list"),
        }
    }

    /// A list of whole numbers.
    ///
    /// # Panics
    /// If the experiment has no such setting.
    pub fn counts(&self, key: &str) -> &[u64] {
        match self.value(key) {
            Value::Counts(numbers) => numbers,
            Value::Count(_) => panic!("{key} is one number"),
        }
    }

    fn value(&self, key: &str) -> &Value {
        let found = self.values.iter().find(|(setting, _)| setting.key == key);
        &found.unwrap_or_else(|| panic!("{} has no setting {key}", self.experiment)).1
    }

    /// Everything that is asked, as TOML.
    pub fn text(&self) -> String {
        let mut text = format!("experiment = \"{}\"\nseed = {}\n", self.experiment, self.seed);
        for (Setting { key, about, .. }, value) in &self.values {
            text += &format!("\n# {about}\n{key} = {value}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(_: &str) -> Vec<Setting> {
        vec![
            Setting::count("games", "how many games", 1..=1_000, [100, 2]),
            Setting::counts("depths", "how deep", 1..=8, [&[2, 4], &[2, 3]]),
        ]
    }

    fn read(text: &str) -> Result<Specification, SpecificationError> {
        Specification::read(text, &["nodes", "breadth"], settings)
    }

    #[test]
    fn what_is_not_said_is_as_in_a_full_run_and_what_is_written_is_read() {
        let specification = read("experiment = \"nodes\"\ndepths = [3, 1]").unwrap();
        assert_eq!((specification.count("games"), specification.seed), (100, 1));
        assert_eq!(specification.counts("depths"), [1, 3]);
        assert_eq!(read(&specification.text()).unwrap(), specification);
        let quick = Specification::default_of("nodes", &settings("nodes"), true);
        assert_eq!((quick.count("games"), quick.counts("depths")), (2, &[2, 3][..]));
    }

    #[test]
    fn keys_can_be_typed() {
        let mut specification = read("experiment = \"nodes\"").unwrap();
        for (key, text) in [("games", "7"), ("depths", "[8, 1]"), ("seed", "9")] {
            specification.assign(key, text).unwrap();
        }
        assert_eq!(specification, read(&specification.text()).unwrap());
        assert_eq!((specification.count("games"), specification.seed), (7, 9));
        let error = specification.assign("games", "many").unwrap_err().to_string();
        assert_eq!(error, "games: \"many\" cannot be; expected a whole number from 1 to 1000");
        assert!(specification.assign("games", "1\nseed = 4").is_err());
    }

    #[test]
    fn what_is_wrong_is_named_with_what_could_be() {
        for (text, message) in [
            ("games = ", "line 1: "),
            ("games = 1", "experiment: not said; expected one of nodes, breadth"),
            ("experiment = 3", "experiment: 3 is not known; expected one of nodes, breadth"),
            ("experiment = \"nods\"", "experiment: \"nods\" is not known; expected one of nodes"),
            (
                "experiment = \"nodes\"\ngame = 3",
                "game: there is no such key; expected experiment, seed, games, depths",
            ),
            (
                "experiment = \"nodes\"\ngames = 0",
                "games: 0 cannot be; expected a whole number from 1 to 1000",
            ),
            ("experiment = \"nodes\"\nseed = -1", "seed: -1 cannot be; expected a whole number"),
            (
                "experiment = \"nodes\"\ndepths = [2, 2]",
                "depths: [2, 2] cannot be; expected a list such as [2, 4] of two or more",
            ),
            ("experiment = \"nodes\"\ndepths = []", "depths: [] cannot be; expected a list"),
            ("experiment = \"nodes\"\ndepths = [3]", "depths: [3] cannot be; expected a list"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
