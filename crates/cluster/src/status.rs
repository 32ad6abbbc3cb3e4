//! What is queued, and who works.

use crate::address::{Address, Link};
use crate::error::ClusterError;
use crate::files;
use crate::names::{self, Queue};
use crate::record::Record;
use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How long workers have to say who they are.
const ROLL_CALL: Duration = Duration::from_millis(400);

/// How long submitters have, if one does not answer that should.
const SUBMITTERS: Duration = Duration::from_secs(1);

/// How long the server may take to tell of the next outputs.
const NEXT: Duration = Duration::from_secs(10);

/// After this time without any it is asked whether there are more.
const PAUSE: Duration = Duration::from_millis(300);

/// How many outputs are looked through at once.
const BATCH: usize = 1_000;

/// The header in which the server says how long a message is that it does not send.
const SIZE: &str = "Nats-Msg-Size";

/// A worker, as it tells of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// What it calls itself.
    pub worker: String,
    /// The version of its program.
    pub version: String,
    /// How many threads it has for jobs.
    pub threads: usize,
    /// How much memory it has for jobs.
    pub memory_mib: u64,
    /// How fast one of its cores is: positions a second of a fixed search.
    pub speed: f64,
    /// The kinds of jobs that it takes.
    pub kinds: Vec<String>,
    /// The jobs that it is at: `game 17`.
    pub running: Vec<String>,
    /// How many of them are of each run.
    #[serde(default)]
    pub runs: BTreeMap<String, u64>,
    /// How many it has done.
    pub done: u64,
    /// How many attempts failed.
    pub failed: u64,
    /// The manifests whose jobs it cannot do, by digest, and why.
    #[serde(default)]
    pub unfit: BTreeMap<String, String>,
    /// Whether it takes no more.
    pub is_draining: bool,
}

/// Why a worker cannot do jobs that take more memory than it has.
pub(crate) fn short_of_memory(needed_mib: u64, all_mib: u64) -> String {
    format!("a job takes {needed_mib} MiB of memory; this worker has {all_mib}")
}

/// A run that is going on, or was given up and can be resumed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RunStatus {
    /// Its name.
    pub run: String,
    /// What its jobs do; empty if that is not known.
    pub kind: String,
    /// What it is for: the machine and the file of whoever sent it.
    pub title: Option<String>,
    /// When it was begun: milliseconds since 1970.
    pub begun_ms: Option<u64>,
    /// Jobs that wait for workers.
    pub queued: u64,
    /// Jobs that workers are at.
    pub running: u64,
    /// Jobs whose outputs are there.
    pub done: u64,
    /// Jobs that failed too often, or that no worker can do.
    pub failed: u64,
    /// How many jobs it has at most, if that is known; not all of them need be queued yet.
    pub total: Option<u64>,
    /// Whether its submitter is there.
    pub has_submitter: bool,
    /// About how many bytes of the server's disk it takes, with files that other runs share.
    pub bytes: u64,
}

/// The state of a cluster.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Status {
    /// The server.
    pub server: String,
    /// The version of the server's program.
    pub server_version: String,
    /// Jobs in the queue that nobody has begun.
    pub queued: u64,
    /// Jobs that workers are at.
    pub running: u64,
    /// The runs, the oldest first.
    pub runs: Vec<RunStatus>,
    /// The workers that answered.
    pub workers: Vec<WorkerStatus>,
}

/// Asks a cluster for its state.
pub fn status(address: &Address) -> Result<Status, ClusterError> {
    crate::submit::runtime()?.block_on(async {
        let link = address.connect("isrever status").await?;
        let records = Record::all(&link).await?;
        let expected = records.iter().filter(|(_, record)| record.cancelled_ms.is_none());
        let expected: BTreeSet<String> = expected.map(|(run, _)| run.clone()).collect();
        let (workers, present) = tokio::join!(workers(&link), submitters(&link, &expected));
        let mut runs = Runs::default();
        let open = runs.add_jobs(&link).await?;
        runs.add_outputs(&link).await?;
        runs.add_records(&link, &records).await;
        let running: u64 = workers.iter().map(|worker| worker.running.len() as u64).sum();
        Ok(Status {
            server: address.public(),
            server_version: link.client.server_info().version,
            queued: open.saturating_sub(running),
            running: running.min(open),
            runs: runs.list(&workers, &present),
            workers,
        })
    })
}

