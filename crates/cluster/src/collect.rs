//! Collects the outputs of a run as they come, through all interruptions.

use crate::address::Link;
use crate::names;
use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::message::StreamMessage;
use futures_util::StreamExt;
use isrever_jobs::Origin;
use std::time::Duration;
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::JoinSet;

/// How long to wait before the server is asked again.
const PAUSE: Duration = Duration::from_millis(200);

/// A consumer that nobody reads from is forgotten by the server after this time.
const FORGOTTEN: Duration = Duration::from_secs(120);

/// A sign of life from the server at least this often, or the connection is begun anew.
const HEARTBEAT: Duration = Duration::from_secs(2);

/// How many outputs are read ahead.
const UNREAD: usize = 64;

/// What came back for a job.
#[derive(Debug)]
pub(crate) struct Collected {
    pub(crate) number: u64,
    pub(crate) origin: Option<Origin>,
    pub(crate) content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    /// What came out.
    Output(Vec<u8>),
    /// It was tried often enough, and here is why it failed.
    SetAside(String),
    /// No worker can do jobs of this manifest, and here is why.
    Refused(String),
}

impl Collected {
    fn new(subject: &str, headers: Option<&HeaderMap>, payload: Vec<u8>) -> Option<Collected> {
        let number = subject.rsplit('.').next()?.parse().ok()?;
        let header = |name: &str| Some(headers?.get(name)?.as_str());
        let origin = header(names::ORIGIN).and_then(|text| serde_json::from_str(text).ok());
        let content = match header(names::FAILURE) {
            None => Content::Output(payload),
            Some("refused") => Content::Refused(String::from_utf8_lossy(&payload).into_owned()),
            Some(_) => Content::SetAside(String::from_utf8_lossy(&payload).into_owned()),
        };
        Some(Collected { number, origin, content })
    }

    /// The output that is there already, if one is.
    pub(crate) async fn find(link: &Link, run: &str, number: u64) -> Option<Collected> {
        let subject = names::output(run, &number.to_string());
        let message: StreamMessage =
            link.outputs.direct_get_last_for_subject(subject).await.ok()?;
        Collected::new(&message.subject, Some(&message.headers), message.payload.to_vec())
    }
}

/// Reads a run's outputs.
pub(crate) struct Collector {
    link: Link,
    run: String,
    /// The sequence number of the next one.
    from: u64,
    messages: Option<pull::Stream>,
}

impl Collector {
    /// Outputs of a run from a sequence number on.
    pub(crate) fn new(link: &Link, run: &str, from: u64) -> Collector {
        Collector { link: link.clone(), run: run.to_owned(), from, messages: None }
    }

    /// Reads on a task of its own, which ends with the set.
    pub(crate) fn start(mut self, tasks: &mut JoinSet<()>) -> Receiver<Collected> {
        let (send, receive) = mpsc::channel(UNREAD);
        tasks.spawn(async move { while send.send(self.next().await).await.is_ok() {} });
        receive
    }

    /// The next output, whenever it comes.
    async fn next(&mut self) -> Collected {
        loop {
            if self.messages.is_none() {
                self.messages = self.open().await;
            }
            let Some(messages) = &mut self.messages else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            match messages.next().await {
                Some(Ok(message)) => {
                    let Ok(info) = message.info() else { continue };
                    if info.stream_sequence < self.from {
                        continue;
                    }
                    self.from = info.stream_sequence + 1;
                    let message = &message.message;
                    let headers = message.headers.as_ref();
                    let payload = message.payload.to_vec();
                    if let Some(found) = Collected::new(&message.subject, headers, payload) {
                        return found;
                    }
                }
                // The server went away, or forgot us: begin anew where we were.
                Some(Err(error)) => {
                    tracing::debug!("outputs are asked for anew: {error}");
                    self.messages = None;
                }
                None => self.messages = None,
            }
        }
    }

    async fn open(&self) -> Option<pull::Stream> {
        let config = pull::Config {
            filter_subject: names::output(&self.run, "*"),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.from.max(1) },
            ack_policy: AckPolicy::None,
            inactive_threshold: FORGOTTEN,
            memory_storage: true,
            ..pull::Config::default()
        };
        let consumer = self.link.outputs.create_consumer(config).await.ok()?;
        consumer.stream().heartbeat(HEARTBEAT).expires(4 * HEARTBEAT).messages().await.ok()
    }
}
