//! Seeds for a purpose: a generation's children, its games, the last matches.

use isrever_agent::Rng;

/// What random numbers are for. No two purposes share a seed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// Which individuals a generation has.
    Breeding,
    /// The games that judge a generation.
    Games,
    /// The games that rank the finalists.
    Final,
    /// The games that measure the winner.
    Proof,
}

/// The seed of one purpose in one generation.
pub(super) fn seed(seed: u64, purpose: Purpose, generation: u64) -> u64 {
    let place = (generation << 3) | purpose as u64;
    Rng::stream(seed, place).number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_purposes_share_a_seed() {
        let purposes = [Purpose::Breeding, Purpose::Games, Purpose::Final, Purpose::Proof];
        let mut seeds: Vec<u64> = Vec::new();
        for generation in 0..50 {
            seeds.extend(purposes.map(|purpose| seed(1, purpose, generation)));
        }
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 200);
    }
}
