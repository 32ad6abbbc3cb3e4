//! Whether a book is what it should be: every record possible, every value that of those after it.

use crate::book::Book;
use crate::file::read_board;
use isrever_board::{Board, Color, Position, Size};
use std::fmt;

/// What is wrong with a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckError {
    /// The record of this number holds something impossible.
    Impossible(usize),
    /// The record of this number is not above the one before it.
    Order(usize),
    /// What is written of a position is not what follows from those after it.
    Worth(Board, Size),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Impossible(number) => {
                write!(f, "record {number} holds something impossible; expected a legal position")
            }
            CheckError::Order(number) => {
                write!(f, "record {number} is out of order; expected boards in ascending order")
            }
            CheckError::Worth(board, size) => {
                let position = Position::from_board(*board, *size, Color::Black);
                let position = position.map(|position| position.to_string()).unwrap_or_default();
                write!(f, "{position}: another value than follows from the positions after it")
            }
        }
    }
}

impl std::error::Error for CheckError {}

impl Book {
    /// Checks every record, and derives every value and every bound again.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), CheckError> {
        let board = |number| read_board(&self.bytes, self.header.record_at(number));
        for number in 0..self.len() {
            if self.entry(number).is_none() {
                return Err(CheckError::Impossible(number + 1));
            }
            if number > 0 && board(number) <= board(number - 1) {
                return Err(CheckError::Order(number + 1));
            }
        }
        let graph = self.graph();
        for entry in self.entries() {
            let board = entry.finding.board;
            let (_, worth) = graph.find(board).expect("it was inserted");
            if worth != entry.worth {
                return Err(CheckError::Worth(board, self.size()));
            }
        }
        Ok(())
    }
}
