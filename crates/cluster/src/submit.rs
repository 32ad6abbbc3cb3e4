//! Gives jobs out and takes outputs in.

use crate::address::{Address, Link};
use crate::cancel::clear;
use crate::collect::{Collected, Collector, Content};
use crate::error::{ClusterError, is_full, persist, told, with_causes};
use crate::names::Queue;
use crate::record::{self, Record, now_ms};
use crate::status::{WorkerStatus, short_of_memory, workers};
use crate::wire::{Sent, SentFile, digest};
use crate::{files, names};
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use futures_util::StreamExt;
use isrever_jobs::{Attachment, Done, Manifest, Next, Remote, RemoteError, Tasks};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

/// How often the submitter looks at the flag that stops it.
const POLL: Duration = Duration::from_millis(50);

/// How often it counts the workers.
const ROLL_CALL: Duration = Duration::from_secs(5);

/// How often it makes sure that what is awaited is in the queue, or done.
const RECONCILE: Duration = Duration::from_secs(20);

/// How long a server that is there may answer nothing that it is asked about its streams. One that is
/// frozen counts as away before.
const STALLED: Duration = Duration::from_secs(20);

/// How long it waits for a server that was there to come back before it has begun.
const RETURN: Duration = Duration::from_secs(60);

/// How long workers have to come back after the server did, before they count as gone.
const WORKERS_RETURN: Duration = Duration::from_secs(15);

/// How long removing what is not wanted any more may take.
const TIDYING: Duration = Duration::from_secs(10);

/// Jobs given out beyond those that workers have threads for, so that none waits for a job.
const RESERVE: usize = 64;

/// What is to be told while jobs are done elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// So many workers with so many threads take these jobs.
    Workers {
        /// Workers that take them.
        fit: usize,
        /// Their threads.
        threads: usize,
        /// Other workers, and why each does not.
        unfit: Vec<(String, Unfit)>,
    },
    /// The run was cancelled so many seconds ago, and begins anew.
    Cancelled {
        /// The seconds.
        age_s: u64,
    },
    /// The server is away: it is waited for.
    Away,
    /// The server is back.
    Back,
    /// A job failed too often.
    SetAside {
        /// Its number.
        number: u64,
        /// Why.
        reason: String,
    },
}

/// Why a worker does not take the jobs of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// Its program has this version.
    Version(String),
    /// It takes other kinds of jobs.
    Kind,
    /// Its cores are slower than this many positions a second.
    Speed(u64),
    /// Its machine lacks something.
    Machine(String),
}

/// A cluster, for those who have jobs for it.
pub struct Cluster {
    /// Its server.
    pub address: Address,
    /// The version of this program.
    pub version: String,
    /// What tells this run from others of the same manifest: a run with the same purpose goes on
    /// with the outputs of one that was killed.
    pub purpose: String,
    /// What the run is for, in words for people: the machine and the file.
    pub title: String,
    /// Is told what happens.
    pub tell: Box<dyn Fn(News) + Send + Sync>,
}

/// A runtime for the connection; what it waits for takes little time.
pub(crate) fn runtime() -> Result<Runtime, ClusterError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(|error| ClusterError::server("no threads", &error))
}

impl Remote for Cluster {
    fn run(
        &self,
        manifest: &Manifest,
        tasks: &mut dyn Tasks,
        stop: &AtomicBool,
    ) -> Result<(), RemoteError> {
        let runtime = runtime()?;
        Ok(runtime.block_on(self.submit(manifest, tasks, stop))?)
    }

    fn forget(&self, manifest: &Manifest) {
        // Whatever fails here is removed by the server in time.
        if let Ok(runtime) = runtime() {
            let _ = runtime.block_on(self.clear(manifest));
        }
    }
}

impl Cluster {
    /// How long a server that may just be starting has to answer.
    pub const PATIENCE: Duration = Duration::from_secs(5);

    async fn submit(
        &self,
        manifest: &Manifest,
        tasks: &mut dyn Tasks,
        stop: &AtomicBool,
    ) -> Result<(), ClusterError> {
        let files = read(manifest)?;
        let is_stopped = |_: &ClusterError| stop.load(Relaxed);
        let link = self.connect(stop).await?;
        let total = tasks.total();
        let begin = || self.begin(&link, manifest, &files, total);
        let mut run = persist(RETURN, is_stopped, begin).await?;
        let result = run.go(tasks, stop).await;
        run.tidy(matches!(result, Ok(End::Over))).await;
        result.map(drop)
    }

