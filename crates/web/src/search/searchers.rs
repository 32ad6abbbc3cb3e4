//! Lends searchers, and keeps a few of them with their tables for later.

use isrever_board::{Rule, Size};
use isrever_search::{Pool, Searcher, Settings};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The memory of one searcher, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// The most idle searchers to keep.
const MOST_IDLE: usize = 4;

/// How long a searcher is kept without being lent.
const IDLE: Duration = Duration::from_secs(60);

/// Idle searchers, and since when they are. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Searchers(Arc<Mutex<Vec<(Searcher, Instant)>>>);

/// A lent searcher; dropping it returns it.
pub(crate) struct Loan {
    /// `None` only while it is dropped.
    searcher: Option<Searcher>,
    home: Searchers,
}

impl Searchers {
    /// Lends a searcher for this rule and size, the one returned last if there is one: its table may
    /// hold an earlier position of the same game.
    pub(crate) fn lend(&self, rule: Rule, size: Size) -> Loan {
        self.lend_with(rule, size, 1)
    }

    /// The same for a searcher with this many threads.
    pub(crate) fn lend_with(&self, rule: Rule, size: Size, threads: usize) -> Loan {
        let is_wanted = |searcher: &Searcher| {
            searcher.is_for(rule, size) && searcher.settings().pool.count() == threads
        };
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().rposition(|(searcher, _)| is_wanted(searcher));
        let lent = place.map(|place| idle.remove(place).0);
        drop(idle);
        let lent = lent.unwrap_or_else(|| {
            let pool = if threads > 1 { Pool::threads(threads) } else { Pool::SINGLE };
            let settings = Settings::new(rule, size);
            Searcher::new(Settings { pool, hash_bytes: HASH_BYTES, ..settings })
        });
        Loan { searcher: Some(lent), home: self.clone() }
    }

    /// Drops searchers that were not lent for some time.
    pub(crate) fn drop_idle(&self, now: Instant) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(_, since)| now.saturating_duration_since(*since) < IDLE);
    }
}

impl Deref for Loan {
    type Target = Searcher;

    fn deref(&self) -> &Searcher {
        self.searcher.as_ref().expect("there until it is dropped")
    }
}

impl DerefMut for Loan {
    fn deref_mut(&mut self) -> &mut Searcher {
        self.searcher.as_mut().expect("there until it is dropped")
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // Its state may be inconsistent.
            return;
        }
        let mut idle = self.home.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.searcher.take().map(|searcher| (searcher, Instant::now())));
        if idle.len() > MOST_IDLE {
            // The least recently used one.
            idle.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_used_again_and_few_are_kept() {
        let searchers = Searchers::default();
        let idle = || searchers.0.lock().unwrap().len();
        drop(searchers.lend(Rule::Reversed, Size::SIX));
        assert_eq!(idle(), 1);
        let loan = searchers.lend(Rule::Reversed, Size::SIX);
        assert_eq!(idle(), 0);
        let other = searchers.lend(Rule::Normal, Size::SIX);
        drop((loan, other));
        assert_eq!(idle(), 2);
        let pair = searchers.lend_with(Rule::Reversed, Size::SIX, 2);
        assert_eq!((pair.settings().pool.count(), idle()), (2, 2), "it has its own");
        drop(pair);
        assert_eq!(idle(), 3);
        drop((0..9).map(|_| searchers.lend(Rule::Normal, Size::FOUR)).collect::<Vec<_>>());
        assert_eq!(idle(), MOST_IDLE);
        searchers.drop_idle(Instant::now());
        assert_eq!(idle(), MOST_IDLE, "they were used just now");
        searchers.drop_idle(Instant::now() + IDLE);
        assert_eq!(idle(), 0, "their memory is given back");
    }
}
