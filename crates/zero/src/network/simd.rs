//! Sums of products of bytes, once per instruction set, chosen at run time.
//!
//! Every sum is a whole number that cannot overflow, so all kernels find the same
//! bits. The portable [`Scalar`] is the oracle of the others.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::{Avx512, Vnni};

use super::layer::{LANES, Line};
use std::fmt;
use std::str::FromStr;

/// Vectors of outputs that a kernel computes at once.
pub(super) const MOST_GROUPS: usize = 3;
/// Squares whose outputs it computes at once: a row.
pub(super) const MOST_SQUARES: usize = 8;

/// The sums of a block: `[square][vector of outputs]`.
pub(super) type Sums = [[[i32; LANES]; MOST_GROUPS]; MOST_SQUARES];

/// Inputs of a few squares, and the weights of a few vectors of outputs.
///
/// The inputs of a square are a few runs of bytes: for a convolution one for each row of its
/// neighbours, in which three squares lie side by side.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    /// From the first run of the first square on.
    pub(super) inputs: &'a [u8],
    /// How many runs a square has, and how many bytes a run has: a multiple of 4.
    pub(super) runs: usize,
    pub(super) run: usize,
    /// Bytes from a run to the next, and from a square to the next.
    pub(super) run_stride: usize,
    pub(super) square_stride: usize,
    /// From the first weights of the first vector on; one line for each four inputs.
    pub(super) lines: &'a [Line],
    /// Lines from a vector to the next.
    pub(super) group_stride: usize,
}

impl Block<'_> {
    /// Panics if inputs or weights of so many squares and vectors are missing. What is read after
    /// this check lies in the slices.
    #[inline(always)]
    pub(super) fn check(&self, squares: usize, groups: usize) {
        assert!((1..=MOST_SQUARES).contains(&squares) && (1..=MOST_GROUPS).contains(&groups));
        assert!(self.runs >= 1 && self.run >= 4 && self.run.is_multiple_of(4));
        let inputs = (squares - 1) * self.square_stride + (self.runs - 1) * self.run_stride;
        assert!(inputs + self.run <= self.inputs.len(), "a square without inputs");
        let lines = (groups - 1) * self.group_stride + self.runs * self.run / 4;
        assert!(lines <= self.lines.len(), "a vector without weights");
    }
}

/// An instruction set. A value of such a type proves that the machine has it.
pub(super) trait Arithmetic: Copy {
    /// For each of so many squares and vectors of outputs, the sum of the inputs times the weights.
    fn products(self, squares: usize, groups: usize, block: &Block<'_>, sums: &mut Sums);

    /// Runs `work` compiled with these instructions.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// Any machine.
#[derive(Clone, Copy)]
pub(super) struct Scalar;

impl Arithmetic for Scalar {
    fn products(self, squares: usize, groups: usize, block: &Block<'_>, sums: &mut Sums) {
        block.check(squares, groups);
        for square in 0..squares {
            for group in 0..groups {
                let mut sum = [0; LANES];
                let mut lines = block.lines[group * block.group_stride..].iter();
                for run in 0..block.runs {
                    let start = square * block.square_stride + run * block.run_stride;
                    let inputs = block.inputs[start..start + block.run].as_chunks::<4>().0;
                    for (inputs, line) in inputs.iter().zip(&mut lines) {
                        for (lane, weights) in line.0.as_chunks::<4>().0.iter().enumerate() {
                            for i in 0..4 {
                                sum[lane] += i32::from(inputs[i]) * i32::from(weights[i]);
                            }
                        }
                    }
                }
                sums[square][group] = sum;
            }
        }
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// The instruction sets that networks are evaluated with, the most basic first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Simd {
    /// Any machine.
    Scalar,
    /// x86-64 with AVX2: most machines since 2013.
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ and VL: Skylake-X.
    Avx512,
    /// The same with VNNI: Cascade Lake, Ice Lake, Zen 4 and later.
    Vnni,
}

impl Simd {
    /// Every one, present or not.
    pub const ALL: [Simd; 4] = [Simd::Scalar, Simd::Avx2, Simd::Avx512, Simd::Vnni];

    /// The best one of this machine.
    pub fn best() -> Simd {
        Simd::ALL.into_iter().rfind(|simd| simd.is_present()).unwrap_or(Simd::Scalar)
    }

    /// Whether this machine has it.
    pub fn is_present(self) -> bool {
        match self {
            Simd::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => Avx2::new().is_some(),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => Avx512::new().is_some(),
            #[cfg(target_arch = "x86_64")]
            Simd::Vnni => Vnni::new().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

impl fmt::Display for Simd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Simd::Scalar => "scalar",
            Simd::Avx2 => "avx2",
            Simd::Avx512 => "avx512",
            Simd::Vnni => "vnni",
        })
    }
}

impl FromStr for Simd {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Simd, &'static str> {
        Simd::ALL
            .into_iter()
            .find(|simd| simd.to_string() == text)
            .ok_or("not an instruction set; expected scalar, avx2, avx512 or vnni")
    }
}

/// Work written once for all instruction sets.
pub(super) trait Task {
    /// Does it with one of them.
    fn run(self, arithmetic: impl Arithmetic);
}

/// Runs `task` with `simd`, or with a more basic one if the machine lacks it.
pub(super) fn dispatch(simd: Simd, task: impl Task) {
    #[cfg(target_arch = "x86_64")]
    {
        if let (Simd::Vnni, Some(kernel)) = (simd, Vnni::new()) {
            return task.run(kernel);
        }
        if let (Simd::Vnni | Simd::Avx512, Some(kernel)) = (simd, Avx512::new()) {
            return task.run(kernel);
        }
        if let (Simd::Vnni | Simd::Avx512 | Simd::Avx2, Some(kernel)) = (simd, Avx2::new()) {
            return task.run(kernel);
        }
    }
    let _ = simd;
    task.run(Scalar);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares an instruction set with the portable code on a block.
    struct Agrees<'a>(usize, usize, &'a Block<'a>, Simd);

    impl Task for Agrees<'_> {
        fn run(self, arithmetic: impl Arithmetic) {
            let Agrees(squares, groups, block, simd) = self;
            let mut sums: [Sums; 2] = [[[[-1; LANES]; MOST_GROUPS]; MOST_SQUARES]; 2];
            Scalar.products(squares, groups, block, &mut sums[0]);
            arithmetic.products(squares, groups, block, &mut sums[1]);
            assert_eq!(sums[0], sums[1], "{simd}: {squares} squares, {groups} vectors");
        }
    }

