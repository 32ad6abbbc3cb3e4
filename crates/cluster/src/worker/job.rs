//! One job at a worker: from the queue to its output.

use super::open::{Open, OpenError};
use super::{Holding, SIGN_OF_LIFE, Shared, Unopened, mebibytes};
use crate::names;
use crate::status::short_of_memory;
use crate::submit::publish;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use isrever_jobs::Failure;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;

/// How long a job that failed waits for its next attempt.
const NEXT_ATTEMPT: Duration = Duration::from_secs(1);

/// A job that takes less is short: the way to the server and back counts.
const SHORT: Duration = Duration::from_secs(1);

/// A job that the server gave to this worker.
pub(super) struct Job {
    kind: String,
    run: String,
    number: String,
    manifest: String,
    /// Its place in the stream.
    sequence: u64,
    /// How often it was given to a worker.
    delivered: u64,
    message: Message,
}

/// What workers note about a job that none of them has done.
#[derive(Default, Serialize, Deserialize)]
struct Note {
    /// How often it was given back: that is no attempt.
    given_back: u64,
    /// Why the last attempt failed.
    reason: Option<String>,
}

/// How a job went here.
enum Outcome {
    /// Something came out.
    Output(Vec<u8>),
    /// It was stopped, and somebody else may do it.
    GivenBack,
    /// This machine cannot do it; somebody else may.
    Unfit(String),
    /// It failed; another attempt may not.
    Failed(String),
    /// It has failed often enough.
    SetAside(String),
    /// No attempt can succeed.
    Refused(String),
}

impl Job {
    /// The job of a message; `None` if it is something else.
    pub(super) fn new(kind: &str, message: Message) -> Option<Job> {
        let header = |name: &str| Some(message.headers.as_ref()?.get(name)?.as_str().to_owned());
        let info = message.info().ok()?;
        let (sequence, delivered) = (info.stream_sequence, u64::try_from(info.delivered).ok()?);
        let manifest = header(names::MANIFEST)?;
        let mut parts = message.subject.rsplit('.');
        let (number, run) = (parts.next()?.to_owned(), parts.next()?.to_owned());
        Some(Job { kind: kind.to_owned(), run, number, manifest, sequence, delivered, message })
    }

