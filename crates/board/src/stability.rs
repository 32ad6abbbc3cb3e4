//! Stable discs: those that can never be flipped again.

/// Stable discs of `own`, not necessarily all.
///
/// In each of the four directions a stable disc needs a full line, the edge, or
/// a stable neighbour of its own colour. Squares outside a small board count as
/// edge.
///
/// ```
/// use isrever_board::{Size, stable};
///
/// let (a1, b1, d1) = (1, 1 << 1, 1 << 3);
/// // Discs that reach to a corner are stable; one in the middle of an edge is not.
/// assert_eq!(stable(a1 | b1 | d1, 0, Size::EIGHT.mask()), a1 | b1);
/// ```
#[inline(always)]
pub fn stable(own: u64, other: u64, mask: u64) -> u64 {
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

/// The squares whose diagonal is filled to the edge both ways.
#[inline(always)]
fn full_diagonals<const STEP: u32>(filled: u64) -> u64 {
    const EDGE: u64 = 0xff81_8181_8181_81ff;
    // A square at the edge has no neighbour beyond it.
    let mut up = filled;
    let mut down = filled;
    for _ in 0..6 {
        up &= EDGE | up << STEP;
        down &= EDGE | down >> STEP;
    }
    up & down
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Size, squares};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Plays a random move, or passes; `None` when the game is over.
    fn step(board: Board, size: Size, random: &mut Xoshiro256PlusPlus) -> Option<Board> {
        if board.is_over(size) {
            return None;
        }
        let moves: Vec<_> = squares(board.moves(size)).collect();
        match moves.len() {
            0 => Some(board.pass()),
            count => board.play(moves[random.random_range(0..count)], size),
        }
    }

    #[test]
    fn a_full_board_is_stable_and_the_start_is_not() {
        for size in [Size::FOUR, Size::SIX, Size::EIGHT] {
            let full = size.mask();
            assert_eq!(stable(full, 0, full), full);
            assert_eq!(stable(full & 0x5a5a, full & !0x5a5a, full), full & 0x5a5a);
            let start = Board::start(size);
            assert_eq!(stable(start.player, start.opponent, full), 0);
        }
    }

    #[test]
    fn corners_and_discs_anchored_to_them_are_stable() {
        // a1, b1, c1 along the edge; then a2 and b2, which are anchored to them; d4 is alone.
        let own = 0b111 | 0b11 << 8 | 1 << 27;
        assert_eq!(stable(own, 0, Size::EIGHT.mask()), own & !(1 << 27));
        assert_eq!(stable(own, 0, Size::FOUR.mask()), own, "d4 is a corner there");
        // An edge disc without a corner can turn.
        assert_eq!(stable(0b110, 0, Size::EIGHT.mask()), 0);
    }

    #[test]
    fn stable_discs_never_turn_however_the_game_goes_on() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut seen = 0;
        for round in 0..600 {
            let size = [Size::FOUR, Size::SIX, Size::EIGHT][round % 3];
            let mut board = Board::start(size);
            while let Some(next) = step(board, size, &mut random) {
                let fixed = [
                    stable(board.player, board.opponent, size.mask()),
                    stable(board.opponent, board.player, size.mask()),
                ];
                seen += fixed.map(u64::count_ones).iter().sum::<u32>();
                for _ in 0..3 {
                    let (mut later, mut mine) = (board, 0);
                    while let Some(next) = step(later, size, &mut random) {
                        (later, mine) = (next, 1 - mine);
                        let sides = [later.player, later.opponent];
                        assert_eq!(fixed[0] & !sides[mine], 0, "{board:x?} to {later:x?}");
                        assert_eq!(fixed[1] & !sides[1 - mine], 0, "{board:x?} to {later:x?}");
                    }
                }
                board = next;
            }
        }
        assert!(seen > 50_000, "{seen}: too few stable discs to tell");
    }
}
