//! A position: discs with their colours, and the side to move.
//!
//! It can have any even size: bitboards hold it up to 8×8, the array board
//! above. Typed or edited input is a [`Draft`] until [`Draft::check`] accepts
//! it; so every [`Position`] can be played on.

use crate::array_board::ArrayBoard;
use crate::{Board, Color, Rule, Size, Square, squares};
use std::fmt;

/// A position that can be played on.
///
/// ```
/// use isrever_board::{Color, Position, Rule, Size};
///
/// let position = Position::start(Size::SIX);
/// assert_eq!((position.turn(), position.empties()), (Color::Black, 32));
///
/// let after = position.play(position.moves()[0]).expect("it is legal");
/// assert_eq!((after.count(Color::Black), after.count(Color::White)), (4, 1));
/// // If the game ended here, white, with fewer discs, would have won.
/// assert!(after.score(Rule::Reversed, Color::White) > 0);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    size: Size,
    turn: Color,
    discs: Discs,
}

/// The discs, seen by the side to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Discs {
    Bits(Board),
    Array(ArrayBoard),
}

impl Position {
    /// The start position, black to move.
    pub fn start(size: Size) -> Position {
        let discs = if size.has_bits() {
            Discs::Bits(Board::start(size))
        } else {
            Discs::Array(ArrayBoard::start(size))
        };
        Position { size, turn: Color::Black, discs }
    }

    /// The position of `board`, whose player is `turn`, if it has discs.
    ///
    /// # Panics
    /// If the board breaks what [`Board`] promises: overlapping discs, discs outside the size.
    pub fn from_board(board: Board, size: Size, turn: Color) -> Result<Position, DraftError> {
        assert_eq!(board.player & board.opponent, 0, "a square holds one disc");
        assert_eq!((board.player | board.opponent) & !size.mask(), 0, "discs lie on the board");
        if board.player | board.opponent == 0 {
            return Err(DraftError::NoDiscs);
        }
        Ok(Position { size, turn, discs: Discs::Bits(board) })
    }

    /// The width of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The side to move, even if it can only pass or the game is over.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The bitboards, player to move first, if the board is small enough.
    pub fn board(&self) -> Option<Board> {
        match self.discs {
            Discs::Bits(board) => Some(board),
            Discs::Array(_) => None,
        }
    }

    /// The discs on the plain board, seen by the side to move.
    pub fn to_array(&self) -> ArrayBoard {
        match &self.discs {
            Discs::Bits(board) => ArrayBoard::from_bits(*board, self.size),
            Discs::Array(board) => board.clone(),
        }
    }

    /// The disc on `square`.
    ///
    /// # Panics
    /// If the square does not lie on the board.
    pub fn disc(&self, square: Square) -> Option<Color> {
        assert!(self.size.contains(square), "{square} lies outside the board");
        match &self.discs {
            Discs::Bits(board) if board.player & square.bit() != 0 => Some(self.turn),
            Discs::Bits(board) if board.opponent & square.bit() != 0 => Some(self.turn.other()),
            Discs::Bits(_) => None,
            Discs::Array(board) => board.disc(square, self.turn),
        }
    }

    /// How many discs `color` has.
    pub fn count(&self, color: Color) -> u32 {
        self.size.squares().filter(|&square| self.disc(square) == Some(color)).count() as u32
    }

    /// How many squares have no disc.
    pub fn empties(&self) -> u32 {
        self.size.cells() as u32 - self.count(Color::Black) - self.count(Color::White)
    }

    /// The squares where the side to move may place a disc, row by row.
    pub fn moves(&self) -> Vec<Square> {
        match &self.discs {
            Discs::Bits(board) => squares(board.moves(self.size)).collect(),
            Discs::Array(board) => board.moves().collect(),
        }
    }

    /// The discs that turn when the side to move plays on `square`; none if that is not legal.
    pub fn flips(&self, square: Square) -> Vec<Square> {
        if !self.size.contains(square) || self.disc(square).is_some() {
            return Vec::new();
        }
        match &self.discs {
            Discs::Bits(board) => squares(board.flips(square)).collect(),
            Discs::Array(board) => board.flips(square),
        }
    }

    /// The position after the side to move plays on `square`, or `None` if that is not legal.
    #[must_use]
    pub fn play(&self, square: Square) -> Option<Position> {
        if !self.size.contains(square) {
            return None;
        }
        let discs = match &self.discs {
            Discs::Bits(board) => Discs::Bits(board.play(square, self.size)?),
            Discs::Array(board) => Discs::Array(board.play(square)?),
        };
        Some(Position { size: self.size, turn: self.turn.other(), discs })
    }

