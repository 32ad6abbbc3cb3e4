//! The settings of an experiment: its keys as a table, and TOML that sets them.
//!
//! A specification is complete: it has the seed and every setting, also those at their default.

use isrever_settings::{Document, Error, Key, Keys, Kind, MOST, choice, typed};
use std::ops::RangeInclusive;
use toml::{Table, Value};

/// A setting of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    /// Its key; the default is that of a full run.
    pub key: Key,
    /// Its value in a smoke run.
    pub quick: Value,
    full: Value,
}

impl Setting {
    /// A whole number.
    pub fn count(
        name: &'static str,
        about: &'static str,
        range: RangeInclusive<u64>,
        values: [u64; 2],
    ) -> Setting {
        let kind = Kind::Whole(*range.start(), *range.end());
        Setting::new(name, about, kind, values.map(whole))
    }

    /// A list of whole numbers.
    pub fn counts(
        name: &'static str,
        about: &'static str,
        range: RangeInclusive<u64>,
        values: [&[u64]; 2],
    ) -> Setting {
        let kind = Kind::Wholes(*range.start(), *range.end());
        let list = |numbers: &[u64]| numbers.iter().copied().map(whole).collect();
        Setting::new(name, about, kind, values.map(list).map(Value::Array))
    }

    fn new(
        name: &'static str,
        about: &'static str,
        kind: Kind,
        [full, quick]: [Value; 2],
    ) -> Setting {
        let key = Key { name, kind, default: typed(&full).into(), about };
        Setting { key, full, quick }
    }
}

fn whole(number: u64) -> Value {
    Value::Integer(i64::try_from(number).expect("settings are small"))
}

/// The settings of one run of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Specification {
    /// The name of the experiment.
    pub experiment: String,
    /// The seed of all random choices.
    pub seed: u64,
    values: Vec<(Setting, Value)>,
}

const EXPERIMENT: Key = Key::new(
    "experiment",
    Kind::Text("the name of an experiment in quotes"),
    "",
    "its name, as `isrever lab list` has it",
);
const SEED: Key = Key::new("seed", Kind::Whole(0, MOST), "1", "where all random choices come from");

impl Specification {
    /// The default of `experiment`: a full run, or a smoke run.
    pub fn default_of(experiment: &str, settings: &[Setting], is_quick: bool) -> Specification {
        let value = |setting: &Setting| {
            let value = if is_quick { &setting.quick } else { &setting.full };
            (setting.clone(), value.clone())
        };
        let values = settings.iter().map(value).collect();
        Specification { experiment: experiment.to_owned(), seed: 1, values }
    }

    /// Reads a specification of one of the experiments that `known` names; `settings` has theirs.
    /// Settings that it leaves open are those of a full run.
    pub fn read(
        text: &str,
        known: &[&str],
        settings: impl Fn(&str) -> Vec<Setting>,
    ) -> Result<Specification, Error> {
        let document = Document::parse(text)?;
        let named = document.table().get(EXPERIMENT.name);
        let name = named.and_then(Value::as_str).filter(|name| known.contains(name));
        let name = name.ok_or_else(|| match named {
            None => {
                let offence = format_args!("not said; expected {}", choice(known));
                Error::new(EXPERIMENT.name, offence)
            }
            Some(value) => {
                let error = Error::value(EXPERIMENT.name, typed(value), choice(known));
                document.locate(EXPERIMENT.name, error)
            }
        })?;
        let mut specification = Specification::default_of(name, &settings(name), false);
        let mut keys = specification.keys();
        keys.insert(0, EXPERIMENT);
        document.check(Keys(&keys))?;
        for (key, value) in document.table().iter().filter(|(key, _)| *key != EXPERIMENT.name) {
            specification.set(key, value)?;
        }
        Ok(specification)
    }

    /// Sets one key to what was typed for it, as TOML.
    pub fn assign(&mut self, key: &str, text: &str) -> Result<(), Error> {
        let value = format!("value = {text}").parse::<Table>().ok();
        let value = value.filter(|toml| toml.len() == 1).and_then(|mut toml| toml.remove("value"));
        self.set(key, &value.unwrap_or_else(|| Value::String(text.to_owned())))
    }