    /// Connects. A command with many runs, such as a training loop, connects for each: a server that is
    /// away between two of them was there before, and will come back.
    async fn connect(&self, stop: &AtomicBool) -> Result<Link, ClusterError> {
        let mut is_away = false;
        let failed = |_: &ClusterError| {
            if !std::mem::replace(&mut is_away, true) {
                (self.tell)(News::Away);
            }
            stop.load(Relaxed)
        };
        let link = persist(RETURN, failed, || self.address.connect("isrever submit")).await?;
        if is_away {
            (self.tell)(News::Back);
        }
        Ok(link)
    }

    /// Stores the manifest and its files, and begins a run.
    async fn begin<'a>(
        &'a self,
        link: &'a Link,
        manifest: &Manifest,
        files: &[(&str, Vec<u8>)],
        total: Option<u64>,
    ) -> Result<Run<'a>, ClusterError> {
        let sent = self.sent(manifest, files);
        let bytes = serde_json::to_vec(&sent).expect("it is plain data");
        let digest = digest(&bytes);
        let name = self.run_name(&digest);
        let record = Record {
            kind: manifest.kind.to_owned(),
            title: self.title.clone(),
            begun_ms: now_ms(),
            total,
            manifest: digest.clone(),
            files: sent.files.iter().map(|file| file.digest.clone()).collect(),
            cancelled_ms: None,
        };
        self.enter(link, &name, record).await?;
        // After the record: whoever cancels another run leaves what this one needs.
        for (_, bytes) in files {
            files::put(link, bytes).await?;
        }
        files::put(link, &bytes).await?;
        let queue = Queue { kind: manifest.kind.to_owned(), speed: manifest.speed };
        let memory_mib = manifest.memory_bytes.div_ceil(1 << 20);
        Run::new(self, link, name, queue, digest, memory_mib).await
    }

    /// Removes what a run has left.
    async fn clear(&self, manifest: &Manifest) -> Result<(), ClusterError> {
        let sent = self.sent(manifest, &read(manifest)?);
        let bytes = serde_json::to_vec(&sent).expect("it is plain data");
        let run = self.run_name(&digest(&bytes));
        let link = self.address.connect("isrever submit").await?;
        clear(&link, &run).await?;
        record::forget(&link, &run).await;
        Ok(())
    }

    /// A manifest with its files, as it is sent.
    fn sent(&self, manifest: &Manifest, files: &[(&str, Vec<u8>)]) -> Sent {
        let file = |(name, bytes): &(&str, Vec<u8>)| SentFile {
            name: (*name).to_owned(),
            digest: digest(bytes),
        };
        Sent::new(&self.version, manifest, files.iter().map(file).collect())
    }

    /// The name of the run of a manifest.
    fn run_name(&self, manifest: &str) -> String {
        digest(format!("{manifest} {}", self.purpose).as_bytes())[..16].to_owned()
    }

    /// Makes the run known, as one that was begun when it was begun first.
    async fn enter(&self, link: &Link, run: &str, new: Record) -> Result<(), ClusterError> {
        let begun_ms = match Record::find(link, run).await? {
            Some(Record { cancelled_ms: Some(time), .. }) => {
                (self.tell)(News::Cancelled { age_s: now_ms().saturating_sub(time) / 1000 });
                new.begun_ms
            }
            Some(earlier) => earlier.begun_ms,
            None => new.begun_ms,
        };
        Record { begun_ms, ..new }.keep(link, run).await
    }
}

/// The files of a manifest.
fn read(manifest: &Manifest) -> Result<Vec<(&str, Vec<u8>)>, ClusterError> {
    let files = manifest.attachments.iter().map(|Attachment { name, path }| {
        let bytes = fs::read(path).map_err(|error| ClusterError::file(path, &error))?;
        Ok((name.as_str(), bytes))
    });
    files.collect()
}

/// How a run ended that did not fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// All is done.
    Over,
    /// It was stopped, or no more was wanted: what is done is kept for whoever asks again.
    Stopped,
}

/// A run that is going on.
struct Run<'a> {
    cluster: &'a Cluster,
    link: &'a Link,
    /// Its name.
    name: String,
    queue: Queue,
    manifest: String,
    /// What a job takes.
    memory_mib: u64,
    /// Whether an earlier process has left outputs.
    is_resumed: bool,
    /// Jobs that were given out and are not done.
    awaited: HashMap<u64, Vec<u8>>,
    /// Jobs that failed too often, and why.
    set_aside: BTreeMap<u64, String>,
    publishing: JoinSet<Result<(), ClusterError>>,
    /// How many jobs may be given out at once.
    window: usize,
    /// The sequence number of the first output that is read as it comes.
    from: u64,
    /// Whether the server is away.
    is_away: bool,
    /// When it came back.
    back: Option<Instant>,
    /// Since when it is there and does not answer.
    unanswered: Option<Instant>,
}

