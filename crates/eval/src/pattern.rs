//! The patterns: sets of squares that are evaluated together.
//!
//! For each board there is one representative per kind. The other instances are
//! its images under the board's symmetries, which [`Shape`](crate::Shape) lists.

use isrever_board::{Size, Square, Symmetry};

/// The most squares in a pattern: 3¹⁰ states, half of them on either side of zero, fit an `i16`.
pub(crate) const MOST_SQUARES: usize = 10;

/// One representative per kind on 8×8.
pub(crate) const EIGHT: &[Pattern] = &[
    // The corner, the edge with its X-squares, and two larger blocks around the corner.
    Pattern::new("a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    Pattern::new("a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),
    Pattern::new("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    Pattern::new("a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"),
    // Rows and columns away from the edge.
    Pattern::new("a2 b2 c2 d2 e2 f2 g2 h2"),
    Pattern::new("a3 b3 c3 d3 e3 f3 g3 h3"),
    Pattern::new("a4 b4 c4 d4 e4 f4 g4 h4"),
    // Diagonals.
    Pattern::new("a1 b2 c3 d4 e5 f6 g7 h8"),
    Pattern::new("a2 b3 c4 d5 e6 f7 g8"),
    Pattern::new("a3 b4 c5 d6 e7 f8"),
    Pattern::new("a4 b5 c6 d7 e8"),
    Pattern::new("a5 b6 c7 d8"),
];

/// A wider set on 8×8, for networks: some patterns with corners added, and more about the centre.
pub(crate) const EIGHT_WIDE: &[Pattern] = &[
    // The corner, the edge with its X-squares, and two larger blocks around the corner.
    Pattern::new("a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    Pattern::new("a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),
    Pattern::new("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    Pattern::new("a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"),
    // Rows and columns away from the edge, the first with the corners.
    Pattern::new("a1 a2 b2 c2 d2 e2 f2 g2 h2 h1"),
    Pattern::new("a3 b3 c3 d3 e3 f3 g3 h3"),
    Pattern::new("a4 b4 c4 d4 e4 f4 g4 h4"),
    // Diagonals, the second with the corners, the last two together.
    Pattern::new("a1 b2 c3 d4 e5 f6 g7 h8"),
    Pattern::new("a1 a2 b3 c4 d5 e6 f7 g8 h8"),
    Pattern::new("a3 b4 c5 d6 e7 f8"),
    Pattern::new("a4 b5 c6 d7 e8 a5 b6 c7 d8"),
    // The middle of the edge with the corners, a thick diagonal, and the centre.
    Pattern::new("a1 c1 d1 e1 f1 h1 c2 d2 e2 f2"),
    Pattern::new("a1 b1 a2 b2 c2 b3 c3 d3 c4 d4"),
    Pattern::new("d2 e2 c3 d3 e3 f3 c4 d4 e4 f4"),
];

/// One representative per kind on 6×6.
pub(crate) const SIX: &[Pattern] = &[
    Pattern::new("a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    Pattern::new("a1 b1 c1 d1 e1 f1 b2 e2"),
    Pattern::new("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    Pattern::new("a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"),
    Pattern::new("a2 b2 c2 d2 e2 f2"),
    Pattern::new("a3 b3 c3 d3 e3 f3"),
    Pattern::new("a1 b2 c3 d4 e5 f6"),
    Pattern::new("a2 b3 c4 d5 e6"),
    Pattern::new("a3 b4 c5 d6"),
];

/// Squares in a fixed order; the first is the lowest digit of an index.
#[derive(Clone, Copy)]
pub(crate) struct Pattern {
    squares: [Square; MOST_SQUARES],
    len: usize,
}

impl Pattern {
    /// Reads names of squares, separated by spaces.
    pub(crate) const fn new(names: &str) -> Pattern {
        let names = names.as_bytes();
        let len = names.len().div_ceil(3);
        let mut squares = [Square::new(0, 0); MOST_SQUARES];
        let mut i = 0;
        while i < len {
            squares[i] = Square::new(names[3 * i] - b'a', names[3 * i + 1] - b'1');
            i += 1;
        }
        Pattern { squares, len }
    }

    /// The squares in order.
    pub(crate) const fn squares(&self) -> &[Square] {
        self.squares.split_at(self.len).0
    }

    /// How many ways there are to fill the squares: three per square.
    pub(crate) const fn states(&self) -> usize {
        3_usize.pow(self.len as u32)
    }

    /// The pattern's image under a symmetry of boards of `size`.
    pub(crate) const fn image(&self, symmetry: Symmetry, size: Size) -> Pattern {
        let mut image = *self;
        let mut i = 0;
        while i < self.len {
            image.squares[i] = symmetry.square(self.squares[i], size);
            i += 1;
        }
        image
    }

    /// The squares as a bitboard.
    pub(crate) const fn bits(&self) -> u64 {
        let mut bits = 0;
        let mut i = 0;
        while i < self.len {
            bits |= self.squares[i].bit();
            i += 1;
        }
        bits
    }

    /// The permutations of digits by which symmetries of boards of `size` map the pattern onto
    /// itself, without repeats; the identity comes first.
    pub(crate) fn mirrors(&self, size: Size) -> Vec<Vec<usize>> {
        let mut mirrors: Vec<Vec<usize>> = Vec::new();
        for symmetry in Symmetry::ALL {
            let image = self.image(symmetry, size);
            let place = |square| self.squares().iter().position(|&own| own == square);
            let mirror: Option<Vec<usize>> =
                image.squares().iter().map(|&square| place(square)).collect();
            mirrors.extend(mirror.filter(|mirror| !mirrors.contains(mirror)));
        }
        mirrors
    }
}
