//! `isrever book openings`: every opening up to a length, with its value and the line to expect.

use super::{open, signed};
use crate::error::Error;
use crate::output::json_line;
use isrever_board::{Board, Color, Game, Size, Square, squares};
use isrever_book::{Book, Entry, OPENINGS, Opening};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

/// List all openings up to a length, with value, how sure it is, and the line to expect
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever book openings embedded --plies 3
  isrever book openings embedded --named
  isrever book openings my.book --markdown > openings.md
Openings that lead to the same position, or to images of it, are one; positions that the book does not
have are left out. Values are for black, who begins, in discs. With --json one object per opening and
line, with the keys moves, name (null without one), ply, value, lower, upper (proved bounds), plies (moves
of the expected line before the search that the value rests on), depth, selectivity (of that search)
and pv (the expected line).")]
pub(super) struct OpeningsArgs {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// No opening longer than this
    #[arg(long, default_value_t = 6, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=20))]
    plies: u32,

    /// Those that have a name, however long
    #[arg(long, conflicts_with = "plies")]
    named: bool,

    /// As a table in Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,

    /// One object per opening and line
    #[arg(long)]
    json: bool,
}

/// An opening of the book.
#[derive(Serialize)]
struct Row {
    moves: String,
    name: Option<&'static str>,
    ply: usize,
    value: i32,
    lower: i32,
    upper: i32,
    plies: u8,
    depth: u8,
    selectivity: u8,
    pv: Vec<String>,
}

/// Lists them.
pub(super) fn run(args: &OpeningsArgs, out: &mut dyn Write) -> Result<(), Error> {
    let book = open(&args.file)?;
    let rows = if args.named { named_openings(&book) } else { openings(&book, args.plies) };
    if args.json {
        return rows.iter().try_for_each(|row| Ok(json_line(out, row)?));
    }
    let opening = |row: &Row| match row.name.filter(|_| args.named) {
        Some(name) => format!("{name}: {}", row.moves),
        None if row.moves.is_empty() => "the start".to_owned(),
        None => row.moves.clone(),
    };
    let longest = rows.iter().map(|row| opening(row).len()).max().unwrap_or(0).max("opening".len());
    if args.markdown {
        writeln!(out, "| opening | black | rests on | expected line |\n|---|---|---|---|")?;
    } else {
        writeln!(out, "{:<longest$}  black  {:<22}  expected line", "opening", "rests on")?;
    }
    for row in &rows {
        let (opening, value) = (opening(row), signed(row.value));
        let (sure, line) = (row.sure(), row.pv.concat());
        match args.markdown {
            true => writeln!(out, "| {opening} | {value} | {sure} | {line} |")?,
            false => writeln!(out, "{opening:<longest$}  {value:>5}  {sure:<22}  {line}")?,
        }
    }
    Ok(())
}

impl Row {
    fn new(book: &Book, line: &[Square], board: Board, color: Color, entry: &Entry) -> Row {
        let (worth, last) = (entry.worth, book.last_of_line(entry));
        let for_black = |value: i8| match color {
            Color::Black => i32::from(value),
            Color::White => -i32::from(value),
        };
        let [one, other] = [worth.lower, worth.upper].map(for_black);
        let name = Opening::at(board).filter(|_| book.size() == Size::EIGHT);
        Row {
            moves: text(line),
            name: name.map(|opening| opening.name),
            ply: line.len(),
            value: for_black(worth.value),
            lower: one.min(other),
            upper: one.max(other),
            plies: worth.plies,
            depth: last.finding.depth,
            selectivity: last.finding.confidence,
            pv: book.line(board).iter().map(ToString::to_string).collect(),
        }
    }

    /// What the value rests on, in few words.
    fn sure(&self) -> String {
        match self.lower == self.upper {
            true => "proved".to_owned(),
            false => format!("{} + {} plies at {} %", self.plies, self.depth, self.selectivity),
        }
    }
}

/// All openings of the book, the shorter first.
fn openings(book: &Book, plies: u32) -> Vec<Row> {
    let (size, mut seen, mut rows) = (book.size(), HashSet::new(), Vec::new());
    let mut layer = vec![(Vec::new(), Board::start(size), Color::Black)];
    for _ in 0..=plies {
        let mut next = Vec::new();
        for (line, board, color) in layer {
            if !seen.insert(board.canonical(size).0) {
                continue;
            }
            let Some(entry) = book.find(board) else { continue };
            rows.push(Row::new(book, &line, board, color, &entry));
            for square in order(&line, board, size) {
                let played = board.play(square, size).expect("a legal move");
                let longer = [line.as_slice(), &[square]].concat();
                match played.moves(size) {
                    0 => next.push((longer, played.pass(), color)),
                    _ => next.push((longer, played, color.other())),
                }
            }
        }
        layer = next;
    }
    rows
}

/// The openings of the book that have a name, in the order of their moves.
fn named_openings(book: &Book) -> Vec<Row> {
    let row = |opening: &Opening| {
        let line: Vec<Square> = opening.squares().collect();
        let mut game = Game::new(book.rule(), Size::EIGHT);
        line.iter().for_each(|&square| game.place(square).expect("names have legal moves"));
        let position = game.position();
        let (board, color) = (position.board()?, position.turn());
        Some(Row::new(book, &line, board, color, &book.find(board)?))
    };
    match book.size() {
        Size::EIGHT => OPENINGS.iter().filter_map(row).collect(),
        _ => Vec::new(),
    }
}

/// The moves of a position; of the first ones, which are images of each other, the field's usual one
/// first.
fn order(line: &[Square], board: Board, size: Size) -> Vec<Square> {
    let mut moves: Vec<Square> = squares(board.moves(size)).collect();
    if line.is_empty() {
        moves.sort_by_key(|square| std::cmp::Reverse(square.column()));
    }
    moves
}

fn text(line: &[Square]) -> String {
    line.iter().fold(String::new(), |mut text, square| {
        let _ = write!(text, "{square}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Rule;

    #[test]
    fn all_openings_of_six_plies_are_listed_once_and_begin_as_usual() {
        let book = Book::embedded(Rule::Reversed, Size::EIGHT).unwrap();
        let rows = openings(book, 6);
        let of_ply = |ply| rows.iter().filter(|row| row.ply == ply).count();
        assert_eq!((0..=6).map(of_ply).collect::<Vec<_>>(), [1, 1, 3, 14, 60, 322, 1773]);
        assert!(rows.iter().skip(1).all(|row| row.moves.starts_with("f5")));
        // What black expects after the only first move is what the start is worth.
        assert_eq!(rows[0].value, rows[1].value);
    }
}
