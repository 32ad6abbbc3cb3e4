//! The page itself: the built front end, embedded in the program, and compressed for who takes that.

mod packed;

use crate::refusal::{Code, Refusal};
use axum::body::Body;
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use isrever_club::secret::hex;
use packed::Packed;
use rust_embed::RustEmbed;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The files of `web/dist`.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Files;

/// The files that are worth compressing, compressed when the first of them is asked for.
static PACKED: LazyLock<HashMap<Cow<'static, str>, Packed>> = LazyLock::new(|| {
    let worth = Files::iter().filter(|name| is_text(name));
    worth.filter_map(|name| Some((name.clone(), Packed::new(&Files::get(&name)?.data)))).collect()
});

/// Answers requests outside the API: a file of the page, or a refusal.
pub(crate) async fn page(request: Request<Body>) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return Refusal::not_found("no such route; expected one that /api/docs lists")
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
    let packed = PACKED.get(name).filter(|_| takes_gzip(request.headers()));
    let tag = hex(&file.metadata.sha256_hash()[..8]);
    // Other bytes have another tag.
    let tag = if packed.is_some() { format!("\"{tag}-gzip\"") } else { format!("\"{tag}\"") };
    let is_known = request.headers().get(IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let mut response = match (is_known, packed) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, Some(packed)) => {
            ([(CONTENT_ENCODING, "gzip")], Body::from(packed.bytes())).into_response()
        }
        (false, None) => Body::from(file.data).into_response(),
    };
    let headers = response.headers_mut();
    if !is_known {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if is_text(name) {
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}

/// Whether a file is text, which compresses well.
fn is_text(name: &str) -> bool {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    ["html", "js", "css", "svg", "webmanifest", "json", "txt"].contains(&end)
}

/// Whether a request takes gzip: it names it, and not with the weight of zero.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.trim().parse::<f64>().ok());
        is_gzip && weight.is_none_or(|weight| weight > 0.0)
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        for (sent, takes) in [
            (Some("gzip, deflate, br, zstd"), true),
            (Some("deflate;q=0.5, GZIP ; q=0.1"), true),
            (Some("gzip;q=0"), false),
            (Some("gzip; q=0.0, identity"), false),
            (Some("br"), false),
            (Some("xgzip"), false),
            (None, false),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(sent) = sent {
                headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(sent));
            }
            assert_eq!(takes_gzip(&headers), takes, "{sent:?}");
        }
    }
}
