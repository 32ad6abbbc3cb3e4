//! Reads tournaments from the arena's database.
//!
//! A running tournament may write to it at the same time. Queries run one at a
//! time, on a thread that may block.

use crate::refusal::{Code, Refusal};
use isrever_arena::{Store, StoreError};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The arena's database, if there is one. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct Tournaments(Option<Arc<Mutex<Store>>>);

impl Tournaments {
    /// The database at `path`, or none.
    pub(crate) fn open(path: Option<&Path>) -> Result<Tournaments, StoreError> {
        let store = path.map(Store::open).transpose()?;
        Ok(Tournaments(store.map(|store| Arc::new(Mutex::new(store)))))
    }

    /// Asks the database; nothing if there is none.
    pub(crate) async fn ask<R: Send + 'static>(
        &self,
        question: impl FnOnce(&Store) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<Option<R>, Refusal> {
        let Some(store) = self.0.clone() else { return Ok(None) };
        let work = move || question(&store.lock().unwrap_or_else(PoisonError::into_inner));
        match tokio::task::spawn_blocking(work).await {
            Ok(Ok(found)) => Ok(Some(found)),
            Ok(Err(StoreError::NoTournament { .. })) => Err(unknown()),
            _ => Err(Refusal::new(Code::Internal, "the tournaments cannot be read just now")),
        }
    }
}

/// There is no such tournament, or game of it.
pub(crate) fn unknown() -> Refusal {
    Refusal::not_found("no such tournament or game; expected one that /api/tournaments lists")
}

/// The name of a player and its version, if it says one: `name@version`, `name v3`, `name-v3`.
pub(crate) fn versioned(name: &str) -> Option<(&str, &str)> {
    if let Some((name, version)) = name.rsplit_once('@') {
        return Some((name, version))
            .filter(|(name, version)| !name.is_empty() && !version.is_empty());
    }
    let (name, version) = name.rsplit_once([' ', '-'])?;
    let digits = version.strip_prefix('v')?;
    let is_version = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    (is_version && !name.is_empty()).then_some((name, version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_from_names() {
        for (name, parts) in [
            ("engine@v2", Some(("engine", "v2"))),
            ("engine:level=5@2026-11", Some(("engine:level=5", "2026-11"))),
            ("my agent v3", Some(("my agent", "v3"))),
            ("my-agent-v1.2", Some(("my-agent", "v1.2"))),
            ("greedy", None),
            ("greedy-invincible", None),
            ("a v", None),
            ("@2", None),
            ("-v2", None),
        ] {
            assert_eq!(versioned(name), parts, "{name}");
        }
    }
}
