//! What a search found about one position.

use isrever_board::{Board, Size, Square, squares};
use std::fmt;

/// What a search found about one position, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The position, in canonical form; its side to move has a move.
    pub board: Board,
    /// Its value in discs; the score if it is exact.
    pub value: i8,
    /// The best move.
    pub best: Square,
    /// The depth of the search in plies.
    pub depth: u8,
    /// In how many of 100 cases its cuts are right.
    pub confidence: u8,
    /// Whether the value is proved.
    pub is_exact: bool,
    /// The nodes that the search took.
    pub nodes: u64,
    /// An estimate of every legal move, in the order of squares: its value in discs by a shallow
    /// search, or [`UNKNOWN`]. It says which moves to look at next, not what the position is worth.
    pub estimates: Vec<i8>,
}

/// The estimate of a move of which nothing is known.
pub const UNKNOWN: i8 = i8::MIN;

/// Why something is no finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FindingError {
    /// A square has two discs, or lies outside the board.
    Discs,
    /// The board is not the smallest of its eight images.
    Image,
    /// The side to move has no move.
    NoMove,
    /// The best move is not legal.
    Best(Square),
    /// There is not one estimate for each legal move.
    Estimates(usize),
    /// A value is beyond the board.
    Value(i8),
    /// The depth is beyond the end of the game.
    Depth(u8),
    /// The confidence is none: expected 1 to 100.
    Confidence(u8),
}

impl fmt::Display for FindingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FindingError::Discs => {
                f.write_str("two discs on a square, or one outside; expected a board")
            }
            FindingError::Image => {
                f.write_str("another image of a position; expected the canonical one")
            }
            FindingError::NoMove => f.write_str("a position without a move; expected one with"),
            FindingError::Best(square) => write!(f, "best move {square}; expected a legal move"),
            FindingError::Estimates(count) => {
                write!(f, "{count} estimates; expected one for each legal move")
            }
            FindingError::Value(value) => {
                write!(f, "a value of {value} discs; expected no more than there are squares")
            }
            FindingError::Depth(depth) => {
                write!(f, "a depth of {depth} plies; expected no more than there are empty squares")
            }
            FindingError::Confidence(confidence) => {
                write!(f, "a confidence of {confidence} %; expected 1 to 100")
            }
        }
    }
}

impl std::error::Error for FindingError {}

impl Finding {
    /// Checks that it can be one of a book of this board size.
    ///
    /// # Errors
    /// If the board, a move or a number is impossible.
    pub fn check(&self, size: Size) -> Result<(), FindingError> {
        let Board { player, opponent } = self.board;
        if player & opponent != 0 || (player | opponent) & !size.mask() != 0 {
            return Err(FindingError::Discs);
        }
        if self.board.canonical(size).0 != self.board {
            return Err(FindingError::Image);
        }
        let moves = self.board.moves(size);
        if moves == 0 {
            return Err(FindingError::NoMove);
        }
        if moves & self.best.bit() == 0 {
            return Err(FindingError::Best(self.best));
        }
        if self.estimates.len() != moves.count_ones() as usize {
            return Err(FindingError::Estimates(self.estimates.len()));
        }
        let most = most(size);
        let beyond = |value: &&i8| !(-most..=most).contains(*value);
        if let Some(&value) = self.known_estimates().chain([&self.value]).find(beyond) {
            return Err(FindingError::Value(value));
        }
        if u32::from(self.depth) > self.board.empties(size).count_ones() {
            return Err(FindingError::Depth(self.depth));
        }
        if !(1..=100).contains(&self.confidence) {
            return Err(FindingError::Confidence(self.confidence));
        }
        Ok(())
    }

    /// The estimates that are known.
    fn known_estimates(&self) -> impl Iterator<Item = &i8> {
        self.estimates.iter().filter(|&&estimate| estimate != UNKNOWN)
    }

    /// What the move of this number is worth by the estimates, seen from the value of the search: as
    /// much less as they find it worse than the best. The best move has the value itself.
    /// `None` if nothing is known of the move.
    pub fn estimate(&self, number: usize, size: Size) -> Option<i32> {
        let value = i32::from(self.value);
        if squares(self.board.moves(size)).nth(number) == Some(self.best) {
            return Some(value);
        }
        let estimate = Some(self.estimates[number]).filter(|&estimate| estimate != UNKNOWN)?;
        let most = self.known_estimates().max().expect("there is at least this one");
        Some(value - (i32::from(*most) - i32::from(estimate)))
    }

    /// Whether it is worth more than `other`, another finding about the same position: a proof, or
    /// more effort.
    pub fn is_better_than(&self, other: &Finding) -> bool {
        let rank = |finding: &Finding| (finding.is_exact, finding.nodes, finding.depth);
        rank(self) > rank(other)
    }
}

/// The best score on a board of this size.
pub(crate) fn most(size: Size) -> i8 {
    i8::try_from(size.cells()).expect("boards with bits have at most 64 squares")
}
