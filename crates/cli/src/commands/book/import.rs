//! `isrever book import`: puts other books and exported lines into a book.

use super::journal::{OpenBook, Written};
use super::open_if_there;
use crate::error::Error;
use crate::messages::{counted, grouped};
use isrever_board::{Rule, Size};
use isrever_book::{Book, Finding, Line};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Put other books, or lines that were exported, into a book; of two findings the better one stays
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever book import my.book other.book           two books become one
  isrever book import my.book lines.jsonl --rule normal
What is better: a proof, then more nodes. Lines do not say their rule: for a new book it is
--rule. All files are read and checked before the book is changed.")]
pub(super) struct ImportArgs {
    /// The book; a new one if there is none
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Books, or lines of JSON as book export writes them
    #[arg(value_name = "FROM", required = true)]
    from: Vec<PathBuf>,

    /// What is played for [default: reversed, or as the books say]
    #[arg(long, value_name = "reversed|normal")]
    rule: Option<Rule>,

    /// The board [default: 8, or as the books say]
    #[arg(long, value_name = "4|6|8", allow_negative_numbers = true)]
    size: Option<Size>,
}

/// Something to import.
enum Source {
    Book(Book),
    /// Exported lines.
    Lines(Vec<u8>),
}

/// Reads all, writes the book, and says what became of it.
pub(super) fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<(), Error> {
    let sources: Vec<Source> =
        args.from.iter().map(|path| source(path)).collect::<Result<_, _>>()?;
    // A new book is of the kind that the first book says.
    let said = sources.iter().find_map(|source| match source {
        Source::Book(book) => Some((book.rule(), book.size())),
        Source::Lines(_) => None,
    });
    let own = match (open_if_there(&args.file)?, Written::beside(&args.file)?) {
        (Some(book), _) => Some((book.rule(), book.size())),
        (None, written) => written.map(|written| (written.rule, written.size)),
    };
    let said = said.filter(|_| own.is_none());
    let rule = args.rule.or(said.map(|(rule, _)| rule));
    let size = args.size.or(said.map(|(_, size)| size));
    // What is wrong with them is found before anything is locked or written.
    let expected = own.unwrap_or_else(|| (rule.unwrap_or_default(), size.unwrap_or(Size::EIGHT)));
    let mut findings: Vec<Finding> = Vec::new();
    for (path, source) in args.from.iter().zip(sources) {
        findings.extend(read(path, source, expected)?);
    }
    let mut book = OpenBook::open(&args.file, rule, size)?;
    let before = book.graph.len();
    let (mut better, count) = (0, findings.len());
    for finding in findings {
        better += u64::from(book.graph.insert(finding));
    }
    for path in &args.from {
        if let Ok(Some(other)) = open_if_there(path) {
            other.recipe().lines().for_each(|line| book.note(line));
        } else {
            book.note("imported lines");
        }
    }
    let graph = book.save()?;
    let new = (graph.len() - before) as u64;
    writeln!(
        out,
        "{}: {} ({}, {}x{}); of {} {} are new and {} better than before",
        args.file.display(),
        counted(graph.len() as u64, "position"),
        graph.rule(),
        graph.size(),
        graph.size(),
        grouped(&count.to_string()),
        grouped(&new.to_string()),
        grouped(&(better - new).to_string()),
    )?;
    Ok(())
}

/// A book if it is one, else lines.
fn source(path: &Path) -> Result<Source, Error> {
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Error::input(path.display(), "no such file; expected a book or lines of JSON")
        }
        _ => Error::io(path.display(), &error),
    })?;
    if bytes.first() == Some(&b'{') {
        return Ok(Source::Lines(bytes));
    }
    let book =
        Book::from_bytes(bytes.into()).map_err(|error| Error::input(path.display(), error))?;
    Ok(Source::Book(book))
}

/// The findings of a source, all of this rule and size.
fn read(path: &Path, source: Source, (rule, size): (Rule, Size)) -> Result<Vec<Finding>, Error> {
    match source {
        Source::Book(book) if (book.rule(), book.size()) != (rule, size) => {
            let (own, width) = (book.rule(), book.size());
            let offence = format!(
                "a book of the {own} rule on {width}x{width}; expected the {rule} rule on \
                 {size}x{size}"
            );
            Err(Error::input(path.display(), offence))
        }
        Source::Book(book) => {
            book.check().map_err(|error| Error::input(path.display(), error))?;
            Ok(book.entries().map(|entry| entry.finding).collect())
        }
        Source::Lines(bytes) => {
            let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
            let lines = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
            let finding = |(line, number): (&[u8], usize)| {
                let wrong = |why: String| Error::input(format!("{}:{number}", path.display()), why);
                let mut value: Value = serde_json::from_slice(line)
                    .map_err(|why| wrong(format!("{why}; expected a line of JSON")))?;
                // What follows from the others is derived again.
                value.as_object_mut().map(|object| object.remove("book"));
                let line: Line = serde_json::from_value(value).map_err(|why| {
                    wrong(format!("{why}; expected a line that book export wrote"))
                })?;
                line.finding(size).map_err(|why| wrong(why.to_string()))
            };
            lines.map(finding).collect()
        }
    }
}
