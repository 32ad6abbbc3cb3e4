//! Draws a board in a terminal.
//!
//! Each square is three columns wide: `[●]` is the last move, `(●)` a disc it
//! turned, `·` a legal square. Colours only add to that; without them nothing
//! is lost. A board as a picture is [`isrever_board::picture`].

use isrever_board::{Color, Marks, Position, Square};
use std::io::{self, IsTerminal, Write};

/// What discs and edges are drawn with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    ascii: bool,
    colors: bool,
}

impl Style {
    /// Signs without colours.
    pub(crate) const PLAIN: Style = Style { ascii: false, colors: false };

    /// Letters without colours, for programs.
    pub(crate) const LETTERS: Style = Style { ascii: true, colors: false };

    /// The style for standard output: colours only for a person, and only if they want them.
    pub(crate) fn of_stdout(ascii: bool) -> Style {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Style { ascii, colors: io::stdout().is_terminal() && !unwanted }
    }

    /// The letter or sign of a disc.
    pub(crate) fn disc(self, color: Color) -> char {
        match (self.ascii, color) {
            (true, color) => color.letter(),
            (false, Color::Black) => '●',
            (false, Color::White) => '○',
        }
    }

    fn legal(self) -> char {
        if self.ascii { '.' } else { '·' }
    }

    /// Corner and line of the frame: upper left, upper right, lower left, lower right, flat, tall.
    fn frame(self) -> [char; 6] {
        if self.ascii {
            ['+', '+', '+', '+', '-', '|']
        } else {
            ['┌', '┐', '└', '┘', '─', '│']
        }
    }
}

/// Draws `position`, with the legal squares of the side to move.
pub(crate) fn board(
    out: &mut dyn Write,
    position: &Position,
    marks: &Marks,
    style: Style,
) -> io::Result<()> {
    let width = position.size().width();
    let legal = position.moves();
    let [upper_left, upper_right, lower_left, lower_right, flat, tall] = style.frame();
    let edge: String = std::iter::repeat_n(flat, usize::from(width) * 3).collect();
    let letters: String =
        (0..width).map(|column| format!(" {} ", char::from(b'a' + column))).collect();

    writeln!(out, "    {}", letters.trim_end())?;
    writeln!(out, "   {upper_left}{edge}{upper_right}")?;
    for row in 0..width {
        write!(out, "{:2} {tall}", row + 1)?;
        if style.colors {
            write!(out, "{GREEN}")?;
        }
        for square in (0..width).map(|column| Square::new(column, row)) {
            let (left, right) = match square {
                square if marks.last == Some(square) => ('[', ']'),
                square if marks.turned.contains(&square) => ('(', ')'),
                _ => (' ', ' '),
            };
            let disc = position.disc(square);
            let sign = match disc {
                Some(color) => style.disc(color),
                None if legal.contains(&square) => style.legal(),
                None => ' ',
            };
            if style.colors && (left, sign) != (' ', ' ') {
                write!(out, "{MARK}{left}{}{sign}{MARK}{right}", ink(disc))?;
            } else {
                write!(out, "{left}{sign}{right}")?;
            }
        }
        if style.colors {
            write!(out, "{PLAIN}")?;
        }
        writeln!(out, "{tall}")?;
    }
    writeln!(out, "   {lower_left}{edge}{lower_right}")
}

// Terminal colours by number, which every terminal of the last decades understands.
const GREEN: &str = "\x1b[48;5;28m";
const MARK: &str = "\x1b[38;5;220m";
const PLAIN: &str = "\x1b[0m";

/// The colour of what stands on a square.
fn ink(disc: Option<Color>) -> &'static str {
    match disc {
        Some(Color::Black) => "\x1b[38;5;16m",
        Some(Color::White) => "\x1b[38;5;231m",
        None => "\x1b[38;5;150m",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Size;

    fn drawn(position: &Position, marks: &Marks, style: Style) -> String {
        let mut out = Vec::new();
        board(&mut out, position, marks, style).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_board_shows_discs_marks_and_legal_squares() {
        let start = Position::start(Size::FOUR);
        let square = "a2".parse().unwrap();
        let marks = Marks { last: Some(square), turned: start.flips(square) };
        let style = Style { ascii: true, colors: false };
        assert_eq!(
            drawn(&start.play(square).unwrap(), &marks, style),
            "     a  b  c  d
   +------------+
 1 | .     .    |
 2 |[X](X) X    |
 3 | .  X  O    |
 4 |            |
   +------------+
"
        );
    }

    #[test]
    fn every_size_lines_up_with_and_without_colours() {
        for size in Size::ALL {
            let position = Position::start(size);
            let plain = drawn(&position, &Marks::default(), Style::PLAIN);
            let columns: Vec<usize> = plain.lines().skip(1).map(|l| l.chars().count()).collect();
            assert!(columns.iter().all(|&c| c == 5 + 3 * usize::from(size.width())), "{plain}");
            let colored = drawn(&position, &Marks::default(), Style { ascii: false, colors: true });
            assert_eq!(without_colours(&colored), plain);
        }
    }

    fn without_colours(text: &str) -> String {
        let mut pieces = text.split('\x1b');
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |text, piece| text + piece.split_once('m').unwrap().1)
    }
}
