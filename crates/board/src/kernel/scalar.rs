//! The portable kernel: plain shifts, for any machine.
//!
//! Both functions extend lines in the eight directions by doubling: three steps
//! reach the six squares that a line can turn. They have no branch and no table,
//! so that the compiler vectorizes a loop over a slice of boards, one board per
//! lane. Perft and random games rely on that.

use super::Kernel;
use crate::Board;

/// The kernel of any machine.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

impl Kernel for Scalar {
    #[inline(always)]
    fn moves(self, board: Board) -> u64 {
        moves(board.player, board.opponent)
    }

    #[inline(always)]
    fn flips(self, board: Board, index: u32) -> u64 {
        flips_of_bit(board.player, board.opponent, 1 << index)
    }

    #[inline(always)]
    fn nth_bit(self, mut bits: u64, rank: u32) -> u64 {
        for _ in 0..rank {
            bits &= bits.wrapping_sub(1);
        }
        bits & bits.wrapping_neg()
    }

    #[inline(always)]
    fn prefetch<T>(self, _: &T) {}

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// Opponent's discs in the outer columns end a line that does not run along a column.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Expands `$step!(direction, mask)` for the eight directions: bits to shift left, and the
/// opponent's discs that a line in that direction may run through.
macro_rules! for_each_direction {
    ($step:ident) => {
        $step!(1, INNER_COLUMNS);
        $step!(-1, INNER_COLUMNS);
        $step!(7, INNER_COLUMNS);
        $step!(-7, INNER_COLUMNS);
        $step!(9, INNER_COLUMNS);
        $step!(-9, INNER_COLUMNS);
        $step!(8, u64::MAX);
        $step!(-8, u64::MAX);
    };
}

/// `bits` shifted left by `BY`, or right if it is negative.
#[inline(always)]
const fn shift<const BY: i32>(bits: u64) -> u64 {
    if BY > 0 { bits << BY } else { bits >> -BY }
}

/// The run of up to six `through` discs next to `from` in one direction.
macro_rules! run_from {
    ($from:expr, $through:expr, $by:expr) => {{
        const BY: i32 = $by;
        const TWICE: i32 = BY + BY;
        let through = $through;
        let mut run = through & shift::<BY>($from);
        run |= through & shift::<BY>(run);
        let pairs = through & shift::<BY>(through);
        run |= pairs & shift::<TWICE>(run);
        run |= pairs & shift::<TWICE>(run);
        run
    }};
}

/// The empty squares where `player` turns at least one disc.
#[inline(always)]
pub(crate) fn moves(player: u64, opponent: u64) -> u64 {
    let mut moves = 0;
    macro_rules! step {
        ($by:expr, $inner:expr) => {
            moves |= shift::<{ $by }>(run_from!(player, opponent & $inner, $by));
        };
    }
    for_each_direction!(step);
    moves & !(player | opponent)
}

/// The discs that turn when `player` plays on the empty square `bit`.
#[inline(always)]
pub(crate) fn flips_of_bit(player: u64, opponent: u64, bit: u64) -> u64 {
    let mut flips = 0;
    macro_rules! step {
        ($by:expr, $inner:expr) => {
            let run = run_from!(bit, opponent & $inner, $by);
            // A run turns only if one of the player's discs ends it.
            flips |= if shift::<{ $by }>(run) & player != 0 { run } else { 0 };
        };
    }
    for_each_direction!(step);
    flips
}
