//! The kernel of x86-64 machines with AVX-512: it counts leading zeros in
//! vector lanes, does three-way logic in one instruction, and runs loops over
//! slices of boards for eight boards at once.

#![allow(unsafe_code, reason = "vector instructions; each block says why it is sound")]

use super::Kernel;
use super::avx2::{or_lanes, stable};
use super::lines::{LINES, Line, Lines, TURNED};
use super::rays::RAYS;
use crate::Board;
use std::arch::x86_64::*;

/// The kernel of AVX-512 machines. A value proves that this machine is one.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The kernel, if this machine has its instructions.
    #[inline]
    pub fn new() -> Option<Avx512> {
        (super::Avx2::new().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl"))
        .then_some(Avx512(()))
    }
}

impl Kernel for Avx512 {
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
    fn flips_of_two(self, board: Board, indices: [u32; 2]) -> [u64; 2] {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { flips_of_two(board.player, board.opponent, indices) }
    }

    #[inline(always)]
    fn turned_by_last(self, board: Board, index: u32) -> (u32, u32) {
        let Board { player, opponent } = board;
        let Lines([row, column, falling, rising]) = &LINES[index as usize & 63];
        let both = |discs: u64| {
            let on = |line: &Line| {
                // SAFETY: `self` proves that the machine has the instruction.
                let discs = unsafe { _pext_u64(discs, line.mask) };
                u32::from(TURNED[(usize::from(line.at) + discs as usize) & (TURNED.len() - 1)])
            };
            on(row) + on(column) + on(falling) + on(rising)
        };
        let turned = both(player);
        if player | opponent | 1 << index == u64::MAX {
            return (turned & 255, turned >> 8);
        }
        // On a small board, a square that is not the player's need not be the opponent's, so each
        // side has its own lookup. Squares outside only lengthen runs that no disc ends.
        (turned & 255, both(opponent) & 255)
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
        #[target_feature(
            enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
        )]
        #[inline]
        fn compiled<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { compiled(work) }
    }

    #[inline(always)]
    fn run_counting<R>(self, work: impl FnOnce() -> R) -> R {
        #[target_feature(
            enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq"
        )]
        #[inline]
        fn compiled<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // The first generation of AVX-512 counts no bits in vectors.
        match is_x86_feature_detected!("avx512vpopcntdq") {
            // SAFETY: `self` proves that the machine has the other instructions.
            true => unsafe { compiled(work) },
            false => self.run(work),
        }
    }
}

/// Handles all eight directions in one register: rotations shift both ways, and the mask of inner
/// squares, which alone a line may run through, prevents wrapping at the edge.
#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline]
fn moves(player: u64, opponent: u64) -> u64 {
    const H: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    const V: i64 = 0x00ff_ffff_ffff_ff00;
    const D: i64 = H & V;
    let step = _mm512_setr_epi64(1, 8, 7, 9, -1, -8, -7, -9);
    let two_steps = _mm512_add_epi64(step, step);
    let from = _mm512_set1_epi64(player.cast_signed());
    let through = _mm512_and_si512(
        _mm512_set1_epi64(opponent.cast_signed()),
        _mm512_setr_epi64(H, V, D, D, H, V, D, D),
    );

    let mut run = _mm512_and_si512(through, _mm512_rolv_epi64(from, step));
    run = _mm512_or_si512(run, _mm512_and_si512(through, _mm512_rolv_epi64(run, step)));
    let pairs = _mm512_and_si512(through, _mm512_rolv_epi64(through, step));
    for _ in 0..2 {
        run = _mm512_or_si512(run, _mm512_and_si512(pairs, _mm512_rolv_epi64(run, two_steps)));
    }
    let ends = _mm512_rolv_epi64(run, step);
    let half = _mm256_or_si256(_mm512_castsi512_si256(ends), _mm512_extracti64x4_epi64::<1>(ends));
    or_lanes(half) & !(player | opponent)
}

/// On each ray the nearest square that is not the opponent's must be the player's.
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
#[inline]
fn flips(player: u64, opponent: u64, index: u32) -> u64 {
    let rays = &RAYS[index as usize & 63];
    let player = _mm256_set1_epi64x(player.cast_signed());
    let opponent = _mm256_set1_epi64x(opponent.cast_signed());
    let zero = _mm256_setzero_si256();

    // Upwards, the nearest such square is the lowest bit; all discs below it on the ray turn.
    // SAFETY: 32 bytes are read from an array of 32; `loadu` needs no alignment.
    let ray = unsafe { _mm256_loadu_si256(rays.up.as_ptr().cast()) };
    let stops = _mm256_andnot_si256(opponent, ray);
    let nearest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let end = _mm256_and_si256(nearest, player);
    let ended = _mm256_test_epi64_mask(end, end);
    let below = _mm256_add_epi64(end, _mm256_set1_epi64x(-1));
    let up = _mm256_maskz_and_epi64(ended, below, ray);

    // Downwards it is the highest bit; all discs above it on the ray turn. Where there is none, the
    // top bit is turned by 64 and stays, and doubled it is zero, which turns nothing. (A shift would
    // give no end at once, but the compiler guards it against a count of 64 by a test and a mask.)
    // SAFETY: as above.
    let ray = unsafe { _mm256_loadu_si256(rays.down.as_ptr().cast()) };
    let stops = _mm256_andnot_si256(opponent, ray);
    let top = _mm256_set1_epi64x(i64::MIN);
    let nearest = _mm256_rorv_epi64(top, _mm256_lzcnt_epi64(stops));
    let end = _mm256_and_si256(nearest, player);
    let above = _mm256_sub_epi64(zero, _mm256_add_epi64(end, end));
    let down = _mm256_and_si256(above, ray);

    or_lanes(_mm256_or_si256(up, down))
}

/// The same for two squares at once, one in each half of a register.
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512dq,avx512vl")]
#[inline]
fn flips_of_two(player: u64, opponent: u64, [first, second]: [u32; 2]) -> [u64; 2] {
    let [first, second] = [first, second].map(|index| &RAYS[index as usize & 63]);
    let both = |first: &[u64; 4], second: &[u64; 4]| {
        // SAFETY: 32 bytes are read from arrays of 32; `loadu` needs no alignment.
        let [first, second] =
            [first, second].map(|rays| unsafe { _mm256_loadu_si256(rays.as_ptr().cast()) });
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second)
    };
    let player = _mm512_set1_epi64(player.cast_signed());
    let opponent = _mm512_set1_epi64(opponent.cast_signed());
    let zero = _mm512_setzero_si512();

    let ray = both(&first.up, &second.up);
    let stops = _mm512_andnot_si512(opponent, ray);
    let nearest = _mm512_and_si512(stops, _mm512_sub_epi64(zero, stops));
    let end = _mm512_and_si512(nearest, player);
    let ended = _mm512_test_epi64_mask(end, end);
    let below = _mm512_add_epi64(end, _mm512_set1_epi64(-1));
    let up = _mm512_maskz_and_epi64(ended, below, ray);

    let ray = both(&first.down, &second.down);
    let stops = _mm512_andnot_si512(opponent, ray);
    let top = _mm512_set1_epi64(i64::MIN);
    let nearest = _mm512_rorv_epi64(top, _mm512_lzcnt_epi64(stops));
    let end = _mm512_and_si512(nearest, player);
    let above = _mm512_sub_epi64(zero, _mm512_add_epi64(end, end));
    let down = _mm512_and_si512(above, ray);

    let flips = _mm512_or_si512(up, down);
    [or_lanes(_mm512_castsi512_si256(flips)), or_lanes(_mm512_extracti64x4_epi64::<1>(flips))]
}
