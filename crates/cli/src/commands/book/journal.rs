//! A book that grows: the file, and beside it a journal of what has been found since.
//!
//! What is found about a position is a line of the journal at once. When the
//! command ends, the book is replaced as a whole, and then the journal becomes
//! empty. A process that is killed leaves both, and the next one goes on with
//! them; what stands in both is the same.

use super::{embedded, open_if_there};
use crate::error::Error;
use crate::journal::Journal;
use crate::output::{json_line, replace_file};
use isrever_board::{Rule, Size};
use isrever_book::{Finding, Graph, Line};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    rule: String,
    size: u8,
}

/// A book that is open to be changed, locked.
pub(super) struct OpenBook {
    path: PathBuf,
    journal: Journal,
    pub(super) graph: Graph,
    /// Whether somebody who was killed has left findings in the journal.
    pub(super) is_resumed: bool,
    /// How it was made, a line for each way.
    recipe: Vec<String>,
}

impl OpenBook {
    /// Opens the book, or begins one of this rule and size, and reads what a journal has beside it.
    pub(super) fn open(
        path: &Path,
        rule: Option<Rule>,
        size: Option<Size>,
    ) -> Result<OpenBook, Error> {
        if embedded(path).is_some() {
            let offence = "the name of a book in the program; expected a file to write to";
            return Err(Error::input(path.display(), offence));
        }
        let beside = beside(path)?;
        let (journal, written) =
            Journal::open(&beside, "book command", |whole, _| Written::read(whole))?;
        let is_new = journal.is_empty();
        let opened = OpenBook::with(path, journal, written, rule, size);
        if opened.is_err() && is_new {
            // Where nothing is begun, nothing is left.
            let _ = fs::remove_file(&beside);
        }
        opened
    }

    fn with(
        path: &Path,
        journal: Journal,
        written: Option<Written>,
        rule: Option<Rule>,
        size: Option<Size>,
    ) -> Result<OpenBook, Error> {
        // The journal is locked: nobody else replaces the book now.
        let book = open_if_there(path)?;
        let said = match (&book, &written) {
            (Some(book), _) => Some((book.rule(), book.size())),
            (None, written) => written.as_ref().map(|written| (written.rule, written.size)),
        };
        let (own_rule, own_size) =
            said.unwrap_or_else(|| (rule.unwrap_or_default(), size.unwrap_or(Size::EIGHT)));
        if let Some(rule) = rule.filter(|&rule| rule != own_rule) {
            let offence = format!("a book of the {own_rule} rule; expected one of the {rule} rule");
            return Err(Error::input(path.display(), offence));
        }
        if let Some(size) = size.filter(|&size| size != own_size) {
            let offence =
                format!("a book for {own_size}x{own_size}; expected one for {size}x{size}");
            return Err(Error::input(path.display(), offence));
        }
        let mut open = OpenBook {
            path: path.to_owned(),
            journal,
            graph: Graph::new(own_rule, own_size),
            is_resumed: written.as_ref().is_some_and(|written| !written.findings.is_empty()),
            recipe: Vec::new(),
        };
        if let Some(book) = book {
            open.graph = book.graph();
            open.recipe = book.recipe().lines().map(str::to_owned).collect();
        }
        match written {
            Some(written) => written.insert_into(&mut open.graph, &beside(path)?)?,
            None => {
                open.journal.add(&Head { rule: own_rule.to_string(), size: own_size.width() })?;
            }
        }
        Ok(open)
    }

    /// The graph, and the journal that what is found goes to.
    pub(super) fn parts(&mut self) -> (&mut Graph, &mut Journal) {
        (&mut self.graph, &mut self.journal)
    }

    /// Says how what is new was made.
    pub(super) fn note(&mut self, recipe: &str) {
        if !self.recipe.iter().any(|line| line == recipe) {
            self.recipe.push(recipe.to_owned());
        }
    }

    /// Writes the book, and ends the journal.
    pub(super) fn save(mut self) -> Result<Graph, Error> {
        self.graph.propagate();
        let bytes = self.graph.to_bytes(&self.recipe.join("\n"));
        replace_file(&self.path, [Ok(bytes)].into_iter())?;
        self.end_journal()?;
        Ok(self.graph)
    }

    /// Leaves everything as it was found, before anything is added.
    pub(super) fn leave(mut self) -> Result<(), Error> {
        if self.is_resumed { Ok(()) } else { self.end_journal() }
    }

    fn end_journal(&mut self) -> Result<(), Error> {
        // It is empty before it goes, so that whoever opens it meanwhile finds nothing.
        self.journal.replace(b"")?;
        let _ = fs::remove_file(beside(&self.path)?);
        Ok(())
    }
}

/// What a journal holds.
pub(super) struct Written {
    pub(super) rule: Rule,
    pub(super) size: Size,
    findings: Vec<Finding>,
}

impl Written {
    /// What the journal beside a book holds; `None` if there is none, or nothing in it.
    pub(super) fn beside(path: &Path) -> Result<Option<Written>, Error> {
        let beside = beside(path)?;
        let bytes = match fs::read(&beside) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == ErrorKind::IsADirectory => {
                return Err(Error::input(beside.display(), "a directory; expected a journal"));
            }
            Err(error) => return Err(Error::io(beside.display(), &error)),
        };
        // Somebody may be adding to the last line.
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        Written::read(&bytes[..end]).map_err(|offence| Error::input(beside.display(), offence))
    }

    /// Reads whole lines.
    fn read(whole: &[u8]) -> Result<Option<Written>, String> {
        let mut rows = whole.split_inclusive(|&byte| byte == b'\n');
        let Some(head) = rows.next() else { return Ok(None) };
        let strange = "line 1: not a journal; expected one that book grow wrote";
        let head: Head = serde_json::from_slice(head).map_err(|_| strange)?;
        let rule = head.rule.parse().map_err(|_| strange)?;
        let size = Size::new(head.size.into()).ok().filter(|size| size.has_bits());
        let size = size.ok_or(strange)?;
        let finding = |(row, number): (&[u8], usize)| {
            let wrong = |why: &dyn Display| format!("line {number}: {why}");
            let line: Line = serde_json::from_slice(row).map_err(|error| {
                wrong(&format_args!(
                    "{error}; expected a position; delete this line and those after it to keep the \
                     ones before"
                ))
            })?;
            line.finding(size).map_err(|why| wrong(&why))
        };
        let findings = rows.zip(2..).map(finding).collect::<Result<_, String>>()?;
        Ok(Some(Written { rule, size, findings }))
    }

    /// Puts all of it into the graph of the book that the journal lies beside.
    pub(super) fn insert_into(self, graph: &mut Graph, path: &Path) -> Result<(), Error> {
        if (self.rule, self.size) != (graph.rule(), graph.size()) {
            let offence = "of another rule or size than its book; expected the book's own";
            return Err(Error::input(path.display(), offence));
        }
        for finding in self.findings {
            graph.insert(finding);
        }
        Ok(())
    }
}

/// A line for a journal.
pub(super) fn add(journal: &mut Journal, line: &Line) -> Result<(), Error> {
    let mut bytes = Vec::new();
    json_line(&mut bytes, line)?;
    journal.append(&bytes).map_err(|error| journal.io_error(&error))
}

/// Where the journal of a book is.
pub(super) fn beside(path: &Path) -> Result<PathBuf, Error> {
    let name = path.file_name().ok_or_else(|| {
        Error::input(path.display(), "not the name of a file; expected a file to write to")
    })?;
    let mut name = OsString::from(name);
    name.push(".journal");
    Ok(path.with_file_name(name))
}
