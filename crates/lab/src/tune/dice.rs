//! Random numbers for a purpose: a generation's children, its games, the last matches.

use crate::selfplay::Dice;

/// What random numbers are for. No two purposes share theirs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// Which individuals a generation has.
    Breeding,
    /// The games that a generation is judged by.
    Games,
    /// Those that the finalists are chosen by.
    Final,
    /// Those that tell what the winner is worth.
    Proof,
}

/// The seed of one purpose in one generation.
pub(super) fn seed(seed: u64, purpose: Purpose, generation: u64) -> u64 {
    let place = (generation << 3) | purpose as u64;
    Dice::new(seed, place).number()
}

impl Dice {
    /// A number from 0 to below 1.
    pub(super) fn unit(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether something happens that has this probability.
    pub(super) fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A place in a list of so many.
    pub(super) fn place(&mut self, count: usize) -> usize {
        self.below(u32::try_from(count).expect("lists are short")) as usize
    }

    /// A number of the standard normal distribution, by Box and Muller.
    pub(super) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_purposes_share_their_numbers() {
        let purposes = [Purpose::Breeding, Purpose::Games, Purpose::Final, Purpose::Proof];
        let mut seeds: Vec<u64> = Vec::new();
        for generation in 0..50 {
            seeds.extend(purposes.map(|purpose| seed(1, purpose, generation)));
        }
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 200);
    }

    #[test]
    fn numbers_are_spread_as_they_should_be() {
        let mut dice = Dice::new(1, 1);
        let normal: Vec<f64> = (0..20_000).map(|_| dice.normal()).collect();
        let mean = normal.iter().sum::<f64>() / 20_000.0;
        let variance = normal.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        let often = (0..20_000).filter(|_| dice.happens(0.3)).count();
        assert!((5_700..6_300).contains(&often), "{often}");
    }
}
