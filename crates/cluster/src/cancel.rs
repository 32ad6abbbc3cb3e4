//! Removes a run: its jobs, its outputs and its files.

use crate::address::{Address, Link};
use crate::error::ClusterError;
use crate::record::{Record, now_ms};
use crate::status::{roll_call, submitters};
use crate::submit::runtime;
use crate::{files, names};
use async_nats::jetstream::stream::DirectGetErrorKind;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How long a run's submitter has to end.
const SUBMITTER_ENDS: Duration = Duration::from_secs(10);

/// What was removed of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cancelled {
    /// Its name.
    pub run: String,
    /// Jobs that were queued or being done.
    pub jobs: u64,
    /// Outputs.
    pub outputs: u64,
    /// Files, its manifest among them, that no other run needs.
    pub files: u64,
    /// Whether a submitter was waiting for it; it has been told.
    pub had_submitter: bool,
}

/// What workers are told of a run that is cancelled.
#[derive(Serialize, Deserialize)]
pub(crate) struct Cancel {
    /// Its name.
    pub(crate) run: String,
    /// The last job in the stream: later ones of the same run are of whoever has begun it anew.
    pub(crate) last: u64,
}

impl Cancel {
    /// What was said, if it was this.
    pub(crate) fn read(bytes: &[u8]) -> Option<Cancel> {
        serde_json::from_slice(bytes).ok()
    }
}

/// Cancels a run: its submitter ends, workers leave its jobs, and nothing of it stays but the fact
/// that it was cancelled.
pub fn cancel(address: &Address, run: &str) -> Result<Cancelled, ClusterError> {
    runtime()?.block_on(async {
        let link = address.connect("isrever cancel").await?;
        let mut records = Record::all(&link).await?;
        let record = records.remove(run);
        if let Some(record) = &record {
            Record { cancelled_ms: Some(now_ms()), ..record.clone() }.keep(&link, run).await?;
        }
        let had_submitter = tell_submitter(&link, run).await?;
        let (jobs, outputs) = clear(&link, run).await?;
        let others = records.values().filter(|record| record.cancelled_ms.is_none());
        let needed: BTreeSet<&String> = others.flat_map(Record::stored).collect();
        let mut files = 0;
        for digest in record.iter().flat_map(Record::stored).filter(|file| !needed.contains(file)) {
            files += u64::from(files::remove(&link, digest).await);
        }
        Ok(Cancelled { run: run.to_owned(), jobs, outputs, files, had_submitter })
    })
}

/// Has workers leave the jobs of a run, and removes jobs and outputs. Returns how many.
pub(crate) async fn clear(link: &Link, run: &str) -> Result<(u64, u64), ClusterError> {
    let state = link.jobs.get_info().await;
    let state = state.map_err(|error| ClusterError::server("the server does not tell", &error))?;
    let cancel = Cancel { run: run.to_owned(), last: state.state.last_sequence };
    let cancel = serde_json::to_string(&cancel).expect("it is plain data");
    tell(link, names::CANCELLED.to_owned(), &cancel).await?;
    let jobs = remove_jobs(link, run).await?;
    let failed = |error| ClusterError::server("the outputs cannot be removed", &error);
    let outputs = link.outputs.purge().filter(names::output(run, "*")).await.map_err(failed)?;
    link.outputs.purge().filter(names::trouble(run, "*")).await.map_err(failed)?;
    Ok((jobs, outputs.purged))
}

/// Tells those who listen.
async fn tell(link: &Link, subject: String, word: &str) -> Result<(), ClusterError> {
    let failed = |error: &dyn std::fmt::Display| ClusterError::server("nobody is told", error);
    let told = link.client.publish(subject, word.to_owned().into()).await;
    told.map_err(|error| failed(&error))?;
    link.client.flush().await.map_err(|error| failed(&error))
}

/// Tells the submitter, and waits until it has ended: it might queue jobs again. Returns whether there
/// was one.
async fn tell_submitter(link: &Link, run: &str) -> Result<bool, ClusterError> {
    let expected = BTreeSet::from([run.to_owned()]);
    let had_submitter = submitters(link, &expected).await.contains(run);
    let word = "the run was cancelled by isrever cluster cancel";
    tell(link, names::notices(run), word).await?;
    let begin = Instant::now();
    while had_submitter && begin.elapsed() < SUBMITTER_ENDS {
        let present = roll_call(link, names::SUBMITTERS, Duration::from_millis(400), |answers| {
            answers.iter().any(|answer| answer == run.as_bytes())
        });
        if !present.await.iter().any(|answer| answer == run.as_bytes()) {
            break;
        }
    }
    Ok(had_submitter)
}

/// Takes the jobs of a run off the queue, one by one: Debian's NATS 2.9 loses jobs of other runs when
/// those of one are purged.
async fn remove_jobs(link: &Link, run: &str) -> Result<u64, ClusterError> {
    let (mut removed, mut from) = (0, 1);
    loop {
        let next = link.jobs.direct_get_next_for_subject(names::jobs_of(run), Some(from)).await;
        match next {
            Ok(job) => {
                from = job.sequence + 1;
                // A worker may have done it just now.
                removed += u64::from(link.jobs.delete_message(job.sequence).await.is_ok());
            }
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => break,
            Err(error) => return Err(ClusterError::server("jobs cannot be removed", &error)),
        }
    }
    // The same server does not always find the next job of a subject; the list of subjects is whole.
    let failed = |error| ClusterError::server("the server does not tell of jobs", &error);
    let mut left = link.jobs.info_with_subjects(names::jobs_of(run)).await.map_err(failed)?;
    while let Some(Ok((subject, _))) = left.next().await {
        if let Ok(job) = link.jobs.get_last_raw_message_by_subject(&subject).await {
            removed += u64::from(link.jobs.delete_message(job.sequence).await.is_ok());
        }
    }
    Ok(removed)
}
