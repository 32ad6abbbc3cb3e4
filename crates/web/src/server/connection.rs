//! One connection: its requests one after the other, with deadlines for each part of them.

use crate::app::App;
use crate::caller::Caller;
use crate::connections::{Full, InWork, Place};
use crate::refusal::{Code, Refusal};
use crate::socket::Socket;
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::error::Error;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tower::ServiceExt;

/// The longest head of a request, in bytes.
const MOST_HEAD_BYTES: usize = 32 << 10;

/// Answers the requests of a connection until it ends, takes too long, or must make room. Once the
/// server stops, it ends after the answer on its way.
pub(super) async fn hold<T: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    app: App,
    router: Router,
    socket: T,
    peer: SocketAddr,
    place: Place,
    mut stopping: watch::Receiver<()>,
) {
    let (limits, activity) = (app.settings().limits, place.activity());
    let place = Arc::new(place);
    let service = service_fn(|mut request: Request<Incoming>| {
        let in_work = activity.begin();
        let caller = Caller::of_request(peer, request.headers(), &app.settings().proxies);
        request.extensions_mut().insert(caller);
        request.extensions_mut().insert(activity.clone());
        // A connection that becomes a WebSocket keeps its place.
        request.extensions_mut().insert(Arc::clone(&place));
        answer(router.clone(), request.map(Body::new), in_work)
    });
    let socket = Socket::new(socket, limits.write, place.activity());
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(MOST_HEAD_BYTES)
        .serve_connection(TokioIo::new(socket), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let mut is_stopping = false;
    let ended = loop {
        tokio::select! {
            ended = connection.as_mut() => break ended,
            _ = stopping.changed(), if !is_stopping => {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
            () = place.evicted() => {
                return tracing::debug!(address = %peer.ip(), "connection evicted");
            }
        }
    };
    // A failing connection concerns only its client.
    match ended {
        Err(error) if is_stuck(&error) => app.tell_stuck_reader(peer.ip()),
        Err(error) => tracing::debug!(address = %peer.ip(), %error, "connection ended"),
        Ok(()) => {}
    }
}

/// Whether the reader took nothing for too long.
fn is_stuck(error: &hyper::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::TimedOut)
}

/// The answer to a request, which is in work until the whole answer was handed on.
async fn answer(
    router: Router,
    request: Request<Body>,
    in_work: InWork,
) -> Result<Response<Body>, Infallible> {
    let began = Instant::now();
    let asked = tracing::enabled!(tracing::Level::DEBUG).then(|| {
        let caller: Option<&Caller> = request.extensions().get();
        (caller.map(|caller| caller.address), request.method().clone(), request.uri().clone())
    });
    let response = router.oneshot(request).await?;
    if let Some((address, method, uri)) = asked {
        let (status, ms) = (response.status().as_u16(), began.elapsed().as_millis());
        // Not the query: it may be long, and holds what people typed.
        let path = uri.path();
        tracing::debug!(address = address.map(tracing::field::display), %method, path, status, ms);
    }
    Ok(response.map(|body| Body::new(Answer { body, _in_work: in_work })))
}

/// The body of an answer.
struct Answer {
    body: Body,
    _in_work: InWork,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Tells a client why there is no place for it, as far as that can be told at once.
pub(super) fn refuse(socket: TcpStream, full: Full) {
    let refusal = match full {
        Full::Address => {
            Refusal::new(Code::TooMany, "your address has too many connections; close some")
        }
        Full::Server => Refusal::busy(),
    };
    let body = serde_json::to_string(&refusal.body()).unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {}\r\nconnection: close\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
         content-length: {}\r\n\r\n",
        refusal.code.status(),
        body.len()
    );
    if let Ok(mut socket) = socket.into_std() {
        // Without waiting: whoever does not read it has lost nothing.
        let _ = socket.write_all((head + &body).as_bytes());
    }
}

#[cfg(test)]
mod tests;
