//! A board as a picture: one self-contained SVG, no fonts or styles from elsewhere.
//!
//! A dot is a legal square, a ring the last move, a thin ring a disc it turned.

use crate::{Color, Game, Move, Position, Rule, Square};
use std::fmt::{self, Write};

/// The side of a square, in units of the picture.
const CELL: u32 = 40;
/// The margin for letters and numbers.
const MARGIN: u32 = 28;
/// The height of the caption below the board.
const CAPTION: u32 = 46;

/// The squares of the last move.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Where the disc was placed.
    pub last: Option<Square>,
    /// The discs it turned.
    pub turned: Vec<Square>,
}

impl Marks {
    /// The marks of move number `ply` of a game; none for a pass and for the start.
    pub fn of_move(game: &Game, ply: usize) -> Marks {
        let Some(before) = ply.checked_sub(1) else { return Marks::default() };
        match game.moves()[before] {
            Move::Pass => Marks::default(),
            Move::Place(square) => {
                Marks { last: Some(square), turned: game.positions()[before].flips(square) }
            }
        }
    }

    /// The marks of the last disc placed, even if passes follow it.
    pub fn of_last_disc(game: &Game) -> Marks {
        let last = game.moves().iter().rposition(|mv| mv.square().is_some());
        Marks::of_move(game, last.map_or(0, |index| index + 1))
    }
}

/// What a picture shows besides the discs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dressing<'a> {
    /// The last move, which is shown together with the legal squares.
    pub marks: Option<&'a Marks>,
    /// Two lines below the board.
    pub caption: Option<&'a [String; 2]>,
}

/// Two lines for below the board: the disc counts, then the rule, and after the end who has won.
///
/// In the middle of a game nobody is ahead: disc counts do not say who will win.
pub fn caption(position: &Position, rule: Rule) -> [String; 2] {
    let count = |color| position.count(color);
    let discs = format!("Black ● {}, White ○ {}", count(Color::Black), count(Color::White));
    let objective = rule.objective();
    if !position.is_over() {
        return [discs, objective.to_owned()];
    }
    [discs, format!("{} ({objective})", result_in_words(position, rule))]
}

/// How a game that is over at `position` has ended, in words: `Black wins by 6` or `a draw`.
pub fn result_in_words(position: &Position, rule: Rule) -> String {
    let score = position.score(rule, Color::Black);
    let winner = if score > 0 { "Black" } else { "White" };
    match score {
        0 => "a draw".to_owned(),
        _ => format!("{winner} wins by {}", score.unsigned_abs()),
    }
}

/// `position` as an SVG picture.
///
/// ```
/// use isrever_board::{Dressing, Position, Size, picture};
///
/// let svg = picture(&Position::start(Size::EIGHT), Dressing::default());
/// assert!(svg.starts_with("<svg"));
/// ```
pub fn picture(position: &Position, dressing: Dressing<'_>) -> String {
    let mut out = String::new();
    draw(&mut out, position, dressing).expect("a text can always be written to");
    out
}

