//! `isrever book`: what is known of the opening, and how it grows.

mod check;
mod export;
mod grow;
mod import;
mod journal;
mod openings;
mod show;
mod stats;
mod verify;

use crate::error::Error;
use isrever_board::Size;
use isrever_book::foreign::Format;
use isrever_book::{Book, Bytes, Graph};
use journal::{Written, beside};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Grow a book of openings, look into it, check it, give it to others
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Where a command reads a book, embedded is the one in the program for reversed 8x8, embedded-6x6 the
perfect one for reversed 6x6:
  isrever book show embedded f5d6")]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(clap::Subcommand, Debug)]
enum BookCommand {
    Grow(grow::GrowArgs),
    Show(show::ShowArgs),
    Openings(openings::OpeningsArgs),
    Stats(stats::StatsArgs),
    Check(check::CheckArgs),
    Verify(verify::VerifyArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
}

/// Does what one of the commands asks for.
pub(crate) fn run(args: &BookArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.command {
        BookCommand::Grow(args) => grow::run(args, out),
        BookCommand::Show(args) => show::run(args, out),
        BookCommand::Openings(args) => openings::run(args, out),
        BookCommand::Stats(args) => stats::run(args, out),
        BookCommand::Check(args) => check::run(args, out),
        BookCommand::Verify(args) => verify::run(args, out),
        BookCommand::Export(args) => export::run(args, out),
        BookCommand::Import(args) => import::run(args, out),
    }
}

/// The book of a file, with what a journal has beside it; or the embedded one of this name.
pub(super) fn open(path: &Path) -> Result<Book, Error> {
    if let Some(book) = embedded(path) {
        let bytes = Bytes::Embedded(book.bytes());
        return Ok(Book::from_bytes(bytes).expect("the tests read the embedded books"));
    }
    let book = open_if_there(path)?;
    let Some(written) = Written::beside(path)? else {
        let missing = || Error::input(path.display(), "no such file; expected a book");
        return book.ok_or_else(missing);
    };
    let (mut graph, recipe) = match &book {
        Some(book) => (book.graph(), book.recipe()),
        None => (Graph::new(written.rule, written.size), String::new()),
    };
    written.insert_into(&mut graph, &beside(path)?)?;
    graph.propagate();
    Ok(Book::from_bytes(graph.to_bytes(&recipe).into()).expect("it was just written"))
}

/// The book of a file alone; `None` if there is no such file.
fn open_if_there(path: &Path) -> Result<Option<Book>, Error> {
    if path.is_dir() {
        return Err(Error::input(path.display(), "a directory; expected a book"));
    }
    let bytes = match Bytes::map(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == ErrorKind::InvalidInput => {
            return Err(Error::input(path.display(), format_args!("{error}; expected a book")));
        }
        Err(error) => return Err(Error::io(path.display(), &error)),
    };
    if let Some(format) = Format::of_bytes(&bytes) {
        let offence = format!("a book of {format}; expected one of ours, as book import makes it");
        return Err(Error::input(path.display(), offence));
    }
    let book = Book::from_bytes(bytes).map_err(|error| Error::input(path.display(), error))?;
    Ok(Some(book))
}

/// The embedded book that goes by this name.
fn embedded(name: &Path) -> Option<&'static Book> {
    Book::named(name.to_str()?)
}

/// A size that books are for.
fn small_size(text: &str) -> Result<Size, String> {
    let size: Option<Size> = text.parse().ok();
    size.filter(|size| size.has_bits()).ok_or_else(|| "expected 4, 6 or 8".to_owned())
}

/// A value with its sign, the minus as long as the plus.
fn signed(value: i32) -> String {
    match value {
        0 => "0".to_owned(),
        _ => format!("{value:+}").replace('-', "−"),
    }
}
