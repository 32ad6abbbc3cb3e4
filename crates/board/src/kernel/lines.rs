//! The lines through each square, for counting the flips of a game's last disc.
//!
//! When only one square is empty, every other square of its lines that is not
//! the player's is the opponent's. So the player's discs on a line, gathered
//! into a byte, suffice to look up in a table how many discs either side would
//! turn.

/// A line through a square: the squares on it, and where in [`TURNED`] its counts begin.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) mask: u64,
    pub(super) at: u16,
}

/// The row, the column and the two diagonals of each square: a line of the cache.
#[repr(align(64))]
pub(super) struct Lines(pub(super) [Line; 4]);

/// The lines of each square.
pub(super) static LINES: [Lines; 64] = {
    let mut lines = [const { Lines([Line { mask: 0, at: 0 }; 4]) }; 64];
    let steps = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let mut index = 0_usize;
    while index < 64 {
        let mut number = 0;
        while number < 4 {
            let (down, across) = steps[number];
            let (mut mask, mut before) = (0, 0);
            let mut step = -7_i32;
            while step <= 7 {
                let row = (index / 8).cast_signed() as i32 + step * down;
                let column = (index % 8).cast_signed() as i32 + step * across;
                if row >= 0 && row < 8 && column >= 0 && column < 8 {
                    mask |= 1_u64 << (8 * row + column);
                    before += (step < 0) as usize;
                }
                step += 1;
            }
            // Each step leads to a higher bit, and bits are gathered from the lowest up.
            let at = start(mask.count_ones() as usize, before);
            lines[index].0[number] = Line { mask, at: at as u16 };
            number += 1;
        }
        index += 1;
    }
    lines
};

/// Where the counts begin for lines of `length` squares with `before` of them below the empty one.
const fn start(length: usize, before: usize) -> usize {
    let mut at = 0;
    let mut shorter = 1;
    while shorter < length {
        at += shorter << shorter;
        shorter += 1;
    }
    at + (before << length)
}

/// How many discs turn on a line, by the player's discs on it: what the player turns in the low
/// byte, what the opponent turns in the high one. Longer than needed, so that no index of twelve
/// bits is beyond its end.
pub(super) static TURNED: [u16; 1 << 12] = {
    let mut table = [0; 1 << 12];
    let mut length = 1;
    while length <= 8 {
        let mut before = 0;
        while before < length {
            let mut discs = 0;
            while discs < 1_usize << length {
                let others = !discs & ((1 << length) - 1) & !(1 << before);
                let [won, lost] = [turned(discs, before), turned(others, before)];
                table[start(length, before) + discs] = won | lost << 8;
                discs += 1;
            }
            before += 1;
        }
        length += 1;
    }
    table
};

/// How many discs turn between a disc at `place` and the nearest `discs` on either side.
const fn turned(discs: usize, place: usize) -> u16 {
    let above = discs >> (place + 1);
    let below = discs & ((1 << place) - 1);
    let mut turned = 0;
    if above != 0 {
        turned += above.trailing_zeros();
    }
    if below != 0 {
        turned += place as u32 - 1 - below.ilog2();
    }
    turned as u16
}
