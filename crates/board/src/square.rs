//! A square of a board: `a1` is the top left corner, letters run right, numbers
//! run down.
//!
//! One type serves every size, so a name can be read without knowing the board.
//! On boards up to 8×8 a square also has a bit.
//! [`Size::contains`](crate::Size::contains) says whether it is on a given board.

use std::fmt;
use std::str::FromStr;

/// A square of the largest board, 16×16. Ordered row by row from `a1`.
///
/// ```
/// use isrever_board::Square;
///
/// let square: Square = "f5".parse()?;
/// assert_eq!((square.column(), square.row()), (5, 4));
/// assert_eq!(square, Square::new(5, 4));
/// assert_eq!(square.bit(), 1 << (4 * 8 + 5));
/// # Ok::<(), isrever_board::SquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in `column` and `row`, both counted from 0.
    ///
    /// # Panics
    /// If either is above 15.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Square {
        assert!(column < 16 && row < 16, "a square has column and row below 16");
        Square(row << 4 | column)
    }

    /// The column, 0 for the letter `a`.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 & 15
    }

    /// The row, 0 for the number 1.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 >> 4
    }

    /// The square of bit number `index` of a bitboard: row × 8 + column.
    ///
    /// # Panics
    /// If `index` is above 63.
    #[inline]
    pub const fn from_index(index: u32) -> Square {
        assert!(index < 64, "a bitboard has 64 squares");
        Square::new((index & 7) as u8, (index >> 3) as u8)
    }

    /// The number of this square's bit in a bitboard.
    ///
    /// # Panics
    /// If the square lies outside 8×8.
    #[inline]
    pub const fn index(self) -> u32 {
        assert!(self.column() < 8 && self.row() < 8, "only squares up to h8 have a bit");
        self.row() as u32 * 8 + self.column() as u32
    }

    /// This square's bit in a bitboard.
    ///
    /// # Panics
    /// If the square lies outside 8×8.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.index()
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareError;

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square; expected a letter a to p and a number 1 to 16, such as f5")
    }
}

impl std::error::Error for SquareError {}

impl FromStr for Square {
    type Err = SquareError;

    /// Reads `f5` or `F5`; the number has no leading zero.
    fn from_str(text: &str) -> Result<Square, SquareError> {
        let (&letter, digits) = text.as_bytes().split_first().ok_or(SquareError)?;
        let column = letter.to_ascii_lowercase().wrapping_sub(b'a');
        let number = match digits {
            [d @ b'1'..=b'9'] => d - b'0',
            [b'1', d @ b'0'..=b'6'] => 10 + d - b'0',
            _ => return Err(SquareError),
        };
        if column < 16 { Ok(Square::new(column, number - 1)) } else { Err(SquareError) }
    }
}

/// The squares of the set bits, lowest first.
#[inline]
pub fn squares(bits: u64) -> Squares {
    Squares(bits)
}

/// Iterator over the squares of a bitboard; see [`squares`].
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_index(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_read_back_from_its_name() {
        for column in 0..16 {
            for row in 0..16 {
                let square = Square::new(column, row);
                assert_eq!(square.to_string().parse(), Ok(square));
                assert_eq!(square.to_string().to_uppercase().parse(), Ok(square));
            }
        }
    }

    #[test]
    fn bits_run_row_by_row() {
        assert_eq!("a1".parse::<Square>().unwrap().bit(), 1);
        assert_eq!("h1".parse::<Square>().unwrap().bit(), 0x80);
        assert_eq!("a2".parse::<Square>().unwrap().bit(), 0x100);
        assert_eq!("h8".parse::<Square>().unwrap().bit(), 1 << 63);
        for index in 0..64 {
            assert_eq!(Square::from_index(index).index(), index);
        }
    }

    #[test]
    fn names_of_no_square_are_refused() {
        for text in ["", "a", "5", "a0", "a01", "a17", "q1", "a1b", "é1", "a-1", "@1", "a+1"] {
            assert_eq!(text.parse::<Square>(), Err(SquareError), "{text:?}");
        }
    }

    #[test]
    fn squares_of_bits_come_in_order() {
        let names: Vec<String> = squares(1 | 1 << 9 | 1 << 63).map(|s| s.to_string()).collect();
        assert_eq!(names, ["a1", "b2", "h8"]);
        assert_eq!(squares(u64::MAX).len(), 64);
    }
}
