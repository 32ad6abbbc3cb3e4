//! `isrever book export`: a book as lines of JSON.

use super::open;
use crate::error::Error;
use crate::output::{json_line, replace_file_by};
use isrever_board::Size;
use isrever_book::{Entry, Line};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Write a book as lines of JSON, one for each position
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever book export my.book -o my.jsonl
  isrever book export my.book | head -3
One object per position and line, in the order of the book, with the keys
  position                  the position, X to move: one for all eight images
  value, best               what its own search found, for the side to move
  depth, selectivity, exact, nodes   of that search, as in isrever move
  moves                     what a glance found of every move
  book                      what follows from the positions after it: value, lower, upper (proved
                            bounds), best, plies (moves of the best line that are in the book)
isrever book import reads them again.")]
pub(super) struct ExportArgs {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A line of the export.
#[derive(Serialize)]
struct Exported {
    #[serde(flatten)]
    line: Line,
    book: Derived,
}

/// What follows from the positions after it.
#[derive(Serialize)]
struct Derived {
    value: i8,
    lower: i8,
    upper: i8,
    best: String,
    plies: u8,
}

impl Exported {
    fn new(entry: &Entry, size: Size) -> Exported {
        let worth = entry.worth;
        let book = Derived {
            value: worth.value,
            lower: worth.lower,
            upper: worth.upper,
            best: worth.best.to_string(),
            plies: worth.plies,
        };
        Exported { line: Line::new(&entry.finding, size), book }
    }
}

/// Writes the lines.
pub(super) fn run(args: &ExportArgs, out: &mut dyn Write) -> Result<(), Error> {
    let book = open(&args.file)?;
    let lines = book.entries().map(|entry| Exported::new(&entry, book.size()));
    let Some(output) = &args.output else {
        for line in lines {
            json_line(out, &line)?;
        }
        return Ok(());
    };
    replace_file_by(output, |file| {
        for line in lines {
            let mut bytes = Vec::new();
            json_line(&mut bytes, &line)?;
            file.add(&bytes)?;
        }
        Ok(())
    })
}
