//! Learning curves: agents that got better one after the other, and fixed ones, on one scale.
//!
//! Every agent in training meets every yardstick and the one before it, and the
//! yardsticks meet their neighbours, so that one table of results links them all.

use crate::ladder::Ladder;
use isrever_agent::{AgentSpec, SpecError};
use isrever_arena::{Counts, Rating, Ratings};

/// The agents of a learning curve.
pub struct Curve<'a> {
    /// How their matches are played.
    pub ladder: Ladder<'a>,
    /// Agents that stay what they are, the weakest first. The first has rating 0.
    pub yardsticks: Vec<AgentSpec>,
    /// Agents in training, the earliest first.
    pub trained: Vec<AgentSpec>,
}

impl Curve<'_> {
    /// Who meets whom, by their places among the yardsticks and then those in training.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let fixed = self.yardsticks.len();
        let neighbours = |first: usize, last: usize| (first + 1..last).map(|b| [b, b - 1]);
        let trained = fixed..fixed + self.trained.len();
        let measured = trained.clone().flat_map(|a| (0..fixed).map(move |b| [a, b]));
        neighbours(0, fixed).chain(neighbours(fixed, trained.end)).chain(measured).collect()
    }

    /// Plays `pairs` pairs of games for each pairing on the threads of the current pool, and tells
    /// `done` of each; returns the ratings of the yardsticks, and of those in training.
    ///
    /// # Errors
    /// If a spec cannot be made into an agent.
    pub fn measure(
        &self,
        pairs: u64,
        done: &(dyn Fn() + Sync),
    ) -> Result<[Vec<Rating>; 2], SpecError> {
        let agents: Vec<&AgentSpec> = self.yardsticks.iter().chain(&self.trained).collect();
        let mut table = vec![vec![Counts::default(); agents.len()]; agents.len()];
        for [a, b] in self.pairings() {
            let counts = self.ladder.play([agents[a], agents[b]], 0..pairs, done)?;
            (table[a][b], table[b][a]) = (counts, counts.turned());
        }
        let ratings = Ratings::of(&table);
        let zero = ratings.all().first().map_or(0.0, |rating| rating.elo);
        let shifted = |rating: &Rating| Rating {
            elo: rating.elo - zero,
            low: rating.low - zero,
            high: rating.high - zero,
        };
        let (fixed, trained) = ratings.all().split_at(self.yardsticks.len());
        Ok([fixed, trained].map(|part| part.iter().map(shifted).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Size};
    use isrever_players::catalogue;

    #[test]
    fn agents_that_look_further_ahead_are_rated_higher() {
        let catalogue = catalogue();
        let specs = |texts: &[&str]| texts.iter().copied().map(AgentSpec::new).collect();
        let curve = Curve {
            ladder: Ladder {
                catalogue: &catalogue,
                rule: Rule::Reversed,
                size: Size::SIX,
                opening_plies: 4,
                seed: 1,
            },
            yardsticks: specs(&["random", "engine:level=1"]),
            trained: specs(&["greedy", "engine:depth=1", "engine:depth=4"]),
        };
        let met = curve.pairings();
        assert_eq!(met.len(), 1 + 2 + 6);
        assert!(met.contains(&[1, 0]) && met.contains(&[4, 3]) && met.contains(&[2, 1]));
        let [fixed, trained] = curve.measure(20, &|| {}).unwrap();
        assert_eq!((fixed.len(), trained.len()), (2, 3));
        assert!(fixed[0].elo.abs() < 1e-9, "the first yardstick has rating 0");
        assert!(trained[0].elo < trained[1].elo && trained[1].elo < trained[2].elo, "{trained:?}");
        assert!(trained.iter().all(|rating| rating.low < rating.elo && rating.elo < rating.high));
    }
}
