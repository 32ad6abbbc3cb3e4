//! The routes, a file for each screen's worth of them. Each says what comes in and what goes out;
//! the thinking is in `search`.

#![allow(unused_qualifications, reason = "the macros of the description write more than is needed")]

pub(crate) mod analysis;
pub(crate) mod board;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod play;
pub(crate) mod puzzles;
pub(crate) mod share;
pub(crate) mod tournaments;
pub(crate) mod watch;

pub(crate) use games::follow::Follows;

use crate::refusal::{Code, Refusal};
use std::time::Duration;

/// The route is there, but not for this method.
pub(crate) fn wrong_method() -> Refusal {
    Refusal::new(
        Code::Method,
        "the route does not take this method; expected one of docs/guide/web-api.md",
    )
}

/// A time in seconds, sent as `field`, that must lie between `least` and `most`.
pub(crate) fn seconds(
    field: &str,
    seconds: Option<f64>,
    default: f64,
    (least, most): (f64, f64),
) -> Result<Duration, Refusal> {
    let seconds = seconds.unwrap_or(default);
    if (least..=most).contains(&seconds) {
        return Ok(Duration::from_secs_f64(seconds));
    }
    let message = format!("{field} cannot be {seconds}; expected {least} to {most}");
    Err(Refusal::of(field, Code::BadRequest, message))
}

/// A whole number, sent as `field`, that must lie between `least` and `most`.
pub(crate) fn whole<T: PartialOrd + std::fmt::Display + Copy>(
    field: &str,
    number: T,
    (least, most): (T, T),
) -> Result<T, Refusal> {
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    let message = format!("{field} cannot be {number}; expected {least} to {most}");
    Err(Refusal::of(field, Code::BadRequest, message))
}
