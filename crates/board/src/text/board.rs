//! Positions written square by square.
//!
//! One line holds a position: the squares row by row from `a1`, then the side
//! to move. `X`, `x`, `*`, `B` and `b` are black, `O`, `o`, `W` and `w` white,
//! `-` and `.` empty; 16, 36, 64, 100, 144, 196 or 256 squares give the size.
//! The side is one of the same letters, after white space or right after the
//! last square; the reader never guesses it. White space between squares does
//! not count. `%` and `#` begin a comment.
//!
//! The reader also accepts a pasted grid: as many lines as there are squares in
//! each, with the side after the last row or on a line of its own.
//!
//! The writer writes one line: `X`, `O` and `-`, a space, `X` or `O`. A
//! [`Position`] is displayed and parsed in the same way.

use super::error::{ReadError, quote};
use super::span::{Fault, Span, lines};
use super::{Defaults, Format, Record};
use crate::{Color, Draft, Game, Position, Size};
use std::fmt;
use std::str::FromStr;

const SQUARES: &str = "expected 16, 36, 64, 100, 144, 196 or 256";
const NO_SIDE: &str = "no side to move; expected X or O after the squares";

pub(super) fn read(text: &str, defaults: Defaults) -> impl Iterator<Item = Result<Record, Fault>> {
    let mut lines = lines(text).peekable();
    std::iter::from_fn(move || {
        let first = lines.next()?;
        let width = first.marks().count();
        let next_width = lines.peek().map(|next| next.marks().count());
        let position =
            if is_row(width, next_width) { grid(first, width, &mut lines) } else { line(first) };
        Some(position.map(|position| Game::from_position(defaults.rule, position).into()))
    })
}

/// Whether a line of `width` squares is the first row of a grid and not a whole position.
fn is_row(width: usize, next_width: Option<usize>) -> bool {
    let continues = next_width == Some(width) || next_width == Some(width + 1);
    match width {
        // No board has so few squares, but a row may have.
        4 | 6 | 8 | 10 | 12 | 14 => true,
        // A line of 17 is a 4×4 position with its side.
        2..=16 | 18..=35 => continues,
        _ => false,
    }
}

/// The position of a grid whose first row is `first`.
fn grid<'a>(
    first: Span<'a>,
    width: usize,
    lines: &mut std::iter::Peekable<impl Iterator<Item = Span<'a>>>,
) -> Result<Position, Fault> {
    let size = Size::new(width).map_err(|error| first.fault(error.to_string()))?;
    let mut discs = cells(first)?;
    let mut last = first;
    for row in 2..=width {
        let offence = format!("the grid has {} of {width} rows; expected another row", row - 1);
        last = lines.next().ok_or_else(|| last.fault_behind(offence))?;
        // The side may follow the last row.
        let found = last.marks().count();
        if found != width && !(row == width && found == width + 1) {
            let offence = format!("row {row} has {found} squares; expected {width}");
            return Err(last.fault(offence));
        }
        discs.extend(cells(last)?);
    }
    let turn = if discs.len() > size.cells() {
        discs.pop().flatten().ok_or_else(|| last.fault(NO_SIDE))?
    } else {
        let no_side = last.fault_behind(NO_SIDE);
        side(lines.next_if(|next| next.marks().count() == 1).ok_or(no_side)?)?
    };
    position(first, Draft { size, discs, turn })
}

/// The position of a line, squares and side.
pub(super) fn line(span: Span<'_>) -> Result<Position, Fault> {
    let span = span.trim();
    if let Some(space) = span.text.rfind(char::is_whitespace) {
        let (squares, last) = span.split_at(space);
        let last = last.trim();
        if last.text.chars().count() == 1 {
            let discs = cells(squares)?;
            let size = size(squares, discs.len())?;
            return position(squares, Draft { size, discs, turn: side(last)? });
        }
    }
    let mut discs = cells(span)?;
    let count = discs.len();
    if Size::from_cells(count).is_some() {
        return Err(span.fault_behind(NO_SIDE));
    }
    // Without white space the last letter is the side, if the others fill a board.
    let others = count.saturating_sub(1);
    let has_side = others.isqrt().pow(2) == others;
    let size = size(span, if has_side { others } else { count })?;
    let turn = discs.pop().flatten().ok_or_else(|| span.fault_behind(NO_SIDE))?;
    position(span, Draft { size, discs, turn })
}

