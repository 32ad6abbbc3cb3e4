//! A channel: the streams of a page over one WebSocket.
//!
//! Browsers open six connections to a server at most, whatever the number of
//! tabs, and every stream takes one; WebSockets are not counted. The streams are
//! those of the other routes, asked for by their paths.

use super::{analysis, games, watch};
use crate::app::App;
use crate::caller::Caller;
use crate::callers::{Kind, Permit};
use crate::connections::Place;
use crate::refusal::{Code, Refusal};
use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::header::{AUTHORIZATION, RETRY_AFTER};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use serde::Deserialize;
use std::collections::HashMap;
use std::future::{pending, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tower::ServiceExt;

/// The longest message of a page, in bytes: as long as the longest address.
const MOST_BYTES: usize = crate::guard::MOST_URI_BYTES;

/// How many messages may wait for a slow page. Streams wait then, and send only their newest values.
const MOST_WAITING: usize = 16;

/// What a page asks for: a stream under a number of its choice, or the end of one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    stream: u32,
    /// The path of the stream with its query; none to end it.
    path: Option<String>,
    /// The token of a seat in the game that is followed.
    token: Option<String>,
}

/// Open a channel for several streams
pub(crate) async fn channel(
    State(app): State<App>,
    caller: Caller,
    place: Option<Extension<Arc<Place>>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let message = "the request opens no WebSocket; expected one that does";
    let upgrade = upgrade.map_err(|_| Refusal::new(Code::BadRequest, message))?;
    let permit = app.callers().enter(caller, Kind::Channel)?;
    let (sender, receiver) = mpsc::channel(MOST_WAITING);
    let channel = Channel {
        router: streams().with_state(app),
        caller,
        place: place.map(|Extension(place)| place),
        streams: HashMap::new(),
        sender,
        _permit: permit,
    };
    let upgrade = upgrade.max_message_size(MOST_BYTES);
    Ok(upgrade.on_upgrade(move |socket| channel.hold(socket, receiver)))
}

/// The streams that a channel can carry.
fn streams() -> Router<App> {
    Router::new()
        .route("/api/analysis", get(analysis::analysis))
        .route("/api/solve", get(analysis::solve))
        .route("/api/review", get(analysis::review))
        .route("/api/watch", get(watch::watch))
        .route("/api/games/{id}/follow", get(games::follow::follow))
}

/// An open channel.
struct Channel {
    router: Router,
    caller: Caller,
    /// Its place among the connections; none without a socket.
    place: Option<Arc<Place>>,
    streams: HashMap<u32, AbortHandle>,
    sender: mpsc::Sender<String>,
    _permit: Permit,
}

impl Channel {
    /// Carries streams until the page leaves, or must make room while it has none.
    async fn hold(mut self, mut socket: WebSocket, mut messages: mpsc::Receiver<String>) {
        loop {
            self.streams.retain(|_, stream| !stream.is_finished());
            let has_streams = !self.streams.is_empty();
            // A channel with streams is at work, as a connection with one is.
            let activity = self.place.as_ref().map(|place| place.activity());
            let _in_work = activity.filter(|_| has_streams).map(|activity| activity.begin());
            let evicted = async {
                match &self.place {
                    Some(place) => place.evicted().await,
                    None => pending().await,
                }
            };
            tokio::select! {
                asked = socket.recv() => match asked {
                    Some(Ok(Message::Text(text))) => self.take(&text),
                    // The library answers pings.
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return,
                },
                Some(message) = messages.recv() => {
                    if socket.send(Message::Text(message.into())).await.is_err() {
                        return;
                    }
                }
                () = evicted => return,
            }
        }
    }

    /// Does what a page asks for; what is nonsense begins no stream.
    fn take(&mut self, text: &str) {
        let Ok(Asked { stream: number, path, token }) = serde_json::from_str(text) else { return };
        if let Some(stream) = self.streams.remove(&number) {
            stream.abort();
        }
        let Some(path) = path else { return };
        let mut request = Request::get(path).extension(self.caller);
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Body::empty());
        let (router, sender) = (self.router.clone(), self.sender.clone());
        let stream = tokio::spawn(async move {
            match request {
                Ok(request) => forward(router, request, number, &sender).await,
                Err(_) => {
                    let refusal =
                        Refusal::not_found("not a path and a token; expected those of a stream");
                    refuse(&refusal, number, &sender).await;
                }
            }
        });
        self.streams.insert(number, stream.abort_handle());
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        // Ends the searches of a page that has left.
        self.streams.values().for_each(AbortHandle::abort);
    }
}

/// Tells a page that there is no such stream.
async fn refuse(refusal: &Refusal, number: u32, sender: &mpsc::Sender<String>) {
    let status = refusal.code.status().as_u16();
    let body = serde_json::to_string(&refusal.body()).unwrap_or_default();
    let message = format!("{{\"stream\":{number},\"status\":{status},\"data\":{body}}}");
    // A page that has left hears nothing.
    let _ = sender.send(message).await;
}

/// Sends the events of a stream, or why it is refused.
async fn forward(
    router: Router,
    request: Request<Body>,
    number: u32,
    sender: &mpsc::Sender<String>,
) {
    let Ok(response) = router.oneshot(request).await;
    let (head, mut body) = response.into_parts();
    let mut text = String::new();
    while let Some(piece) = next(&mut body).await {
        text.push_str(&piece);
        if head.status != StatusCode::OK {
            continue;
        }
        while let Some(end) = text.find("\n\n") {
            let block: String = text.drain(..end + 2).collect();
            if sender.send(message(number, &block)).await.is_err() {
                return;
            }
        }
    }
    if head.status == StatusCode::NOT_FOUND && text.is_empty() {
        let refusal =
            Refusal::not_found("no such stream; expected analysis, solve, review, watch or follow");
        return refuse(&refusal, number, sender).await;
    }
    if head.status != StatusCode::OK {
        let retry = head.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let (status, retry) = (head.status.as_u16(), retry.unwrap_or("null"));
        let refused = format!(
            "{{\"stream\":{number},\"status\":{status},\"retry\":{retry},\"data\":{text}}}"
        );
        // A page that has left hears nothing.
        let _ = sender.send(refused).await;
    }
}

/// The next piece of a body, which is text.
async fn next(body: &mut Body) -> Option<String> {
    loop {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await?.ok()?;
        if let Ok(data) = frame.into_data() {
            return Some(String::from_utf8_lossy(&data).into_owned());
        }
    }
}

/// An event, whose data is JSON on one line; or a sign of life, which has no event.
fn message(number: u32, block: &str) -> String {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
    match (field("event: "), field("data: ")) {
        (Some(event), Some(data)) => {
            format!("{{\"stream\":{number},\"event\":\"{event}\",\"data\":{data}}}")
        }
        _ => format!("{{\"stream\":{number}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_become_messages() {
        let event = "event: done\ndata: {\"reason\":\"time\"}\n\n";
        assert_eq!(message(7, event), r#"{"stream":7,"event":"done","data":{"reason":"time"}}"#);
        assert_eq!(message(7, ":\n\n"), r#"{"stream":7}"#);
    }
}
