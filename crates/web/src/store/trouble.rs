//! Why games cannot be saved: remembered from the first failure to the next success.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two attempts while there is trouble.
const PAUSE: Duration = Duration::from_secs(1);

/// Why games cannot be saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// The disk is full, or the database as large as it may be.
    Full,
    /// Anything else.
    Failed,
}

/// The present trouble, if there is any. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Troubles(Arc<Mutex<Option<(Trouble, Instant)>>>);

impl Troubles {
    /// Remembers the outcome of the last change, and logs what is new about it.
    pub(super) fn record(&self, written: rusqlite::Result<()>) {
        let mut present = self.lock();
        match written {
            Ok(()) => {
                if present.take().is_some() {
                    tracing::warn!("games can be saved again");
                }
            }
            Err(error) => {
                let trouble = if is_full(&error) { Trouble::Full } else { Trouble::Failed };
                if present.is_none_or(|(before, _)| before != trouble) {
                    tracing::error!(%error, "games cannot be saved");
                }
                *present = Some((trouble, Instant::now()));
            }
        }
    }

    pub(super) fn current(&self) -> Option<Trouble> {
        self.lock().map(|(trouble, _)| trouble)
    }

    /// Whether there is trouble, and the last attempt is some time ago.
    pub(super) fn is_time_to_try(&self) -> bool {
        self.lock().is_some_and(|(_, since)| since.elapsed() >= PAUSE)
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Trouble, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether there was no space for a change.
pub(super) fn is_full(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull)
}
