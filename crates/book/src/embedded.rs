//! The books embedded in the program: those of `books/` at the root, whose recipes say how they grew.

use crate::book::Book;
use crate::bytes::Bytes;
use isrever_board::{Rule, Size};
use std::sync::LazyLock;

static REVERSED: LazyLock<Book> =
    LazyLock::new(|| read(include_bytes!("../../../books/reversed.book")));

static REVERSED_SIX: LazyLock<Book> =
    LazyLock::new(|| read(include_bytes!("../../../books/reversed-6x6.book")));

/// The names of the embedded books, and the boards that they are for, under the reversed rule.
const NAMES: [(&str, Size); 2] = [("embedded", Size::EIGHT), ("embedded-6x6", Size::SIX)];

impl Book {
    /// The embedded book that goes by this name, if there is one: `embedded` for reversed 8×8,
    /// `embedded-6x6` for reversed 6×6.
    pub fn named(name: &str) -> Option<&'static Book> {
        let &(_, size) = NAMES.iter().find(|(known, _)| *known == name)?;
        Book::embedded(Rule::Reversed, size)
    }

    /// The embedded book for `rule` on boards of `size`, if there is one. The first call checks its
    /// bytes.
    pub fn embedded(rule: Rule, size: Size) -> Option<&'static Book> {
        match (rule, size) {
            (Rule::Reversed, Size::EIGHT) => Some(&REVERSED),
            (Rule::Reversed, Size::SIX) => Some(&REVERSED_SIX),
            _ => None,
        }
    }
}

fn read(bytes: &'static [u8]) -> Book {
    Book::from_bytes(Bytes::Embedded(bytes)).expect("the tests read the embedded books")
}
