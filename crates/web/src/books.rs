//! The books that the server looks positions up in: its owner's, and else those in the program.

use isrever_board::{Rule, Size};
use isrever_book::Book;
use std::fmt;

/// The books of the server's owner, one for a rule and a size.
#[derive(Debug, Default)]
pub struct Books(Vec<Book>);

/// There is a book for this rule and this size already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookTaken(Rule, Size);

impl fmt::Display for BookTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BookTaken(rule, size) = self;
        write!(f, "a second book for the {rule} rule on {size}x{size}; expected one for each")
    }
}

impl std::error::Error for BookTaken {}

impl Books {
    /// Adds a book.
    ///
    /// # Errors
    /// If there is one for its rule and size.
    pub fn add(&mut self, book: Book) -> Result<(), BookTaken> {
        let (rule, size) = (book.rule(), book.size());
        if self.own(rule, size).is_some() {
            return Err(BookTaken(rule, size));
        }
        self.0.push(book);
        Ok(())
    }

    /// The book for a rule and a size, if there is one that has a position.
    pub(crate) fn find(&self, rule: Rule, size: Size) -> Option<&Book> {
        self.own(rule, size).or_else(|| Book::embedded(rule, size)).filter(|book| !book.is_empty())
    }

    /// All books, those of the reversed rule and of large boards first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Book> {
        let kinds = [Rule::Reversed, Rule::Normal].into_iter();
        let kinds =
            kinds.flat_map(|rule| Size::BITS.into_iter().rev().map(move |size| (rule, size)));
        kinds.filter_map(|(rule, size)| self.find(rule, size))
    }

    fn own(&self, rule: Rule, size: Size) -> Option<&Book> {
        self.0.iter().find(|book| (book.rule(), book.size()) == (rule, size))
    }
}
