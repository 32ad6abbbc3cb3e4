//! What isrever and the harness say to each other: lines of JSON.
//!
//! What comes from the agent's side is read as hostile: lines have a greatest
//! length, lists a greatest number of elements, and every word of the agent's
//! is shortened by the harness and again here.

use serde::{Deserialize, Serialize};

/// The longest line that is read.
pub(crate) const MOST_LINE_BYTES: usize = 64 << 10;

/// The most characters of the agent's own words that go into a message.
const MOST_WORDS: usize = 400;

/// The first line to the harness: where its modules are, and the agent's file.
#[derive(Serialize)]
pub(crate) struct Load<'a> {
    pub(crate) path: &'a [String],
    /// The bytes of the file, a character each: the file says its own encoding.
    pub(crate) source: String,
    /// Where random numbers of agents that do not seed them come from.
    pub(crate) seed: u64,
}

/// The second line: how to make the agent.
#[derive(Serialize)]
pub(crate) struct Make {
    pub(crate) size: u8,
    /// −1 is black, 1 is white.
    pub(crate) color: i8,
    pub(crate) time_out: Seconds,
}

/// Whole where it can be, as agents of the course expect.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Seconds {
    Whole(u64),
    Part(f64),
}

/// All other lines: which board to play on, row by row.
#[derive(Serialize)]
pub(crate) struct Ask {
    pub(crate) board: Vec<i8>,
}

/// What the harness says.
#[derive(Deserialize, Debug, PartialEq)]
#[serde(tag = "t", rename_all = "lowercase")]
pub(crate) enum Reply {
    /// The libraries are there, nothing of the agent's has run.
    Loaded,
    /// The agent is made.
    Ready,
    /// The list's last element is another.
    Last { last: Option<Entry> },
    /// `go` has returned.
    Done(Told),
    /// `go` was stopped when its time was over.
    Stopped(Told),
    /// The agent raised an error.
    Raised(Raised),
    /// The file imports what the course forbids, in this line.
    Refused { line: u64 },
}

/// An error of the agent's.
#[derive(Deserialize, Debug, PartialEq)]
pub(crate) struct Raised {
    pub(crate) what: String,
    /// The last line of the agent's own on the way to it.
    pub(crate) r#where: Option<String>,
    pub(crate) memory: bool,
    /// The whole way, as Python writes it.
    #[serde(default)]
    pub(crate) trace: String,
}

/// The list at the end of a move.
#[derive(Deserialize, Debug, PartialEq)]
pub(crate) struct Told {
    /// The first elements.
    pub(crate) list: Vec<Entry>,
    /// How many there are.
    pub(crate) count: u64,
    pub(crate) last: Option<Entry>,
}

/// An element of the list.
#[derive(Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(untagged)]
pub enum Entry {
    /// A row and a column, on the board or not.
    Place([i64; 2]),
    /// Something that is no pair of whole numbers, as Python writes it.
    Other(String),
}

impl Reply {
    /// Reads a line.
    pub(crate) fn read(line: &[u8]) -> Option<Reply> {
        serde_json::from_slice(line).ok()
    }
}

/// Words of the agent's, short and on one line.
pub(crate) fn words(text: &str) -> String {
    let mut words: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .take(MOST_WORDS)
        .collect();
    if text.chars().nth(MOST_WORDS).is_some() {
        words.push('…');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_and_anything_else_is_none() {
        assert_eq!(Reply::read(br#"{"t":"ready"}"#), Some(Reply::Ready));
        let last = Some(Entry::Place([2, -3]));
        assert_eq!(Reply::read(br#"{"t":"last","last":[2,-3]}"#), Some(Reply::Last { last }));
        assert_eq!(Reply::read(br#"{"t":"last","last":null}"#), Some(Reply::Last { last: None }));
        let told = Told { list: vec![Entry::Other("'f5'".to_owned())], count: 1, last: None };
        let line = br#"{"t":"done","list":["'f5'"],"count":1,"last":null}"#;
        assert_eq!(Reply::read(line), Some(Reply::Done(told)));
        for line in ["", "ready", "{}", r#"{"t":"win"}"#, r#"{"t":"last","last":[1,2,3]}"#, "[["] {
            assert_eq!(Reply::read(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn words_are_short_and_on_one_line() {
        assert_eq!(words("a\nb\u{1b}[2J"), "a b [2J");
        assert_eq!(words(&"x".repeat(1_000)).chars().count(), MOST_WORDS + 1);
    }
}
