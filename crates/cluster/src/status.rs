//! What is queued, and who works.

use crate::address::{Address, Link};
use crate::error::ClusterError;
use crate::names::{self, Queue};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long workers have to say who they are.
const ROLL_CALL: Duration = Duration::from_millis(400);

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

/// A run that has jobs in the queue, or outputs that nobody has fetched yet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunStatus {
    /// Its name.
    pub run: String,
    /// What its jobs do.
    pub kind: String,
    /// Jobs that are queued or being done.
    pub open: u64,
    /// Jobs that are done or set aside.
    pub done: u64,
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
    /// The runs.
    pub runs: Vec<RunStatus>,
    /// The workers that answered.
    pub workers: Vec<WorkerStatus>,
}

/// Asks a cluster for its state.
pub fn status(address: &Address) -> Result<Status, ClusterError> {
    crate::submit::runtime()?.block_on(async {
        let link = address.connect("isrever status").await?;
        let workers = workers(&link).await;
        let failed = |error| ClusterError::server("the server does not tell", &error);
        let jobs = link.jobs.info_with_subjects("isrever.jobs.>").await.map_err(failed)?;
        let mut runs = Vec::<RunStatus>::new();
        let mut subjects = jobs;
        let mut open = 0;
        while let Some(Ok((subject, count))) = subjects.next().await {
            open += count as u64;
            let mut parts = subject.rsplit('.').skip(1);
            let (Some(run), Some(kind)) = (parts.next(), parts.next()) else { continue };
            match runs.iter_mut().find(|known| known.run == run) {
                Some(known) => known.open += count as u64,
                None => {
                    let (run, kind) = (run.to_owned(), Queue::parse(kind).kind);
                    runs.push(RunStatus { run, kind, open: count as u64, done: 0 });
                }
            }
        }
        for run in &mut runs {
            let filter = names::output(&run.run, "*");
            let outputs = link.outputs.info_with_subjects(filter).await.map_err(failed)?;
            run.done = outputs.filter(|each| std::future::ready(each.is_ok())).count().await as u64;
        }
        let running: u64 = workers.iter().map(|worker| worker.running.len() as u64).sum();
        Ok(Status {
            server: address.public(),
            server_version: link.client.server_info().version,
            queued: open.saturating_sub(running),
            running: running.min(open),
            runs,
            workers,
        })
    })
}

/// The workers that answer a call.
pub(crate) async fn workers(link: &Link) -> Vec<WorkerStatus> {
    let inbox = link.client.new_inbox();
    let Ok(answers) = link.client.subscribe(inbox.clone()).await else { return Vec::new() };
    let asked = link.client.publish_with_reply(names::WHO, inbox, "".into()).await;
    if asked.is_err() || link.client.flush().await.is_err() {
        return Vec::new();
    }
    let mut answers = answers.take_until(Box::pin(tokio::time::sleep(ROLL_CALL)));
    let mut workers: Vec<WorkerStatus> = Vec::new();
    while let Some(answer) = answers.next().await {
        workers.extend(serde_json::from_slice::<WorkerStatus>(&answer.payload).ok());
    }
    workers.sort_by(|one, other| one.worker.cmp(&other.worker));
    workers
}
