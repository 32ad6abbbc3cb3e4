//! A file to download.

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// Games as text.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

/// The answer that a browser saves as a file called `name`, which is letters, digits, `.` and `-`.
pub(crate) fn attachment(kind: &'static str, name: &str, body: impl Into<Body>) -> Response {
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
        .expect("names are letters and digits");
    let kind = HeaderValue::from_static(kind);
    ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, disposition)], body.into()).into_response()
}