impl<'a> Run<'a> {
    async fn new(
        cluster: &'a Cluster,
        link: &'a Link,
        name: String,
        queue: Queue,
        manifest: String,
        memory_mib: u64,
    ) -> Result<Run<'a>, ClusterError> {
        // Workers find their jobs by it.
        link.consumer(&cluster.version, &queue).await?;
        let state = link.outputs.get_info().await;
        let state = state.map_err(|error| ClusterError::server("no outputs", &error))?.state;
        let outputs = names::output(&name, "*");
        let is_resumed = link.outputs.get_last_raw_message_by_subject(&outputs).await.is_ok();
        Ok(Run {
            cluster,
            link,
            name,
            queue,
            manifest,
            memory_mib,
            is_resumed,
            awaited: HashMap::new(),
            set_aside: BTreeMap::new(),
            publishing: JoinSet::new(),
            window: RESERVE,
            from: state.last_sequence + 1,
            is_away: false,
            back: None,
            unanswered: None,
        })
    }

    async fn go(&mut self, tasks: &mut dyn Tasks, stop: &AtomicBool) -> Result<End, ClusterError> {
        let mut reading = JoinSet::new();
        reading.spawn(answer(self.link.clone(), self.name.clone()));
        let collector = Collector::new(self.link, &self.name, self.from);
        let mut outputs = collector.start(&mut reading);
        let heard = self.link.client.subscribe(names::notices(&self.name)).await;
        let mut notices =
            heard.map_err(|error| ClusterError::server("nothing is heard", &error))?;
        let mut poll = tokio::time::interval(POLL);
        let mut roll_call = tokio::time::interval(ROLL_CALL);
        let mut reconcile = tokio::time::interval(RECONCILE);
        reconcile.reset();
        for interval in [&mut roll_call, &mut reconcile] {
            interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        }
        let mut calls: JoinSet<Vec<WorkerStatus>> = JoinSet::new();
        let mut early = Vec::new();
        loop {
            let is_over = self.give_out(tasks, &mut early).await;
            for collected in std::mem::take(&mut early) {
                if !self.take(collected, tasks)? {
                    return Ok(End::Stopped);
                }
            }
            if self.awaited.is_empty() && (is_over || !self.set_aside.is_empty()) {
                return self.end();
            }
            tokio::select! {
                Some(collected) = outputs.recv() => {
                    if !self.take(collected, tasks)? {
                        return Ok(End::Stopped);
                    }
                }
                Some(notice) = notices.next() => {
                    return Err(ClusterError::new(String::from_utf8_lossy(&notice.payload)));
                }
                Some(published) = self.publishing.join_next() => {
                    published.unwrap_or_else(|error| Err(ClusterError::new(error)))?;
                }
                Some(Ok(present)) = calls.join_next() => self.count(&present),
                _ = poll.tick() => {
                    if stop.load(Relaxed) {
                        return Ok(End::Stopped);
                    }
                    self.look();
                }
                // Nobody answers, and nothing is found, while the server is away.
                _ = roll_call.tick(), if !self.is_away => {
                    let link = self.link.clone();
                    calls.spawn(async move { workers(&link).await });
                }
                _ = reconcile.tick(), if !self.is_away => early.extend(self.reconcile().await?),
            }
        }
    }

    /// Gives out as many jobs as workers can do; `true` if there are no more.
    async fn give_out(&mut self, tasks: &mut dyn Tasks, early: &mut Vec<Collected>) -> bool {
        while self.awaited.len() < self.window {
            match tasks.next() {
                Next::Job(number, job) => {
                    self.awaited.insert(number, job);
                    // What an earlier process had done is not done again.
                    match self.is_resumed {
                        true => match self.left(number).await {
                            Some(collected) => early.push(collected),
                            None => self.publish(number),
                        },
                        false => self.publish(number),
                    }
                }
                Next::Wait => return false,
                Next::Nothing => return true,
            }
        }
        false
    }

    /// What an earlier process has left of a job. One that was set aside is tried again: other
    /// workers may be there now.
    async fn left(&self, number: u64) -> Option<Collected> {
        let left = Collected::find(self.link, &self.name, number).await?;
        if matches!(left.content, Content::Output(_)) {
            return Some(left);
        }
        let number = number.to_string();
        for subject in [names::output(&self.name, &number), names::trouble(&self.name, &number)] {
            let _ = self.link.outputs.purge().filter(subject).await;
        }
        None
    }

    /// The subject of a job.
    fn subject(&self, number: u64) -> String {
        self.queue.job(&self.cluster.version, &self.name, number)
    }

    /// Puts a job into the queue unless it is there, however long the server is away.
    fn publish(&mut self, number: u64) {
        let Some(job) = self.awaited.get(&number) else { return };
        let message = PublishMessage::build()
            .payload(job.clone().into())
            .header(names::MANIFEST, self.manifest.as_str());
        let (link, subject) = (self.link.clone(), self.subject(number));
        self.publishing.spawn(async move { publish(&link, &subject, message).await });
    }

    /// Takes what came back for a job; `false` if no more is wanted.
    fn take(&mut self, collected: Collected, tasks: &mut dyn Tasks) -> Result<bool, ClusterError> {
        let Collected { number, origin, content } = collected;
        if self.awaited.remove(&number).is_none() {
            return Ok(true);
        }
        match content {
            Content::Output(output) => Ok(tasks.take(Done { number, output, origin })),
            Content::Refused(reason) => {
                let who = origin.map_or_else(|| "a worker".to_owned(), |origin| origin.worker);
                Err(ClusterError::new(format_args!("{who} cannot do these jobs: {reason}")))
            }
            Content::SetAside(reason) => {
                let news = News::SetAside { number, reason: reason.clone() };
                (self.cluster.tell)(news);
                self.set_aside.insert(number, reason);
                Ok(true)
            }
        }
    }

    /// Tells when the server goes away and comes back.
    fn look(&mut self) {
        let is_away = self.link.is_away();
        if is_away != self.is_away {
            self.is_away = is_away;
            self.back = (!is_away).then(Instant::now);
            (self.cluster.tell)(if is_away { News::Away } else { News::Back });
        }
    }

    /// Whether workers may be on their way back to the server.
    fn are_returning(&self) -> bool {
        self.link.is_away()
            || self.is_away
            || self.back.is_some_and(|back| back.elapsed() < WORKERS_RETURN)
    }

    /// Learns who is there.
    fn count(&mut self, present: &[WorkerStatus]) {
        let (mut fit, mut threads, mut unfit) = (0, 0, Vec::new());
        for worker in present {
            match self.unfit(worker) {
                Some(why) => unfit.push((worker.worker.clone(), why)),
                None => (fit, threads) = (fit + 1, threads + worker.threads),
            }
        }
        if fit == 0 && self.are_returning() {
            return;
        }
        self.window = RESERVE + 3 * threads;
        (self.cluster.tell)(News::Workers { fit, threads, unfit });
    }

    /// Why a worker does not take these jobs, if it does not.
    fn unfit(&self, worker: &WorkerStatus) -> Option<Unfit> {
        if worker.version != self.cluster.version {
            return Some(Unfit::Version(worker.version.clone()));
        }
        if !worker.kinds.contains(&self.queue.kind) {
            return Some(Unfit::Kind);
        }
        if let Some(speed) = self.queue.speed.filter(|_| !self.queue.takes(worker.speed)) {
            return Some(Unfit::Speed(speed));
        }
        let lacking = worker.unfit.get(&self.manifest).cloned();
        let memory = self.memory_mib > worker.memory_mib;
        let lacking =
            lacking.or_else(|| memory.then(|| short_of_memory(self.memory_mib, worker.memory_mib)));
        lacking.map(Unfit::Machine)
    }

    /// Makes sure that what is awaited is in the queue or done: a server whose machine broke down
    /// may have forgotten the last seconds. Returns outputs that were overlooked.
    async fn reconcile(&mut self) -> Result<Vec<Collected>, ClusterError> {
        let mut found = Vec::new();
        if !self.is_answered().await? {
            return Ok(found);
        }
        // So that a consumer that was lost is made anew.
        let _ = self.link.consumer(&self.cluster.version, &self.queue).await;
        if !self.publishing.is_empty() {
            return Ok(found);
        }
        let numbers: Vec<u64> = self.awaited.keys().copied().collect();
        for number in numbers {
            match Collected::find(self.link, &self.name, number).await {
                Some(collected) => found.push(collected),
                None => self.publish(number),
            }
        }
        Ok(found)
    }

    /// Whether the server answers. Debian's NATS 2.9 whose disk is full says nothing, neither to us nor in
    /// its log, and would be waited for without end.
    async fn is_answered(&mut self) -> Result<bool, ClusterError> {
        if self.link.outputs.get_info().await.is_ok() {
            self.unanswered = None;
            return Ok(true);
        }
        if self.link.is_away() {
            self.unanswered = None;
            return Ok(false);
        }
        let since = *self.unanswered.get_or_insert_with(Instant::now);
        match since.elapsed() < STALLED {
            true => Ok(false),
            false => Err(ClusterError::new(
                "the server is there and keeps nothing any more; \
                 expected free space on its disk, and that it is started again then",
            )),
        }
    }

    /// How it ended, when nothing more can be done.
    fn end(&self) -> Result<End, ClusterError> {
        let Some((number, reason)) = self.set_aside.first_key_value() else {
            return Ok(End::Over);
        };
        let jobs = match self.set_aside.len() {
            1 => format!("job {number} was set aside"),
            count => format!("{count} jobs were set aside, the first of them job {number}"),
        };
        Err(ClusterError::new(format_args!("{jobs}: {reason}; the others are done")))
    }

    /// Removes the jobs that are not wanted any more and, if all is done, what workers have written.
    async fn tidy(&self, is_over: bool) {
        // While the server is away nobody can be asked, and it may be away for long.
        if self.link.is_away() || self.unanswered.is_some() {
            return;
        }
        // Whatever fails here is removed by the server in time. One by one: Debian's NATS 2.9 loses
        // jobs of other runs when those of one are purged.
        let jobs = self.awaited.keys().map(|&number| async move {
            let queued =
                self.link.jobs.get_last_raw_message_by_subject(&self.subject(number)).await;
            if let Ok(queued) = queued {
                let _ = self.link.jobs.delete_message(queued.sequence).await;
            }
        });
        let removed = futures_util::stream::iter(jobs).buffer_unordered(RESERVE).collect::<()>();
        let _ = tokio::time::timeout(TIDYING, removed).await;
        let _ = tokio::time::timeout(TIDYING, self.tidy_outputs(is_over)).await;
        let _ = tokio::time::timeout(TIDYING, self.link.client.flush()).await;
    }

    /// Removes outputs if all is done, and what is known of the run if nothing of it is left.
    async fn tidy_outputs(&self, is_over: bool) {
        let outputs = names::output(&self.name, "*");
        if is_over {
            for subject in [outputs, names::trouble(&self.name, "*")] {
                let _ = self.link.outputs.purge().filter(subject).await;
            }
            return record::forget(self.link, &self.name).await;
        }
        let kept = self.link.outputs.get_last_raw_message_by_subject(&outputs).await;
        let is_empty =
            kept.is_err_and(|error| error.kind() == LastRawMessageErrorKind::NoMessageFound);
        // That it was cancelled is to be known to whoever begins it again.
        let is_cancelled = Record::find(self.link, &self.name).await;
        let is_cancelled = is_cancelled
            .is_ok_and(|record| record.is_some_and(|record| record.cancelled_ms.is_some()));
        if is_empty && !is_cancelled {
            record::forget(self.link, &self.name).await;
        }
    }
}

