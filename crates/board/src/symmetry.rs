//! The eight rotations and reflections of a board, and the canonical form.

use crate::{Board, Size, Square};

/// One of the eight symmetries of the square.
///
/// Bit 2: swap columns and rows first; bit 0: then mirror the columns; bit 1: then the rows.
///
/// ```
/// use isrever_board::{Board, Size, Symmetry};
///
/// // All four first moves lead to the same board, turned or mirrored.
/// let start = Board::start(Size::EIGHT);
/// let after = ["d3", "c4", "f5", "e6"].map(|name| {
///     start.play(name.parse().unwrap(), Size::EIGHT).unwrap().canonical(Size::EIGHT).0
/// });
/// assert!(after.iter().all(|board| *board == after[0]));
///
/// for symmetry in Symmetry::ALL {
///     let image = symmetry.board(after[0], Size::EIGHT);
///     assert_eq!(symmetry.inverse().board(image, Size::EIGHT), after[0]);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Leaves everything where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry(0); 8];
        let mut i = 0;
        while i < 8 {
            all[i as usize] = Symmetry(i);
            i += 1;
        }
        all
    };

    const fn mirrors_columns(self) -> bool {
        self.0 & 1 != 0
    }

    const fn mirrors_rows(self) -> bool {
        self.0 & 2 != 0
    }

    const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        if self.transposes() {
            // Mirroring columns before a transposition is mirroring rows after it.
            Symmetry(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1)
        } else {
            self
        }
    }

    /// The image of `square`.
    pub const fn square(self, square: Square, size: Size) -> Square {
        let last = size.width() - 1;
        let (mut column, mut row) = (square.column(), square.row());
        if self.transposes() {
            (column, row) = (row, column);
        }
        if self.mirrors_columns() {
            column = last - column;
        }
        if self.mirrors_rows() {
            row = last - row;
        }
        Square::new(column, row)
    }

    /// The image of a bitboard.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    #[inline]
    pub const fn bits(self, mut bits: u64, size: Size) -> u64 {
        assert!(size.has_bits(), "only boards up to 8x8 have bitboards");
        // A mirrored small board ends up at the far edge of the 8×8 square; shift it back.
        let margin = 8 - size.width();
        if self.transposes() {
            bits = transpose(bits);
        }
        if self.mirrors_columns() {
            // Reversing all bits mirrors columns and rows; swapping bytes mirrors the rows back.
            bits = bits.reverse_bits().swap_bytes() >> margin;
        }
        if self.mirrors_rows() {
            bits = bits.swap_bytes() >> (8 * margin);
        }
        bits
    }

    /// The image of a whole board.
    #[inline]
    pub const fn board(self, board: Board, size: Size) -> Board {
        Board { player: self.bits(board.player, size), opponent: self.bits(board.opponent, size) }
    }
}

/// Swaps columns and rows: 1×1, 2×2, then 4×4 blocks change places across the diagonal.
const fn transpose(bits: u64) -> u64 {
    const fn swap(bits: u64, upper: u64, by: u32) -> u64 {
        let differ = (bits ^ bits >> by) & upper;
        bits ^ differ ^ differ << by
    }
    let bits = swap(bits, 0x00aa_00aa_00aa_00aa, 7);
    let bits = swap(bits, 0x0000_cccc_0000_cccc, 14);
    swap(bits, 0x0000_0000_f0f0_f0f0, 28)
}

impl Board {
    /// The smallest of the eight images of this board, and the symmetry that gives it.
    ///
    /// Boards that are the same up to symmetry share one canonical form.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn canonical(self, size: Size) -> (Board, Symmetry) {
        let mut best = (self, Symmetry::IDENTITY);
        for symmetry in &Symmetry::ALL[1..] {
            let image = symmetry.board(self, size);
            if image < best.0 {
                best = (image, *symmetry);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::squares;
    use std::collections::HashSet;

    #[test]
    fn bits_and_squares_go_to_the_same_place() {
        for size in Size::BITS {
            for symmetry in Symmetry::ALL {
                for square in squares(size.mask()) {
                    let image = symmetry.square(square, size);
                    assert_eq!(symmetry.bits(square.bit(), size), image.bit());
                    assert_eq!(symmetry.inverse().square(image, size), square);
                }
            }
        }
    }

    #[test]
    fn the_eight_differ() {
        let size = Size::SIX;
        let square = Square::new(1, 0);
        let images: HashSet<Square> =
            Symmetry::ALL.iter().map(|symmetry| symmetry.square(square, size)).collect();
        assert_eq!(images.len(), 8);
    }

    #[test]
    fn images_share_one_canonical_form() {
        let size = Size::EIGHT;
        let board = Board::start(size).play("f5".parse().unwrap(), size).unwrap();
        let (canonical, symmetry) = board.canonical(size);
        assert_eq!(symmetry.board(board, size), canonical);
        for other in Symmetry::ALL {
            assert_eq!(other.board(board, size).canonical(size).0, canonical);
        }
    }
}
