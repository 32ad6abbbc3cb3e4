//! Whether a book is a perfect strategy: an independent walk over every move of the other side.

use crate::book::{Book, Entry};
use crate::step::{After, after};
use isrever_board::{Board, Color, Position, Size, squares};
use std::collections::HashMap;
use std::fmt;

/// A strategy that was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// The score of the game.
    pub value: i8,
    /// How many positions of the book the strategies of both sides meet.
    pub positions: usize,
}

/// Why a book is no perfect strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StrategyError {
    /// A strategy meets a position that the book does not have.
    Missing(Board, Size),
    /// The move there is not proved.
    Unproved(Board, Size),
    /// The value there does not agree with those after the other side's replies.
    Value(Board, Size),
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, size, what) = match *self {
            StrategyError::Missing(board, size) => (board, size, "not in the book"),
            StrategyError::Unproved(board, size) => (board, size, "not proved"),
            StrategyError::Value(board, size) => {
                (board, size, "another value than its best move leads to")
            }
        };
        let position = Position::from_board(board, size, Color::Black);
        let position = position.map(|position| position.to_string()).unwrap_or_default();
        write!(f, "{position}: {what}; expected a perfect strategy")
    }
}

impl std::error::Error for StrategyError {}

/// What the walk has seen.
struct Walk<'a> {
    book: &'a Book,
    empties: u32,
    own: HashMap<Board, i8>,
    /// What the other side can get at most, and whether that is all that it can get: not where
    /// replies lead out of the book.
    other: HashMap<Board, (i8, bool)>,
}

impl Book {
    /// Walks through all games in which one side plays the proved moves of the book and the other
    /// plays anything, for either side, as long as at least `empties` squares are empty. Every
    /// position with the first side to move must be in the book with a proved move, and its value
    /// must be what that move leaves against the best reply.
    ///
    /// # Errors
    /// The first position that is not as it should be.
    pub fn check_strategy(&self, empties: u32) -> Result<Strategy, StrategyError> {
        let (own, other) = (HashMap::new(), HashMap::new());
        let mut walk = Walk { book: self, empties, own, other };
        let (start, _) = Board::start(self.size()).canonical(self.size());
        let value = walk.own(start)?;
        if let Some((other, is_all)) = walk.other(start)?
            && (other > value || is_all && other != value)
        {
            return Err(StrategyError::Value(start, self.size()));
        }
        Ok(Strategy { value, positions: walk.own.len() })
    }
}

impl Walk<'_> {
    /// The value of a position for the side that follows the strategy, which is to move.
    fn own(&mut self, board: Board) -> Result<i8, StrategyError> {
        if let Some(&value) = self.own.get(&board) {
            return Ok(value);
        }
        let size = self.book.size();
        let Entry { finding, .. } =
            self.book.find(board).ok_or(StrategyError::Missing(board, size))?;
        if !finding.is_exact {
            return Err(StrategyError::Unproved(board, size));
        }
        let is_right = match after(board, finding.best, size, self.book.rule()) {
            After::Over(score) => score == finding.value,
            After::Position { board: next, is_reply } if is_reply => match self.other(next)? {
                Some((most, true)) => -most == finding.value,
                // Some replies lead out of the book: the others leave at least the value.
                Some((most, false)) => -most >= finding.value,
                None => true,
            },
            After::Position { board: next, .. } => {
                !self.is_within(next) || self.own(next)? == finding.value
            }
        };
        if !is_right {
            return Err(StrategyError::Value(board, size));
        }
        self.own.insert(board, finding.value);
        Ok(finding.value)
    }

    /// The most that the other side can get where it is to move, as far as the book goes, and
    /// whether the book has all its moves; `None` if it has none of them.
    fn other(&mut self, board: Board) -> Result<Option<(i8, bool)>, StrategyError> {
        if let Some(&known) = self.other.get(&board) {
            return Ok(Some(known));
        }
        let size = self.book.size();
        let (mut most, mut is_all) = (None, true);
        for square in squares(board.moves(size)) {
            let value = match after(board, square, size, self.book.rule()) {
                After::Over(score) => Some(score),
                After::Position { board: next, .. } if !self.is_within(next) => None,
                After::Position { board: next, is_reply: true } => Some(-self.own(next)?),
                After::Position { board: next, is_reply: false } => {
                    self.other(next)?.map(|(value, is_whole)| {
                        is_all &= is_whole;
                        value
                    })
                }
            };
            is_all &= value.is_some();
            most = most.max(value);
        }
        let Some(most) = most else { return Ok(None) };
        self.other.insert(board, (most, is_all));
        Ok(Some((most, is_all)))
    }

    /// Whether the book is to have this position.
    fn is_within(&self, board: Board) -> bool {
        board.empties(self.book.size()).count_ones() >= self.empties
    }
}