    /// The same discs with the other side to move, whether or not passing is legal.
    #[must_use]
    pub fn pass(&self) -> Position {
        let discs = match &self.discs {
            Discs::Bits(board) => Discs::Bits(board.pass()),
            Discs::Array(board) => Discs::Array(board.pass()),
        };
        Position { size: self.size, turn: self.turn.other(), discs }
    }

    /// Whether the side to move can place a disc.
    pub fn has_move(&self) -> bool {
        match &self.discs {
            Discs::Bits(board) => board.moves(self.size) != 0,
            Discs::Array(board) => board.has_move(),
        }
    }

    /// Whether the side to move must pass: it has no move and the other side has one.
    pub fn must_pass(&self) -> bool {
        !self.has_move() && self.pass().has_move()
    }

    /// Whether neither side has a move.
    pub fn is_over(&self) -> bool {
        !self.has_move() && !self.pass().has_move()
    }

    /// The score of `color` if the game ends here.
    pub fn score(&self, rule: Rule, color: Color) -> i32 {
        let own = self.count(color);
        let opponent = self.count(color.other());
        rule.score(own, opponent, self.size.cells() as u32 - own - opponent)
    }

    /// A draft of the position, to edit.
    pub fn draft(&self) -> Draft {
        let discs = self.size.squares().map(|square| self.disc(square)).collect();
        Draft { size: self.size, discs, turn: self.turn }
    }
}

/// A position as it was typed or edited, not yet known to be playable.
///
/// ```
/// use isrever_board::{Color, Draft, DraftError, Size};
///
/// let mut draft = Draft { size: Size::FOUR, discs: vec![None; 16], turn: Color::White };
/// assert_eq!(draft.check(), Err(DraftError::NoDiscs));
///
/// draft.discs[0] = Some(Color::White);
/// draft.discs[1] = Some(Color::Black);
/// let position = draft.check()?;
/// assert_eq!(position.moves(), ["c1".parse()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Draft {
    /// The width of the board.
    pub size: Size,
    /// The discs, row by row from `a1`.
    pub discs: Vec<Option<Color>>,
    /// The side to move.
    pub turn: Color,
}

impl Draft {
    /// The position, if it can be played on: there is a cell for each square, and at least one disc.
    /// Discs may be anywhere, as in positions of courses and test suites.
    pub fn check(&self) -> Result<Position, DraftError> {
        if self.discs.len() != self.size.cells() {
            return Err(DraftError::WrongCells { found: self.discs.len(), size: self.size });
        }
        if self.discs.iter().all(Option::is_none) {
            return Err(DraftError::NoDiscs);
        }
        let mut board = ArrayBoard::empty(self.size);
        for (square, disc) in self.size.squares().zip(&self.discs) {
            board.place_disc(square, *disc, self.turn);
        }
        let discs = match board.to_bits() {
            Some(bits) => Discs::Bits(bits),
            None => Discs::Array(board),
        };
        Ok(Position { size: self.size, turn: self.turn, discs })
    }
}

/// Why a draft was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftError {
    /// The number of cells is not that of the board.
    WrongCells {
        /// Cells given.
        found: usize,
        /// The board they should fill.
        size: Size,
    },
    /// There is no disc at all.
    NoDiscs,
}

impl fmt::Display for DraftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DraftError::WrongCells { found, size } => {
                write!(f, "{found} squares for a board {size} wide; expected {}", size.cells())
            }
            DraftError::NoDiscs => f.write_str("no discs on the board; expected at least one"),
        }
    }
}

impl std::error::Error for DraftError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_come_back_as_the_position() {
        for size in Size::ALL {
            let mut position = Position::start(size);
            for _ in 0..5 {
                assert_eq!(position.draft().check(), Ok(position.clone()));
                position = position.play(position.moves()[0]).unwrap();
            }
        }
    }

    #[test]
    fn drafts_without_discs_or_cells_are_refused() {
        let mut draft = Position::start(Size::SIX).draft();
        draft.discs.fill(None);
        assert_eq!(draft.check(), Err(DraftError::NoDiscs));
        draft.discs.pop();
        assert_eq!(draft.check(), Err(DraftError::WrongCells { found: 35, size: Size::SIX }));
    }

    #[test]
    fn counts_and_scores_follow_the_colours() {
        let position = Position::start(Size::EIGHT).play("f5".parse().unwrap()).unwrap();
        assert_eq!(position.turn(), Color::White);
        assert_eq!((position.count(Color::Black), position.count(Color::White)), (4, 1));
        assert_eq!(position.empties(), 59);
        assert_eq!(position.score(Rule::Reversed, Color::White), 62);
        assert_eq!(position.score(Rule::Reversed, Color::Black), -62);
        assert!(position.play("p16".parse().unwrap()).is_none());
    }
}
