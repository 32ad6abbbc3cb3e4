//! Searches to lend, with the memory they have filled: small, few, and used again.

use isrever_board::{Rule, Size};
use isrever_engine::{Settings, Solver};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

/// Memory of one search, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// So many searches are kept when nobody needs them.
const MOST_IDLE: usize = 4;

/// Searches that nobody uses at the moment. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Solvers(Arc<Mutex<Vec<Idle>>>);

struct Idle {
    rule: Rule,
    size: Size,
    solver: Solver,
}

/// A search that is given back when it is dropped.
pub(crate) struct Loan {
    /// There until it is dropped.
    idle: Option<Idle>,
    home: Solvers,
}

impl Solvers {
    /// A search for this rule and size, the one given back last if there is one: its memory may
    /// hold the same game, a move earlier.
    pub(crate) fn lend(&self, rule: Rule, size: Size) -> Loan {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().rposition(|idle| (idle.rule, idle.size) == (rule, size));
        let lent = place.map(|place| idle.remove(place));
        drop(idle);
        let lent = lent.unwrap_or_else(|| {
            let settings = Settings { hash_bytes: HASH_BYTES, ..Settings::new(rule, size) };
            Idle { rule, size, solver: Solver::new(settings) }
        });
        Loan { idle: Some(lent), home: self.clone() }
    }
}

impl Deref for Loan {
    type Target = Solver;

    fn deref(&self) -> &Solver {
        &self.idle.as_ref().expect("there until it is dropped").solver
    }
}

impl DerefMut for Loan {
    fn deref_mut(&mut self) -> &mut Solver {
        &mut self.idle.as_mut().expect("there until it is dropped").solver
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // It may have been left in the middle of something.
            return;
        }
        let mut idle = self.home.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.idle.take());
        if idle.len() > MOST_IDLE {
            // The one that has been idle for longest.
            idle.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_used_again_and_few_are_kept() {
        let solvers = Solvers::default();
        let idle = || solvers.0.lock().unwrap().len();
        drop(solvers.lend(Rule::Reversed, Size::SIX));
        assert_eq!(idle(), 1);
        let loan = solvers.lend(Rule::Reversed, Size::SIX);
        assert_eq!(idle(), 0);
        let other = solvers.lend(Rule::Normal, Size::SIX);
        drop((loan, other));
        assert_eq!(idle(), 2);
        drop((0..9).map(|_| solvers.lend(Rule::Normal, Size::FOUR)).collect::<Vec<_>>());
        assert_eq!(idle(), MOST_IDLE);
    }
}
