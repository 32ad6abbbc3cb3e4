//! The boards that agents search: bitboards up to 8×8, the array board above.
//!
//! A search is written once over [`Field`] and compiled for both.

use isrever_board::{ArrayBoard, Board, Cell, Rule, Size, Square, squares};
use std::hash::Hash;

/// A colourless board to play on; the side to move is its player.
pub trait Field: Clone + Eq + Hash + Send + Sync {
    /// The width of the board.
    fn size(&self) -> Size;

    /// The squares where the player may place a disc, row by row.
    fn moves(&self) -> impl Iterator<Item = Square>;

    /// The number of those squares.
    fn mobility(&self) -> u32;

    /// The board after the player plays on `square`, from the view of the other side.
    ///
    /// # Panics
    /// If the move is illegal.
    #[must_use]
    fn play(&self, square: Square) -> Self;

    /// The same discs with the other side to move.
    #[must_use]
    fn pass(&self) -> Self;

    /// The squares with discs of the player, row by row.
    fn discs(&self) -> impl Iterator<Item = Square>;

    /// The numbers of discs of the player and of the opponent.
    fn counts(&self) -> [u32; 2];

    /// The number of empty squares.
    fn empties(&self) -> u32 {
        let [player, opponent] = self.counts();
        self.size().cells() as u32 - player - opponent
    }

    /// The score of the player if the game ends here.
    fn score(&self, rule: Rule) -> i32 {
        let [player, opponent] = self.counts();
        rule.score(player, opponent, self.empties())
    }

    /// Whether the player can place a disc.
    fn has_move(&self) -> bool {
        self.moves().next().is_some()
    }

    /// Whether neither side can.
    fn is_over(&self) -> bool {
        !self.has_move() && !self.pass().has_move()
    }
}

/// A bitboard with its size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits {
    /// The discs.
    pub board: Board,
    /// The board: 4×4, 6×6 or 8×8.
    pub size: Size,
}

impl Field for Bits {
    fn size(&self) -> Size {
        self.size
    }

    #[inline]
    fn moves(&self) -> impl Iterator<Item = Square> {
        squares(self.board.moves(self.size))
    }

    #[inline]
    fn mobility(&self) -> u32 {
        self.board.moves(self.size).count_ones()
    }

    #[inline]
    fn play(&self, square: Square) -> Bits {
        let flips = self.board.flips(square);
        assert_ne!(flips, 0, "{square} turns a disc");
        Bits { board: self.board.play_unchecked(square.bit(), flips), size: self.size }
    }

    #[inline]
    fn pass(&self) -> Bits {
        Bits { board: self.board.pass(), size: self.size }
    }

    #[inline]
    fn discs(&self) -> impl Iterator<Item = Square> {
        squares(self.board.player)
    }

    #[inline]
    fn counts(&self) -> [u32; 2] {
        [self.board.player.count_ones(), self.board.opponent.count_ones()]
    }

    #[inline]
    fn has_move(&self) -> bool {
        self.board.moves(self.size) != 0
    }
}

impl Field for ArrayBoard {
    fn size(&self) -> Size {
        ArrayBoard::size(self)
    }

    fn moves(&self) -> impl Iterator<Item = Square> {
        ArrayBoard::moves(self)
    }

    fn mobility(&self) -> u32 {
        ArrayBoard::moves(self).count() as u32
    }

    fn play(&self, square: Square) -> ArrayBoard {
        ArrayBoard::play(self, square).expect("agents play legal squares")
    }

    fn pass(&self) -> ArrayBoard {
        ArrayBoard::pass(self)
    }

    fn discs(&self) -> impl Iterator<Item = Square> {
        Field::size(self).squares().filter(|&square| self.cell(square) == Cell::Player)
    }

    fn counts(&self) -> [u32; 2] {
        [Cell::Player, Cell::Opponent].map(|cell| self.count(cell))
    }
}
