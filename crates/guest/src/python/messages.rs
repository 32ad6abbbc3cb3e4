//! The messages between isrever and the harness: lines of JSON.
//!
//! Everything from the agent's side is hostile input. Lines and lists have a
//! greatest length, and both the harness and we shorten every text of the
//! agent's.

use isrever_board::Color;
use serde::{Deserialize, Serialize};

/// The longest line that we accept.
pub(crate) const MOST_LINE_BYTES: usize = 64 << 10;

/// The most characters of an agent's text that a message quotes.
const MOST_QUOTED: usize = 400;

/// The first line to the harness: where its modules are, and the agent's file.
#[derive(Serialize)]
pub(crate) struct Load<'a> {
    pub(crate) path: &'a [String],
    /// The file's bytes, a character each: the file itself declares its encoding.
    pub(crate) source: String,
    /// Seeds the random numbers of agents that do not seed them themselves.
    pub(crate) seed: u64,
    /// What numba compiled for the same file before: files in pieces, each a name and base64.
    /// `None` asks for them.
    pub(crate) compiled: Option<&'a [(String, String)]>,
}

/// The second line: the arguments of the agent's constructor.
#[derive(Serialize)]
pub(crate) struct Make {
    pub(crate) size: u8,
    /// −1 is black, 1 is white.
    pub(crate) color: i8,
    pub(crate) time_out: Seconds,
}

/// A time in seconds: an integer where possible, as agents of the course expect.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Seconds {
    Whole(u64),
    Part(f64),
}

/// All other lines: a board to choose a move on, row by row.
#[derive(Serialize)]
pub(crate) struct Ask {
    pub(crate) board: Vec<i8>,
}

/// A reply of the harness.
#[derive(Deserialize, Debug, PartialEq)]
#[serde(tag = "t", rename_all = "lowercase")]
pub(crate) enum Reply {
    /// The libraries are loaded; no code of the agent's has run.
    Loaded,
    /// A piece of a file that numba compiled while the agent started.
    Compiled { name: String, piece: String },
    /// The agent is created.
    Ready,
    /// The list's last element has changed.
    Last { last: Option<Entry> },
    /// `go` has returned.
    Done(MoveList),
    /// `go` was stopped when its time was over.
    Stopped(MoveList),
    /// The agent raised an error.
    Raised(Raised),
    /// The file is no agent of the course, for this reason.
    Refused { why: String },
}

/// An error of the agent's.
#[derive(Deserialize, Debug, PartialEq)]
pub(crate) struct Raised {
    pub(crate) what: String,
    /// The last line of the agent's own in the traceback.
    pub(crate) r#where: Option<String>,
    pub(crate) memory: bool,
    /// The module that is not there.
    pub(crate) missing: Option<String>,
    /// The whole traceback.
    #[serde(default)]
    pub(crate) trace: String,
}

/// The list at the end of a move.
#[derive(Deserialize, Debug, PartialEq)]
pub(crate) struct MoveList {
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
    /// Anything but a pair of integers, as Python's `repr` writes it.
    Other(String),
}

impl Reply {
    /// Reads a line.
    pub(crate) fn read(line: &[u8]) -> Option<Reply> {
        serde_json::from_slice(line).ok()
    }
}

/// A message as a line of ASCII JSON.
pub(crate) fn line(message: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("messages are plain data");
    // Python reads it as ASCII.
    if !line.is_ascii() {
        let text: String = String::from_utf8_lossy(&line)
            .chars()
            .map(|letter| {
                if letter.is_ascii() {
                    return letter.to_string();
                }
                let mut units = [0; 2];
                letter
                    .encode_utf16(&mut units)
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}"))
                    .collect()
            })
            .collect();
        line = text.into_bytes();
    }
    line.push(b'\n');
    line
}

/// The course's number for a colour.
pub(crate) fn number(color: Color) -> i8 {
    match color {
        Color::Black => -1,
        Color::White => 1,
    }
}

/// The beginning of an agent's text, on one line.
pub(crate) fn excerpt(text: &str) -> String {
    let mut excerpt: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .take(MOST_QUOTED)
        .collect();
    if text.chars().nth(MOST_QUOTED).is_some() {
        excerpt.push('…');
    }
    excerpt
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
        let list = MoveList { list: vec![Entry::Other("'f5'".to_owned())], count: 1, last: None };
        let line = br#"{"t":"done","list":["'f5'"],"count":1,"last":null}"#;
        assert_eq!(Reply::read(line), Some(Reply::Done(list)));
        for line in ["", "ready", "{}", r#"{"t":"win"}"#, r#"{"t":"last","last":[1,2,3]}"#, "[["] {
            assert_eq!(Reply::read(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn excerpts_are_short_and_on_one_line() {
        assert_eq!(excerpt("a\nb\u{1b}[2J"), "a b [2J");
        assert_eq!(excerpt(&"x".repeat(1_000)).chars().count(), MOST_QUOTED + 1);
    }
}
