//! Features on bitboards, all squares at once.

use super::Features;
use isrever_agent::Bits;
use isrever_board::{Board, Size, stable};

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

/// The four line directions: rows, columns, falling and rising diagonals.
const LINES: [u32; 4] = [1, 8, 9, 7];

/// All squares moved one step forwards in a line direction; those that leave the 8×8 square vanish.
#[inline]
fn forwards(squares: u64, line: u32) -> u64 {
    squares << line & entered(line)
}

/// All squares moved one step backwards.
#[inline]
fn backwards(squares: u64, line: u32) -> u64 {
    (squares & entered(line)) >> line
}

/// Where a step forwards can end without having wrapped around the edge.
#[inline]
fn entered(line: u32) -> u64 {
    match line {
        1 | 9 => !FIRST_COLUMN,
        7 => !LAST_COLUMN,
        _ => u64::MAX,
    }
}

/// The squares on the edge.
fn edge(size: Size) -> u64 {
    let mask = size.mask();
    let last = u32::from(size.width()) - 1;
    mask & (FIRST_COLUMN | FIRST_COLUMN << last | 0xff | 0xff << (8 * last))
}

/// The squares in the corners.
fn corners(size: Size) -> u64 {
    let last = u32::from(size.width()) - 1;
    1 | 1 << last | 1 << (8 * last) | 1 << (9 * last)
}

/// How many of these discs are in corners or joined to one by steps along rows and columns.
fn joined(own: u64, size: Size) -> u32 {
    let mut joined = own & corners(size);
    loop {
        let beside = [1, 8].map(|line| forwards(joined, line) | backwards(joined, line));
        let next = joined | own & (beside[0] | beside[1]);
        if next == joined {
            return joined.count_ones();
        }
        joined = next;
    }
}

impl Features for Bits {
    fn corners(&self) -> u32 {
        (self.board.player & corners(self.size)).count_ones()
    }

    fn edge(&self) -> u32 {
        (self.board.player & edge(self.size)).count_ones()
    }

    fn frontier(&self) -> u32 {
        let empties = self.board.empties(self.size);
        let beside = LINES.map(|line| forwards(empties, line) | backwards(empties, line));
        let beside = beside.into_iter().fold(0, |all, squares| all | squares);
        (self.board.player & beside).count_ones()
    }

    fn anchored(&self) -> u32 {
        // Edge squares are neighbours only along the edge.
        joined(self.board.player & edge(self.size), self.size)
    }

    fn joined(&self) -> u32 {
        joined(self.board.player, self.size)
    }

    fn stable(&self) -> u32 {
        let Board { player, opponent } = self.board;
        stable(player, opponent, self.size.mask()).count_ones()
    }
}
