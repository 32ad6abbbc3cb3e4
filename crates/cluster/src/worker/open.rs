//! The pieces of work that a worker has open.

use crate::address::Link;
use crate::error::ClusterError;
use crate::files::{self, FileError, Files};
use crate::wire::Sent;
use crate::worker::{Opener, Unopened};
use isrever_jobs::{AnyWork, Performer};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use tokio::sync::Mutex;

/// The most pieces of work that are open at once.
const MOST_OPEN: usize = 16;

/// A piece of work, and its idle performers.
pub(super) struct Open {
    work: Arc<dyn AnyWork>,
    pub(super) sent: Sent,
    idle: std::sync::Mutex<Vec<Box<dyn Performer>>>,
}

impl Open {
    /// A performer for one job.
    pub(super) fn performer(&self) -> Box<dyn Performer> {
        let free = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.unwrap_or_else(|| Arc::clone(&self.work).performer())
    }

    /// Keeps a performer for the next job.
    pub(super) fn give_back(&self, performer: Box<dyn Performer>) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(performer);
    }
}

/// Why a piece of work cannot be opened.
pub(super) enum OpenError {
    /// It was not to be had; it may be another time.
    Unavailable(ClusterError),
    /// It cannot be done, or not here.
    Unopened(Unopened),
}

impl From<FileError> for OpenError {
    fn from(error: FileError) -> OpenError {
        match error {
            FileError::Unavailable(error) => OpenError::Unavailable(error),
            // No worker has it, and more attempts change nothing.
            FileError::Altered(reason) => OpenError::Unopened(Unopened::Refused(reason)),
        }
    }
}

/// The pieces of work that a worker has open, by the digest of their manifest.
pub(super) struct OpenWork {
    files: Files,
    open: Mutex<HashMap<String, Arc<Open>>>,
}

impl OpenWork {
    pub(super) fn new(files: Files) -> OpenWork {
        OpenWork { files, open: Mutex::default() }
    }

    /// A piece of work.
    pub(super) async fn open(
        &self,
        link: &Link,
        digest: &str,
        open: &Opener,
    ) -> Result<Arc<Open>, OpenError> {
        // Whoever wants the same waits until it is open.
        let mut known = self.open.lock().await;
        if let Some(open) = known.get(digest) {
            return Ok(Arc::clone(open));
        }
        let bytes = files::expect(link, digest, "the manifest").await?;
        let refused = |error: &dyn std::fmt::Display| OpenError::Unopened(error.to_string().into());
        let sent: Sent = serde_json::from_slice(&bytes)
            .map_err(|error| refused(&format_args!("not a manifest: {error}")))?;
        let mut paths = HashMap::<&str, PathBuf>::new();
        for file in &sent.files {
            let path = self.files.fetch(link, file).await?;
            paths.insert(&file.name, path);
        }
        let work = open(&sent, &|name| paths.get(name).cloned()).map_err(OpenError::Unopened)?;
        if known.len() >= MOST_OPEN {
            known.clear();
        }
        let opened = Arc::new(Open { work, sent, idle: std::sync::Mutex::default() });
        known.insert(digest.to_owned(), Arc::clone(&opened));
        Ok(opened)
    }
}