/// Answers those who ask which runs have submitters.
async fn answer(link: Link, run: String) {
    loop {
        if let Ok(mut calls) = link.client.subscribe(names::SUBMITTERS).await {
            while let Some(call) = calls.next().await {
                let Some(inbox) = call.reply else { continue };
                let _ = link.client.publish(inbox, run.clone().into()).await;
            }
        }
        tokio::time::sleep(POLL).await;
    }
}

/// Publishes a message, as often as it takes.
pub(crate) async fn publish(
    link: &Link,
    subject: &str,
    message: PublishMessage,
) -> Result<(), ClusterError> {
    let mut pause = POLL;
    loop {
        let sent = match link.context.send_publish(subject.to_owned(), message.clone()).await {
            Ok(acknowledged) => acknowledged.await.map(drop),
            Err(error) => Err(error),
        };
        match sent {
            Ok(()) => return Ok(()),
            Err(error) => match error.kind() {
                PublishErrorKind::MaxPayloadExceeded => {
                    return Err(ClusterError::server(
                        "the server takes no message as long",
                        &error,
                    ));
                }
                // It is there already: it came through before, or an earlier process sent it.
                PublishErrorKind::Other if is_queued(&error) => return Ok(()),
                PublishErrorKind::Other if is_full(&error) => return Err(ClusterError::full()),
                PublishErrorKind::Other => {
                    return Err(ClusterError::server("the server refuses", &with_causes(&error)));
                }
                _ => {
                    tokio::time::sleep(pause).await;
                    pause = (2 * pause).min(Duration::from_secs(2));
                }
            },
        }
    }
}

/// Whether the subject has as many messages as it may.
fn is_queued(error: &PublishError) -> bool {
    told(error).is_some_and(|error| {
        error.error_code() == ErrorCode::STREAM_STORE_FAILED
            && error.to_string().contains("messages per subject")
    })
}
