//! Random numbers from a seed, the same in every release and on every machine.
//!
//! [`Rng`] is the only source of random numbers in the project. It draws them from
//! Xoshiro256++ and samples with arithmetic of its own: `rand`'s sampling may
//! change between its releases, and a game, a training set or a tournament must
//! come out the same for ever. A test pins the numbers. `isrever-board` draws
//! none: it takes a closure.

use isrever_board::{Square, squares};
use rand::seq::SliceRandom;
use rand::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// An odd factor that spreads consecutive numbers over all 64 bits: 2⁶⁴ over the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A seeded source of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The numbers of a seed for one `place`, whose 64 bits are all equally significant: a hash.
    pub fn at(seed: u64, place: u64) -> Rng {
        Rng::new(seed.rotate_left(32) ^ place)
    }

    /// Stream `number` of a seed, as training and tuning count their games. Streams of close seeds
    /// and numbers do not coincide.
    pub fn stream(seed: u64, number: u64) -> Rng {
        Rng::at(seed, number.wrapping_mul(SPREAD))
    }

    /// The stream of game `number` of a tournament. The arena has always counted one further than
    /// [`stream`](Rng::stream); results depend on it.
    pub fn game(seed: u64, number: u64) -> Rng {
        Rng::stream(seed, number.wrapping_add(1))
    }

    /// The next 64 random bits; also a seed for another source.
    #[inline]
    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`, all equally likely (but for one part in 2³²).
    #[inline]
    pub fn below(&mut self, end: u32) -> u32 {
        ((u128::from(self.number()) * u128::from(end)) >> 64) as u32
    }

    /// A place in a list of `len` items, all equally likely.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        ((u128::from(self.number()) * len as u128) >> 64) as usize
    }

    /// One of `items`, all equally likely. Uses one number.
    ///
    /// # Panics
    /// If there are none.
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// One of the squares in `bits`, all equally likely. Uses one number.
    ///
    /// # Panics
    /// If there are none.
    pub fn square(&mut self, bits: u64) -> Square {
        let place = self.below(bits.count_ones()) as usize;
        squares(bits).nth(place).expect("there are so many squares")
    }

    /// A number from 0 to below 1, with 53 random bits: as many as fit.
    pub fn unit(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether an event of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number of the standard normal distribution, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Shuffles `items` from the last down, one number each: as the arena orders openings.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.index(place + 1));
        }
    }

    /// Shuffles `items` by `rand`'s method, which published opening books were ordered by.
    pub fn shuffle_like_rand<T>(&mut self, items: &mut [T]) {
        items.shuffle(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    /// Compares `count` draws with what they have always been.
    #[track_caller]
    fn assert_drawn<T: PartialEq + Debug, const N: usize>(
        mut draw: impl FnMut() -> T,
        old: [T; N],
    ) {
        assert_eq!([(); N].map(|()| draw()), old);
    }

    #[test]
    fn the_numbers_are_the_same_in_every_release() {
        let mut rng = Rng::new(1);
        assert_drawn(
            || rng.number(),
            [0xcfc5_d07f_6f03_c29b, 0xbf42_4132_963f_e08d, 0x19a3_7d57_57aa_f520],
        );
        let mut rng = Rng::at(1, 0x1234_5678_9abc_def0);
        assert_drawn(|| rng.number(), [0x7739_d83b_f24a_be3b, 0x26bb_c92a_57de_bd46]);
        let mut rng = Rng::stream(1, 2);
        assert_drawn(|| rng.number(), [0x8524_069d_3c20_a276, 0x01d1_cc7b_cc9f_de89]);
        let mut rng = Rng::game(1, 2);
        assert_drawn(|| rng.number(), [0xb7a5_eb82_0879_60cd, 0xd325_be95_f855_2340]);
        let mut rng = Rng::new(2);
        assert_drawn(|| rng.below(6), [4, 3, 3, 1, 2, 4, 2, 4]);
        assert_drawn(|| rng.index(1000), [478, 863, 505, 689]);
        assert_drawn(|| rng.square(0x8100_0000_0000_0081).index(), [56, 63, 63, 7, 56, 7]);
        assert_drawn(|| rng.unit(), [0.223_987_080_942_916_97, 0.157_745_398_081_475_25]);
        assert_drawn(|| rng.normal(), [-1.216_709_697_832_947_5, 0.702_024_783_376_968_4]);
        let mut items: Vec<u32> = (0..10).collect();
        rng.shuffle(&mut items);
        assert_eq!(items, [9, 6, 3, 5, 4, 7, 0, 8, 2, 1]);
        rng.shuffle_like_rand(&mut items);
        assert_eq!(items, [8, 7, 9, 6, 4, 2, 5, 3, 1, 0]);
    }

    #[test]
    fn close_seeds_and_numbers_have_streams_of_their_own() {
        let mut first: Vec<u64> = (0..20)
            .flat_map(|seed| (0..20).map(move |number| Rng::stream(seed, number).number()))
            .collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 400);
    }

    #[test]
    fn draws_are_spread_as_they_should_be() {
        let mut rng = Rng::new(3);
        let mut drawn = [0; 7];
        for _ in 0..70_000 {
            drawn[rng.index(7)] += 1;
        }
        // Five standard deviations of the binomial distribution are 463.
        assert!(drawn.iter().all(|count| (9_500..10_500).contains(count)), "{drawn:?}");
        let normal: Vec<f64> = (0..20_000).map(|_| rng.normal()).collect();
        let mean = normal.iter().sum::<f64>() / 20_000.0;
        let variance = normal.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        let often = (0..20_000).filter(|_| rng.happens(0.3)).count();
        assert!((5_700..6_300).contains(&often), "{often}");
    }
}
