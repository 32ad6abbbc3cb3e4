//! The kernel of x86-64 machines with AVX2: one 256-bit register handles four
//! lines at once.

#![allow(unsafe_code, reason = "vector instructions; each block says why it is sound")]

use super::Kernel;
use super::rays::{RAYS, STEPS};
use crate::Board;
use std::arch::x86_64::*;

/// The kernel of AVX2 machines. A value proves that this machine is one.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The kernel, if this machine has its instructions.
    #[inline]
    pub fn new() -> Option<Avx2> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Avx2(()))
    }
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn moves(self, board: Board) -> u64 {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { moves(board.player, board.opponent) }
    }

    #[inline(always)]
    fn flips(self, board: Board, index: u32) -> u64 {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { flips(board.player, board.opponent, index) }
    }

    #[inline(always)]
    fn stable(self, board: Board, mask: u64) -> u64 {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { stable(board, mask) }
    }

    #[inline(always)]
    fn nth_bit(self, bits: u64, rank: u32) -> u64 {
        // SAFETY: `self` proves that the machine has the instruction.
        unsafe { _pdep_u64(1 << rank, bits) }
    }

    #[inline(always)]
    fn prefetch<T>(self, item: &T) {
        // SAFETY: a prefetch has no visible effect, and the address is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) }
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline]
        fn compiled<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { compiled(work) }
    }
}

/// Four lanes from four numbers, first lane first.
#[target_feature(enable = "avx2")]
#[inline]
fn lanes(numbers: [u64; 4]) -> __m256i {
    // SAFETY: 32 bytes are read from an array of 32; `loadu` needs no alignment.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

/// All four lanes or-ed together.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn or_lanes(lanes: __m256i) -> u64 {
    let pair = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))).cast_unsigned()
}

/// Works like the portable code, with a lane for each of right, down, down left and down right, and
/// the opposite directions in a second register.
#[target_feature(enable = "avx2")]
#[inline]
fn moves(player: u64, opponent: u64) -> u64 {
    const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
    let step = lanes(STEPS);
    let two_steps = _mm256_add_epi64(step, step);
    let from = _mm256_set1_epi64x(player.cast_signed());
    let through = _mm256_and_si256(
        _mm256_set1_epi64x(opponent.cast_signed()),
        lanes([INNER, u64::MAX, INNER, INNER]),
    );

    let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(from, step));
    let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(from, step));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    for _ in 0..2 {
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two_steps)));
        down =
            _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two_steps)));
    }
    let ends = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    or_lanes(ends) & !(player | opponent)
}

/// On each ray the nearest square that is not the opponent's must be the player's.
#[target_feature(enable = "avx2")]
#[inline]
fn flips(player: u64, opponent: u64, index: u32) -> u64 {
    let rays = &RAYS[index as usize & 63];
    let player = _mm256_set1_epi64x(player.cast_signed());
    let opponent = _mm256_set1_epi64x(opponent.cast_signed());
    let zero = _mm256_setzero_si256();

    // Upwards, the nearest such square is the lowest bit; all discs below it on the ray turn.
    let ray = lanes(rays.up);
    let stops = _mm256_andnot_si256(opponent, ray);
    let nearest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let end = _mm256_and_si256(nearest, player);
    let no_end = _mm256_cmpeq_epi64(end, zero);
    let below = _mm256_add_epi64(end, _mm256_cmpeq_epi64(zero, zero));
    let up = _mm256_andnot_si256(no_end, _mm256_and_si256(below, ray));

    // Downwards it is the highest bit: smear the stops down the ray; the free bits are above them.
    let ray = lanes(rays.down);
    let step = lanes(STEPS);
    let two_steps = _mm256_add_epi64(step, step);
    let mut stopped = _mm256_andnot_si256(opponent, ray);
    stopped = _mm256_or_si256(stopped, _mm256_srlv_epi64(stopped, step));
    stopped = _mm256_or_si256(stopped, _mm256_srlv_epi64(stopped, two_steps));
    let four_steps = _mm256_add_epi64(two_steps, two_steps);
    stopped = _mm256_or_si256(stopped, _mm256_srlv_epi64(stopped, four_steps));
    let nearest = _mm256_andnot_si256(_mm256_srlv_epi64(stopped, step), stopped);
    let no_end = _mm256_cmpeq_epi64(_mm256_and_si256(nearest, player), zero);
    let down = _mm256_andnot_si256(_mm256_or_si256(no_end, stopped), ray);

    or_lanes(_mm256_or_si256(up, down))
}

/// Works like the portable code, with a lane for each direction. Lines that are not full are those of
/// the empty squares, which are few where stability is asked for.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn stable(board: Board, mask: u64) -> u64 {
    const SIDES: u64 = 0x8181_8181_8181_8181;
    const ENDS: u64 = 0xff00_0000_0000_00ff;
    let mut open = _mm256_setzero_si256();
    let mut empty = mask & !(board.player | board.opponent);
    while empty != 0 {
        let rays = &RAYS[empty.trailing_zeros() as usize & 63];
        open = _mm256_or_si256(open, _mm256_or_si256(lanes(rays.up), lanes(rays.down)));
        empty &= empty - 1;
    }
    let edges = lanes([SIDES, ENDS, SIDES | ENDS, SIDES | ENDS]);
    let held = _mm256_or_si256(edges, _mm256_xor_si256(open, _mm256_set1_epi64x(-1)));
    let own = _mm256_set1_epi64x(board.player.cast_signed());
    let outside = _mm256_set1_epi64x(!mask.cast_signed());
    let step = lanes(STEPS);
    let mut stable = _mm256_setzero_si256();
    loop {
        let firm = _mm256_or_si256(stable, outside);
        let beside = _mm256_or_si256(_mm256_sllv_epi64(firm, step), _mm256_srlv_epi64(firm, step));
        // All four directions together, in every lane.
        let all = _mm256_or_si256(held, beside);
        let all = _mm256_and_si256(all, _mm256_permute4x64_epi64::<0b01_00_11_10>(all));
        let all = _mm256_and_si256(all, _mm256_shuffle_epi32::<0b01_00_11_10>(all));
        let next = _mm256_and_si256(own, all);
        // None is lost from one round to the next.
        if _mm256_testc_si256(stable, next) != 0 {
            return _mm256_extract_epi64::<0>(stable).cast_unsigned();
        }
        stable = next;
    }
}
