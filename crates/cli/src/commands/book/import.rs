//! `isrever book import`: puts other books, also of other programs, and exported lines into a book.

use super::journal::{OpenBook, Written};
use super::{embedded, open, open_if_there, small_size};
use crate::error::Error;
use crate::messages::{counted, grouped};
use isrever_board::{Rule, Size};
use isrever_book::foreign::{self, Contents, Format};
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
  isrever book import othello.book book.dat        what Edax knows
  isrever book import othello.book book.egbk3      what Egaroucid knows
What is better: a proof, then more nodes; books of other programs count none. Lines do not say their
rule: for a new book it is --rule. All files are read and checked before the book is changed.")]
pub(super) struct ImportArgs {
    /// The book; a new one if there is none
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Books, ours or of Edax or Egaroucid, or lines of JSON as book export writes them
    #[arg(value_name = "FROM", required = true)]
    from: Vec<PathBuf>,

    /// What is played for [default: reversed, or as the books say]
    #[arg(long, value_name = "reversed|normal")]
    rule: Option<Rule>,

    /// The board [default: 8, or as the books say]
    #[arg(long, value_name = "4|6|8", allow_negative_numbers = true, value_parser = small_size)]
    size: Option<Size>,
}

/// Something to import.
enum Source {
    Book(Book),
    /// What another program's book says.
    Foreign(Format, Contents),
    /// Exported lines.
    Lines(Vec<u8>),
}

impl Source {
    /// The rule and the size that it says it is of.
    fn kind(&self) -> Option<(Rule, Size)> {
        match self {
            Source::Book(book) => Some((book.rule(), book.size())),
            Source::Foreign(..) => Some((foreign::RULE, foreign::SIZE)),
            Source::Lines(_) => None,
        }
    }

    /// How what it says was made, a line for each way.
    fn recipe(&self) -> Vec<String> {
        match self {
            Source::Book(book) => book.recipe().lines().map(str::to_owned).collect(),
            Source::Foreign(format, _) => vec![format!("imported from a book of {format}")],
            Source::Lines(_) => vec!["imported lines".to_owned()],
        }
    }

    /// How many positions say nothing of any move.
    fn without_move(&self) -> usize {
        match self {
            Source::Foreign(_, contents) => contents.without_move,
            Source::Book(_) | Source::Lines(_) => 0,
        }
    }
}

/// Reads all, writes the book, and says what became of it.
pub(super) fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<(), Error> {
    let sources: Vec<Source> =
        args.from.iter().map(|path| source(path)).collect::<Result<_, _>>()?;
    // A new book is of the kind that the first book says.
    let said = sources.iter().find_map(Source::kind);
    let recipes: Vec<String> = sources.iter().flat_map(Source::recipe).collect();
    let without_move: usize = sources.iter().map(Source::without_move).sum();
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
    if better > 0 {
        recipes.iter().for_each(|line| book.note(line));
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
    if without_move > 0 {
        let count = counted(without_move as u64, "position");
        writeln!(out, "{count} without a move: their values are those of the moves to them")?;
    }
    Ok(())
}

/// What the bytes say that it is, else what the name says, else a book.
fn source(path: &Path) -> Result<Source, Error> {
    if embedded(path).is_some() {
        return open(path).map(Source::Book);
    }
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::IsADirectory => {
            Error::input(path.display(), "a directory; expected a book or lines of JSON")
        }
        std::io::ErrorKind::NotFound => {
            Error::input(path.display(), "no such file; expected a book or lines of JSON")
        }
        _ => Error::io(path.display(), &error),
    })?;
    if bytes.first() == Some(&b'{') {
        return Ok(Source::Lines(bytes));
    }
    let wrong = |error: &dyn std::fmt::Display| Error::input(path.display(), error);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let by_name = extension.and_then(Format::of_extension).filter(|_| !Book::is_begun_by(&bytes));
    if let Some(format) = Format::of_bytes(&bytes).or(by_name) {
        let contents = foreign::read(&bytes, format).map_err(|error| wrong(&error))?;
        return Ok(Source::Foreign(format, contents));
    }
    Ok(Source::Book(Book::from_bytes(bytes.into()).map_err(|error| wrong(&error))?))
}

/// The findings of a source, all of this rule and size.
fn read(path: &Path, source: Source, (rule, size): (Rule, Size)) -> Result<Vec<Finding>, Error> {
    if let Some((own, width)) = source.kind().filter(|&kind| kind != (rule, size)) {
        let offence = format!(
            "a book of the {own} rule on {width}x{width}; expected the {rule} rule on {size}x{size}"
        );
        return Err(Error::input(path.display(), offence));
    }
    match source {
        Source::Foreign(_, contents) => Ok(contents.findings),
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