/// What is gathered about runs, by their names.
#[derive(Default)]
struct Runs {
    known: BTreeMap<String, RunStatus>,
    /// Bytes of what workers have noted about jobs. A note alone is no run: a worker may leave one
    /// when it gives back a job that nobody wants any more.
    notes: BTreeMap<String, u64>,
}

impl Runs {
    fn of(&mut self, run: &str) -> &mut RunStatus {
        self.known
            .entry(run.to_owned())
            .or_insert_with(|| RunStatus { run: run.to_owned(), ..RunStatus::default() })
    }

    /// Adds all jobs, as queued ones, and returns their number.
    async fn add_jobs(&mut self, link: &Link) -> Result<u64, ClusterError> {
        let failed = |error| ClusterError::server("the server does not tell of jobs", &error);
        let mut subjects = link.jobs.info_with_subjects("isrever.jobs.>").await.map_err(failed)?;
        let mut open = 0;
        while let Some(Ok((subject, count))) = subjects.next().await {
            open += count as u64;
            let mut parts = subject.rsplit('.').skip(1);
            let (Some(run), Some(kind)) = (parts.next(), parts.next()) else { continue };
            let run = self.of(run);
            run.queued += count as u64;
            run.kind = Queue::parse(kind).kind;
        }
        let state = link.jobs.get_info().await.map_err(failed)?.state;
        // The server tells how long all are together; jobs of different runs are much alike.
        for run in self.known.values_mut() {
            run.bytes += state.bytes * run.queued / state.messages.max(1);
        }
        Ok(open)
    }

    /// Adds outputs, and what workers have noted. The server sends their headers alone.
    async fn add_outputs(&mut self, link: &Link) -> Result<(), ClusterError> {
        let failed = |error: &dyn std::fmt::Display| {
            ClusterError::server("the server does not tell of outputs", error)
        };
        let config = pull::Config {
            headers_only: true,
            ack_policy: AckPolicy::None,
            inactive_threshold: 3 * NEXT,
            memory_storage: true,
            ..pull::Config::default()
        };
        let created = link.outputs.create_consumer(config).await;
        let mut consumer = created.map_err(|error| failed(&error))?;
        let mut left = consumer.cached_info().num_pending;
        let messages = consumer.stream().max_messages_per_batch(BATCH).expires(NEXT);
        let mut messages = messages.messages().await.map_err(|error| failed(&error))?;
        let mut heard = Instant::now();
        while left > 0 && heard.elapsed() < NEXT {
            match tokio::time::timeout(PAUSE, messages.next()).await {
                Ok(Some(message)) => {
                    let message = message.map_err(|error| failed(&error))?;
                    left = message.info().map_err(|error| failed(&error))?.pending;
                    self.add_output(&message.subject, message.headers.as_ref());
                    heard = Instant::now();
                }
                Ok(None) => break,
                // A run that is over takes its outputs with it.
                Err(_) => left = consumer.info().await.map_or(0, |info| info.num_pending),
            }
        }
        let _ = link.outputs.delete_consumer(&consumer.cached_info().name).await;
        Ok(())
    }

