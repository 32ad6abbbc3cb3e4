//! The board sizes: every even width from 4 to 16.
//!
//! Up to 8×8 a board is a pair of bitboards. A smaller board occupies the `a1`
//! corner of the 8×8 one; the squares outside stay empty and are never legal.
//! So the same code flips discs on all three, and squares keep their names.

use crate::Square;
use std::fmt;
use std::str::FromStr;

/// The width of a square board.
///
/// ```
/// use isrever_board::Size;
///
/// assert_eq!(Size::new(6), Ok(Size::SIX));
/// assert!(Size::new(7).is_err());
/// assert!(!Size::new(10)?.has_bits());
/// # Ok::<(), isrever_board::SizeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Size(u8);

impl Size {
    /// 4×4.
    pub const FOUR: Size = Size(4);
    /// 6×6.
    pub const SIX: Size = Size(6);
    /// 8×8, the usual board.
    pub const EIGHT: Size = Size(8);
    /// 10×10.
    pub const TEN: Size = Size(10);
    /// All sizes, smallest first.
    pub const ALL: [Size; 7] = [Size(4), Size(6), Size(8), Size(10), Size(12), Size(14), Size(16)];
    /// The sizes that fit a bitboard.
    pub const BITS: [Size; 3] = [Size::FOUR, Size::SIX, Size::EIGHT];

    /// The board of this `width`: even, from 4 to 16.
    pub const fn new(width: usize) -> Result<Size, SizeError> {
        if width >= 4 && width <= 16 && width.is_multiple_of(2) {
            Ok(Size(width as u8))
        } else {
            Err(SizeError(width))
        }
    }

    /// The size of the board that has `cells` squares, if there is one.
    pub const fn from_cells(cells: usize) -> Option<Size> {
        let width = cells.isqrt();
        match Size::new(width) {
            Ok(size) if width * width == cells => Some(size),
            _ => None,
        }
    }

    /// Squares in a row.
    #[inline]
    pub const fn width(self) -> u8 {
        self.0
    }

    /// Squares on the board.
    #[inline]
    pub const fn cells(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// Whether the board fits a bitboard: 4×4, 6×6 and 8×8 do.
    #[inline]
    pub const fn has_bits(self) -> bool {
        self.0 <= 8
    }

    /// The squares of this board within the bitboard.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    #[inline]
    pub const fn mask(self) -> u64 {
        match self.0 {
            4 => 0x0000_0000_0f0f_0f0f,
            6 => 0x0000_3f3f_3f3f_3f3f,
            8 => u64::MAX,
            _ => panic!("only boards up to 8x8 have bitboards"),
        }
    }

    /// Whether `square` lies on this board.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        square.column() < self.0 && square.row() < self.0
    }

    /// The squares of this board, row by row from `a1`.
    pub fn squares(self) -> impl DoubleEndedIterator<Item = Square> {
        (0..self.0).flat_map(move |row| (0..self.0).map(move |column| Square::new(column, row)))
    }
}

impl Default for Size {
    /// The usual 8×8.
    fn default() -> Size {
        Size::EIGHT
    }
}

/// Writes the width alone: `8`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A width that no board has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeError(usize);

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no board is {} squares wide; expected 4, 6, 8, 10, 12, 14 or 16", self.0)
    }
}

impl std::error::Error for SizeError {}

impl FromStr for Size {
    type Err = String;

    /// Reads the width in decimal.
    fn from_str(text: &str) -> Result<Size, String> {
        let width: usize =
            text.parse().map_err(|_| "not a size; expected 4, 6, 8, 10, 12, 14 or 16")?;
        Size::new(width).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_even_widths_from_4_to_16() {
        for width in 0..40 {
            let expected = [4, 6, 8, 10, 12, 14, 16].contains(&width);
            assert_eq!(Size::new(width).is_ok(), expected, "{width}");
            assert_eq!(width.to_string().parse::<Size>().is_ok(), expected, "{width}");
        }
    }

    #[test]
    fn cells_give_the_size() {
        for cells in 0..400 {
            let expected = Size::ALL.into_iter().find(|size| size.cells() == cells);
            assert_eq!(Size::from_cells(cells), expected);
        }
    }

    #[test]
    fn mask_holds_the_squares() {
        for size in Size::BITS {
            let bits = size.squares().fold(0, |bits, square| bits | square.bit());
            assert_eq!(size.mask(), bits);
        }
    }
}
