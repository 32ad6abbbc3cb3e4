//! The commands of the NBoard protocol.

use isrever_board::text::{self, Defaults, Format, Record};
use isrever_board::{Move, Size};

/// What is to be done.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Order {
    /// The version of the protocol comes first.
    Hello,
    Depth(u32),
    Game(Box<Record>),
    /// What a draw is worth to black; it makes no difference to us.
    Contempt,
    /// A move was made; the seconds it took, if they are said.
    Move(Move, Option<f64>),
    /// What the best moves are worth, this many of them.
    Hint(usize),
    Go,
    Ping(String),
    Learn,
    Analyze,
    Quit,
}

impl Order {
    /// Reads a line, for a game on a board of `size`. What is not understood is `None`, as the
    /// protocol wants it; what is wrong is an error.
    pub(super) fn read(line: &str, size: Size) -> Option<Result<Order, String>> {
        let (word, rest) = word(line);
        Some(match word.to_ascii_lowercase().as_str() {
            "nboard" => Ok(Order::Hello),
            "set" => return set(rest),
            "move" => read_move(rest, size),
            "hint" => {
                let expected = "expected a number of moves such as hint 4";
                let count = rest.split_whitespace().next().unwrap_or("1");
                let read = count.parse().ok().filter(|&count| count > 0).map(Order::Hint);
                read.ok_or_else(|| format!("hint {count}: not a number of moves; {expected}"))
            }
            "go" => Ok(Order::Go),
            "ping" => Ok(Order::Ping(rest.to_owned())),
            "learn" => Ok(Order::Learn),
            "analyze" => Ok(Order::Analyze),
            "quit" => Ok(Order::Quit),
            // Version 1 says only the move.
            bare if is_like_a_move(bare) && rest.is_empty() => read_move(word, size),
            _ => return None,
        })
    }
}

/// The first word of a line, and what follows it.
fn word(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

fn set(line: &str) -> Option<Result<Order, String>> {
    let (name, value) = word(line);
    Some(match name.to_ascii_lowercase().as_str() {
        "depth" => {
            let expected = "expected a number of plies such as set depth 12";
            let read = value.parse().ok().filter(|&depth| depth > 0).map(Order::Depth);
            read.ok_or_else(|| format!("set depth {value}: not a depth; {expected}"))
        }
        "game" => {
            let records = text::read(value.as_bytes(), Some(Format::Ggf), Defaults::default());
            match records.map(<[Record; 1]>::try_from) {
                Ok(Ok([record])) => Ok(Order::Game(Box::new(record))),
                Ok(Err(records)) => Err(format!("set game: {} games; expected one", records.len())),
                Err(error) => Err(format!("set game: {error}")),
            }
        }
        "contempt" => Ok(Order::Contempt),
        _ => return None,
    })
}

/// Reads `F5/2.00/1.3`, or only the move.
fn read_move(text: &str, size: Size) -> Result<Order, String> {
    let mut parts = text.split('/').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let unknown = || format!("move {text}: not a move; expected one such as F5 or PA");
    let mv = match name.to_ascii_lowercase().as_str() {
        "pa" | "pass" | "ps" | "--" => Move::Pass,
        _ => {
            let square = name.parse().ok().filter(|&square| size.contains(square));
            Move::Place(square.ok_or_else(unknown)?)
        }
    };
    let mut number = || match parts.next() {
        None | Some("") => Ok(None),
        Some(part) => part.parse::<f64>().map(Some).map_err(|_| unknown()),
    };
    let (_, seconds) = (number()?, number()?);
    Ok(Order::Move(mv, seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0)))
}

fn is_like_a_move(word: &str) -> bool {
    let name = word.split('/').next().unwrap_or(word);
    name == "pa" || name.parse::<isrever_board::Square>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Result<Order, String>> {
        Order::read(line, Size::EIGHT)
    }

    #[test]
    fn commands_are_read_and_strange_ones_passed_over() {
        let f5 = || Move::Place("f5".parse().unwrap());
        for (line, order) in [
            ("nboard 2", Order::Hello),
            (" set depth 12\r", Order::Depth(12)),
            ("set contempt 50", Order::Contempt),
            ("move F5", Order::Move(f5(), None)),
            ("move F5/2.00/1.3", Order::Move(f5(), Some(1.3))),
            ("move F5//1.3", Order::Move(f5(), Some(1.3))),
            ("move PA", Order::Move(Move::Pass, None)),
            ("F5", Order::Move(f5(), None)),
            ("PA", Order::Move(Move::Pass, None)),
            ("hint 4", Order::Hint(4)),
            ("hint", Order::Hint(1)),
            ("go", Order::Go),
            ("ping 17", Order::Ping("17".to_owned())),
            ("learn", Order::Learn),
            ("analyze", Order::Analyze),
            ("quit", Order::Quit),
        ] {
            assert_eq!(read(line), Some(Ok(order)), "{line}");
        }
        for line in ["", "   ", "set colour blue", "remove_tree", "set", "f5 d6", "\u{1b}[2J", "z9"]
        {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_what_was_expected() {
        for line in [
            "set depth",
            "set depth 0",
            "set depth x",
            "set depth -3",
            "set game",
            "set game f5d6",
            "set game (;GM[Othello]TY[8a];)(;GM[Othello]TY[8a];)",
            "set game (;GM[Go];)",
            "move",
            "move z9",
            "move i9",
            "move F5/x",
            "hint 0",
            "hint many",
        ] {
            let error = read(line).unwrap().unwrap_err();
            assert!(error.contains("expected") && !error.contains('\n'), "{line}: {error}");
        }
    }

    #[test]
    fn a_game_says_its_rule() {
        use isrever_board::Rule;
        for (kind, rule) in
            [("8a", Rule::Reversed), ("8", Rule::Normal), ("s8ar20", Rule::Reversed)]
        {
            let line = format!("set game (;GM[Othello]TY[{kind}]B[F5];)");
            match read(&line) {
                Some(Ok(Order::Game(record))) => assert_eq!(record.game.rule(), rule),
                other => panic!("{other:?}"),
            }
        }
    }
}
