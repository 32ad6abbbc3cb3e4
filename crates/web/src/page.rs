//! The page itself: the built front end, embedded in the program.

use crate::refusal::{Code, Refusal};
use axum::body::Body;
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderValue, Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

/// The files of `web/dist`.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Files;

/// Answers requests outside the API: a file of the page, or a refusal.
pub(crate) async fn page(request: Request<Body>) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return Refusal::not_found("no such route; expected one of docs/guide/web-api.md")
            .into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let refusal = Refusal::new(Code::Method, "the page cannot be changed; expected GET");
        return ([(ALLOW, "GET, HEAD")], refusal).into_response();
    }
    let name = path.strip_prefix('/').unwrap_or(path);
    let name = if name.is_empty() { "index.html" } else { name };
    // Only embedded files can be found.
    let Some(file) = Files::get(name) else {
        return Refusal::not_found("no such file; expected the page at /").into_response();
    };
    let tag: String = file.metadata.sha256_hash()[..8].iter().map(|b| format!("{b:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let is_known = request.headers().get(IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let kind = HeaderValue::from_static(media_type(name));
        ([(CONTENT_TYPE, kind)], Body::from(file.data)).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}

/// The media type of a file, by its extension.
fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}
