//! A finding as a line of JSON: for journals, for other machines, and for other programs.

use crate::finding::{Finding, FindingError, UNKNOWN};
use isrever_board::{Board, Color, Position, Size, Square, SquareError, squares};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A finding in writing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The position, square by square, with its side to move.
    pub position: String,
    /// The value in discs for the side to move.
    pub value: i8,
    /// The best move.
    pub best: String,
    /// The depth of the search in plies.
    pub depth: u8,
    /// In how many of 100 cases its cuts are right.
    pub selectivity: u8,
    /// Whether the value is proved.
    pub exact: bool,
    /// The nodes that the search took.
    pub nodes: u64,
    /// What a shallow search found of every move, in discs; null if nobody has looked.
    pub moves: BTreeMap<String, Option<i8>>,
}

/// Why a line is no finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineError {
    /// The position cannot be read.
    Position(String),
    /// The board has the first size instead of the second.
    Size(Size, Size),
    /// A square cannot be read.
    Square(String),
    /// It is read, but is no finding.
    Finding(FindingError),
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::Position(why) => f.write_str(why),
            LineError::Size(found, size) => {
                write!(f, "a position on {found}x{found}; expected one on {size}x{size}")
            }
            LineError::Square(text) => write!(f, "{text:?} is no square; expected one such as d3"),
            LineError::Finding(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LineError {}

impl Line {
    /// A finding in writing.
    ///
    /// # Panics
    /// If it is no finding of this board size.
    pub fn new(finding: &Finding, size: Size) -> Line {
        let position = Position::from_board(finding.board, size, Color::Black);
        let moves = squares(finding.board.moves(size)).zip(&finding.estimates);
        Line {
            position: position.expect("findings have discs").to_string(),
            value: finding.value,
            best: finding.best.to_string(),
            depth: finding.depth,
            selectivity: finding.confidence,
            exact: finding.is_exact,
            nodes: finding.nodes,
            moves: moves
                .map(|(square, &value)| (square.to_string(), (value != UNKNOWN).then_some(value)))
                .collect(),
        }
    }

    /// The finding that a line stands for, in canonical form.
    ///
    /// # Errors
    /// If the position cannot be read or has another size, or if a move or a number is impossible.
    pub fn finding(&self, size: Size) -> Result<Finding, LineError> {
        let position: Position = self
            .position
            .parse()
            .map_err(|error| LineError::Position(format!("{}: {error}", self.position)))?;
        if position.size() != size {
            return Err(LineError::Size(position.size(), size));
        }
        let board: Board = position.board().expect("books are for boards with bits");
        let (board, symmetry) = board.canonical(size);
        let square = |text: &str| -> Result<Square, LineError> {
            let square =
                text.parse().map_err(|_: SquareError| LineError::Square(text.to_owned()))?;
            match size.contains(square) {
                true => Ok(symmetry.square(square, size)),
                false => Err(LineError::Square(text.to_owned())),
            }
        };
        let mut moves = BTreeMap::new();
        for (text, &value) in &self.moves {
            if value == Some(UNKNOWN) {
                return Err(LineError::Finding(FindingError::Value(UNKNOWN)));
            }
            moves.insert(square(text)?.index(), value.unwrap_or(UNKNOWN));
        }
        let legal = squares(board.moves(size)).map(|square| moves.get(&square.index()));
        let estimates: Option<Vec<i8>> = legal.map(Option::<&i8>::copied).collect();
        let count = moves.len();
        let wrong = || LineError::Finding(FindingError::Estimates(count));
        let estimates = estimates.filter(|all| all.len() == count).ok_or_else(wrong)?;
        let finding = Finding {
            board,
            value: self.value,
            best: square(&self.best)?,
            depth: self.depth,
            confidence: self.selectivity,
            is_exact: self.exact,
            nodes: self.nodes,
            estimates,
        };
        finding.check(size).map_err(LineError::Finding)?;
        Ok(finding)
    }
}
