//! A game as its moves: the transcript `f5d6c3…`.
//!
//! One game per line, squares in either case, with or without white
//! space, commas and move numbers (`1. f5 2. d6`) between them. A forced
//! pass may be left out or written `pa`, `ps`, `pass` or `--`. The game begins
//! with the start position, unless the line begins with a board and its side,
//! as in [`board`]: then the moves follow that, so that any game
//! fits on a line. `%` and `#` begin a comment.
//!
//! The writer writes lower case without passes, except for a pass that ends an
//! unfinished game, which no later move would imply. A board comes first if the
//! game does not begin with the 8×8 start, or if there is no move to write.

use super::board;
use super::error::quote;
use super::span::{Fault, Span, lines};
use super::{Defaults, Record};
use crate::{Game, Move, Position, Size, Square};

pub(super) fn read(text: &str, defaults: Defaults) -> impl Iterator<Item = Result<Record, Fault>> {
    lines(text).map(move |line| game(line, defaults).map(Record::from))
}

/// The game on a line.
pub(super) fn game(line: Span<'_>, defaults: Defaults) -> Result<Game, Fault> {
    let (mut game, mut rest) = match start(line)? {
        Some((position, rest)) => (Game::from_position(defaults.rule, position), rest),
        None => (Game::new(defaults.rule, defaults.size), line),
    };
    loop {
        rest = behind_separators(rest);
        if rest.text.is_empty() {
            return Ok(game);
        }
        let (mv, length) = prefix(rest.text, game.size()).ok_or_else(|| unknown(rest))?;
        let played = match mv {
            Move::Place(square) => game.place(square),
            Move::Pass => game.play(Move::Pass),
        };
        played.map_err(|error| rest.fault(error.to_string()))?;
        rest = rest.split_at(length).1;
    }
}

/// The position the line begins with, if it begins with a board, and what follows it.
fn start(line: Span<'_>) -> Result<Option<(Position, Span<'_>)>, Fault> {
    let (squares, rest) = line.word();
    if !board::is_like(squares.text) {
        return Ok(None);
    }
    let (side, behind) = rest.word();
    let has_side = squares.text.len().checked_sub(1).and_then(Size::from_cells).is_some();
    let (board, rest) = if has_side || side.text.chars().count() != 1 {
        (squares, rest)
    } else {
        (line.split_at(behind.at - line.at).0, behind)
    };
    Ok(Some((board::line(board)?, rest)))
}

/// Skips the white space, commas and move numbers at the beginning of `rest`.
fn behind_separators(rest: Span<'_>) -> Span<'_> {
    let mut text = rest.text;
    loop {
        text = text.trim_start_matches(|mark: char| mark.is_whitespace() || mark == ',');
        let digits = text.trim_start_matches(|mark: char| mark.is_ascii_digit());
        let behind = digits.trim_start_matches('.');
        if digits.len() == text.len() || behind.len() == digits.len() {
            return rest.split_at(rest.text.len() - text.len()).1;
        }
        text = behind;
    }
}

/// The move at the beginning of a text and its length in bytes.
///
/// Reads a row of two digits only if the board has it: `a10` is one square on a 10×10 board.
pub(super) fn prefix(text: &str, size: Size) -> Option<(Move, usize)> {
    for pass in ["pass", "pa", "ps", "--"] {
        if text.get(..pass.len()).is_some_and(|head| head.eq_ignore_ascii_case(pass)) {
            return Some((Move::Pass, pass.len()));
        }
    }
    let place = |length| {
        let square: Square = text.get(..length)?.parse().ok()?;
        Some((Move::Place(square), length))
    };
    let fits = |&(mv, _): &(Move, usize)| mv.square().is_some_and(|square| size.contains(square));
    place(3).filter(fits).or_else(|| place(2))
}

/// The move that the whole of a text names.
pub(super) fn whole(span: Span<'_>, size: Size) -> Result<Move, Fault> {
    match prefix(span.text, size) {
        Some((mv, length)) if length == span.text.len() => Ok(mv),
        _ => Err(unknown(span)),
    }
}

/// The fault of a text that names no move.
pub(super) fn unknown(span: Span<'_>) -> Fault {
    let found = match span.text {
        "" => "no move".to_owned(),
        text => format!("unknown move {}", quote(text)),
    };
    span.fault(format!("{found}; expected a square such as f5"))
}

pub(super) fn write(record: &Record, text: &mut String) {
    text.push_str(&write_moves(&record.game, false));
}

/// The game as one line: its moves, after its start position unless that is the 8×8 start.
///
/// Writes passes as `--`; without `with_passes`, only a pass that ends the game so far.
pub fn write_moves(game: &Game, with_passes: bool) -> String {
    let mut line = String::new();
    if game.moves().is_empty() || *game.start() != Position::start(Size::EIGHT) {
        line = format!("{} ", game.start());
    }
    for (index, mv) in game.moves().iter().enumerate() {
        match mv {
            Move::Place(square) => line.push_str(&square.to_string()),
            Move::Pass if with_passes || index + 1 == game.ply() => line.push_str("--"),
            Move::Pass => {}
        }
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(text: &str) -> Game {
        let mut records = read(text, Defaults::default()).collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(records.len(), 1);
        records.remove(0).game
    }

    #[test]
    fn separators_and_case_make_no_difference() {
        let game = read_one("f5d6c3");
        assert_eq!(game.ply(), 3);
        for text in ["F5D6C3", "f5 d6 c3", "1. f5 2. d6 3. c3", "1.f5,d6\t2.c3 % note", "F5, d6,C3"]
        {
            assert_eq!(read_one(text), game, "{text}");
        }
        assert_eq!(write_moves(&game, true), "f5d6c3");
    }

    #[test]
    fn a_board_may_come_first() {
        let text = "XO-------------- O";
        let mut game = read_one(text);
        assert_eq!(write_moves(&game, false), text);
        game.place("c1".parse().unwrap()).unwrap();
        assert_eq!(write_moves(&game, false), format!("{text} c1"));
        assert_eq!(write_moves(&game, true), format!("{text} --c1"));
        for moves in ["c1", "--c1", "PA c1", "pass,c1", "psC1"] {
            assert_eq!(read_one(&format!("{text} {moves}")), game);
        }
        game.undo();
        assert_eq!(write_moves(&game, false), format!("{text} --"), "nothing implies this pass");
    }

    #[test]
    fn two_digits_need_a_wide_board() {
        let ten = Size::new(10).unwrap();
        let a = |row| Move::Place(Square::new(0, row));
        assert_eq!(prefix("a10", ten), Some((a(9), 3)));
        assert_eq!(prefix("a10", Size::EIGHT), Some((a(0), 2)));
        assert_eq!(prefix("a11", ten), Some((a(0), 2)));
        assert_eq!(prefix("pa1", ten), Some((Move::Pass, 2)));
        assert_eq!(prefix("p1", ten), Some((Move::Place(Square::new(15, 0)), 2)));
        assert_eq!(prefix("q1", ten), None);
        assert_eq!(prefix("é", ten), None);
    }
}
