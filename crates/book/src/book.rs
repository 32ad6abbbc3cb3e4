//! A book as it lies in a file: sorted, read where it is, never changed.

use crate::bytes::Bytes;
use crate::file::{BookError, Header, MAGIC, read_board, read_entry};
use crate::finding::Finding;
use crate::graph::{Graph, Worth};
use isrever_board::{Board, Rule, Size};
use std::cmp::Ordering;

/// What a book knows of positions.
#[derive(Debug)]
pub struct Book {
    pub(crate) bytes: Bytes,
    pub(crate) header: Header,
}

/// What a book knows of one position, in canonical form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What its own search found.
    pub finding: Finding,
    /// What it is worth by all positions after it.
    pub worth: Worth,
}

impl Book {
    /// Reads what [`Graph::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are anything else.
    pub fn from_bytes(bytes: Bytes) -> Result<Book, BookError> {
        let header = Header::read(&bytes)?;
        Ok(Book { bytes, header })
    }

    /// The bytes that it was read from.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether bytes begin as a book does, whole or not.
    pub fn is_begun_by(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// The rule that its values are for.
    pub fn rule(&self) -> Rule {
        self.header.rule
    }

    /// The size of its boards.
    pub fn size(&self) -> Size {
        self.header.size
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.header.count
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.header.count == 0
    }

    /// How it was made.
    pub fn recipe(&self) -> String {
        String::from_utf8_lossy(&self.bytes[self.header.recipe_range()]).into_owned()
    }

    /// What it knows of a position, in any of its eight images.
    pub fn find(&self, board: Board) -> Option<Entry> {
        let (board, _) = board.canonical(self.header.size);
        let (mut from, mut to) = (0, self.header.count);
        while from < to {
            let middle = from + (to - from) / 2;
            match read_board(&self.bytes, self.header.record_at(middle)).cmp(&board) {
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
                Ordering::Equal => return self.entry(middle),
            }
        }
        None
    }

    /// All that it knows, in the order of boards. Records that hold something impossible are left
    /// out; [`Book::check`] names them.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        (0..self.header.count).filter_map(|number| self.entry(number))
    }

    /// What the record of this number holds, counted from 0 in the order of boards. `None` if that is
    /// something impossible, or if there is no such record.
    pub fn entry(&self, number: usize) -> Option<Entry> {
        (number < self.header.count).then(|| read_entry(&self.bytes, self.header, number))?
    }

    /// The book as a graph that can grow.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::new(self.rule(), self.size());
        for entry in self.entries() {
            graph.insert(entry.finding);
        }
        graph.propagate();
        graph
    }
}
