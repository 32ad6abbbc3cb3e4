//! `isrever book export`: a book as lines of JSON, or as a book of another program.

use super::open;
use crate::error::Error;
use crate::output::{json_line, replace_file, replace_file_by};
use isrever_board::Size;
use isrever_book::foreign::{self, Format};
use isrever_book::{Book, Bytes, Entry, Line};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a book as lines of JSON, one for each position, or as a book of Edax or Egaroucid
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever book export my.book -o my.jsonl
  isrever book export my.book | head -3
  isrever book export othello.book -o book.dat      for Edax
  isrever book export othello.book -o book.egbk3    for Egaroucid
One object per position and line, in the order of the book, with the keys
  position                  the position, X to move: one for all eight images
  value, best               what its own search found, for the side to move
  depth, selectivity, exact, nodes   of that search, as in isrever move
  moves                     a rough estimate of every move
  book                      what follows from the positions after it: value, lower, upper (proved
                            bounds), best, plies (moves of the best line before the search that
                            the value rests on)
An output that is a book of ours is not replaced.
isrever book import reads them again, and the books of the other programs too. Those play the normal
rule on 8x8; their books hold values, best moves and levels, but no nodes, no estimates and,
in Egaroucid's, no proofs.")]
pub(super) struct ExportArgs {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// What to write [default: by the extension of the output: .dat is Edax's, .egbk3 Egaroucid's]
    #[arg(long, value_name = "json|edax|egaroucid")]
    format: Option<Kind>,
}

/// What a book can be written as.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Kind {
    Json,
    Edax,
    Egaroucid,
}

impl Kind {
    /// The program whose format it is; `None` if it is ours.
    fn foreign(self) -> Option<Format> {
        match self {
            Kind::Json => None,
            Kind::Edax => Some(Format::Edax),
            Kind::Egaroucid => Some(Format::Egaroucid),
        }
    }
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

/// Writes the book.
pub(super) fn run(args: &ExportArgs, out: &mut dyn Write) -> Result<(), Error> {
    let book = open(&args.file)?;
    if let Some(output) = &args.output {
        refuse_book(output)?;
    }
    let extension = args.output.as_ref().and_then(|path| path.extension()?.to_str());
    let format = match args.format {
        Some(kind) => kind.foreign(),
        None => extension.and_then(Format::of_extension),
    };
    let Some(format) = format else { return write_lines(&book, args.output.as_deref(), out) };
    let bytes =
        foreign::write(&book, format).map_err(|error| Error::input(args.file.display(), error))?;
    match &args.output {
        Some(output) => replace_file(output, [Ok(bytes)].into_iter()),
        None => Ok(out.write_all(&bytes)?),
    }
}

/// Refuses to write over a book, which what is exported cannot replace.
fn refuse_book(output: &Path) -> Result<(), Error> {
    match Bytes::map(output).is_ok_and(|bytes| Book::is_begun_by(&bytes)) {
        true => Err(Error::input(output.display(), "a book; expected another file to write to")),
        false => Ok(()),
    }
}

fn write_lines(book: &Book, output: Option<&Path>, out: &mut dyn Write) -> Result<(), Error> {
    let lines = book.entries().map(|entry| Exported::new(&entry, book.size()));
    let Some(output) = output else {
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
