//! The lines through each square, for counting what the last disc of a game turns.
//!
//! When a square is the only empty one, whatever on its lines is not the
//! player's is the opponent's. So the player's discs on a line, gathered into a
//! byte, tell all, and a table knows how many turn.

/// A line through a square other than its row: the squares on it, and how many of them lie before
/// the square.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) mask: u64,
    pub(super) place: u8,
}

/// The column and the two diagonals of each square.
pub(super) static LINES: [[Line; 3]; 64] = {
    let mut lines = [[Line { mask: 0, place: 0 }; 3]; 64];
    let mut index = 0_usize;
    while index < 64 {
        let row = (index / 8).cast_signed() as i32;
        let column = (index % 8).cast_signed() as i32;
        let steps = [0, 1, -1];
        let mut number = 0;
        while number < 3 {
            let mut other = 0;
            while other < 8 {
                let across = column + (other - row) * steps[number];
                if across >= 0 && across < 8 {
                    let line = &mut lines[index][number];
                    line.mask |= 1 << (8 * other + across);
                    line.place += (other < row) as u8;
                }
                other += 1;
            }
            number += 1;
        }
        index += 1;
    }
    lines
};

/// How many discs turn on a line, by the place of the empty square and the player's discs.
pub(super) static TURNED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut discs = 0_u32;
        while discs < 256 {
            let above = discs >> (place + 1);
            let below = discs & ((1 << place) - 1);
            let mut turned = 0;
            if above != 0 {
                turned += above.trailing_zeros();
            }
            if below != 0 {
                turned += place as u32 - 1 - below.ilog2();
            }
            table[place][discs as usize] = turned as u8;
            discs += 1;
        }
        place += 1;
    }
    table
};
