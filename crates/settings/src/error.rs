//! What is wrong with a file or a setting, in one line.

use crate::choice;
use isrever_agent::{did_you_mean, listed_words};
use std::fmt;

/// Why a file or a setting is refused: `line N: key: cannot be X; expected Y`, as far as line and
/// key are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    line: Option<usize>,
    key: Option<String>,
    offence: String,
}

impl Error {
    /// Something is wrong with a key; the offence says what was expected.
    pub fn new(key: &str, offence: impl fmt::Display) -> Error {
        Error { line: None, key: Some(key.to_owned()), offence: offence.to_string() }
    }

    /// A key cannot have this value, as the user wrote it.
    pub fn value(key: &str, value: impl fmt::Display, expected: impl fmt::Display) -> Error {
        let (value, expected) = (value.to_string(), expected.to_string());
        let meant = did_you_mean(value.trim_matches('"'), listed_words(&expected));
        Error::new(key, format_args!("cannot be {value}{meant}; expected {expected}"))
    }

    /// There is no such key.
    pub(crate) fn unknown(key: &str, known: &[&str]) -> Error {
        let meant = did_you_mean(key, known.iter().copied());
        Error::new(key, format_args!("no such key{meant}; expected {}", choice(known)))
    }

    /// The text is not TOML.
    pub(crate) fn of_toml(error: &toml::de::Error, text: &str) -> Error {
        let mut offence = error.message().replace('\n', " ").replace('`', "\"");
        if !offence.contains("expected") {
            offence.push_str("; expected TOML such as pairs = 20");
        }
        let line = line(text, error.span().map_or(0, |span| span.start));
        Error { line: Some(line), key: None, offence }
    }

    /// The same, on a line.
    #[must_use]
    pub(crate) fn at(self, line: usize) -> Error {
        Error { line: self.line.or(Some(line)), ..self }
    }
}

/// The line of a byte, from 1.
pub(crate) fn line(text: &str, byte: usize) -> usize {
    text.get(..byte).unwrap_or(text).matches('\n').count() + 1
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(key) = &self.key {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.offence)
    }
}

impl std::error::Error for Error {}
