//! Sums of products with AVX-512: 64 products of bytes in one instruction with VNNI, in three without.
//!
//! A row of squares and up to three vectors of outputs stay in registers while the
//! inputs go by: every vector of weights that is loaded serves all squares, and
//! every input all vectors.

#![allow(unsafe_code, reason = "vector instructions; each block says why it is sound")]

use super::{Arithmetic, Block, Sums};
use std::arch::x86_64::*;

/// x86-64 with AVX-512 F, BW, DQ, VL and VNNI. A value proves that this machine has them.
#[derive(Clone, Copy)]
pub(in super::super) struct Vnni(());

/// The same without VNNI.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx512(());

impl Vnni {
    /// The kernel, if this machine has its instructions.
    pub(in super::super) fn new() -> Option<Vnni> {
        (Avx512::new().is_some() && is_x86_feature_detected!("avx512vnni")).then_some(Vnni(()))
    }
}

impl Avx512 {
    /// The kernel, if this machine has its instructions.
    pub(in super::super) fn new() -> Option<Avx512> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl"))
        .then_some(Avx512(()))
    }
}

/// Adds to each lane the sum of its four products.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
#[inline]
fn add_with_vnni(sum: __m512i, inputs: __m512i, weights: __m512i) -> __m512i {
    _mm512_dpbusd_epi32(sum, inputs, weights)
}

/// The same in three steps; the sums of two products fit in 16 bits because inputs have 7.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
fn add_in_steps(sum: __m512i, inputs: __m512i, weights: __m512i) -> __m512i {
    let pairs = _mm512_maddubs_epi16(inputs, weights);
    _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
}

macro_rules! arithmetic {
    ($kernel:ty, $features:literal, $add:ident, $dot:ident) => {
        impl Arithmetic for $kernel {
            #[inline(always)]
            fn products(self, squares: usize, groups: usize, block: &Block<'_>, sums: &mut Sums) {
                block.check(squares, groups);
                // SAFETY: `self` proves that the machine has the instructions, and the block has
                // inputs and weights for so many squares and vectors.
                unsafe {
                    match (squares, groups) {
                        (8, 3) => $dot::<8, 3>(block, 0, sums),
                        (8, 2) => $dot::<8, 2>(block, 0, sums),
                        (8, 1) => $dot::<8, 1>(block, 0, sums),
                        (6, 3) => $dot::<6, 3>(block, 0, sums),
                        (6, 2) => $dot::<6, 2>(block, 0, sums),
                        (6, 1) => $dot::<6, 1>(block, 0, sums),
                        (4, 3) => $dot::<4, 3>(block, 0, sums),
                        (4, 2) => $dot::<4, 2>(block, 0, sums),
                        (4, 1) => $dot::<4, 1>(block, 0, sums),
                        (_, 3) => (0..squares).for_each(|first| $dot::<1, 3>(block, first, sums)),
                        (_, 2) => (0..squares).for_each(|first| $dot::<1, 2>(block, first, sums)),
                        _ => (0..squares).for_each(|first| $dot::<1, 1>(block, first, sums)),
                    }
                }
            }

            #[inline(always)]
            fn run<R>(self, work: impl FnOnce() -> R) -> R {
                #[target_feature(enable = $features)]
                #[inline]
                fn compiled<R>(work: impl FnOnce() -> R) -> R {
                    work()
                }
                // SAFETY: `self` proves that the machine has the instructions.
                unsafe { compiled(work) }
            }
        }

        /// The sums of `SQUARES` squares from `first` on, and of `GROUPS` vectors of outputs.
        ///
        /// # Safety
        /// [`Block::check`] must have accepted `first + SQUARES` squares and `GROUPS` vectors.
        #[target_feature(enable = $features)]
        unsafe fn $dot<const SQUARES: usize, const GROUPS: usize>(
            block: &Block<'_>,
            first: usize,
            sums: &mut Sums,
        ) {
            let mut found = [[_mm512_setzero_si512(); GROUPS]; SQUARES];
            let mut line = block.lines.as_ptr();
            for run in 0..block.runs {
                let start = first * block.square_stride + run * block.run_stride;
                // SAFETY: the start of a run, which the block has.
                let inputs = unsafe { block.inputs.as_ptr().add(start) };
                for at in (0..block.run).step_by(4) {
                    let mut weights = [_mm512_setzero_si512(); GROUPS];
                    for (group, weights) in weights.iter_mut().enumerate() {
                        // SAFETY: there is a line for each vector and each four inputs.
                        *weights = unsafe {
                            _mm512_load_si512(line.add(group * block.group_stride).cast())
                        };
                    }
                    for (square, found) in found.iter_mut().enumerate() {
                        // SAFETY: four bytes of a run of this square, at any address.
                        let four = unsafe {
                            let at = inputs.add(square * block.square_stride + at);
                            at.cast::<i32>().read_unaligned()
                        };
                        let four = _mm512_set1_epi32(four);
                        for group in 0..GROUPS {
                            found[group] = $add(found[group], four, weights[group]);
                        }
                    }
                    // SAFETY: at most one behind the last line.
                    line = unsafe { line.add(1) };
                }
            }
            for (square, found) in found.into_iter().enumerate() {
                for (group, found) in found.into_iter().enumerate() {
                    // SAFETY: 64 bytes are written to an array of 64, at any address.
                    unsafe {
                        _mm512_storeu_si512(sums[first + square][group].as_mut_ptr().cast(), found);
                    }
                }
            }
        }
    };
}

arithmetic!(Vnni, "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni", add_with_vnni, dot_with_vnni);
arithmetic!(Avx512, "avx512f,avx512bw,avx512dq,avx512vl", add_in_steps, dot_in_steps);
