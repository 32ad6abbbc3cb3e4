//! A machine's cores for jobs.
//!
//! A task for each queue asks the server for as many jobs as slots are free, of
//! which there is one for each thread. A job has a slot from when it comes until it
//! is done, or only until it is begun if jobs are short: then another may wait here,
//! so that no thread does. What comes when no slot is free is given back. A job is
//! done on a thread of its own; meanwhile its task tells the server that
//! it is still being done. The output goes to the server first; only when it is
//! there the job is taken off the queue.

mod job;
mod open;

use crate::address::{ACK_WAIT, Address, Link};
use crate::cancel::Cancel;
use crate::error::{ClusterError, persist};
use crate::files::Files;
use crate::names::{self, Queue};
use crate::status::WorkerStatus;
use crate::submit::runtime;
use crate::wire::Sent;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use isrever_jobs::{AnyWork, Origin};
use job::Job;
use open::OpenWork;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

/// How often a worker looks whether it is to end.
const POLL: Duration = Duration::from_millis(50);

/// How long the server may take to come up with a job before it is asked again.
const EXPIRES: Duration = Duration::from_secs(10);

/// How often the server is told that a job is still being done.
const SIGN_OF_LIFE: Duration = Duration::from_secs(ACK_WAIT.as_secs() / 3);

/// How long to wait before the server is asked again after an error.
const PAUSE: Duration = Duration::from_millis(500);

/// How often a worker looks for queues that others have opened.
const NEW_QUEUES: Duration = Duration::from_secs(5);

/// How long a worker leaves jobs of a kind to others after one that it cannot do.
const REST: Duration = Duration::from_secs(3);

/// How long a worker that was told to stop waits until its jobs have ended and the server knows.
const FAREWELL: Duration = Duration::from_secs(10);

/// How long jobs of a cancelled run may still be on their way.
const JUST_NOW: Duration = Duration::from_secs(10);

/// The most manifests to remember whose jobs this machine cannot do.
const MOST_UNFIT: usize = 16;

/// Opens a piece of work, with a way to find the files that it names; or says why it cannot be done.
pub type Opener = dyn Fn(&Sent, &dyn Fn(&str) -> Option<PathBuf>) -> Result<Arc<dyn AnyWork>, Unopened>
    + Send
    + Sync;

/// Why a piece of work cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unopened {
    /// It is nothing that this program does: no worker can.
    Refused(String),
    /// This machine lacks something; another may have it.
    Unfit(String),
}

impl From<String> for Unopened {
    fn from(reason: String) -> Unopened {
        Unopened::Refused(reason)
    }
}

/// A machine that does jobs.
pub struct Worker {
    /// The cluster's server.
    pub address: Address,
    /// The version of this program: it takes jobs of this version alone.
    pub version: String,
    /// What it calls itself, and how fast its cores are.
    pub origin: Origin,
    /// How many threads it has for jobs.
    pub threads: usize,
    /// How much memory it has for jobs, in bytes.
    pub memory_bytes: u64,
    /// The kinds of jobs that it takes.
    pub kinds: Vec<String>,
    /// How often a job is tried, by all workers together, before it is set aside.
    pub attempts: u64,
    /// Where it keeps files.
    pub folder: PathBuf,
    /// Opens pieces of work.
    pub open: Box<Opener>,
    /// Set it, and no new jobs are begun; the worker ends after those that are.
    pub drain: Arc<AtomicBool>,
    /// Set it, and jobs are given back; the worker ends soon without those that do not stop.
    pub stop: Arc<AtomicBool>,
    /// Is told what happens.
    pub tell: Box<dyn Fn(WorkerEvent) + Send + Sync>,
}

/// What a worker tells of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerEvent {
    /// It is connected, and waits for jobs.
    Ready,
    /// It has begun a job: `game 17`.
    Begun(String),
    /// It has done one; so many in all.
    Done(String, u64),
    /// It could not, and here is why.
    Failed(String, String),
    /// It cannot do jobs of some piece of work, and leaves them to others; here is why.
    Unfit(String),
    /// The server is away: the worker goes on with what it has, and waits for the server.
    Away,
    /// The server is back.
    Back,
    /// It takes no more, and ends after the jobs that it has begun: so many.
    Ending(usize),
    /// It has ended with jobs that it could neither finish nor give back; the server gives them to
    /// others when it misses their signs of life.
    Left {
        /// How many.
        jobs: usize,
        /// Whether the server is away; else they may have ignored that they were to stop.
        is_away: bool,
    },
}

