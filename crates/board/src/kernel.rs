//! Moves and flips on bitboards, once per instruction set, chosen at run time.
//!
//! One binary runs on every x86-64 machine, and in portable code on any other.
//! A hot loop is written once, generic over a [`Kernel`]; [`dispatch`] compiles
//! it for each instruction set, and runs it on the best one present.
//! The portable [`Scalar`] kernel is the oracle of the others.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod lines;
#[cfg(target_arch = "x86_64")]
mod rays;
mod scalar;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use scalar::Scalar;
pub(crate) use scalar::{flips_of_bit, moves};

use crate::{Board, stable};
use std::fmt;
use std::str::FromStr;

/// An instruction set. A value of such a type proves that the machine has it.
pub trait Kernel: Copy + fmt::Debug + Send + Sync + 'static {
    /// The empty squares where `player` turns at least one disc, in the whole 8×8 square:
    /// on a smaller board the caller keeps those on [`Size::mask`](crate::Size::mask).
    fn moves(self, board: Board) -> u64;

    /// The discs that turn when `player` plays on the empty square number `index`, below 64.
    fn flips(self, board: Board, index: u32) -> u64;

    /// The discs that turn on each of two empty squares of one board.
    #[inline(always)]
    fn flips_of_two(self, board: Board, indices: [u32; 2]) -> [u64; 2] {
        indices.map(|index| self.flips(board, index))
    }

    /// How many discs the player and the opponent would turn on square number `index`, below 64,
    /// which is the only empty one of the board.
    #[inline(always)]
    fn turned_by_last(self, board: Board, index: u32) -> (u32, u32) {
        let turned = |board| self.flips(board, index).count_ones();
        (turned(board), turned(board.pass()))
    }

    /// Discs of the player that can never turn, as [`stable`] finds them, on a board
    /// whose squares are `mask`.
    #[inline(always)]
    fn stable(self, board: Board, mask: u64) -> u64 {
        stable(board.player, board.opponent, mask)
    }

    /// The set bit of `bits` that has `rank`, below 64, set bits below it; zero if there are fewer.
    fn nth_bit(self, bits: u64, rank: u32) -> u64;

    /// Prefetches `item`, which will be read soon.
    fn prefetch<T>(self, item: &T);

    /// Runs `work` compiled with this kernel's instructions.
    ///
    /// A function over `K: Kernel` is compiled for the baseline machine. Only code
    /// inside `kernel.run(|| …)` is compiled for this kernel, including plain loops
    /// over slices of boards. Recursion calls `run` again at each level.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    /// The same for loops that count the bits of many bitboards, with whatever this machine has for
    /// that beyond the kernel's own instructions.
    #[inline(always)]
    fn run_counting<R>(self, work: impl FnOnce() -> R) -> R {
        self.run(work)
    }
}

/// The instruction sets that have a kernel, the most basic first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Isa {
    /// Any machine.
    Scalar,
    /// x86-64 with AVX2, BMI and POPCNT: most machines since 2013.
    Avx2,
    /// x86-64 with AVX-512 F, BW, CD, DQ and VL: Skylake servers, Ice Lake, Zen 4 and later.
    Avx512,
}

impl Isa {
    /// Every instruction set, present or not.
    pub const ALL: [Isa; 3] = [Isa::Scalar, Isa::Avx2, Isa::Avx512];

    /// The best one of this machine.
    pub fn best() -> Isa {
        Isa::ALL.into_iter().rfind(|isa| isa.is_present()).unwrap_or(Isa::Scalar)
    }

    /// Whether this machine has it.
    pub fn is_present(self) -> bool {
        match self {
            Isa::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Avx2::new().is_some(),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Avx512::new().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Isa::Scalar => "scalar",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        })
    }
}

impl FromStr for Isa {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Isa, &'static str> {
        Isa::ALL
            .into_iter()
            .find(|isa| isa.to_string() == text)
            .ok_or("not an instruction set; expected scalar, avx2 or avx512")
    }
}

/// Work written once for all kernels.
///
/// ```
/// use isrever_board::{Board, Kernel, Size, Task, dispatch};
///
/// /// Counts the replies to every move of a board.
/// struct Replies(Board);
///
/// impl Task for Replies {
///     type Output = u32;
///
///     fn run(self, kernel: impl Kernel) -> u32 {
///         kernel.run(|| {
///             isrever_board::squares(kernel.moves(self.0))
///                 .map(|s| {
///                     let after = self.0.play_unchecked(s.bit(), kernel.flips(self.0, s.index()));
///                     kernel.moves(after).count_ones()
///                 })
///                 .sum()
///         })
///     }
/// }
///
/// assert_eq!(dispatch(Replies(Board::start(Size::EIGHT))), 12);
/// ```
pub trait Task {
    /// The result of the work.
    type Output;