    /// The keys that can be set.
    fn keys(&self) -> Vec<Key> {
        let own = self.values.iter().map(|(setting, _)| setting.key.clone());
        std::iter::once(SEED).chain(own).collect()
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), Error> {
        Keys(&self.keys()).check(key, value)?;
        match self.values.iter_mut().find(|(setting, _)| setting.key.name == key) {
            None => self.seed = value.as_integer().map_or(0, i64::cast_unsigned),
            Some((_, old)) => {
                *old = value.clone();
                if let Value::Array(numbers) = old {
                    numbers.sort_by_key(Value::as_integer);
                }
            }
        }
        Ok(())
    }

    /// A whole number.
    ///
    /// # Panics
    /// If the experiment has no such setting.
    pub fn count(&self, key: &str) -> u64 {
        number(self.value(key))
    }

    /// A list of whole numbers.
    ///
    /// # Panics
    /// If the experiment has no such setting.
    pub fn counts(&self, key: &str) -> Vec<u64> {
        self.value(key).as_array().expect("the setting is a list").iter().map(number).collect()
    }

    fn value(&self, key: &str) -> &Value {
        let found = self.values.iter().find(|(setting, _)| setting.key.name == key);
        &found.unwrap_or_else(|| panic!("{} has no setting {key}", self.experiment)).1
    }

    /// All settings as TOML.
    pub fn text(&self) -> String {
        let mut text = format!("experiment = \"{}\"\nseed = {}\n", self.experiment, self.seed);
        for (Setting { key: Key { name, about, .. }, .. }, value) in &self.values {
            text += &format!("\n# {about}\n{name} = {}\n", typed(value));
        }
        text
    }
}

fn number(value: &Value) -> u64 {
    value.as_integer().expect("the setting is a whole number").cast_unsigned()
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

    fn read(text: &str) -> Result<Specification, Error> {
        Specification::read(text, &["nodes", "breadth"], settings)
    }

    #[test]
    fn what_is_not_said_is_as_in_a_full_run_and_what_is_written_is_read() {
        let specification = read("experiment = \"nodes\"\ndepths = [3, 1]").unwrap();
        assert_eq!((specification.count("games"), specification.seed), (100, 1));
        assert_eq!(specification.counts("depths"), [1, 3]);
        assert_eq!(read(&specification.text()).unwrap(), specification);
        let quick = Specification::default_of("nodes", &settings("nodes"), true);
        assert_eq!((quick.count("games"), quick.counts("depths")), (2, vec![2, 3]));
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
        assert_eq!(error, "games: cannot be \"many\"; expected a whole number from 1 to 1000");
        assert!(specification.assign("games", "1\nseed = 4").is_err());
    }

    #[test]
    fn what_is_wrong_is_named_with_what_could_be() {
        for (text, message) in [
            ("games = ", "line 1: "),
            ("games = 1", "experiment: not said; expected nodes or breadth"),
            ("experiment = 3", "line 1: experiment: cannot be 3; expected nodes or breadth"),
            (
                "experiment = \"nods\"",
                "line 1: experiment: cannot be \"nods\" (did you mean nodes?); expected nodes or",
            ),
            (
                "experiment = \"nodes\"\ngame = 3",
                "line 2: game: no such key (did you mean games?); expected experiment, seed, games or depths",
            ),
            (
                "experiment = \"nodes\"\ngames = 0",
                "line 2: games: cannot be 0; expected a whole number from 1 to 1000",
            ),
            (
                "experiment = \"nodes\"\nseed = -1",
                "line 2: seed: cannot be -1; expected a whole number",
            ),
            (
                "experiment = \"nodes\"\ndepths = [2, 2]",
                "line 2: depths: cannot be [2, 2]; expected a list such as [2, 4] of two or more",
            ),
            (
                "experiment = \"nodes\"\ndepths = []",
                "line 2: depths: cannot be []; expected a list",
            ),
            (
                "experiment = \"nodes\"\ndepths = [3]",
                "line 2: depths: cannot be [3]; expected a list",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
