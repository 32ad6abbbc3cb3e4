//! Keeps the log short: a fault that repeats is told now and then, with the number of times.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two lines about the same fault.
const PAUSE: Duration = Duration::from_secs(10);

/// Counts one kind of fault.
#[derive(Default)]
pub(crate) struct Faults(Mutex<Counted>);

#[derive(Default)]
struct Counted {
    told: Option<Instant>,
    untold: u64,
    last: Option<Instant>,
}

impl Faults {
    /// Counts a fault: how many there were since the last line, if it is time for another.
    pub(crate) fn count(&self, now: Instant) -> Option<u64> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counted.untold += 1;
        counted.last = Some(now);
        let is_time = |told| now.saturating_duration_since(told) >= PAUSE;
        if !counted.told.is_none_or(is_time) {
            return None;
        }
        counted.told = Some(now);
        Some(std::mem::take(&mut counted.untold))
    }

    /// Whether there was one within the pause before `now`.
    pub(crate) fn is_recent(&self, now: Instant) -> bool {
        let counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counted.last.is_some_and(|last| now.saturating_duration_since(last) < PAUSE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_faults_does_not_flood_the_log() {
        let (faults, now) = (Faults::default(), Instant::now());
        assert!(!faults.is_recent(now));
        assert_eq!(faults.count(now), Some(1));
        assert!((0..999).all(|_| faults.count(now).is_none()));
        assert!(faults.is_recent(now));
        assert_eq!(faults.count(now + PAUSE), Some(1_000));
        assert!(!faults.is_recent(now + 2 * PAUSE));
    }
}
