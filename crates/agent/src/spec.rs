//! The text that asks for an agent, `name` or `name:key=value,key=value`, read once.
//!
//! [`AgentSpec`] splits the text; it does not know which agents there are. A
//! catalogue finds the agent of the name, whose [`Form`](crate::Form) says what the rest is: a
//! list of settings, a file and settings, or settings and a command line.

mod error;

pub use error::SpecError;

use std::fmt;

/// An agent's name and the rest of its spec, split at the commas.
///
/// ```
/// use isrever_agent::AgentSpec;
///
/// let spec = AgentSpec::new("engine:level=5,time=3m");
/// assert_eq!((spec.name(), spec.get("level")), ("engine", Some("5")));
/// assert_eq!(spec.with("level", 7).to_string(), "engine:level=7,time=3m");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AgentSpec {
    /// The spec as it was written.
    text: String,
    name: String,
    rest: String,
    pub(crate) items: Vec<Item>,
}

/// A part of the rest between two commas.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Item {
    /// Where it begins in the rest.
    pub(crate) start: usize,
    /// Its text.
    pub(crate) text: String,
    /// Its key and value, if it is `key=value`.
    pub(crate) setting: Option<(String, String)>,
}

impl Item {
    fn new(start: usize, text: &str) -> Item {
        let text = text.trim();
        let setting = text.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
        let setting = setting.filter(|(key, _)| !key.is_empty());
        let setting = setting.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Item { start, text: text.to_owned(), setting }
    }

    pub(crate) fn key(&self) -> Option<&str> {
        self.setting.as_ref().map(|(key, _)| key.as_str())
    }
}

impl AgentSpec {
    /// Splits a spec at its first colon and at its commas. Every text is a spec; not every spec has
    /// an agent.
    pub fn new(text: &str) -> AgentSpec {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let rest = rest.trim();
        let mut items = Vec::new();
        let mut start = 0;
        for item in rest.split(',').filter(|_| !rest.is_empty()) {
            items.push(Item::new(start, item));
            start += item.len() + 1;
        }
        AgentSpec {
            text: text.to_owned(),
            name: name.trim().to_owned(),
            rest: rest.to_owned(),
            items,
        }
    }

    /// The spec as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The name of the agent.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text behind the colon; empty without one.
    pub fn rest(&self) -> &str {
        &self.rest
    }

    /// The keys and values among the settings, in their order.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        let settings = self.items.iter().filter_map(|item| item.setting.as_ref());
        settings.map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The value of `key`, if the spec gives it one.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.settings().find(|(given, _)| *given == key).map(|(_, value)| value)
    }

    /// The same agent with this value for `key`, in its place or at the end.
    #[must_use]
    pub fn with(&self, key: &str, value: impl fmt::Display) -> AgentSpec {
        let place = self.items.iter().position(|item| item.key() == Some(key));
        self.with_item(place.unwrap_or(self.items.len()), &format!("{key}={value}"))
    }

    /// The same agent with these settings at the end; it has none of them yet.
    #[must_use]
    pub fn and<'a, V: fmt::Display>(
        &self,
        settings: impl IntoIterator<Item = (&'a str, V)>,
    ) -> AgentSpec {
        let settings = settings.into_iter().map(|(key, value)| format!("{key}={value}"));
        let settings: Vec<String> = settings.collect();
        let own = self.items.iter().map(|item| item.text.as_str());
        self.of_items(own.chain(settings.iter().map(String::as_str)))
    }

    /// The same agent without the settings whose keys `is_left_out` names.
    #[must_use]
    pub fn without(&self, is_left_out: impl Fn(&str) -> bool) -> AgentSpec {
        let stays = |item: &&Item| !item.key().is_some_and(&is_left_out);
        self.of_items(self.items.iter().filter(stays).map(|item| item.text.as_str()))
    }

    /// The same agent with `text` as item number `place`.
    pub(crate) fn with_item(&self, place: usize, text: &str) -> AgentSpec {
        let mut items: Vec<&str> = self.items.iter().map(|item| item.text.as_str()).collect();
        match items.get_mut(place) {
            Some(item) => *item = text,
            None => items.push(text),
        }
        self.of_items(items)
    }

    fn of_items<'a>(&self, items: impl IntoIterator<Item = &'a str>) -> AgentSpec {
        let items: Vec<&str> = items.into_iter().collect();
        let colon = if items.is_empty() { "" } else { ":" };
        AgentSpec::new(&format!("{}{colon}{}", self.name, items.join(",")))
    }
}

impl From<&str> for AgentSpec {
    fn from(text: &str) -> AgentSpec {
        AgentSpec::new(text)
    }
}

impl From<&String> for AgentSpec {
    fn from(text: &String) -> AgentSpec {
        AgentSpec::new(text)
    }
}

impl From<String> for AgentSpec {
    fn from(text: String) -> AgentSpec {
        AgentSpec::new(&text)
    }
}

impl From<&AgentSpec> for AgentSpec {
    fn from(spec: &AgentSpec) -> AgentSpec {
        spec.clone()
    }
}

/// Writes the spec as it was written.
impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_is_a_name_and_the_rest() {
        for (text, name, rest) in [
            ("random", "random", ""),
            ("greedy:by=mobility", "greedy", "by=mobility"),
            ("greedy:", "greedy", ""),
            (" greedy : by=discs ", "greedy", "by=discs"),
            ("nboard:/opt/edax -l 4:x,y=z", "nboard", "/opt/edax -l 4:x,y=z"),
            ("", "", ""),
        ] {
            let spec = AgentSpec::new(text);
            assert_eq!((spec.name(), spec.rest()), (name, rest));
            assert_eq!((spec.as_str(), spec.to_string().as_str()), (text, text));
        }
    }

    #[test]
    fn settings_can_be_asked_for_changed_and_left_out() {
        let spec = AgentSpec::new("mcts:playouts=1000, threads = 2,time=0.5s");
        assert_eq!((spec.get("threads"), spec.get("depth")), (Some("2"), None));
        let settings: Vec<(&str, &str)> = spec.settings().collect();
        assert_eq!(settings, [("playouts", "1000"), ("threads", "2"), ("time", "0.5s")]);
        assert_eq!(spec.with("threads", 4).as_str(), "mcts:playouts=1000,threads=4,time=0.5s");
        assert_eq!(AgentSpec::new("mcts").with("threads", 4).as_str(), "mcts:threads=4");
        assert_eq!(spec.without(|key| key != "time").as_str(), "mcts:time=0.5s");
        let more = AgentSpec::new("a:x=1").and([("y", 2.5), ("z", -1.0)]);
        assert_eq!(more.as_str(), "a:x=1,y=2.5,z=-1");
        assert_eq!(AgentSpec::new("mcts:time=1s").without(|_| true).as_str(), "mcts");
    }
}
