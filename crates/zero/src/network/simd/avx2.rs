//! Sums of products with AVX2: 32 products of bytes in three instructions.
//!
//! Two of its registers make one vector of 16 outputs. Up to four squares stay in
//! registers while their inputs go by.

#![allow(unsafe_code, reason = "vector instructions; each block says why it is sound")]

use super::{Arithmetic, Block, Sums};
use std::arch::x86_64::*;

/// x86-64 with AVX2. A value proves that this machine has it.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx2(());

impl Avx2 {
    /// The kernel, if this machine has its instructions.
    pub(in super::super) fn new() -> Option<Avx2> {
        is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }
}

impl Arithmetic for Avx2 {
    #[inline(always)]
    fn products(self, squares: usize, groups: usize, block: &Block<'_>, sums: &mut Sums) {
        block.check(squares, groups);
        for group in 0..groups {
            // SAFETY: `self` proves that the machine has the instructions, and the block has
            // inputs and weights for so many squares and vectors.
            unsafe {
                match squares {
                    8 => [0, 4].into_iter().for_each(|at| dot::<4>(block, at, group, sums)),
                    6 => [0, 3].into_iter().for_each(|at| dot::<3>(block, at, group, sums)),
                    4 => dot::<4>(block, 0, group, sums),
                    _ => (0..squares).for_each(|at| dot::<1>(block, at, group, sums)),
                }
            }
        }
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn compiled<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { compiled(work) }
    }
}

/// Adds to each lane the sum of its four products. The sums of two fit in 16 bits because inputs
/// have 7.
#[target_feature(enable = "avx2")]
#[inline]
fn add(sum: __m256i, inputs: __m256i, weights: __m256i) -> __m256i {
    let pairs = _mm256_maddubs_epi16(inputs, weights);
    _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}

/// The sums of `SQUARES` squares from `first` on for one vector of outputs.
///
/// # Safety
/// [`Block::check`] must have accepted `first + SQUARES` squares and `group + 1` vectors.
#[target_feature(enable = "avx2")]
unsafe fn dot<const SQUARES: usize>(
    block: &Block<'_>,
    first: usize,
    group: usize,
    sums: &mut Sums,
) {
    let mut found = [[_mm256_setzero_si256(); 2]; SQUARES];
    // SAFETY: the block has weights for this vector.
    let mut line = unsafe { block.lines.as_ptr().add(group * block.group_stride) };
    for run in 0..block.runs {
        let start = first * block.square_stride + run * block.run_stride;
        // SAFETY: the start of a run, which the block has.
        let inputs = unsafe { block.inputs.as_ptr().add(start) };
        for at in (0..block.run).step_by(4) {
            // SAFETY: there is a line of twice 32 aligned bytes for each four inputs.
            let weights = unsafe {
                let halves = line.cast::<__m256i>();
                [_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))]
            };
            for (square, found) in found.iter_mut().enumerate() {
                // SAFETY: four bytes of a run of this square, at any address.
                let four = unsafe {
                    let at = inputs.add(square * block.square_stride + at);
                    at.cast::<i32>().read_unaligned()
                };
                let four = _mm256_set1_epi32(four);
                *found = [add(found[0], four, weights[0]), add(found[1], four, weights[1])];
            }
            // SAFETY: at most one behind the last line.
            line = unsafe { line.add(1) };
        }
    }
    for (square, found) in found.into_iter().enumerate() {
        let sums = sums[first + square][group].as_mut_ptr().cast::<__m256i>();
        // SAFETY: twice 32 bytes are written to an array of 64, at any address.
        unsafe {
            _mm256_storeu_si256(sums, found[0]);
            _mm256_storeu_si256(sums.add(1), found[1]);
        }
    }
}
