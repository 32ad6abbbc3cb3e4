//! The agents by name. A new agent is entered here, and every list and command knows it.

use crate::{Agent, Greedy, Random};
use std::fmt;

/// An agent that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What to ask for.
    pub name: &'static str,
    /// One line on how it plays.
    pub about: &'static str,
    make: fn(u64) -> Box<dyn Agent>,
}

impl Entry {
    /// The agent, ready to play. All its random choices come from `seed`.
    pub fn make(&self, seed: u64) -> Box<dyn Agent> {
        (self.make)(seed)
    }
}

/// Every agent there is, weakest first.
pub fn catalogue() -> &'static [Entry] {
    const ENTRIES: &[Entry] = &[
        Entry {
            name: "random",
            about: "plays any legal move, all equally likely",
            make: |seed| Box::new(Random::new(seed)),
        },
        Entry {
            name: "greedy",
            about: "looks one move ahead: turns the fewest discs (the most under the normal rule)",
            make: |seed| Box::new(Greedy::new(seed)),
        },
    ];
    ENTRIES
}

/// The agent called `name`, ready to play. All its random choices come from `seed`.
pub fn by_name(name: &str, seed: u64) -> Result<Box<dyn Agent>, UnknownAgent> {
    let entry = catalogue().iter().find(|entry| entry.name == name);
    entry.map(|entry| entry.make(seed)).ok_or_else(|| UnknownAgent { name: name.to_owned() })
}

/// A name that no agent has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAgent {
    /// The name that was asked for.
    pub name: String,
}

impl fmt::Display for UnknownAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = catalogue().iter().map(|entry| entry.name).collect();
        write!(f, "no agent is called {:?}; expected {}", self.name, names.join(" or "))
    }
}

impl std::error::Error for UnknownAgent {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_answer_to_their_names() {
        for entry in catalogue() {
            assert_eq!(by_name(entry.name, 1).unwrap().name(), entry.name);
            assert!(!entry.about.is_empty() && !entry.about.contains('\n'));
        }
    }

    #[test]
    fn an_unknown_name_is_told_what_exists() {
        let error = by_name("deep thought", 1).err().unwrap();
        assert_eq!(
            error.to_string(),
            "no agent is called \"deep thought\"; expected random or greedy"
        );
    }
}
