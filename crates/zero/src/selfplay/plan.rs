//! How games are played, and which plans make sense.

use crate::tree::Stakes;
use std::fmt;

/// The most visits for a move: a tree of so many fits the memory of a game.
const MOST_VISITS: usize = 2_000;

/// How games are played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is played.
    pub stakes: Stakes,
    /// Visits for a move that is learned from.
    pub visits: usize,
    /// Visits for any other move.
    pub fast_visits: usize,
    /// The part of the moves that is learned from.
    pub full_share: f64,
    /// The most random moves that a game begins with; each number is equally likely.
    pub random_plies: u32,
    /// Visits prove boards with so many empty squares or fewer.
    pub solve_leaves_from: u32,
    /// The solver ends games with so many empty squares or fewer.
    pub solve_games_from: u32,
    /// The seed of all games.
    pub seed: u64,
}

impl Plan {
    /// Says what is wrong with the plan.
    ///
    /// # Errors
    /// If visits or parts are out of range, or random moves and the solver would leave no board to
    /// search.
    pub fn check(&self) -> Result<(), PlanError> {
        for visits in [self.visits, self.fast_visits] {
            if !(1..=MOST_VISITS).contains(&visits) {
                return Err(PlanError::Visits(visits));
            }
        }
        for part in [self.full_share, self.stakes.score_weight.into()] {
            if !(0.0..=1.0).contains(&part) {
                return Err(PlanError::Part(part));
            }
        }
        // The start has four discs. A search needs a choice, and a random game may come to an end.
        let most = self.stakes.size.cells() as u32 - 8;
        let taken = self.random_plies.saturating_add(self.solve_games_from);
        if taken > most {
            return Err(PlanError::NothingLeft { taken, most });
        }
        Ok(())
    }
}

/// What is wrong with a plan.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PlanError {
    /// Too few or too many visits for a move.
    Visits(usize),
    /// A part that is none.
    Part(f64),
    /// Random moves and the solver take the whole game.
    NothingLeft {
        /// Random moves and squares for the solver.
        taken: u32,
        /// The most of them.
        most: u32,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Visits(visits) => write!(f, "{visits} visits; expected 1 to {MOST_VISITS}"),
            PlanError::Part(part) => write!(f, "a part of {part}; expected 0 to 1"),
            PlanError::NothingLeft { taken, most } => write!(
                f,
                "{taken} random moves and squares for the solver together; expected at most {most}"
            ),
        }
    }
}

impl std::error::Error for PlanError {}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Size};

    #[test]
    fn plans_without_sense_are_refused() {
        let stakes = Stakes { rule: Rule::Reversed, size: Size::FOUR, score_weight: 0.1 };
        let plan = Plan {
            stakes,
            visits: 16,
            fast_visits: 4,
            full_share: 0.25,
            random_plies: 4,
            solve_leaves_from: 3,
            solve_games_from: 4,
            seed: 1,
        };
        assert_eq!(plan.check(), Ok(()));
        let wrong = |plan: Plan| plan.check().unwrap_err();
        assert_eq!(wrong(Plan { visits: 0, ..plan.clone() }), PlanError::Visits(0));
        assert_eq!(wrong(Plan { fast_visits: 9_999, ..plan.clone() }), PlanError::Visits(9_999));
        assert_eq!(wrong(Plan { full_share: 1.5, ..plan.clone() }), PlanError::Part(1.5));
        assert!(Plan { full_share: f64::NAN, ..plan.clone() }.check().is_err());
        let taken = PlanError::NothingLeft { taken: 9, most: 8 };
        assert_eq!(wrong(Plan { random_plies: 5, ..plan.clone() }), taken);
        assert!(Plan { solve_games_from: u32::MAX, ..plan }.check().is_err());
    }
}
