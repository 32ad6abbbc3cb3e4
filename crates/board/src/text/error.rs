//! The errors of readers and writers: one line each.
//!
//! The offence is a sentence and not an enum: people read it, no code depends
//! on its kind, and the code that finds it words it.

use std::fmt;

/// Why a text could not be read: where, what is wrong, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Where the offence is.
    pub place: Place,
    /// What is wrong and what was expected, in one line.
    pub offence: String,
}

/// A place in what was read. Everything counts from 1, but bytes from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The whole of it.
    Start,
    /// A character of a text.
    Line {
        /// The line.
        line: usize,
        /// The character in the line.
        column: usize,
    },
    /// A byte of a binary file.
    Byte(usize),
    /// A move of a game of a binary file.
    Move {
        /// The game.
        game: usize,
        /// The move, passes not counted.
        number: usize,
    },
}

impl ReadError {
    pub(super) fn new(place: Place, offence: impl Into<String>) -> ReadError {
        ReadError { place, offence: offence.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Start => {}
            Place::Line { line, column } => write!(f, "line {line}, column {column}: ")?,
            Place::Byte(byte) => write!(f, "byte {byte}: ")?,
            Place::Move { game, number } => write!(f, "game {game}, move {number}: ")?,
        }
        f.write_str(&self.offence)
    }
}

impl std::error::Error for ReadError {}

/// Why records could not be written: which one, what is wrong, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// The record that cannot be written, counted from 1, if it is one of them.
    pub record: Option<usize>,
    /// What is wrong and what was expected, in one line.
    pub offence: String,
}

impl WriteError {
    /// An error that is not one record's.
    pub(super) fn whole(offence: impl Into<String>) -> WriteError {
        WriteError { record: None, offence: offence.into() }
    }

    /// The same error, of the record with this number.
    pub(super) fn of(self, number: usize) -> WriteError {
        WriteError { record: Some(number), ..self }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(record) = self.record {
            write!(f, "record {record}: ")?;
        }
        f.write_str(&self.offence)
    }
}

impl std::error::Error for WriteError {}

/// The text between quotation marks, cut short, with nothing in it that could break a line.
pub(super) fn quote(text: &str) -> String {
    const SHOWN: usize = 20;
    let mut quoted = String::from("\"");
    let mut chars = text.chars();
    quoted.extend(chars.by_ref().take(SHOWN).flat_map(char::escape_debug));
    quoted.push_str(if chars.next().is_some() { "…\"" } else { "\"" });
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_short_and_stay_on_their_line() {
        assert_eq!(quote("abc"), "\"abc\"");
        assert_eq!(quote("a\n\u{1b}[2J"), "\"a\\n\\u{1b}[2J\"");
        assert_eq!(quote(&"é".repeat(21)), format!("\"{}…\"", "é".repeat(20)));
    }
}
