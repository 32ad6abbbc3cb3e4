//! The rays that leave each square, for the vector kernels.

/// Lines from one square: the first four run to higher bits, the last four to
/// lower bits. Aligned so that a kernel loads it whole.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Rays {
    pub(super) up: [u64; 4],
    pub(super) down: [u64; 4],
}

/// The distance in bits between neighbours on the lines of [`Rays`], in their order.
pub(super) const STEPS: [u64; 4] = [1, 8, 7, 9];

/// Column and row steps of the four upward lines; the downward ones are their opposites.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 1), (1, 1)];

/// The rays of every square; the square itself is on none of them.
pub(super) static RAYS: [Rays; 64] = {
    let mut table = [Rays { up: [0; 4], down: [0; 4] }; 64];
    let mut index = 0;
    while index < 64 {
        let mut line = 0;
        while line < 4 {
            let (column, row) = DIRECTIONS[line];
            table[index].up[line] = ray(index, column, row);
            table[index].down[line] = ray(index, -column, -row);
            line += 1;
        }
        index += 1;
    }
    table
};

/// The squares from number `index`, exclusive, to the edge of the board.
const fn ray(index: usize, column_step: i32, row_step: i32) -> u64 {
    let mut column = (index % 8).cast_signed() as i32 + column_step;
    let mut row = (index / 8).cast_signed() as i32 + row_step;
    let mut bits = 0;
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        bits |= 1 << (row * 8 + column);
        column += column_step;
        row += row_step;
    }
    bits
}
