//! `isrever book show`: what a book knows of a position.

use super::{open, signed};
use crate::draw::{Style, board};
use crate::error::Error;
use crate::input::Place;
use crate::messages::grouped;
use crate::options::{DefaultArgs, PositionArgs};
use crate::output::json_line;
use isrever_board::text::Record;
use isrever_board::{Game, Marks, Position};
use isrever_book::{Book, MoveView, Opening, View, What};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Show what a book knows of a position: its moves with values, how sure they are, the best line
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever book show my.book                 the start position
  isrever book show my.book f5d6c3          after these moves
  isrever book show my.book f5d6 --json
Values are in discs for the side to move. With --json one object per position and line, with the keys
  position, rule, known     the position; whether the book has it: if not, only these and opening
  opening                   the name of the last opening that the game passed, if it passed one
  value, lower, upper       what it is worth; the bounds within which the score is proved to lie
  depth, selectivity, exact, nodes   of its own search, as in isrever move
  pv                        the best line as far as the book goes
  moves                     for every legal move of which something is known: move, value, and kind,
                            which is over (the game ends), known (it leads to a position of the
                            book; with lower, upper, plies, depth and selectivity), searched (the
                            best move of the position's own search, not looked at since) or
                            estimated (roughly)")]
pub(super) struct ShowArgs {
    /// The book
    #[arg(value_name = "FILE")]
    book: PathBuf,

    #[command(flatten)]
    position: PositionArgs,

    /// One object per position and line
    #[arg(long)]
    json: bool,
}

/// Shows what the book knows of each position.
pub(super) fn run(args: &ShowArgs, out: &mut dyn Write) -> Result<(), Error> {
    let book = open(&args.book)?;
    let asked = DefaultArgs { rule: Some(book.rule()), size: Some(book.size()) };
    let games: Vec<Game> = match args.position.input()? {
        None => vec![Game::new(book.rule(), book.size())],
        Some(input) => {
            let place: &Place = &input.place;
            let game = |record: Result<Record, Error>| Ok(asked.settled(place, record?)?.game);
            input.records(None, asked.defaults())?.map(game).collect::<Result<_, Error>>()?
        }
    };
    for (number, game) in games.iter().enumerate() {
        let view = view(&book, game.position());
        match args.json {
            true => json_line(out, &Shown::new(&book, game, view.as_ref()))?,
            false => {
                if number > 0 {
                    writeln!(out)?;
                }
                write_view(&book, game, view.as_ref(), out)?;
            }
        }
    }
    Ok(())
}

fn view(book: &Book, position: &Position) -> Option<View> {
    if !position.has_move() {
        return None;
    }
    book.view(position.board()?)
}

/// What is shown as JSON.
#[derive(Serialize)]
struct Shown {
    position: String,
    rule: String,
    known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<&'static str>,
    #[serde(flatten)]
    what: Option<ShownView>,
}

#[derive(Serialize)]
struct ShownView {
    value: i8,
    lower: i8,
    upper: i8,
    depth: u8,
    selectivity: u8,
    exact: bool,
    nodes: u64,
    pv: Vec<String>,
    moves: Vec<ShownMove>,
}

#[derive(Serialize)]
struct ShownMove {
    r#move: String,
    value: i8,
    kind: &'static str,
    #[serde(flatten)]
    known: Option<ShownKnown>,
}

#[derive(Serialize)]
struct ShownKnown {
    lower: i8,
    upper: i8,
    plies: u8,
    depth: u8,
    selectivity: u8,
}

impl Shown {
    fn new(book: &Book, game: &Game, view: Option<&View>) -> Shown {
        let what = view.map(|view| {
            let (finding, worth) = (&view.entry.finding, view.entry.worth);
            ShownView {
                value: worth.value,
                lower: worth.lower,
                upper: worth.upper,
                depth: finding.depth,
                selectivity: finding.confidence,
                exact: finding.is_exact,
                nodes: finding.nodes,
                pv: view.line.iter().map(ToString::to_string).collect(),
                moves: view.moves.iter().map(ShownMove::new).collect(),
            }
        });
        Shown {
            position: game.position().to_string(),
            rule: book.rule().to_string(),
            known: view.is_some(),
            opening: Opening::of(game).map(|opening| opening.name),
            what,
        }
    }
}

impl ShownMove {
    fn new(shown: &MoveView) -> ShownMove {
        let (kind, known) = match shown.what {
            What::Over => ("over", None),
            What::Known { bounds: (lower, upper), plies, depth, confidence } => {
                let selectivity = confidence;
                ("known", Some(ShownKnown { lower, upper, plies, depth, selectivity }))
            }
            What::Searched => ("searched", None),
            What::Estimated => ("estimated", None),
        };
        ShownMove { r#move: shown.square.to_string(), value: shown.value, kind, known }
    }
}

/// The view in words.
fn write_view(
    book: &Book,
    game: &Game,
    view: Option<&View>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    board(out, game.position(), &Marks::default(), Style::of_stdout(false))?;
    if let Some(opening) = Opening::of(game) {
        writeln!(out, "opening: {}", opening.name)?;
    }
    if game.is_over() {
        writeln!(out, "The game is over.")?;
        return Ok(());
    }
    let Some(view) = view else {
        writeln!(out, "The book ({}) does not have this position.", counted_positions(book))?;
        return Ok(());
    };
    let (finding, worth) = (&view.entry.finding, view.entry.worth);
    let line: Vec<String> = view.line.iter().map(ToString::to_string).collect();
    writeln!(out, "{}: {}", signed(worth.value.into()), sure(worth.lower, worth.upper))?;
    writeln!(out, "best line: {}", line.join(" "))?;
    writeln!(
        out,
        "own search: {} by {} plies at {} %, {} nodes",
        signed(finding.value.into()),
        finding.depth,
        finding.confidence,
        grouped(&finding.nodes.to_string()),
    )?;
    writeln!(out)?;
    for shown in &view.moves {
        let words = match shown.what {
            What::Over => "ends the game".to_owned(),
            What::Known { bounds, .. } if bounds.0 == bounds.1 => "proved".to_owned(),
            What::Known { plies, depth, confidence, .. } => {
                let plies = match plies {
                    1 => "1 move".to_owned(),
                    _ => format!("{plies} moves"),
                };
                format!("{plies} in the book, then {depth} plies at {confidence} %")
            }
            What::Searched if finding.is_exact => {
                "proved by the search of this position".to_owned()
            }
            What::Searched => "best by the search of this position, not looked at since".to_owned(),
            What::Estimated => "a rough estimate".to_owned(),
        };
        writeln!(out, "  {}  {:>3}  {words}", shown.square, signed(shown.value.into()))?;
    }
    Ok(())
}

/// What is proved.
fn sure(lower: i8, upper: i8) -> String {
    match (lower, upper) {
        (lower, upper) if lower == upper => "proved".to_owned(),
        (lower, _) if lower > 0 => format!("proved to win by {lower} or more"),
        (_, upper) if upper < 0 => format!("proved to lose by {} or more", -upper),
        _ => "estimated".to_owned(),
    }
}

fn counted_positions(book: &Book) -> String {
    crate::messages::counted(book.len() as u64, "position")
}