    /// Adds an output or a note.
    fn add_output(&mut self, subject: &str, headers: Option<&HeaderMap>) {
        let parts: Vec<&str> = subject.split('.').collect();
        let [_, what, run, _] = parts[..] else { return };
        let header = |name: &str| Some(headers?.get(name)?.as_str());
        let bytes: u64 = header(SIZE).and_then(|size| size.parse().ok()).unwrap_or(0);
        let bytes = bytes + subject.len() as u64;
        if what != "outputs" {
            *self.notes.entry(run.to_owned()).or_insert(0) += bytes;
            return;
        }
        let run = self.of(run);
        run.bytes += bytes;
        match header(names::FAILURE) {
            None => run.done += 1,
            Some(_) => run.failed += 1,
        }
    }

    /// Adds what is known of runs that are not cancelled.
    async fn add_records(&mut self, link: &Link, records: &BTreeMap<String, Record>) {
        let mut sizes = BTreeMap::new();
        for (name, record) in records.iter().filter(|(_, record)| record.cancelled_ms.is_none()) {
            let mut bytes = 0;
            for digest in record.stored() {
                if !sizes.contains_key(digest) {
                    sizes.insert(digest, files::size(link, digest).await.unwrap_or(0));
                }
                bytes += sizes[digest];
            }
            let run = self.of(name);
            run.kind.clone_from(&record.kind);
            run.title = Some(record.title.clone());
            run.begun_ms = Some(record.begun_ms);
            run.total = record.total;
            run.bytes += bytes;
        }
    }

    /// All of them, the oldest first, with who is at them.
    fn list(mut self, workers: &[WorkerStatus], present: &BTreeSet<String>) -> Vec<RunStatus> {
        for run in self.known.values_mut() {
            let at_it = workers.iter().filter_map(|worker| worker.runs.get(&run.run));
            // A job that is just done is off the queue already.
            run.running = at_it.sum::<u64>().min(run.queued);
            run.queued -= run.running;
            run.has_submitter = present.contains(&run.run);
            run.bytes += self.notes.get(&run.run).unwrap_or(&0);
        }
        let mut runs: Vec<RunStatus> = self.known.into_values().collect();
        // Those of the same time, and those without one, by name.
        runs.sort_by_key(|run| run.begun_ms);
        runs
    }
}

/// What is answered to a call on a subject within a time, or until it is enough.
pub(crate) async fn roll_call(
    link: &Link,
    subject: &'static str,
    time: Duration,
    is_enough: impl Fn(&[Vec<u8>]) -> bool,
) -> Vec<Vec<u8>> {
    let mut heard = Vec::new();
    let inbox = link.client.new_inbox();
    let Ok(answers) = link.client.subscribe(inbox.clone()).await else { return heard };
    let asked = link.client.publish_with_reply(subject, inbox, "".into()).await;
    if asked.is_err() || link.client.flush().await.is_err() {
        return heard;
    }
    let mut answers = answers.take_until(Box::pin(tokio::time::sleep(time)));
    while !is_enough(&heard)
        && let Some(answer) = answers.next().await
    {
        heard.push(answer.payload.to_vec());
    }
    heard
}

/// The workers that answer a call.
pub(crate) async fn workers(link: &Link) -> Vec<WorkerStatus> {
    let answers = roll_call(link, names::WHO, ROLL_CALL, |_| false).await;
    let workers = answers.iter().filter_map(|answer| serde_json::from_slice(answer).ok());
    let mut workers: Vec<WorkerStatus> = workers.collect();
    workers.sort_by(|one, other| one.worker.cmp(&other.worker));
    workers
}

/// The runs whose submitters answer a call; no longer than until all that are expected have.
pub(crate) async fn submitters(link: &Link, expected: &BTreeSet<String>) -> BTreeSet<String> {
    let name = |answer: &Vec<u8>| String::from_utf8_lossy(answer).into_owned();
    let is_enough = |heard: &[Vec<u8>]| {
        let heard: BTreeSet<String> = heard.iter().map(name).collect();
        heard.is_superset(expected)
    };
    let answers = roll_call(link, names::SUBMITTERS, SUBMITTERS, is_enough).await;
    answers.iter().map(name).collect()
}
