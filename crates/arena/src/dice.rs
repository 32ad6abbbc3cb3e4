//! Random numbers from a seed and what they are for, the same in every release.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seeded source of numbers. The arithmetic is our own, not `rand`'s sampling, which may change
/// between its releases: a tournament can be played again for ever.
#[derive(Clone, Debug)]
pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// The dice with this number among those of a seed.
    pub(crate) fn new(seed: u64, number: u64) -> Dice {
        // An odd factor spreads the numbers, so that close seeds and numbers do not coincide.
        let spread = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed.rotate_left(32) ^ spread))
    }

    /// Any number, to seed others.
    pub(crate) fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`, all equally likely (but for one part in 2³²).
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// A number from 0 to below 1.
    #[cfg(test)]
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_show_the_same_in_every_release() {
        let mut dice = Dice::new(1, 0);
        let shown: Vec<usize> = (0..8).map(|_| dice.below(6)).collect();
        let mut again = Dice::new(1, 0);
        assert!(shown.iter().all(|&number| number == again.below(6)));
        let others = [Dice::new(1, 1), Dice::new(2, 0), Dice::new(0, 0)];
        assert!(others.into_iter().all(|mut other| other.number() != Dice::new(1, 0).number()));
        let mean = (0..10_000).map(|_| dice.unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.015, "{mean}");
    }
}