/// What the tasks of a worker share.
struct Shared {
    worker: Worker,
    link: Link,
    open_work: OpenWork,
    /// The slots that are free.
    slots: Arc<Semaphore>,
    /// Whether the last job was a short one.
    are_short: AtomicBool,
    /// The threads that are free.
    free: Arc<Semaphore>,
    /// The memory that is free, in MiB.
    memory: Arc<Semaphore>,
    /// The jobs that it has, those that wait for a thread included.
    held: Mutex<BTreeMap<u64, Held>>,
    /// The manifests whose jobs this machine cannot do, and why.
    unfit: Mutex<BTreeMap<String, String>>,
    /// Runs that were cancelled just now: when, and the last job in the stream at that time.
    cancelled: Mutex<BTreeMap<String, (Instant, u64)>>,
    /// Until when jobs of a kind are left to others.
    rests: Mutex<BTreeMap<String, Instant>>,
    ids: AtomicU64,
    done: AtomicU64,
    failed: AtomicU64,
}

impl Worker {
    /// How long a server that may just be starting has to answer.
    pub const PATIENCE: Duration = Duration::from_secs(30);

    /// Does jobs until it is told to end.
    pub fn run(self) -> Result<(), ClusterError> {
        let runtime = runtime()?;
        let result = runtime.block_on(self.work());
        // A job that does not stop, such as an agent's that never answers, is left behind.
        runtime.shutdown_timeout(Duration::from_secs(1));
        result
    }

    async fn work(self) -> Result<(), ClusterError> {
        let is_over = |_: &ClusterError| self.drain.load(Relaxed);
        let link = persist(Worker::PATIENCE, is_over, || self.connect()).await?;
        let files = Files::new(self.folder.clone())?;
        let shared = Arc::new(Shared {
            link,
            open_work: OpenWork::new(files),
            slots: Arc::new(Semaphore::new(self.threads.max(1))),
            are_short: AtomicBool::new(false),
            free: Arc::new(Semaphore::new(self.threads.max(1))),
            memory: Arc::new(Semaphore::new(mebibytes(self.memory_bytes) as usize)),
            held: Mutex::default(),
            unfit: Mutex::default(),
            cancelled: Mutex::default(),
            rests: Mutex::default(),
            ids: AtomicU64::new(0),
            done: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            worker: self,
        });
        (shared.worker.tell)(WorkerEvent::Ready);
        let mut tasks = JoinSet::new();
        tasks.spawn(Arc::clone(&shared).serve_queues());
        tasks.spawn(Arc::clone(&shared).answer());
        tasks.spawn(Arc::clone(&shared).hear_of_cancelled_runs());
        let deadline = shared.wait_for_end().await;
        tasks.shutdown().await;
        // Acknowledgements may still be on their way.
        let _ = tokio::time::timeout_at(deadline.into(), shared.link.client.flush()).await;
        Ok(())
    }

    /// Connects, and makes sure that the server knows which jobs are wanted.
    async fn connect(&self) -> Result<Link, ClusterError> {
        let link = self.address.connect(&self.origin.worker).await?;
        for kind in &self.kinds {
            link.consumer(&self.version, &Queue::of(kind)).await?;
        }
        Ok(link)
    }
}

