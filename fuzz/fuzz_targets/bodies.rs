//! Whatever body a request has, it is answered or refused, and the server is never at fault.

#![no_main]

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use isrever_web::{App, Settings};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// The routes that take a body. Those that search are fuzzed by the requests they refuse: a search
/// would take all the time.
const ROUTES: [&str; 5] =
    ["/api/position", "/api/read", "/api/write", "/api/games", "/api/puzzles/r8-1-1/answer"];

static SERVER: LazyLock<(Runtime, Router)> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runs");
    let data = std::env::temp_dir().join(format!("isrever-fuzz-{}", std::process::id()));
    let patience = Duration::from_secs(60);
    let settings = Settings { workers: 1, patience, ..Settings::new(data) };
    let router = runtime.block_on(async { App::open(settings).expect("it opens").router() });
    (runtime, router)
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, body)) = bytes.split_first() else { return };
    let path = ROUTES[usize::from(first) % ROUTES.len()];
    let request = Request::post(path)
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(Body::from(body.to_vec()))
        .expect("a request");
    let (runtime, router) = &*SERVER;
    let (status, bytes) = runtime.block_on(async {
        let response = router.clone().oneshot(request).await.expect("the router never fails");
        let status = response.status();
        (status, response.into_body().collect().await.expect("the body comes").to_bytes())
    });
    assert!(!status.is_server_error(), "{path}: {status}");
    let answer: serde_json::Value = serde_json::from_slice(&bytes).expect("the answer is JSON");
    assert_eq!(status == StatusCode::OK || status == StatusCode::CREATED, answer.get("error").is_none());
});
