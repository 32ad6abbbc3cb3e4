//! Discs that can never turn again.

/// A lower bound of the stable discs of `own`.
///
/// In each of the four line directions a stable disc needs a full line, the
/// edge, or a stable neighbour of its own colour. Squares outside a small
/// board count as edge.
#[inline(always)]
pub(crate) fn stable(own: u64, other: u64, mask: u64) -> u64 {
    const LEFT: u64 = 0x0101_0101_0101_0101;
    const RIGHT: u64 = 0x8080_8080_8080_8080;
    const TOP: u64 = 0xff;
    const BOTTOM: u64 = 0xff << 56;
    let outside = !mask;
    let filled = own | other | outside;
    let full = full_lines(filled);
    let mut stable = 0;
    loop {
        let firm = stable | outside;
        let row = full[0] | firm << 1 | LEFT | firm >> 1 | RIGHT;
        let column = full[1] | firm << 8 | TOP | firm >> 8 | BOTTOM;
        let falling = full[2] | firm << 9 | firm >> 9 | LEFT | RIGHT | TOP | BOTTOM;
        let rising = full[3] | firm << 7 | firm >> 7 | LEFT | RIGHT | TOP | BOTTOM;
        let next = own & row & column & falling & rising;
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

/// The squares whose whole row, column, falling and rising diagonal is filled.
#[inline(always)]
fn full_lines(filled: u64) -> [u64; 4] {
    let mut row = filled;
    row &= row >> 4 & 0x0f0f_0f0f_0f0f_0f0f | row << 4 & 0xf0f0_f0f0_f0f0_f0f0;
    row &= row >> 2 & 0x3333_3333_3333_3333 | row << 2 & 0xcccc_cccc_cccc_cccc;
    row &= row >> 1 & 0x5555_5555_5555_5555 | row << 1 & 0xaaaa_aaaa_aaaa_aaaa;
    let mut column = filled;
    column &= column.rotate_right(8);
    column &= column.rotate_right(16);
    column &= column.rotate_right(32);
    [row, column, full_diagonals::<9>(filled), full_diagonals::<7>(filled)]
}

/// Full diagonals: squares from which only filled squares are met both ways up to the edge.
#[inline(always)]
fn full_diagonals<const STEP: u32>(filled: u64) -> u64 {
    const EDGE: u64 = 0xff81_8181_8181_81ff;
    // A square at the edge has nothing beyond it.
    let mut up = filled;
    let mut down = filled;
    for _ in 0..6 {
        up &= EDGE | up << STEP;
        down &= EDGE | down >> STEP;
    }
    up & down
}
