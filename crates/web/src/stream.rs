//! Server-sent events: an outbox that search threads write to, and a stream that empties it.
//!
//! The outbox stays small even if the reader is slow: an update replaces the
//! update of the same name before it. When the reader leaves, the stream drops
//! everything that it holds, and so stops the search.

use crate::refusal::Refusal;
use axum::http::{HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::Serialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// How often an idle stream sends a comment.
const ALIVE: Duration = Duration::from_secs(10);

/// Sends events. The stream ends after the last event, or when this is dropped.
pub(crate) struct Outbox(Arc<Mailbox>);

/// The open streams. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Streams(Arc<Mutex<Vec<Weak<Mailbox>>>>);

#[derive(Default)]
struct Mailbox(Mutex<Mail>);

#[derive(Default)]
struct Mail {
    events: VecDeque<Message>,
    is_closed: bool,
    reader: Option<Waker>,
}

struct Message {
    name: &'static str,
    data: String,
    /// Whether a newer one of the same name replaces it.
    is_passing: bool,
}

/// The reader's end, before it becomes a response.
pub(crate) struct Reader(Arc<Mailbox>);

/// The reader's end, and what to drop when the reader leaves.
struct Events {
    mailbox: Arc<Mailbox>,
    _holding: Box<dyn Send>,
}

impl Streams {
    /// Opens a new stream.
    pub(crate) fn open(&self) -> Outbox {
        let mailbox = Arc::new(Mailbox::default());
        let mut streams = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        streams.retain(|stream| stream.strong_count() > 0);
        streams.push(Arc::downgrade(&mailbox));
        Outbox(mailbox)
    }

    /// Ends every stream.
    pub(crate) fn close(&self) {
        let streams = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for stream in streams.iter().filter_map(Weak::upgrade) {
            stream.close(Some(Message::failed(&Refusal::busy())));
        }
    }
}

impl Reader {
    /// The response whose body is the stream. It drops `holding` when the reader leaves.
    pub(crate) fn response(self, holding: impl Send + 'static) -> Response {
        let events = Events { mailbox: self.0, _holding: Box::new(holding) };
        let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE));
        // Tells proxies not to buffer events.
        let unbuffered = HeaderName::from_static("x-accel-buffering");
        ([(unbuffered, HeaderValue::from_static("no"))], stream).into_response()
    }
}

impl Outbox {
    /// The reader's end; there is only one.
    pub(crate) fn reader(&self) -> Reader {
        Reader(Arc::clone(&self.0))
    }

    /// Sends an event.
    pub(crate) fn send(&self, name: &'static str, data: &impl Serialize) {
        self.0.put(Message::new(name, data, false));
    }

    /// Sends an event that the next one of the same name replaces.
    pub(crate) fn update(&self, name: &'static str, data: &impl Serialize) {
        self.0.put(Message::new(name, data, true));
    }

    /// Sends the last event, `done`.
    pub(crate) fn done(&self, data: &impl Serialize) {
        self.0.close(Some(Message::new("done", data, false)));
    }

    /// Sends the last event, `failed`.
    pub(crate) fn fail(&self, refusal: &Refusal) {
        self.0.close(Some(Message::failed(refusal)));
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        self.0.close(Some(Message::failed(&Refusal::internal())));
    }
}

impl Message {
    fn new(name: &'static str, data: &impl Serialize, is_passing: bool) -> Message {
        let data = serde_json::to_string(data).expect("what we send can be written as JSON");
        Message { name, data, is_passing }
    }

    fn failed(refusal: &Refusal) -> Message {
        Message::new("failed", &refusal.body(), false)
    }
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, Mail> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, message: Message) {
        let mut mail = self.lock();
        if mail.is_closed {
            return;
        }
        let is_newer =
            |last: &Message| last.is_passing && message.is_passing && last.name == message.name;
        if mail.events.back().is_some_and(is_newer) {
            mail.events.pop_back();
        }
        mail.events.push_back(message);
        if let Some(reader) = mail.reader.take() {
            reader.wake();
        }
    }

    /// Ends the stream with a last message, unless it has ended.
    fn close(&self, last: Option<Message>) {
        if let Some(message) = last {
            self.put(message);
        }
        let mut mail = self.lock();
        mail.is_closed = true;
        if let Some(reader) = mail.reader.take() {
            reader.wake();
        }
    }
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut mail = self.mailbox.lock();
        if let Some(Message { name, data, .. }) = mail.events.pop_front() {
            return Poll::Ready(Some(Ok(Event::default().event(name).data(data))));
        }
        if mail.is_closed {
            return Poll::Ready(None);
        }
        mail.reader = Some(context.waker().clone());
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    async fn text(response: Response) -> String {
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn newer_events_take_the_place_of_older_ones() {
        let outbox = Streams::default().open();
        let response = outbox.reader().response(());
        outbox.send("move", &1);
        outbox.update("values", &1);
        outbox.update("values", &2);
        outbox.send("move", &2);
        outbox.update("values", &3);
        outbox.done(&"end");
        outbox.send("move", &3);
        drop(outbox);
        let expected = "event: move\ndata: 1\n\nevent: values\ndata: 2\n\nevent: move\ndata: 2\n\n\
                        event: values\ndata: 3\n\nevent: done\ndata: \"end\"\n\n";
        assert_eq!(text(response).await, expected);
    }

    #[tokio::test]
    async fn a_stream_never_ends_without_a_last_word() {
        let streams = Streams::default();
        let (dropped, closed) = (streams.open(), streams.open());
        let (first, second) = (dropped.reader().response(()), closed.reader().response(()));
        drop(dropped);
        assert!(text(first).await.starts_with("event: failed\ndata: {\"error\":{\"code\":\"int"));
        streams.close();
        assert!(text(second).await.contains("\"busy\""));
        drop(closed);
        drop(streams.open());
        assert!(streams.0.lock().unwrap().len() <= 1, "ended streams are forgotten");
    }
}