/// The contents of the squares in a piece of text.
fn cells(span: Span<'_>) -> Result<Vec<Option<Color>>, Fault> {
    let cell = |(at, mark)| match mark {
        '-' | '.' => Ok(None),
        _ => Color::from_letter(mark).map(Some).ok_or_else(|| {
            let mark = quote(mark.encode_utf8(&mut [0; 4]));
            Fault::new(at, format!("unknown square {mark}; expected X, O or -"))
        }),
    };
    span.marks().map(cell).collect()
}

/// The side that a letter stands for.
pub(super) fn side(span: Span<'_>) -> Result<Color, Fault> {
    let mut letters = span.text.chars();
    match (letters.next().and_then(Color::from_letter), letters.next()) {
        (Some(color), None) => Ok(color),
        _ => Err(span.fault(format!("unknown side {}; expected X or O", quote(span.text)))),
    }
}

/// The size of the board with this many squares.
fn size(span: Span<'_>, count: usize) -> Result<Size, Fault> {
    Size::from_cells(count).ok_or_else(|| {
        let width = count.isqrt();
        let board = match width {
            _ if width * width != count => "",
            17.. => " make too large a board",
            _ if width % 2 == 1 => " make an odd board",
            _ => " make too small a board",
        };
        span.fault(format!("{count} squares{board}; {SQUARES}"))
    })
}

fn position(span: Span<'_>, draft: Draft) -> Result<Position, Fault> {
    draft.check().map_err(|error| span.fault(error.to_string()))
}

pub(super) fn write(record: &Record, text: &mut String) {
    text.push_str(&record.game.position().to_string());
}

/// Whether a word is meant as the squares of a board, even of a wrong one.
///
/// It must be long, and nearly all its characters must be squares; in a run of
/// moves about every other character is a digit.
pub(super) fn is_like(word: &str) -> bool {
    let is_square = |mark: &char| matches!(mark, '-' | '.') || Color::from_letter(*mark).is_some();
    let (mut marks, mut squares) = (0, 0);
    for mark in word.chars().filter(|mark| !mark.is_whitespace()) {
        marks += 1;
        squares += usize::from(is_square(&mark));
    }
    marks >= 4 && squares * 4 > marks * 3
}

impl Position {
    /// The squares row by row from a1: `X`, `O` and `-`.
    pub fn letters(&self) -> String {
        let letter = |square| self.disc(square).map_or('-', Color::letter);
        self.size().squares().map(letter).collect()
    }
}

/// Writes the squares row by row, a space and the side to move.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.letters(), self.turn().letter())
    }
}

impl FromStr for Position {
    type Err = ReadError;

    /// Reads one position as a line or a grid.
    fn from_str(text: &str) -> Result<Position, ReadError> {
        let records = super::read(text.as_bytes(), Some(Format::Board), Defaults::default())?;
        match <[Record; 1]>::try_from(records) {
            Ok([record]) => Ok(record.game.position().clone()),
            Err(records) => {
                let offence = format!("{} positions; expected one", records.len());
                Err(ReadError::new(super::Place::Start, offence))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_grids_are_the_same_position() {
        let start = Position::start(Size::FOUR);
        assert_eq!(start.to_string(), "-----OX--XO----- X");
        for text in [
            "-----OX--XO-----X",
            ".....ob..bo..... *",
            "---- -OX- -XO- ---- x",
            "----\n-OX-\n-XO-\n----\nX",
            "- - - -\r\n- O X -\r\n- X O -\r\n- - - - b\r\n",
            "# start\n\n----\n-OX- % middle\n-XO-\n----X",
        ] {
            assert_eq!(text.parse::<Position>().as_ref(), Ok(&start), "{text:?}");
        }
    }

    #[test]
    fn a_16x16_grid_is_not_a_list_of_4x4_positions() {
        for size in Size::ALL {
            let start = Position::start(size);
            let line = start.to_string();
            let rows: Vec<&str> = (0..usize::from(size.width()))
                .map(|row| &line[row * usize::from(size.width())..][..usize::from(size.width())])
                .collect();
            assert_eq!(line.parse().as_ref(), Ok(&start));
            assert_eq!(format!("{} X", rows.join("\n")).parse().as_ref(), Ok(&start));
            assert_eq!(format!("{}\nX\n", rows.join("\n")).parse().as_ref(), Ok(&start));
        }
        let two = "-----OX--XO-----X\n-----OX--XO-----O";
        let records: Result<Vec<Record>, _> = read(two, Defaults::default()).collect();
        let records = records.unwrap();
        assert_eq!(records.len(), 2);
        assert_eq!(records[1].game.position().turn(), Color::White);
    }
}
