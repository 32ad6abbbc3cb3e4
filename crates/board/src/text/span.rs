//! Spans: pieces of a text with their offset, and faults at an offset.
//!
//! Readers carry byte offsets; line and column are counted only once, when a
//! fault becomes the error that the user sees.

use super::MAX_LINE_BYTES;
use super::error::{Place, ReadError};

/// An offence at a byte of the text.
#[derive(Debug)]
pub(super) struct Fault {
    at: usize,
    offence: String,
}

impl Fault {
    pub(super) fn new(at: usize, offence: impl Into<String>) -> Fault {
        Fault { at, offence: offence.into() }
    }

    /// The error, its place counted in lines and columns.
    pub(super) fn placed(self, text: &str) -> ReadError {
        ReadError { place: place(text.as_bytes(), self.at), offence: self.offence }
    }
}

/// The line and the column of the byte at `at`; columns count characters.
fn place(bytes: &[u8], at: usize) -> Place {
    let before = &bytes[..at.min(bytes.len())];
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    // A character has one byte that does not continue another.
    let column = before[start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count() + 1;
    Place::Line { line, column }
}

/// The bytes behind the byte order mark that some editors put first.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// The bytes as text, if they are UTF-8 without NUL in lines of bearable length.
pub(super) fn text(bytes: &[u8]) -> Result<&str, ReadError> {
    let mut start = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        if line.len() > MAX_LINE_BYTES {
            let offence =
                format!("the line has {} bytes; expected at most {MAX_LINE_BYTES}", line.len());
            return Err(ReadError::new(place(bytes, start), offence));
        }
        start += line.len() + 1;
    }
    let refuse = |at: usize, what| {
        let offence = format!("byte 0x{:02x} is {what}; expected plain text", bytes[at]);
        ReadError::new(place(bytes, at), offence)
    };
    // NUL marks a binary file, and no text could be told from one if it had it too.
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(refuse(at, "NUL"));
    }
    std::str::from_utf8(bytes).map_err(|error| refuse(error.valid_up_to(), "not UTF-8"))
}

/// A piece of the text and the offset where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Span<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Span<'a> {
        Span { text, at }
    }

    /// The piece without white space around it.
    pub(super) fn trim(self) -> Span<'a> {
        let text = self.text.trim_start();
        Span { at: self.at + self.text.len() - text.len(), text: text.trim_end() }
    }

    /// What lies before and behind byte `middle`.
    pub(super) fn split_at(self, middle: usize) -> (Span<'a>, Span<'a>) {
        let (before, behind) = self.text.split_at(middle);
        (Span::new(before, self.at), Span::new(behind, self.at + middle))
    }

    /// What lies before and behind the first `separator`.
    pub(super) fn split_once(self, separator: char) -> Option<(Span<'a>, Span<'a>)> {
        let (before, behind) = self.text.split_once(separator)?;
        let at = self.at + self.text.len() - behind.len();
        Some((Span::new(before, self.at), Span::new(behind, at)))
    }

    /// The first word, empty if there is none, and what follows it.
    pub(super) fn word(self) -> (Span<'a>, Span<'a>) {
        let text = self.text.trim_start();
        let start = self.text.len() - text.len();
        let end = start + text.find(char::is_whitespace).unwrap_or(text.len());
        let (head, rest) = self.split_at(end);
        (head.split_at(start).1, rest)
    }

    /// The characters other than white space, each with its offset.
    pub(super) fn marks(self) -> impl Iterator<Item = (usize, char)> + 'a {
        let marks = self.text.char_indices().filter(|(_, mark)| !mark.is_whitespace());
        marks.map(move |(index, mark)| (self.at + index, mark))
    }

    /// A fault at the beginning of the piece.
    pub(super) fn fault(self, offence: impl Into<String>) -> Fault {
        Fault::new(self.at, offence)
    }

    /// A fault behind the end of the piece.
    pub(super) fn fault_behind(self, offence: impl Into<String>) -> Fault {
        Fault::new(self.at + self.text.len(), offence)
    }
}

/// The lines that say something: trimmed, without comments and not empty.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Span<'_>> {
    commented_lines(text).map(|(line, _)| line).filter(|line| !line.text.is_empty())
}

/// All lines, each parted into what it says and the comment behind it, from `%` or `#` on; both
/// trimmed, and the comment without its mark.
pub(super) fn commented_lines(text: &str) -> impl Iterator<Item = (Span<'_>, Span<'_>)> {
    let mut at = 0;
    text.split('\n').map(move |line| {
        let span = Span::new(line, at);
        at += line.len() + 1;
        let (line, comment) = span.split_at(line.find(['%', '#']).unwrap_or(line.len()));
        // The mark is one byte long.
        let comment = comment.split_at(comment.text.len().min(1)).1;
        (line.trim(), comment.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_where_they_lie() {
        let text = "% one\n  two # 2\r\n\n\tthree";
        let found: Vec<_> = lines(text).map(|line| (line.at, line.text)).collect();
        assert_eq!(found, [(8, "two"), (19, "three")]);
        assert!(found.iter().all(|&(at, line)| text[at..].starts_with(line)));
        let comments: Vec<_> = commented_lines(text).map(|(_, c)| (c.at, c.text)).collect();
        assert_eq!(comments, [(2, "one"), (14, "2"), (17, ""), (24, "")]);
    }

    #[test]
    fn words_are_cut_off_one_by_one() {
        let (first, rest) = Span::new("  ab  c", 10).word();
        assert_eq!((first.at, first.text), (12, "ab"));
        let (second, rest) = rest.word();
        assert_eq!((second.at, second.text), (16, "c"));
        assert_eq!(rest.word().0.text, "");
    }

    #[test]
    fn columns_count_characters() {
        let text = "é\nàé!";
        let at = text.find('!').unwrap();
        assert_eq!(place(text.as_bytes(), at), Place::Line { line: 2, column: 3 });
        assert_eq!(place(b"", 7), Place::Line { line: 1, column: 1 });
    }
}