    /// Does the work with `kernel`.
    fn run(self, kernel: impl Kernel) -> Self::Output;
}

/// Runs `task` with the best kernel of this machine.
pub fn dispatch<T: Task>(task: T) -> T::Output {
    dispatch_to(Isa::best(), task)
}

/// Runs `task` with the kernel of `isa`, or with a more basic one if the machine lacks it.
pub fn dispatch_to<T: Task>(isa: Isa, task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let (Isa::Avx512, Some(kernel)) = (isa, Avx512::new()) {
            return task.run(kernel);
        }
        if let (Isa::Avx512 | Isa::Avx2, Some(kernel)) = (isa, Avx2::new()) {
            return task.run(kernel);
        }
    }
    let _ = isa;
    task.run(Scalar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Size, Square, squares};
    use rand::Rng;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Compares one kernel with the portable one, on a board and all its empty squares.
    struct Agrees(Board);

    impl Task for Agrees {
        type Output = ();

        fn run(self, kernel: impl Kernel) {
            let board = self.0;
            let moves = kernel.run(|| kernel.moves(board));
            assert_eq!(moves, Scalar.moves(board), "{kernel:?} moves of {board:x?}");
            for mask in [Size::EIGHT, Size::SIX, Size::FOUR].map(Size::mask) {
                let [player, opponent] = [board.player, board.opponent].map(|discs| discs & mask);
                let part = Board { player, opponent };
                let found = kernel.run(|| kernel.stable(part, mask));
                assert_eq!(found, stable(player, opponent, mask), "{kernel:?} {part:x?} {mask:x}");
            }
            for rank in 0..64 {
                let plain = squares(moves).nth(rank as usize).map_or(0, Square::bit);
                assert_eq!(kernel.run(|| kernel.nth_bit(moves, rank)), plain, "{kernel:?} {rank}");
            }
            for square in squares(board.empties(Size::EIGHT)) {
                let flips = kernel.run(|| kernel.flips(board, square.index()));
                let plain = Scalar.flips(board, square.index());
                assert_eq!(flips, plain, "{kernel:?} flips of {square} on {board:x?}");
                for other in squares(board.empties(Size::EIGHT)).take(3) {
                    let indices = [square.index(), other.index()];
                    let of_two = kernel.run(|| kernel.flips_of_two(board, indices));
                    let plain = [plain, Scalar.flips(board, other.index())];
                    assert_eq!(of_two, plain, "{kernel:?} {square} {other} on {board:x?}");
                }
                assert_eq!(flips != 0, moves & square.bit() != 0);
                // Every square but this one is full, on the whole board and on smaller ones.
                let masks = [Size::EIGHT, Size::SIX, Size::FOUR].map(Size::mask);
                for mask in masks.into_iter().filter(|mask| mask & square.bit() != 0) {
                    let [player, opponent] =
                        [board.player, !board.player].map(|discs| discs & mask & !square.bit());
                    let last = Board { player, opponent };
                    let turned = kernel.run(|| kernel.turned_by_last(last, square.index()));
                    let plain = [last, last.pass()]
                        .map(|last| Scalar.flips(last, square.index()).count_ones());
                    assert_eq!(<[u32; 2]>::from(turned), plain, "{kernel:?} {square} on {last:x?}");
                }
            }
        }
    }

    #[test]
    fn every_kernel_agrees_with_the_portable_one_on_random_discs() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for round in 0..20_000 {
            let (a, b, c) = (random.next_u64(), random.next_u64(), random.next_u64());
            // Full, half-full and sparse boards: lines of every length and every end.
            let discs = [a | b | c, a | b, a, a & b][round % 4];
            let board = Board { player: discs & c, opponent: discs & !c };
            for isa in Isa::ALL {
                dispatch_to(isa, Agrees(board));
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for isa in Isa::ALL {
            assert_eq!(isa.to_string().parse(), Ok(isa));
        }
        assert!("sse9".parse::<Isa>().is_err());
        assert!(Isa::best().is_present() && Isa::Scalar.is_present());
    }
}
