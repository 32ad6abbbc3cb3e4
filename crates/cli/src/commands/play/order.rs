//! The commands that a person can type while playing.

use isrever_board::Square;
use std::io::{self, BufRead, Read};
use std::str::FromStr;

/// The longest line that can mean anything, generously.
const MOST_BYTES: u64 = 256;

/// What `help` says, with a square that can be played on as its example.
pub(crate) fn help(example: &str) -> String {
    format!(
        "\
You can type:
  {example:<12} play on this square
  hint         list the squares you may play on
  undo         take back your last move and the answer to it
  redo         play again what was taken back
  moves        show the moves so far
  quit         leave the game (the end of input does too)
A pass is made for you when you have no square.
"
    )
}

/// What a person wants done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Place(Square),
    Pass,
    Undo,
    Redo,
    Hint,
    Moves,
    Help,
    Quit,
}

impl FromStr for Order {
    type Err = String;

    /// Reads a square or a word, in either case. The error leaves to the table what to expect.
    fn from_str(text: &str) -> Result<Order, String> {
        if let Ok(square) = text.parse() {
            return Ok(Order::Place(square));
        }
        Ok(match text.to_ascii_lowercase().as_str() {
            "pass" | "pa" => Order::Pass,
            "undo" | "u" => Order::Undo,
            "redo" | "r" => Order::Redo,
            "hint" => Order::Hint,
            "moves" => Order::Moves,
            "help" | "?" => Order::Help,
            "quit" | "exit" | "q" => Order::Quit,
            _ => return Err(format!("{text:?} is neither a square nor an order")),
        })
    }
}

/// One line of input.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// A line, or what stood before the end. What is not UTF-8 in it is replaced.
    Text(String),
    /// A line too long to mean anything; all of it is skipped.
    TooLong,
    /// Nothing more.
    End,
}

/// Reads a line without holding more of it than can mean anything.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    if bytes.len() as u64 == MOST_BYTES && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    Ok(Line::Text(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_words_are_read_in_either_case() {
        assert_eq!("F5".parse(), Ok(Order::Place("f5".parse().unwrap())));
        assert_eq!("Undo".parse(), Ok(Order::Undo));
        assert!("f17".parse::<Order>().unwrap_err().contains("\"f17\""));
    }

    #[test]
    fn lines_come_one_by_one_and_long_ones_are_skipped() {
        let text = format!("a1\n{}\n\u{e9}\nlast", "x".repeat(1_000));
        let mut input = text.as_bytes();
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), Line::Text("a1\n".to_owned()));
        assert_eq!(next(), Line::TooLong);
        assert_eq!(next(), Line::Text("é\n".to_owned()));
        assert_eq!(next(), Line::Text("last".to_owned()));
        assert_eq!(next(), Line::End);
        assert_eq!(read_line(&mut &b"\xff\n"[..]).unwrap(), Line::Text("\u{fffd}\n".to_owned()));
    }
}
