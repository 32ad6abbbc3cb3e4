//! Reads requests: bodies, queries and numbers as types. Refuses anything else with an error of the API.

mod words;

use crate::app::App;
use crate::connections::Activity;
use crate::refusal::{Code, Refusal};
use axum::body::{Bytes, to_bytes};
use axum::extract::path::ErrorKind;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// The largest body of most routes.
pub(crate) const MOST_BODY_BYTES: usize = 64 << 10;

/// The largest body of a route that reads files.
pub(crate) const MOST_FILE_BYTES: usize = 1 << 20;

/// A JSON body of at most [`MOST_BODY_BYTES`].
pub(crate) struct Body<T>(pub(crate) T);

/// A query.
pub(crate) struct Query<T>(pub(crate) T);

/// The parts of a path.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, Refusal> {
        if media_type(&request) != Some("application/json") {
            let message = "the body has another Content-Type; expected application/json";
            return Err(Refusal::new(Code::MediaType, message));
        }
        let bytes = bytes(app, request, MOST_BODY_BYTES).await?;
        parse_json(&bytes).map(Body)
    }
}

/// Reads a JSON text; refuses anything behind it.
pub(crate) fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        // The parser calls some values of a wrong type bad JSON.
        match serde_json::from_slice::<serde_json::Value>(bytes) {
            Ok(sent) => from_serde(&error, |path| text_at(&sent, path)),
            Err(error) => not_json(&error),
        }
    })?;
    reader.end().map_err(|error| not_json(&error))?;
    Ok(value)
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, Refusal> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = serde_urlencoded::Deserializer::new(form_pairs(query));
        serde_path_to_error::deserialize(pairs).map(Query).map_err(|error| {
            let found = |field: &str| form_pairs(query).find(|(name, _)| name == field);
            from_serde(&error, |field| found(field).map(|(_, value)| format!("{value:?}")))
        })
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, Refusal> {
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        path.map(|path| Path(path.0)).map_err(|error| match error {
            PathRejection::FailedToDeserializePathParams(error)
                if matches!(error.kind(), ErrorKind::ParseError { .. }) =>
            {
                Refusal::not_found("there is nothing at this address; expected one with a number")
            }
            _ => {
                let message = "the address is not well formed; expected UTF-8, percent-encoded";
                Refusal::new(Code::BadRequest, message)
            }
        })
    }
}

/// The media type of a body, without its parameters.
pub(crate) fn media_type(request: &Request) -> Option<&str> {
    let value = request.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or_default().trim())
}

/// The bytes of a body of at most `most` bytes.
pub(crate) async fn bytes(app: &App, request: Request, most: usize) -> Result<Bytes, Refusal> {
    let too_large = || {
        let message = format!("the body is too large; expected at most {most} bytes");
        Refusal::new(Code::TooLarge, message)
    };
    let stated =
        request.headers().get("content-length").and_then(|v| v.to_str().ok()?.parse().ok());
    if stated.is_some_and(|length: u64| length > most as u64) {
        return Err(too_large());
    }
    let activity = request.extensions().get::<Activity>().cloned();
    let set_expected = |is_expected| {
        if let Some(activity) = &activity {
            activity.expect_body(is_expected);
        }
    };
    set_expected(true);
    let patience = app.settings().limits.body;
    let read = tokio::time::timeout(patience, to_bytes(request.into_body(), most)).await;
    set_expected(false);
    match read {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => {
            let seconds = patience.as_secs();
            let message = format!("the body did not arrive; expected it in at most {seconds} s");
            Err(Refusal::new(Code::Timeout, message))
        }
    }
}

/// The pairs of a query.
fn form_pairs(query: &str) -> form_urlencoded::Parse<'_> {
    form_urlencoded::parse(query.as_bytes())
}

/// A refusal that names the wrong field. `found` looks up the text of a field.
fn from_serde(
    error: &serde_path_to_error::Error<impl std::fmt::Display>,
    found: impl FnOnce(&str) -> Option<String>,
) -> Refusal {
    let path = error.path().to_string();
    let found = found(&path);
    let fault = words::fault(&path, &error.inner().to_string(), found.as_deref());
    Refusal { field: fault.field, ..Refusal::new(Code::BadRequest, fault.message) }
}

/// The text of the field at `path`, such as `black.kind`.
fn text_at(sent: &serde_json::Value, path: &str) -> Option<String> {
    let found = sent.pointer(&format!("/{}", path.replace('.', "/")))?;
    Some(found.to_string())
}

/// A refusal of a body that is not JSON.
fn not_json(error: &serde_json::Error) -> Refusal {
    let what = if error.is_eof() { "the body breaks off" } else { "the body is not JSON" };
    let (line, column) = (error.line(), error.column());
    let message = format!("{what} at line {line}, column {column}; expected one JSON object");
    Refusal::new(Code::BadRequest, message)
}

/// A time in seconds, sent as `field`, between `least` and `most`.
pub(crate) fn seconds(
    field: &str,
    seconds: Option<f64>,
    default: f64,
    (least, most): (f64, f64),
) -> Result<Duration, Refusal> {
    let seconds = seconds.unwrap_or(default);
    within(field, seconds, (least, most)).map(Duration::from_secs_f64)
}

/// A whole number, sent as `field`, between `least` and `most`.
pub(crate) fn whole<T: PartialOrd + std::fmt::Display + Copy>(
    field: &str,
    number: T,
    (least, most): (T, T),
) -> Result<T, Refusal> {
    within(field, number, (least, most))
}

/// A number, sent as `field`, between `least` and `most`.
fn within<T: PartialOrd + std::fmt::Display + Copy>(
    field: &str,
    number: T,
    (least, most): (T, T),
) -> Result<T, Refusal> {
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    let bound = match number < least {
        true => format!("at least {least}"),
        false => format!("at most {most}"),
    };
    let message = format!("{field} cannot be {number}; expected {bound}");
    Err(Refusal::of(field, Code::BadRequest, message))
}