    #[test]
    fn every_instruction_set_adds_up_the_greatest_numbers_without_overflow() {
        // The greatest products of either sign, so that pairs of them come close to 16 bits.
        let numbers = [i8::MIN, i8::MAX, i8::MIN, i8::MIN, i8::MAX, i8::MAX, -1, 3];
        let lines: Vec<Line> = (0..3 * 3 * 6)
            .map(|line| Line(std::array::from_fn(|i| numbers[(line * 5 + i / 2) % 8])))
            .collect();
        let inputs: Vec<u8> = (0..400).map(|i| if i % 11 == 0 { 5 } else { 127 }).collect();
        for (squares, groups) in
            (1..=MOST_SQUARES).flat_map(|s| (1..=MOST_GROUPS).map(move |g| (s, g)))
        {
            let block = Block {
                inputs: &inputs[3..],
                runs: 3,
                run: 24,
                run_stride: 96,
                square_stride: 8,
                lines: &lines,
                group_stride: 18,
            };
            for simd in Simd::ALL {
                dispatch(simd, Agrees(squares, groups, &block, simd));
            }
        }
    }

    #[test]
    fn blocks_without_all_their_inputs_and_weights_are_refused() {
        let (inputs, lines) = ([0; 24], [Line([0; 64]); 4]);
        let block = Block {
            inputs: &inputs,
            runs: 2,
            run: 8,
            run_stride: 8,
            square_stride: 8,
            lines: &lines,
            group_stride: 4,
        };
        block.check(2, 1);
        let is_refused = |block: Block<'_>, squares, groups| {
            std::panic::catch_unwind(|| block.check(squares, groups)).is_err()
        };
        assert!(is_refused(block, 3, 1) && is_refused(block, 2, 2));
        assert!(is_refused(block, 9, 1) && is_refused(block, 0, 1) && is_refused(block, 1, 0));
        assert!(is_refused(Block { inputs: &inputs[..23], ..block }, 2, 1));
        assert!(is_refused(Block { lines: &lines[..3], ..block }, 2, 1));
        assert!(is_refused(Block { run: 6, ..block }, 1, 1));
    }

    #[test]
    fn names_are_read_back() {
        for simd in Simd::ALL {
            assert_eq!(simd.to_string().parse(), Ok(simd));
        }
        assert!("sse9".parse::<Simd>().is_err());
        assert!(Simd::best().is_present() && Simd::Scalar.is_present());
    }
}
