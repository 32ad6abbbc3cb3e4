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

/// How often a stream with nothing to say shows that it is alive.
const ALIVE: Duration = Duration::from_secs(10);

/// Where events are put. When the last word was said, or it is dropped, the stream ends.
pub(crate) struct Outbox(Arc<Mailbox>);

/// The streams that are open, to end them all.
#[derive(Clone, Default)]
pub(crate) struct Streams(Arc<Mutex<Vec<Weak<Mailbox>>>>);

#[derive(Default)]
struct Mailbox(Mutex<Mail>);

#[derive(Default)]
struct Mail {
    events: VecDeque<Letter>,
    is_closed: bool,
    reader: Option<Waker>,
}

struct Letter {
    name: &'static str,
    data: String,
    /// A newer one of the same name may take its place.
    is_passing: bool,
}

/// The reader's end, before it is read.
pub(crate) struct Reader(Arc<Mailbox>);

/// The reader's end, and whatever is to be dropped when the reader leaves.
struct Events {
    mailbox: Arc<Mailbox>,
    _holding: Box<dyn Send>,
}

impl Streams {
    /// A box for a new stream.
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
            stream.close(Some(Letter::failed(&Refusal::busy())));
        }
    }
}

impl Reader {
    /// The answer whose body is the stream. `holding` is dropped when the reader leaves.
    pub(crate) fn response(self, holding: impl Send + 'static) -> Response {
        let events = Events { mailbox: self.0, _holding: Box::new(holding) };
        let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE));
        // Proxies are asked to let events through as they come.
        let unbuffered = HeaderName::from_static("x-accel-buffering");
        ([(unbuffered, HeaderValue::from_static("no"))], stream).into_response()
    }
}

impl Outbox {
    /// The other end; there is one reader.
    pub(crate) fn reader(&self) -> Reader {
        Reader(Arc::clone(&self.0))
    }

    /// Says something that must be heard.
    pub(crate) fn send(&self, name: &'static str, data: &impl Serialize) {
        self.0.put(Letter::new(name, data, false));
    }

    /// Says something that is out of date when the next of its name is said.
    pub(crate) fn update(&self, name: &'static str, data: &impl Serialize) {
        self.0.put(Letter::new(name, data, true));
    }

    /// Says the last word.
    pub(crate) fn done(&self, data: &impl Serialize) {
        self.0.close(Some(Letter::new("done", data, false)));
    }

    /// Says that there will be nothing more, and why.
    pub(crate) fn fail(&self, refusal: &Refusal) {
        self.0.close(Some(Letter::failed(refusal)));
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        self.0.close(Some(Letter::failed(&Refusal::internal())));
    }
}

impl Letter {
    fn new(name: &'static str, data: &impl Serialize, is_passing: bool) -> Letter {
        let data = serde_json::to_string(data).expect("what we send can be written as JSON");
        Letter { name, data, is_passing }
    }

    fn failed(refusal: &Refusal) -> Letter {
        Letter::new("failed", &refusal.body(), false)
    }
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, Mail> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, letter: Letter) {
        let mut mail = self.lock();
        if mail.is_closed {
            return;
        }
        let is_newer =
            |last: &Letter| last.is_passing && letter.is_passing && last.name == letter.name;
        if mail.events.back().is_some_and(is_newer) {
            mail.events.pop_back();
        }
        mail.events.push_back(letter);
        if let Some(reader) = mail.reader.take() {
            reader.wake();
        }
    }

    /// Ends the stream with a last letter, unless it has ended.
    fn close(&self, last: Option<Letter>) {
        if let Some(letter) = last {
            self.put(letter);
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
        if let Some(Letter { name, data, .. }) = mail.events.pop_front() {
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
