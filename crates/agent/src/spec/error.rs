//! What can be wrong with a spec, and how it is said.

use crate::nearest::{did_you_mean, listed_words};
use crate::parameters::ParameterError;
use std::fmt;

/// Why a spec makes no agent.
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
    /// A setting that is no `key=value`.
    NoValue {
        /// The agent.
        agent: String,
        /// The text in its place.
        item: String,
    },
    /// A key is given twice.
    Twice {
        /// The agent.
        agent: String,
        /// The key.
        key: String,
    },
    /// A value that its key does not take.
    BadValue {
        /// The agent.
        agent: String,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What the key takes.
        expected: String,
    },
    /// A parameter cannot have this value.
    Parameter {
        /// The agent.
        agent: String,
        /// Why not.
        error: Box<ParameterError>,
    },
    /// Something that only the agent itself can say.
    Other {
        /// The agent.
        agent: String,
        /// What is wrong, and what was expected.
        offence: String,
    },
}

impl SpecError {
    /// Something that the agent called `agent` says itself: what is wrong, and what it expected.
    pub fn other(agent: &str, offence: impl Into<String>) -> SpecError {
        SpecError::Other { agent: agent.to_owned(), offence: offence.into() }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::UnknownName { name, nearest, known } => {
                let meant = did_you_mean(name, nearest.as_deref());
                write!(f, "no agent is called {name:?}{meant}; expected {}", or_list(known))
            }
            SpecError::UnknownKey { agent, key, allowed } if allowed.is_empty() => {
                write!(f, "{agent} has no key {key:?}; expected {agent} alone")
            }
            SpecError::UnknownKey { agent, key, allowed } => {
                let meant = did_you_mean(key, allowed.iter().map(String::as_str));
                write!(f, "{agent} has no key {key:?}{meant}; expected {}", or_list(allowed))
            }
            SpecError::NoValue { agent, item } => {
                write!(f, "{agent} was given {item:?}; expected key=value")
            }
            SpecError::Twice { agent, key } => {
                write!(f, "{agent} was given {key} more than once; expected it once")
            }
            SpecError::BadValue { agent, key, value, expected } => {
                let meant = did_you_mean(value, listed_words(expected));
                write!(f, "{agent} was given {key}={value}{meant}; expected {expected}")
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