    /// What people are told.
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.kind, self.number)
    }

    /// Its place in the stream.
    pub(super) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The run that it is of.
    pub(super) fn run(&self) -> &str {
        &self.run
    }

    /// Does it and delivers what came out. `false` if it was given back; an error says why it
    /// failed.
    pub(super) async fn perform(
        self,
        shared: &Arc<Shared>,
        slot: OwnedSemaphorePermit,
        holding: &Holding<'_>,
    ) -> Result<bool, String> {
        let note = self.note(shared).await;
        let outcome = self.outcome(shared, slot, holding, &note).await;
        if holding.is_cancelled() {
            let _ = self.message.ack_with(AckKind::Term).await;
            return Ok(false);
        }
        match outcome {
            Outcome::Output(output) => {
                self.deliver(shared, output, None).await;
                Ok(true)
            }
            Outcome::GivenBack => {
                self.give_back(shared).await;
                Ok(false)
            }
            Outcome::Unfit(reason) => {
                shared.leave(&self.kind, &self.manifest, &reason);
                self.give_back(shared).await;
                Ok(false)
            }
            Outcome::Failed(reason) => {
                let note = Note { reason: Some(reason.clone()), ..note };
                self.remember(shared, &note).await;
                let _ = self.message.ack_with(AckKind::Nak(Some(NEXT_ATTEMPT))).await;
                Err(reason)
            }
            Outcome::SetAside(reason) => {
                self.deliver(shared, reason.clone().into_bytes(), Some("set-aside")).await;
                Err(reason)
            }
            Outcome::Refused(reason) => {
                self.deliver(shared, reason.clone().into_bytes(), Some("refused")).await;
                Err(reason)
            }
        }
    }

    /// Lets another worker do it.
    pub(super) async fn give_back(&self, shared: &Shared) {
        let Note { given_back, reason } = self.note(shared).await;
        self.remember(shared, &Note { given_back: given_back + 1, reason }).await;
        let _ = self.message.ack_with(AckKind::Nak(None)).await;
    }

    /// Does it, unless it has been tried often enough.
    async fn outcome(
        &self,
        shared: &Arc<Shared>,
        slot: OwnedSemaphorePermit,
        holding: &Holding<'_>,
        note: &Note,
    ) -> Outcome {
        let most = shared.worker.attempts;
        let set_aside = |reason| Outcome::SetAside(format!("tried {most} times: {reason}"));
        let attempt = self.delivered.saturating_sub(note.given_back);
        if attempt > most {
            let unknown = || "its workers ended without an answer".to_owned();
            return set_aside(note.reason.clone().unwrap_or_else(unknown));
        }
        match self.compute(shared, slot, holding).await {
            Outcome::Failed(reason) if attempt >= most => set_aside(reason),
            outcome => outcome,
        }
    }

    /// Does the job on a thread, and tells the server now and then that it is being done.
    async fn compute(
        &self,
        shared: &Arc<Shared>,
        slot: OwnedSemaphorePermit,
        holding: &Holding<'_>,
    ) -> Outcome {
        let work = async {
            let opener = shared.worker.open.as_ref();
            let open = match shared.open_work.open(&shared.link, &self.manifest, opener).await {
                Ok(open) => open,
                Err(OpenError::Unavailable(error)) => return Outcome::Failed(error.to_string()),
                Err(OpenError::Unopened(Unopened::Refused(reason))) => {
                    return Outcome::Refused(reason);
                }
                Err(OpenError::Unopened(Unopened::Unfit(reason))) => return Outcome::Unfit(reason),
            };
            let memory = mebibytes(open.sent.memory_bytes.div_ceil(1 << 20) << 20);
            let all = mebibytes(shared.worker.memory_bytes);
            if memory > all {
                return Outcome::Unfit(short_of_memory(memory.into(), all.into()));
            }
            // It may have lacked something that it has now.
            shared.unfit().remove(&self.manifest);
            let Some(permits) = shared.room(open.sent.threads, memory).await else {
                return Outcome::GivenBack;
            };
            if shared.is_draining() || holding.is_cancelled() {
                return Outcome::GivenBack;
            }
            let bytes = self.message.payload.clone();
            let begun = holding.begin();
            // Another short job may come and wait meanwhile.
            let slot = Some(slot).filter(|_| !shared.are_short.load(Relaxed));
            let begin = Instant::now();
            let done = tokio::task::spawn_blocking(move || {
                // Nobody is at it any more when its threads are free: what is declared last goes first.
                let _permits = permits;
                let begun = begun;
                perform(&open, &bytes, &begun.stop)
            });
            let outcome = done.await.unwrap_or_else(|error| Outcome::Failed(panic_text(error)));
            shared.are_short.store(begin.elapsed() < SHORT, Relaxed);
            drop(slot);
            outcome
        };
        tokio::pin!(work);
        let mut signs = tokio::time::interval(SIGN_OF_LIFE);
        signs.reset();
        loop {
            tokio::select! {
                outcome = &mut work => return outcome,
                _ = signs.tick() => {
                    let _ = self.message.ack_with(AckKind::Progress).await;
                }
            }
        }
    }

    /// Brings the output to the server, and then takes the job off the queue.
    async fn deliver(&self, shared: &Shared, payload: Vec<u8>, failure: Option<&str>) {
        let origin = serde_json::to_string(&shared.worker.origin).expect("it is plain data");
        let mut message =
            PublishMessage::build().payload(payload.into()).header(names::ORIGIN, origin.as_str());
        if let Some(word) = failure {
            message = message.header(names::FAILURE, word);
        }
        let subject = names::output(&self.run, &self.number);
        match publish(&shared.link, &subject, message).await {
            // If the server does not hear it, the job is done once more, and the same comes out.
            Ok(()) => drop(self.message.double_ack().await),
            Err(error) => {
                tracing::warn!("the output of {} is not delivered: {error}", self.title());
                let notice =
                    format!("{}: an output is not kept: {error}", shared.worker.origin.worker);
                let subject = names::notices(&self.run);
                let _ = shared.link.client.publish(subject, notice.into()).await;
                let _ = self.message.ack_with(AckKind::Nak(Some(NEXT_ATTEMPT))).await;
            }
        }
    }

    /// Leaves a note for the next worker.
    async fn remember(&self, shared: &Shared, note: &Note) {
        let subject = names::trouble(&self.run, &self.number);
        let note = serde_json::to_vec(note).expect("it is plain data");
        let _ = publish(&shared.link, &subject, PublishMessage::build().payload(note.into())).await;
    }

    /// What earlier workers have noted.
    async fn note(&self, shared: &Shared) -> Note {
        if self.delivered <= 1 {
            return Note::default();
        }
        let subject = names::trouble(&self.run, &self.number);
        let note = shared.link.outputs.direct_get_last_for_subject(subject).await;
        note.ok().and_then(|note| serde_json::from_slice(&note.payload).ok()).unwrap_or_default()
    }
}

impl Shared {
    /// So many free threads, or all if there are fewer, and so many MiB of free memory.
    async fn room(&self, threads: usize, memory: u32) -> Option<[OwnedSemaphorePermit; 2]> {
        let threads = u32::try_from(threads.clamp(1, self.worker.threads.max(1))).unwrap_or(1);
        // Always in this order: whoever waits for memory holds threads, and never the other way.
        let threads = Arc::clone(&self.free).acquire_many_owned(threads).await.ok()?;
        let memory = Arc::clone(&self.memory).acquire_many_owned(memory).await.ok()?;
        Some([threads, memory])
    }
}

/// Does a job of a piece of work that is open.
fn perform(open: &Open, bytes: &[u8], stop: &Arc<std::sync::atomic::AtomicBool>) -> Outcome {
    let mut performer = open.performer();
    let outcome = match performer.perform(bytes, stop) {
        None => Outcome::Refused("not a job of this manifest".to_owned()),
        Some(Ok(output)) => Outcome::Output(output),
        Some(Err(Failure::Stopped)) => Outcome::GivenBack,
        Some(Err(Failure::Machine(reason))) => Outcome::Failed(reason),
    };
    open.give_back(performer);
    outcome
}

/// What a job said when it panicked.
fn panic_text(error: tokio::task::JoinError) -> String {
    let Ok(panic) = error.try_into_panic() else { return "it was cancelled".to_owned() };
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.map_or_else(|| "it panicked".to_owned(), |text| format!("it panicked: {text}"))
}
