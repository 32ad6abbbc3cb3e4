//! The discs on boards up to 8×8: two `u64`s, `Copy`, colourless.
//!
//! The side to move is always `player`. Only a [`Position`](crate::Position)
//! knows which side is black, and only a [`Game`](crate::Game) keeps a history.
//! The methods here use the portable code; a hot loop uses a [`Kernel`] instead.

use crate::kernel::{Kernel, Scalar};
use crate::{Rule, Size, Square};

/// The discs of the side to move and of its opponent.
///
/// Bit `row × 8 + column` stands for a square. The two never overlap, and on a
/// 4×4 or 6×6 board the bits outside [`Size::mask`] are never set.
///
/// ```
/// use isrever_board::{Board, Rule, Size, squares};
///
/// let board = Board::start(Size::EIGHT);
/// let moves: Vec<String> = squares(board.moves(Size::EIGHT)).map(|s| s.to_string()).collect();
/// assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
///
/// let after = board.play("f5".parse()?, Size::EIGHT).expect("it is legal");
/// // The other side is to move: it has one disc, and its opponent four.
/// assert_eq!((after.player.count_ones(), after.opponent.count_ones()), (1, 4));
/// assert_eq!(after.score(Size::EIGHT, Rule::Reversed), -after.score(Size::EIGHT, Rule::Normal));
/// # Ok::<(), isrever_board::SquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Board {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Board {
    /// The start position, black to move.
    ///
    /// # Panics
    /// If `size` is larger than 8×8.
    pub const fn start(size: Size) -> Board {
        assert!(size.has_bits(), "only boards up to 8x8 have bitboards");
        // The upper left of the four middle squares: white has it and the diagonally opposite one.
        let corner = (size.width() / 2 - 1) as u32 * 9;
        Board {
            player: 0b10 << corner | 1 << (corner + 8),
            opponent: 1 << corner | 0b10 << (corner + 8),
        }
    }

    /// The squares without a disc. Like all methods that take a size, it panics above 8×8.
    #[inline]
    pub const fn empties(self, size: Size) -> u64 {
        size.mask() & !(self.player | self.opponent)
    }

    /// The squares where `player` may place a disc.
    #[inline]
    pub fn moves(self, size: Size) -> u64 {
        Scalar.moves(self) & size.mask()
    }

    /// The discs that turn when `player` plays on `square`; none if that turns nothing.
    ///
    /// The square must be empty.
    #[inline]
    pub fn flips(self, square: Square) -> u64 {
        Scalar.flips(self, square.index())
    }

    /// The board after `player` plays on `square`, seen by the other side, or `None` if that is
    /// not legal on a board of `size`.
    pub fn play(self, square: Square, size: Size) -> Option<Board> {
        if !size.contains(square) || self.empties(size) & square.bit() == 0 {
            return None;
        }
        let flips = self.flips(square);
        (flips != 0).then(|| self.play_unchecked(square.bit(), flips))
    }

    /// The board after a move whose flips are known, seen by the other side.
    ///
    /// Checks nothing: `bit` must be an empty square, and `flips` what [`Board::flips`] returns for
    /// it.
    #[inline]
    #[must_use]
    pub const fn play_unchecked(self, bit: u64, flips: u64) -> Board {
        Board { player: self.opponent & !flips, opponent: self.player | flips | bit }
    }

    /// The same discs with the other side to move.
    #[inline]
    #[must_use]
    pub const fn pass(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// Whether neither side has a move.
    #[inline]
    pub fn is_over(self, size: Size) -> bool {
        self.moves(size) == 0 && self.pass().moves(size) == 0
    }

    /// The score of `player` if the game ends here.
    #[inline]
    pub const fn score(self, size: Size, rule: Rule) -> i32 {
        let empties = self.empties(size).count_ones();
        rule.score(self.player.count_ones(), self.opponent.count_ones(), empties)
    }

    /// A 64-bit hash, equal on every machine and in every release of one major version.
    ///
    /// Every bit of the result depends on every bit of the board, so any part
    /// of it may index a table.
    #[inline]
    pub const fn hash(self) -> u64 {
        // Two odd constants from the digits of pi, so that an empty side does not zero the product.
        const A: u64 = 0x243f_6a88_85a3_08d3;
        const B: u64 = 0x1319_8a2e_0370_7345;
        let product = (self.player ^ A) as u128 * (self.opponent.rotate_left(32) ^ B) as u128;
        let folded = product as u64 ^ (product >> 64) as u64;
        let mixed = (folded ^ self.player).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn start_has_four_moves_and_four_discs() {
        for size in Size::BITS {
            let board = Board::start(size);
            assert_eq!(board.moves(size).count_ones(), 4);
            assert_eq!((board.player | board.opponent).count_ones(), 4);
        }
        let moves = [square("d3"), square("c4"), square("f5"), square("e6")];
        let bits = moves.iter().fold(0, |bits, square| bits | square.bit());
        assert_eq!(Board::start(Size::EIGHT).moves(Size::EIGHT), bits);
        assert_eq!(Board::start(Size::EIGHT).opponent & square("d4").bit(), square("d4").bit());
    }

    #[test]
    fn play_turns_the_discs_between() {
        let board = Board::start(Size::EIGHT).play(square("f5"), Size::EIGHT).unwrap();
        assert_eq!(board.opponent.count_ones(), 4);
        assert_eq!(board.player.count_ones(), 1);
        assert_eq!(board.player, square("d4").bit());
    }

    #[test]
    fn illegal_squares_are_refused() {
        let start = Board::start(Size::EIGHT);
        assert_eq!(start.play(square("d4"), Size::EIGHT), None);
        assert_eq!(start.play(square("a1"), Size::EIGHT), None);
    }

    #[test]
    fn squares_outside_a_small_board_are_refused() {
        // On 8×8 this would turn three discs.
        let board = Board { player: 0b0001, opponent: 0b1110 };
        assert_eq!(board.play(square("e1"), Size::FOUR), None);
        assert!(board.play(square("e1"), Size::EIGHT).is_some());
        assert_eq!(Board::start(Size::FOUR).play(square("p16"), Size::FOUR), None);
    }

    #[test]
    fn hash_is_the_same_in_every_release() {
        assert_eq!(Board::start(Size::EIGHT).hash(), 0xe96a_0ffe_6315_9c28);
        assert_eq!(Board::start(Size::SIX).pass().hash(), 0xe3b7_3ccf_5d72_1c9c);
    }

    #[test]
    fn hash_spreads_close_boards() {
        let mut low = HashSet::new();
        let mut high = HashSet::new();
        for i in 0..64 {
            for j in 0..64 {
                let board = Board { player: 1 << i, opponent: if i == j { 0 } else { 1 << j } };
                low.insert(board.hash() & 0xffff_ffff);
                high.insert(board.hash() >> 32);
            }
        }
        assert_eq!((low.len(), high.len()), (4096, 4096));
    }
}
