//! `isrever book check`: whether every record of a book is possible, and every value derived right.

use super::{open, open_if_there};
use crate::error::Error;
use crate::messages::counted;
use std::io::Write;
use std::path::PathBuf;

/// Check a book: every record, the order, and every value and bound derived again
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever book check my.book
The exit status is 3 if anything is wrong, and 2 if the file is no book.")]
pub(super) struct CheckArgs {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Checks it, and says that it is right.
pub(super) fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<(), Error> {
    // The file as it lies there, and then with its journal.
    if let Some(book) = open_if_there(&args.file)? {
        book.check().map_err(|error| Error::failed(args.file.display(), error))?;
    }
    let book = open(&args.file)?;
    book.check().map_err(|error| Error::failed(args.file.display(), error))?;
    let (rule, size) = (book.rule(), book.size());
    let count = counted(book.len() as u64, "position");
    writeln!(out, "{}: {count} ({rule}, {size}x{size}), all right", args.file.display())?;
    Ok(())
}
