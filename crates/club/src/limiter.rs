//! Slows down those who guess passwords.

use std::collections::HashMap;
use std::hash::Hash;

/// The wait after the first failure beyond those, in milliseconds; it doubles with each.
const FIRST_WAIT: i64 = 2_000;

/// The longest wait.
const LONGEST_WAIT: i64 = 15 * 60_000;

/// How long a failure counts.
const MEMORY: i64 = 60 * 60_000;

/// The most keys that are remembered; beyond that, the oldest are forgotten.
const MOST_KEYS: usize = 100_000;

/// Counts failures by key, such as a name or an address.
#[derive(Debug)]
pub struct Limiter<K> {
    /// Failures that cost nothing.
    free: u32,
    failures: HashMap<K, Failures>,
}

#[derive(Clone, Copy, Debug)]
struct Failures {
    count: u32,
    last: i64,
}

impl<K: Eq + Hash + Clone> Limiter<K> {
    /// A limiter that slows down a key after so many failures.
    pub fn new(free: u32) -> Limiter<K> {
        Limiter { free, failures: HashMap::new() }
    }

    /// The milliseconds that `key` must still wait; 0 if it may try.
    pub fn wait(&self, key: &K, now: i64) -> i64 {
        let Some(failures) = self.failures.get(key).filter(|one| now - one.last < MEMORY) else {
            return 0;
        };
        let beyond = failures.count.saturating_sub(self.free);
        if beyond == 0 {
            return 0;
        }
        let pause = FIRST_WAIT.saturating_mul(1 << (beyond - 1).min(20)).min(LONGEST_WAIT);
        (failures.last + pause - now).max(0)
    }

    /// Notes a failure.
    pub fn fail(&mut self, key: K, now: i64) {
        if self.failures.len() >= MOST_KEYS && !self.failures.contains_key(&key) {
            self.forget(now);
        }
        let failures = self.failures.entry(key).or_insert(Failures { count: 0, last: now });
        if now - failures.last >= MEMORY {
            failures.count = 0;
        }
        *failures = Failures { count: failures.count.saturating_add(1), last: now };
    }

    /// Notes a success, which ends the count.
    pub fn succeed(&mut self, key: &K) {
        self.failures.remove(key);
    }

    /// Forgets what no longer counts; if that is not enough, the older half.
    fn forget(&mut self, now: i64) {
        self.failures.retain(|_, one| now - one.last < MEMORY);
        if self.failures.len() >= MOST_KEYS {
            let mut times: Vec<i64> = self.failures.values().map(|one| one.last).collect();
            let middle = times.len() / 2;
            let (_, &mut median, _) = times.select_nth_unstable(middle);
            self.failures.retain(|_, one| one.last > median);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guessing_becomes_slower_and_slower_and_is_forgotten() {
        let mut limiter = Limiter::new(5);
        for _ in 0..5 {
            assert_eq!(limiter.wait(&"ada", 0), 0);
            limiter.fail("ada", 0);
        }
        assert_eq!(limiter.wait(&"ada", 0), 0);
        let mut now = 0;
        let mut waits = Vec::new();
        for _ in 0..12 {
            limiter.fail("ada", now);
            waits.push(limiter.wait(&"ada", now));
            now += waits[waits.len() - 1];
            assert_eq!(limiter.wait(&"ada", now), 0, "who waits may try");
        }
        assert_eq!((waits[0], waits[1], waits[11]), (FIRST_WAIT, 2 * FIRST_WAIT, LONGEST_WAIT));
        assert_eq!(limiter.wait(&"bob", now), 0, "others may try");
        assert_eq!(limiter.wait(&"ada", now + MEMORY), 0);
        limiter.succeed(&"ada");
        assert_eq!(limiter.wait(&"ada", 0), 0);
    }

    #[test]
    fn it_remembers_a_bounded_number() {
        let mut limiter = Limiter::new(5);
        let newest = MOST_KEYS + 9;
        for (key, now) in (0..=newest).zip(0..) {
            limiter.fail(key, now);
        }
        assert!(limiter.failures.len() <= MOST_KEYS);
        assert!(limiter.failures.contains_key(&newest), "the newest is there");
    }
}