impl Shared {
    fn is_draining(&self) -> bool {
        self.worker.drain.load(Relaxed) || self.worker.stop.load(Relaxed)
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<u64, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unfit(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.unfit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that this machine cannot do jobs of a manifest, and leaves those of their kind to others
    /// for a while.
    fn leave(&self, kind: &str, manifest: &str, reason: &str) {
        let mut unfit = self.unfit();
        if unfit.len() >= MOST_UNFIT {
            unfit.clear();
        }
        if unfit.insert(manifest.to_owned(), reason.to_owned()).is_none() {
            (self.worker.tell)(WorkerEvent::Unfit(reason.to_owned()));
        }
        let mut rests = self.rests.lock().unwrap_or_else(PoisonError::into_inner);
        rests.insert(kind.to_owned(), Instant::now() + REST);
    }

    /// Waits until jobs of a kind may be asked for.
    async fn rest(&self, kind: &str) {
        let until = self.rests.lock().unwrap_or_else(PoisonError::into_inner).get(kind).copied();
        while until.is_some_and(|until| Instant::now() < until) && !self.is_draining() {
            tokio::time::sleep(POLL).await;
        }
    }

    /// Waits until nothing more is to be done, and says by when the worker is to end.
    async fn wait_for_end(&self) -> Instant {
        let mut is_away = false;
        while !self.is_draining() {
            if is_away != self.link.is_away() {
                is_away = !is_away;
                (self.worker.tell)(if is_away { WorkerEvent::Away } else { WorkerEvent::Back });
            }
            tokio::time::sleep(POLL).await;
        }
        let begun = self.held().values().filter(|job| job.is_begun.load(Relaxed)).count();
        (self.worker.tell)(WorkerEvent::Ending(begun));
        let mut deadline = None;
        while !self.held().is_empty() {
            if self.worker.stop.load(Relaxed) {
                // Each time: a job may have come just now.
                self.held().values().for_each(|held| held.stop.store(true, Relaxed));
                if Instant::now() >= *deadline.get_or_insert_with(|| Instant::now() + FAREWELL) {
                    break;
                }
            }
            tokio::time::sleep(POLL).await;
        }
        let jobs = self.held().len();
        if jobs > 0 {
            (self.worker.tell)(WorkerEvent::Left { jobs, is_away: self.link.is_away() });
        }
        deadline.unwrap_or_else(|| Instant::now() + FAREWELL)
    }

    /// Takes jobs from all queues that are for this worker, also from those that others open.
    async fn serve_queues(self: Arc<Shared>) {
        let mut tasks = JoinSet::new();
        let mut known = HashSet::new();
        let mut queues: Vec<Queue> = self.worker.kinds.iter().map(|kind| Queue::of(kind)).collect();
        loop {
            for queue in queues.drain(..).filter(|queue| known.insert(queue.clone())) {
                tasks.spawn(Arc::clone(&self).take_jobs(queue));
            }
            tokio::time::sleep(NEW_QUEUES).await;
            let mut names = self.link.jobs.consumer_names();
            while let Some(Ok(name)) = names.next().await {
                let queue = Queue::of_consumer(&name, &self.worker.version);
                queues.extend(queue.filter(|queue| {
                    self.worker.kinds.contains(&queue.kind) && queue.takes(self.worker.origin.speed)
                }));
            }
        }
    }

    /// Takes jobs from a queue for as long as slots are free.
    async fn take_jobs(self: Arc<Shared>, queue: Queue) {
        let mut jobs = JoinSet::new();
        let mut consumer = None;
        while !self.is_draining() {
            // Finished tasks need not be kept.
            while jobs.try_join_next().is_some() {}
            self.rest(&queue.kind).await;
            // Jobs of other queues may take the slots until there is one of this.
            let Ok(slot) = self.slots.acquire().await else { return };
            drop(slot);
            let count = self.slots.available_permits().max(1);
            if let Err(error) = self.ask(&queue, &mut consumer, count, &mut jobs).await {
                tracing::debug!("jobs are asked for anew: {error}");
                // The server may have forgotten it.
                consumer = None;
                tokio::time::sleep(PAUSE).await;
            }
        }
        while jobs.join_next().await.is_some() {}
    }

    /// Asks for some jobs, and begins those that come.
    async fn ask(
        self: &Arc<Shared>,
        queue: &Queue,
        consumer: &mut Option<PullConsumer>,
        count: usize,
        jobs: &mut JoinSet<()>,
    ) -> Result<(), ClusterError> {
        let failed = |error: &dyn std::fmt::Display| ClusterError::server("no jobs", error);
        let consumer = match consumer {
            Some(consumer) => consumer,
            None => consumer.insert(self.link.consumer(&self.worker.version, queue).await?),
        };
        let batch = consumer.batch().max_messages(count).expires(EXPIRES).messages().await;
        let mut batch = batch.map_err(|error| failed(&error))?;
        loop {
            let message = tokio::select! {
                message = batch.next() => message,
                () = tokio::time::sleep(POLL), if self.is_draining() => None,
            };
            let Some(message) = message else { return Ok(()) };
            let message = message.map_err(|error| failed(&error))?;
            let Some(job) = Job::new(&queue.kind, message) else { continue };
            let slot = Arc::clone(&self.slots).try_acquire_owned();
            let slot = slot.ok().filter(|_| !self.is_draining());
            match slot {
                Some(slot) => drop(jobs.spawn(Arc::clone(self).perform(job, slot))),
                None => {
                    let shared = Arc::clone(self);
                    jobs.spawn(async move { job.give_back(&shared).await });
                }
            }
        }
    }

    /// Does a job as soon as there are threads for it.
    async fn perform(self: Arc<Shared>, job: Job, slot: OwnedSemaphorePermit) {
        let title = job.title();
        let holding = Holding::new(&self, &job);
        match job.perform(&self, slot, &holding).await {
            Ok(true) => {
                let done = self.done.fetch_add(1, Relaxed) + 1;
                (self.worker.tell)(WorkerEvent::Done(title, done));
            }
            Ok(false) => {}
            Err(reason) => {
                self.failed.fetch_add(1, Relaxed);
                (self.worker.tell)(WorkerEvent::Failed(title, reason));
            }
        }
    }

    /// Answers whoever asks who is there.
    async fn answer(self: Arc<Shared>) {
        loop {
            if let Ok(mut calls) = self.link.client.subscribe(names::WHO).await {
                while let Some(call) = calls.next().await {
                    let Some(inbox) = call.reply else { continue };
                    let status = serde_json::to_vec(&self.status()).expect("it is plain data");
                    let _ = self.link.client.publish(inbox, status.into()).await;
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn cancelled(&self) -> MutexGuard<'_, BTreeMap<String, (Instant, u64)>> {
        self.cancelled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the run of a job was cancelled while the job was on its way here.
    fn is_cancelled(&self, job: &Job) -> bool {
        let mut cancelled = self.cancelled();
        cancelled.retain(|_, (when, _)| when.elapsed() < JUST_NOW);
        cancelled.get(job.run()).is_some_and(|(_, last)| job.sequence() <= *last)
    }

    /// Stops the jobs of runs that are cancelled.
    async fn hear_of_cancelled_runs(self: Arc<Shared>) {
        loop {
            if let Ok(mut names) = self.link.client.subscribe(names::CANCELLED).await {
                while let Some(call) = names.next().await {
                    let Some(Cancel { run, last }) = Cancel::read(&call.payload) else { continue };
                    let mut held = self.held();
                    let jobs = held.values_mut().filter(|job| job.run == run);
                    for job in jobs.filter(|job| job.sequence <= last) {
                        job.is_cancelled = true;
                        job.stop.store(true, Relaxed);
                    }
                    drop(held);
                    self.cancelled().insert(run, (Instant::now(), last));
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn status(&self) -> WorkerStatus {
        let (mut running, mut runs) = (Vec::new(), BTreeMap::new());
        for job in self.held().values().filter(|job| job.is_begun.load(Relaxed)) {
            running.push(job.title.clone());
            *runs.entry(job.run.clone()).or_insert(0) += 1;
        }
        let Worker { version, origin, threads, memory_bytes, kinds, .. } = &self.worker;
        WorkerStatus {
            worker: origin.worker.clone(),
            version: version.clone(),
            threads: *threads,
            memory_mib: memory_bytes >> 20,
            speed: origin.speed,
            kinds: kinds.clone(),
            running,
            runs,
            unfit: self.unfit().clone(),
            done: self.done.load(Relaxed),
            failed: self.failed.load(Relaxed),
            is_draining: self.is_draining(),
        }
    }
}

/// So many bytes in MiB: more than any machine has count as what a permit can say.
fn mebibytes(bytes: u64) -> u32 {
    u32::try_from(bytes >> 20).unwrap_or(u32::MAX)
}

/// A job that a worker has.
struct Held {
    title: String,
    run: String,
    /// Its place in the stream.
    sequence: u64,
    /// Set it, and the job ends soon.
    stop: Arc<AtomicBool>,
    /// Whether nobody wants it any more.
    is_cancelled: bool,
    /// Whether a thread is at it.
    is_begun: Arc<AtomicBool>,
}

/// A thread that is at a job, until this is dropped.
struct Begun {
    /// Set it, and the job ends soon.
    stop: Arc<AtomicBool>,
    is_begun: Arc<AtomicBool>,
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.is_begun.store(false, Relaxed);
    }
}

/// A job in the list of those that a worker has, until this is dropped.
struct Holding<'a> {
    shared: &'a Shared,
    id: u64,
}

impl<'a> Holding<'a> {
    fn new(shared: &'a Shared, job: &Job) -> Holding<'a> {
        let id = shared.ids.fetch_add(1, Relaxed);
        let (title, run) = (job.title(), job.run().to_owned());
        let is_cancelled = shared.is_cancelled(job);
        let (stop, is_begun) = (Arc::new(AtomicBool::new(is_cancelled)), Arc::default());
        let sequence = job.sequence();
        shared.held().insert(id, Held { title, run, sequence, stop, is_begun, is_cancelled });
        Holding { shared, id }
    }

    /// Does something with what is known of it.
    fn with<T>(&self, act: impl FnOnce(&mut Held) -> T) -> T {
        act(self.shared.held().get_mut(&self.id).expect("it is there until this is dropped"))
    }

    /// Notes that a thread is at it.
    fn begin(&self) -> Begun {
        let (title, begun) = self.with(|job| {
            job.is_begun.store(true, Relaxed);
            let (stop, is_begun) = (Arc::clone(&job.stop), Arc::clone(&job.is_begun));
            (job.title.clone(), Begun { stop, is_begun })
        });
        (self.shared.worker.tell)(WorkerEvent::Begun(title));
        begun
    }

    /// Whether nobody wants it any more.
    fn is_cancelled(&self) -> bool {
        self.with(|job| job.is_cancelled)
    }
}

impl Drop for Holding<'_> {
    fn drop(&mut self) {
        self.shared.held().remove(&self.id);
    }
}