fn draw(out: &mut String, position: &Position, dressing: Dressing<'_>) -> fmt::Result {
    let squares = u32::from(position.size().width());
    let board = squares * CELL;
    let below = if dressing.caption.is_some() { CAPTION } else { MARGIN };
    let (width, height) = (board + 2 * MARGIN, board + MARGIN + below);
    let caption = dressing.caption.map(|lines| lines.each_ref().map(|line| escaped(line)));
    let label = caption
        .as_ref()
        .map_or_else(|| "a board".to_owned(), |[first, second]| format!("{first}: {second}"));
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{label}\" \
         font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">"
    )?;
    writeln!(out, "<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#f4f1ea\"/>")?;
    writeln!(
        out,
        "<rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{board}\" height=\"{board}\" fill=\"#2f7d5b\"/>"
    )?;
    for line in 0..=squares {
        let (at, end) = (MARGIN + line * CELL, MARGIN + board);
        writeln!(out, "<path d=\"M{at} {MARGIN}V{end}M{MARGIN} {at}H{end}\" stroke=\"#1d5a40\"/>")?;
    }
    for number in 0..squares {
        let middle = MARGIN + number * CELL + CELL / 2;
        let letter = char::from(b'a' + number as u8);
        let row = number + 1;
        writeln!(out, "<text x=\"{middle}\" y=\"{}\" fill=\"#444\">{letter}</text>", MARGIN - 9)?;
        writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" fill=\"#444\">{row}</text>",
            MARGIN / 2,
            middle + 5
        )?;
    }
    let none = Marks::default();
    let marks = dressing.marks.unwrap_or(&none);
    let legal = if dressing.marks.is_some() { position.moves() } else { Vec::new() };
    for square in position.size().squares() {
        let (x, y) = middle(square);
        match position.disc(square) {
            Some(color) => disc(out, (x, y), color, square, marks)?,
            None if legal.contains(&square) => {
                writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#f6c453\"/>")?;
            }
            None => {}
        }
    }
    let (x, y) = (width / 2, MARGIN + board);
    for (line, below) in caption.into_iter().flatten().zip([18, 36]) {
        writeln!(out, "<text x=\"{x}\" y=\"{}\" fill=\"#222\">{line}</text>", y + below)?;
    }
    writeln!(out, "</svg>")
}

/// A disc, ringed if the last move placed or turned it.
fn disc(
    out: &mut String,
    (x, y): (u32, u32),
    color: Color,
    square: Square,
    marks: &Marks,
) -> fmt::Result {
    let fill = match color {
        Color::Black => "#161616",
        Color::White => "#fdfdfd",
    };
    let (stroke, width) = if marks.last == Some(square) {
        ("#e4572e", 4)
    } else if marks.turned.contains(&square) {
        ("#f6c453", 2)
    } else {
        ("#0d3b29", 1)
    };
    writeln!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"{fill}\" stroke=\"{stroke}\" \
         stroke-width=\"{width}\"/>"
    )
}

/// The middle of a square.
fn middle(square: Square) -> (u32, u32) {
    let at = |number: u8| MARGIN + u32::from(number) * CELL + CELL / 2;
    (at(square.column()), at(square.row()))
}

/// Escapes text for XML elements and attributes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Size};

    #[test]
    fn a_caption_names_nobody_before_the_end() {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        game.place("f5".parse().unwrap()).unwrap();
        let said = |position: &Position, rule| caption(position, rule).join(": ");
        assert_eq!(said(game.position(), Rule::Reversed), "Black ● 4, White ○ 1: fewer discs win");
        let discs = "XXXX------------".chars().map(Color::from_letter).collect();
        let over = Draft { size: Size::FOUR, discs, turn: Color::Black }.check().unwrap();
        assert_eq!(
            said(&over, Rule::Reversed),
            "Black ● 4, White ○ 0: White wins by 16 (fewer discs win)"
        );
        assert_eq!(
            said(&over, Rule::Normal),
            "Black ● 4, White ○ 0: Black wins by 16 (more discs win)"
        );
    }

    #[test]
    fn every_disc_and_every_legal_square_is_a_circle() {
        for size in Size::ALL {
            let mut game = Game::new(Rule::Reversed, size);
            game.place(game.position().moves()[0]).unwrap();
            let caption = ["a".to_owned(), "b < \"c\"".to_owned()];
            let marks = Marks::of_move(&game, 1);
            let dressing = Dressing { marks: Some(&marks), caption: Some(&caption) };
            let plain = picture(game.position(), Dressing::default());
            assert_eq!(plain.matches("<circle").count(), 5, "discs alone");
            let picture = picture(game.position(), dressing);
            let circles = picture.matches("<circle").count();
            assert_eq!(circles, 5 + game.position().moves().len());
            assert_eq!(picture.matches("r=\"16\"").count(), 5);
            assert_eq!(picture.matches("stroke-width=\"4\"").count(), 1, "the last move");
            assert!(picture.contains(">b &lt; &quot;c&quot;<") && picture.ends_with("</svg>\n"));
        }
    }
}
