//! Reads incoming lines, and keeps together those that came together.
//!
//! Who writes a whole script into a pipe has sent all of it before the first
//! command is done; who sends a line later may have seen what was answered.
//! Protocols want to know the difference.

use std::io::{ErrorKind, Read};

/// The longest line that can mean anything: a game with all its notes.
pub(in crate::commands) const MOST_LINE_BYTES: usize = 1 << 16;

/// One line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::commands) enum Line {
    /// Without its end. What is not UTF-8 in it is replaced.
    Text(String),
    /// A line too long to mean anything; it is not kept.
    TooLong,
}

/// The lines of `input`, as many at a time as there are, until it ends or fails.
pub(super) fn chunks(mut input: impl Read) -> impl Iterator<Item = Vec<Line>> {
    let mut collector = Collector::default();
    let mut buffer = vec![0; MOST_LINE_BYTES];
    let mut has_ended = false;
    std::iter::from_fn(move || {
        while !has_ended {
            let lines = match input.read(&mut buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // A stream that fails has no more to say than one that has ended.
                Ok(0) | Err(_) => {
                    has_ended = true;
                    collector.finish()
                }
                Ok(count) => collector.add(&buffer[..count]),
            };
            if !lines.is_empty() {
                return Some(lines);
            }
        }
        None
    })
}

/// The beginning of a line whose end has not come yet.
#[derive(Default)]
struct Collector {
    begun: Vec<u8>,
    is_too_long: bool,
}

impl Collector {
    /// The lines that end in `bytes`.
    fn add(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut parts: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        // What stands behind the last end is the beginning of another line.
        let rest = parts.pop().unwrap_or_default();
        let lines = parts.into_iter().map(|part| {
            self.push(part);
            self.take()
        });
        let lines = lines.collect();
        self.push(rest);
        lines
    }

    fn push(&mut self, bytes: &[u8]) {
        self.is_too_long |= self.begun.len() + bytes.len() > MOST_LINE_BYTES;
        if self.is_too_long {
            self.begun.clear();
        } else {
            self.begun.extend_from_slice(bytes);
        }
    }

    fn take(&mut self) -> Line {
        let bytes = std::mem::take(&mut self.begun);
        match std::mem::take(&mut self.is_too_long) {
            true => Line::TooLong,
            false => Line::Text(String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_owned()),
        }
    }

    /// The last line, if it has no end.
    fn finish(&mut self) -> Vec<Line> {
        let is_there = self.is_too_long || !self.begun.is_empty();
        is_there.then(|| self.take()).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use std::io;

    /// Gives its parts one by one.
    struct Parts(VecDeque<Vec<u8>>);

    impl Read for Parts {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(part) = self.0.pop_front() else { return Ok(0) };
            buffer[..part.len()].copy_from_slice(&part);
            Ok(part.len())
        }
    }

    fn read(parts: &[&str]) -> Vec<Vec<Line>> {
        chunks(Parts(parts.iter().map(|part| part.as_bytes().to_vec()).collect())).collect()
    }

    fn text(line: &str) -> Line {
        Line::Text(line.to_owned())
    }

    #[test]
    fn lines_that_come_together_stay_together_and_broken_ones_are_joined() {
        let read = read(&["a\nb\r\nc", "d", "\n\ne\n", "last"]);
        let expected =
            [vec![text("a"), text("b")], vec![text("cd"), text(""), text("e")], vec![text("last")]];
        assert_eq!(read, expected);
    }

    #[test]
    fn long_lines_are_not_kept_and_end_where_they_end() {
        let long = "x".repeat(MOST_LINE_BYTES);
        let found = read(&[&long, &long, "x\nshort\n", &long, "\n", &long, "!"]);
        let all: Vec<Line> = found.into_iter().flatten().collect();
        assert_eq!(all, [Line::TooLong, text("short"), text(&long), Line::TooLong]);
        assert_eq!(read(&[]), Vec::<Vec<Line>>::new());
        assert_eq!(chunks(&b"\xff\n"[..]).next(), Some(vec![text("\u{fffd}")]));
    }
}
