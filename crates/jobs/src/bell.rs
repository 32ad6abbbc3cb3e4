//! Wakes threads that wait for something to happen.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Counts what has happened, so that nothing is missed between a look and a wait.
#[derive(Default)]
pub(crate) struct Bell {
    rung: Mutex<u64>,
    changed: Condvar,
}

impl Bell {
    fn lock(&self) -> MutexGuard<'_, u64> {
        self.rung.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often it has rung.
    pub(crate) fn count(&self) -> u64 {
        *self.lock()
    }

    /// Wakes everybody.
    pub(crate) fn ring(&self) {
        *self.lock() += 1;
        self.changed.notify_all();
    }

    /// Waits until it has rung more often than `count`, or for this time.
    pub(crate) fn wait(&self, count: u64, at_most: Duration) {
        let rung = self.lock();
        let waited = self.changed.wait_timeout_while(rung, at_most, |rung| *rung <= count);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}
