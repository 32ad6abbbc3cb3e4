//! Refusals of requests: a status, and one JSON shape for all.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// The most characters of a message, which may quote the request.
const MOST_OF_MESSAGE: usize = 500;

/// Why a request is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    /// One line: the offence and what was expected.
    pub(crate) message: String,
    /// The field of the request that it is about.
    pub(crate) field: Option<String>,
    /// What an agent that failed has printed.
    pub(crate) output: Option<String>,
}

/// The kinds of refusals, a word and a status each. The words never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Code {
    BadRequest,
    BadPosition,
    IllegalMove,
    Unreadable,
    BadAgent,
    AgentFailed,
    NoToken,
    WrongToken,
    LogIn,
    WrongForm,
    Forbidden,
    Closed,
    CrossSite,
    NotFound,
    Method,
    GameOver,
    Conflict,
    NotYourTurn,
    NotJoined,
    SeatsFull,
    NoOffer,
    TooLarge,
    MediaType,
    Timeout,
    TooMany,
    Busy,
    DiskFull,
    Internal,
}

impl Code {
    /// The status of the answer.
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Code::BadRequest
            | Code::BadPosition
            | Code::IllegalMove
            | Code::Unreadable
            | Code::BadAgent => StatusCode::BAD_REQUEST,
            Code::AgentFailed => StatusCode::FAILED_DEPENDENCY,
            Code::NoToken | Code::LogIn => StatusCode::UNAUTHORIZED,
            Code::WrongToken | Code::CrossSite | Code::WrongForm | Code::Forbidden => {
                StatusCode::FORBIDDEN
            }
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::Method => StatusCode::METHOD_NOT_ALLOWED,
            Code::GameOver
            | Code::Closed
            | Code::Conflict
            | Code::NotYourTurn
            | Code::NotJoined
            | Code::SeatsFull
            | Code::NoOffer => StatusCode::CONFLICT,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::Timeout => StatusCode::REQUEST_TIMEOUT,
            Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Code::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Code::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl Refusal {
    /// A refusal that is about no field in particular.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Refusal {
        Refusal { code, message: line(&message.into()), field: None, output: None }
    }

    /// A refusal of what `field` says.
    pub(crate) fn of(field: &str, code: Code, message: impl Into<String>) -> Refusal {
        Refusal { field: Some(field.to_owned()), ..Refusal::new(code, message) }
    }

    /// A refusal of something that does not exist.
    pub(crate) fn not_found(message: impl Into<String>) -> Refusal {
        Refusal::new(Code::NotFound, message)
    }

    /// A refusal because the server is busy.
    pub(crate) fn busy() -> Refusal {
        Refusal::new(Code::Busy, "the server has too much to do; try again in a moment")
    }

    /// A refusal because of a fault of the server; it gives no details.
    pub(crate) fn internal() -> Refusal {
        Refusal::new(Code::Internal, "something went wrong on the server; nothing was changed")
    }

    /// The body of the answer, and the data of a stream's `failed` event.
    pub(crate) fn body(&self) -> ErrorBody {
        ErrorBody {
            error: ErrorDetails {
                code: self.code,
                message: self.message.clone(),
                field: self.field.clone(),
                output: self.output.clone(),
            },
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.code.status(), Json(self.body())).into_response();
        if matches!(self.code, Code::Busy | Code::TooMany) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// The body of every refusal.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    error: ErrorDetails,
}

/// The refusal itself.
#[derive(Clone, Serialize, ToSchema)]
struct ErrorDetails {
    code: Code,
    /// One line for people.
    message: String,
    /// The offending field, if there is one.
    field: Option<String>,
    /// What an agent that failed has printed, its traceback last.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
}

/// One line without control characters, not too long.
fn line(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut short: String = plain.clone().take(MOST_OF_MESSAGE).collect();
    if plain.count() > MOST_OF_MESSAGE {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_short_line() {
        let refusal = Refusal::new(Code::BadRequest, format!("a\nb\u{1b}{}", "x".repeat(9_000)));
        assert!(refusal.message.starts_with("a b x") && refusal.message.ends_with('…'));
        assert_eq!(refusal.message.chars().count(), MOST_OF_MESSAGE + 1);
    }

    #[test]
    fn who_should_come_again_is_told_when() {
        let response = Refusal::busy().into_response();
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()["retry-after"], "1");
        assert!(!Refusal::internal().into_response().headers().contains_key("retry-after"));
    }
}
