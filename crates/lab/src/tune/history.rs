//! The log of a tuning: one entry for each generation.

use super::space::Space;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One generation, judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number, from 0.
    pub generation: u32,
    /// Games, or answers to problems, that it was judged by.
    pub games: u64,
    /// The greatest fitness.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// How good each individual is, greater is better.
    pub fitness: Vec<f64>,
    /// What each individual is, in the order of the parameters that are tuned.
    pub values: Vec<Vec<f64>>,
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
        // Summed in order, so that it is the same sum every time.
        let mean = fitness.iter().sum::<f64>() / fitness.len() as f64;
        Generation { generation, games, best, mean, fitness, values }
    }

    /// The individuals from the best down; among equals the first comes first.
    pub fn ranked(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.fitness.len()).collect();
        order.sort_by(|&one, &other| self.fitness[other].total_cmp(&self.fitness[one]));
        order
    }

    /// The values of the best.
    pub fn champion(&self) -> &[f64] {
        &self.values[self.ranked()[0]]
    }

    /// The middle of the better half: chance had less to say in it than in any of them.
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

/// Why a log is not the log of a tuning.
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
    fn the_centre_is_that_of_the_better_half() {
        let catalogue = isrever_reports::catalogue();
        let names = ["a1".to_owned(), "d4".to_owned()];
        let space = Space::new(&catalogue, "greedy:by=squares", Some(&names)).unwrap();
        let values = vec![vec![0.5, -0.5], vec![-1.0, -1.0], vec![0.25, 0.0], vec![1.0, 1.0]];
        let generation = Generation::new(0, 1, values, vec![0.9, 0.1, 0.8, 0.2]);
        assert_eq!(generation.centre(&space), [0.375, -0.25]);
    }
}
