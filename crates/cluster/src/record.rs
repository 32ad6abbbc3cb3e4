//! What the server knows of a run beside its jobs and outputs.

use crate::address::Link;
use crate::error::{ClusterError, is_full};
use crate::names;
use async_nats::jetstream::stream::DirectGetErrorKind;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// What is known of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    /// What its jobs do.
    pub(crate) kind: String,
    /// What it is for, in words for people.
    pub(crate) title: String,
    /// When it was begun: milliseconds since 1970.
    pub(crate) begun_ms: u64,
    /// How many jobs it has at most, if that is known.
    pub(crate) total: Option<u64>,
    /// The digest of its manifest.
    pub(crate) manifest: String,
    /// The digests of its files.
    pub(crate) files: Vec<String>,
    /// When it was cancelled, if it was.
    pub(crate) cancelled_ms: Option<u64>,
}

impl Record {
    /// What is known of a run, if there is one.
    pub(crate) async fn find(link: &Link, run: &str) -> Result<Option<Record>, ClusterError> {
        match link.runs.direct_get_last_for_subject(names::record(run)).await {
            // What cannot be read is of another version, and nothing is known.
            Ok(message) => Ok(serde_json::from_slice(&message.payload).ok()),
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
            Err(error) => Err(ClusterError::server("the server does not tell of runs", &error)),
        }
    }

    /// What is known of all runs, by their names.
    pub(crate) async fn all(link: &Link) -> Result<BTreeMap<String, Record>, ClusterError> {
        let failed = |error| ClusterError::server("the server does not tell of runs", &error);
        let mut subjects =
            link.runs.info_with_subjects(names::record("*")).await.map_err(failed)?;
        let mut records = BTreeMap::new();
        while let Some(Ok((subject, _))) = subjects.next().await {
            let run = subject.rsplit('.').next().unwrap_or_default();
            if let Some(record) = Record::find(link, run).await? {
                records.insert(run.to_owned(), record);
            }
        }
        Ok(records)
    }

    /// Has the server keep it.
    pub(crate) async fn keep(&self, link: &Link, run: &str) -> Result<(), ClusterError> {
        let bytes = serde_json::to_vec(self).expect("it is plain data");
        let kept = match link.context.publish(names::record(run), bytes.into()).await {
            Ok(acknowledged) => acknowledged.await.map(drop),
            Err(error) => Err(error),
        };
        kept.map_err(|error| match is_full(&error) {
            true => ClusterError::full(),
            false => ClusterError::server("the server does not keep the run", &error),
        })
    }

    /// The digests of all that it has in the store.
    pub(crate) fn stored(&self) -> impl Iterator<Item = &String> {
        self.files.iter().chain([&self.manifest])
    }
}

/// Has the server forget what is known of a run.
pub(crate) async fn forget(link: &Link, run: &str) {
    // Whatever fails here is removed by the server in time.
    let _ = link.runs.purge().filter(names::record(run)).await;
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}
