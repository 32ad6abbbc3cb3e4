//! Asks the application without a socket, and checks that its answers are as described.

use crate::contract::Contract;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use isrever_web::{App, Settings};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;
use tower::ServiceExt;

/// An application of one test, with a directory of its own.
pub(crate) struct Client {
    app: App,
    router: Router,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Bytes,
}

/// An event of a stream.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) data: Value,
}

/// A stream that is being read.
pub(crate) struct Events {
    path: String,
    contract: &'static Contract,
    body: Body,
    text: String,
}

/// An empty directory of the test called `name`.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("web").join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

impl Client {
    pub(crate) fn new(name: &str) -> Client {
        Client::at(directory(name))
    }

    pub(crate) fn at(data: PathBuf) -> Client {
        Client::with_arena(data, None)
    }

    pub(crate) fn with_arena(data: PathBuf, arena: Option<PathBuf>) -> Client {
        let settings = Settings {
            arena,
            workers: 2,
            // Nothing here is about how fast a busy machine is.
            patience: Duration::from_secs(600),
            allowed_hosts: vec!["board.example".to_owned()],
            ..Settings::new(data)
        };
        Client::with(settings)
    }

    pub(crate) fn with(settings: Settings) -> Client {
        let app = App::open(settings).expect("it opens");
        Client { router: app.router(), app }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.expect("the router never fails")
    }

    pub(crate) async fn ask(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
        let answer = self.answer(request).await;
        let media = answer.headers.get("content-type").map(|kind| kind.to_str().expect("text"));
        let contract = self.contract().await;
        let status = answer.status.as_u16();
        contract.check((&method, &path), status, media.unwrap_or_default(), &answer.bytes);
        answer
    }

    async fn answer(&self, request: Request<Body>) -> Answer {
        let response = self.send(request).await;
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.into_body().collect().await.expect("the body comes").to_bytes();
        Answer { status, headers, bytes }
    }

    /// The description, which is the same for all applications.
    async fn contract(&self) -> &'static Contract {
        static CONTRACT: OnceLock<Contract> = OnceLock::new();
        if CONTRACT.get().is_none() {
            let asked = request(Method::GET, "/api/openapi.json", Body::empty());
            let document = self.answer(asked).await.json();
            return CONTRACT.get_or_init(|| Contract::new(document));
        }
        CONTRACT.get().expect("it is there")
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(request(Method::GET, path, Body::empty())).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask(request(Method::POST, path, body.to_string().into())).await
    }

    /// A request with the token of a saved game.
    pub(crate) async fn with_token(
        &self,
        method: Method,
        path: &str,
        token: &str,
        body: Value,
    ) -> Answer {
        let mut request = request(method, path, body.to_string().into());
        let value = format!("Bearer {token}").parse().expect("a header");
        request.headers_mut().insert("authorization", value);
        self.ask(request).await
    }

    /// A stream that begins well.
    pub(crate) async fn stream(&self, path: &str) -> Events {
        self.stream_with(path, None).await
    }

    /// The same, with a token.
    pub(crate) async fn stream_with(&self, path: &str, token: Option<&str>) -> Events {
        let mut request = request(Method::GET, path, Body::empty());
        if let Some(token) = token {
            let value = format!("Bearer {token}").parse().expect("a header");
            request.headers_mut().insert("authorization", value);
        }
        let response = self.send(request).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let contract = self.contract().await;
        let (path, text) = (path.to_owned(), String::new());
        Events { path, contract, body: response.into_body(), text }
    }

    /// Waits until no search is running, waiting or listened to.
    pub(crate) async fn rest(&self) {
        loop {
            let health = self.get("/api/health").await.json();
            let searches = &health["searches"];
            if searches["running"] == 0 && searches["queued"] == 0 && health["streams"] == 0 {
                return;
            }
            tokio::task::yield_now().await;
        }
    }

    pub(crate) fn app(&self) -> &App {
        &self.app
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.app.close();
    }
}

/// A request as a browser sends it from our own page, for this machine.
pub(crate) fn request(method: Method, path: &str, body: Body) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header("host", "localhost:7788");
    let request = request.header("content-type", "application/json");
    request.body(body).expect("a request")
}

impl Answer {
    /// The body of an answer that is well.
    pub(crate) fn json(&self) -> Value {
        assert!(self.status.is_success(), "{}: {}", self.status, self.text());
        serde_json::from_slice(&self.bytes).expect("JSON")
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Checks that it was refused in our shape: the message.
    pub(crate) fn refused(&self, status: u16, code: &str) -> String {
        let text = self.text();
        assert_eq!(self.status, status, "{text}");
        assert_eq!(self.headers["content-type"], "application/json");
        let body: Value = serde_json::from_slice(&self.bytes).expect("JSON");
        let error = &body["error"];
        assert_eq!(error["code"], code, "{text}");
        assert_eq!(error.as_object().map(serde_json::Map::len), Some(3), "{text}");
        let message = error["message"].as_str().expect("a message");
        assert!(!message.is_empty() && message.len() < 2_000 && !message.contains('\n'), "{text}");
        assert!(!text.contains("panicked") && !text.contains(".rs:"), "{text}");
        message.to_owned()
    }
}

impl Events {
    /// The next event, or nothing at the end.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let block: String = self.text.drain(..end + 2).collect();
                let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
                let (Some(name), Some(data)) = (field("event: "), field("data: ")) else {
                    assert!(block.starts_with(':'), "{block:?}");
                    continue;
                };
                let data = serde_json::from_str(data).expect("JSON");
                self.contract.check_event(&self.path, name, &data);
                return Some(Event { name: name.to_owned(), data });
            }
            let frame = self.body.frame().await?.expect("the stream goes on");
            let data = frame.into_data().expect("data");
            self.text.push_str(std::str::from_utf8(&data).expect("UTF-8"));
        }
    }

    /// All events to the end.
    pub(crate) async fn all(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}
