//! How the next generation follows from those before it.
//!
//! | algorithm | from | how |
//! |---|---|---|
//! | `elitist` | report 000, "SEGA" | numbers; parents and children compete for the places |
//! | `binary` | report 003, algorithms 14 to 20 | bits; half survive, the others are their children |
//! | `cma-es` | Hansen and Ostermeier | a normal distribution that learns its shape |
//!
//! Each is a function of the history and the seed. There is no other state, so nothing else can get
//! lost.

mod binary;
mod covariance;
mod elitist;

use super::history::Generation;
use super::seed::{Purpose, seed};
use super::space::Space;
use isrever_agent::Rng;

/// Where a search starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// Anywhere.
    Random,
    /// At the values that the agent has.
    Values,
}

impl Start {
    /// Their names.
    pub(super) const NAMES: [&'static str; 2] = ["random", "values"];
}

/// How individuals are found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Algorithm {
    /// Report 000's strengthened elitist algorithm.
    Elitist {
        /// Parents, and as many children.
        population: usize,
        /// How often a child has two parents.
        crossover: f64,
        /// How often a number changes.
        mutation: f64,
    },
    /// Report 003's algorithm on bits.
    Binary {
        /// Individuals, half of which survive.
        population: usize,
        /// How often a bit changes.
        mutation: f64,
    },
    /// Covariance matrix adaptation.
    CmaEs {
        /// Individuals of a generation.
        population: usize,
        /// How far they scatter at first, as a part of each range.
        sigma: f64,
    },
}

impl Algorithm {
    /// Their names.
    pub const NAMES: [&'static str; 3] = ["elitist", "binary", "cma-es"];

    /// The number of individuals of a generation.
    pub(super) fn individuals(&self, generation: u32) -> usize {
        match *self {
            // Children come with the second generation.
            Algorithm::Elitist { population, .. } if generation > 0 => 2 * population,
            Algorithm::Elitist { population, .. }
            | Algorithm::Binary { population, .. }
            | Algorithm::CmaEs { population, .. } => population,
        }
    }

    /// The individuals of the generation that follows `history`.
    pub(super) fn propose(
        &self,
        space: &Space,
        start: Start,
        run_seed: u64,
        history: &[Generation],
    ) -> Vec<Vec<f64>> {
        let mut rng = Rng::stream(seed(run_seed, Purpose::Breeding, history.len() as u64), 0);
        match (*self, history.last()) {
            (
                Algorithm::Elitist { population, .. } | Algorithm::Binary { population, .. },
                None,
            ) => first(space, start, population, &mut rng),
            (Algorithm::Elitist { population, crossover, mutation }, Some(last)) => {
                elitist::next(space, last, population, [crossover, mutation], &mut rng)
            }
            (Algorithm::Binary { population, mutation }, Some(last)) => {
                binary::next(space, last, population, mutation, &mut rng)
            }
            (Algorithm::CmaEs { population, sigma }, _) => {
                let middle = vec![0.5; space.width()];
                let mean = match start {
                    Start::Random => middle,
                    Start::Values => space.point(&space.start()),
                };
                let seed = seed(run_seed, Purpose::Breeding, 0);
                covariance::next(space, mean, population, sigma, seed, history)
            }
        }
    }
}

/// Random individuals, after the agent's own values if the search starts there.
fn first(space: &Space, start: Start, population: usize, rng: &mut Rng) -> Vec<Vec<f64>> {
    let mut individuals = Vec::new();
    if start == Start::Values {
        individuals.push(space.start());
    }
    while individuals.len() < population {
        let point: Vec<f64> = (0..space.width()).map(|_| rng.unit()).collect();
        individuals.push(space.at(&point));
    }
    individuals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Minus the squared distance to a spot, which every algorithm should find.
    fn fitness(values: &[f64]) -> f64 {
        -values.iter().map(|value| (value - 0.3).powi(2)).sum::<f64>()
    }

    fn run(algorithm: Algorithm, generations: u32) -> Vec<Generation> {
        let names = ["a1", "b2", "c3", "d4"].map(str::to_owned);
        let catalogue = isrever_reports::catalogue();
        let space = Space::new(&catalogue, "greedy:by=squares", Some(&names)).unwrap();
        let mut history = Vec::new();
        for number in 0..generations {
            let values = algorithm.propose(&space, Start::Random, 7, &history);
            assert_eq!(values, algorithm.propose(&space, Start::Random, 7, &history));
            assert_eq!(values.len(), algorithm.individuals(number));
            let fitness = values.iter().map(|values| fitness(values)).collect();
            history.push(Generation::new(number, 0, values, fitness));
        }
        history
    }

    #[test]
    fn every_algorithm_finds_the_spot() {
        for (algorithm, generations, near) in [
            (Algorithm::Elitist { population: 20, crossover: 0.7, mutation: 0.25 }, 60, 1e-2),
            (Algorithm::Binary { population: 40, mutation: 0.02 }, 60, 1e-2),
            (Algorithm::CmaEs { population: 10, sigma: 0.3 }, 60, 1e-4),
        ] {
            let history = run(algorithm, generations);
            let (first, last) = (&history[0], history.last().unwrap());
            assert!(last.best > -near, "{algorithm:?}: {}", last.best);
            assert!(last.mean > first.mean, "{algorithm:?}");
        }
    }

    #[test]
    fn the_agent_s_values_can_be_among_the_first() {
        let catalogue = isrever_reports::catalogue();
        let space = Space::new(&catalogue, "greedy:by=squares", None).unwrap();
        let algorithm = Algorithm::Binary { population: 6, mutation: 0.1 };
        let with = algorithm.propose(&space, Start::Values, 1, &[]);
        assert_eq!((with.len(), &with[0]), (6, &space.start()));
        assert!(!algorithm.propose(&space, Start::Random, 1, &[]).contains(&space.start()));
    }
}
