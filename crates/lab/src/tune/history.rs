//! The log of a tuning: one entry for each generation.

use super::space::Space;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A generation with the fitness of its individuals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number, from 0.
    pub generation: u32,
    /// The games, or answers to problems, that gave the fitness.
    pub games: u64,
    /// The greatest fitness.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// The fitness of each individual; greater is better.
    pub fitness: Vec<f64>,
    /// The values of each individual, in the order of the tuned parameters.
    pub values: Vec<Vec<f64>>,
    /// The games that each individual won, lost and drew, where wins are the objective.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<[u32; 3]>,
    /// The generations that each individual has lived through, this one included, where wins are
    /// the objective.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ages: Vec<u32>,
}

impl Generation {
    /// The generation of these individuals.
    ///
    /// # Panics
    /// If there are none.
    pub(super) fn new(
        generation: u32,
        games: u64,
        values: Vec<Vec<f64>>,
        fitness: Vec<f64>,
    ) -> Generation {
        assert!(!fitness.is_empty() && fitness.len() == values.len(), "each has its fitness");
        let best = fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Summed in order, so that the rounding is always the same.
        let mean = fitness.iter().sum::<f64>() / fitness.len() as f64;
        let (results, ages) = (Vec::new(), Vec::new());
        Generation { generation, games, best, mean, fitness, values, results, ages }
    }

    /// The same with the games of each individual, as report 003 logs them, and with their ages:
    /// those of `before` that are still there are a generation older.
    pub(super) fn with_results(
        mut self,
        results: Vec<[u32; 3]>,
        before: Option<&Generation>,
    ) -> Generation {
        assert_eq!(results.len(), self.values.len(), "each has its results");
        let age = |values: &Vec<f64>| {
            let known = before.iter().flat_map(|before| before.values.iter().zip(&before.ages));
            let ages = known.filter(|(other, _)| *other == values).map(|(_, age)| *age);
            ages.max().unwrap_or(0) + 1
        };
        self.ages = self.values.iter().map(age).collect();
        self.results = results;
        self
    }

    /// The values of the individual that has lived longest; among equals the fittest. Without ages
    /// the best.
    pub fn survivor(&self) -> &[f64] {
        let age = |place: usize| self.ages.get(place).copied().unwrap_or(0);
        let ranked = self.ranked();
        let oldest = ranked
            .iter()
            .copied()
            .reduce(|oldest, one| if age(one) > age(oldest) { one } else { oldest });
        &self.values[oldest.expect("there are individuals")]
    }

    /// The individuals from the fittest down; equals stay in their order.
    pub fn ranked(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.fitness.len()).collect();
        order.sort_by(|&one, &other| self.fitness[other].total_cmp(&self.fitness[one]));
        order
    }

    /// The values of the best.
    pub fn champion(&self) -> &[f64] {
        &self.values[self.ranked()[0]]
    }

    /// The centre of the better half: it owes less to luck than any single individual.
    pub(super) fn centre(&self, space: &Space) -> Vec<f64> {
        let ranked = self.ranked();
        let better = &ranked[..ranked.len().div_ceil(2)];
        let points: Vec<Vec<f64>> =
            better.iter().map(|&place| space.point(&self.values[place])).collect();
        let mean =
            |gene: usize| points.iter().map(|point| point[gene]).sum::<f64>() / points.len() as f64;
        space.at(&(0..space.width()).map(mean).collect::<Vec<f64>>())
    }
}

/// Why a log does not belong to a tuning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HistoryError {
    /// A generation has another number than its place.
    Order {
        /// Its place.
        generation: u32,
    },
    /// A generation is not the one that follows from those before it.
    Other {
        /// Its place.
        generation: u32,
    },
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HistoryError::Order { generation } => {
                write!(f, "not generation {generation}; expected all of them in order")
            }
            HistoryError::Other { generation } => write!(
                f,
                "generation {generation} does not follow from those before it; expected the log \
                 of a tuning with the same specification, by the same program"
            ),
        }
    }
}

impl std::error::Error for HistoryError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_and_among_equals_the_first() {
        let values = (0..5).map(|value| vec![f64::from(value)]).collect();
        let generation = Generation::new(3, 10, values, vec![0.5, 0.75, 0.25, 0.75, 0.0]);
        assert_eq!(generation.ranked(), [1, 3, 0, 2, 4]);
        assert_eq!((generation.best, generation.mean), (0.75, 0.45));
        assert_eq!(generation.champion(), [1.0]);
    }

    #[test]
    fn who_stays_grows_older_and_the_oldest_survives() {
        let generation = |number, values: [f64; 3], fitness: [f64; 3]| {
            let values = values.iter().map(|&value| vec![value]).collect();
            Generation::new(number, 6, values, fitness.to_vec())
        };
        let results = || vec![[1, 1, 0]; 3];
        let first = generation(0, [1.0, 2.0, 3.0], [0.5, 0.9, 0.1]).with_results(results(), None);
        assert_eq!((first.ages.as_slice(), first.survivor()), (&[1, 1, 1][..], &[2.0][..]));
        let second = generation(1, [2.0, 1.0, 4.0], [0.2, 0.3, 0.9]);
        let second = second.with_results(results(), Some(&first));
        assert_eq!((second.ages.as_slice(), second.survivor()), (&[2, 2, 1][..], &[1.0][..]));
        let plain = generation(0, [1.0, 2.0, 3.0], [0.5, 0.9, 0.1]);
        assert_eq!(plain.survivor(), plain.champion());
    }

    #[test]
    fn the_centre_is_that_of_the_better_half() {
        let catalogue = isrever_reports::catalogue();
        let names = ["a1".to_owned(), "d4".to_owned()];
        let space = Space::new(&catalogue, "greedy:by=squares", Some(&names)).unwrap();
        let values = vec![vec![0.5, -0.5], vec![-1.0, -1.0], vec![0.25, 0.0], vec![1.0, 1.0]];
        let generation = Generation::new(0, 1, values, vec![0.9, 0.1, 0.8, 0.2]);
        assert_eq!(generation.centre(&space), [0.375, -0.25]);
    }
}
