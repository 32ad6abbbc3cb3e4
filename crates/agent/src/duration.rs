//! Durations and clocks as people write them: `5s`, `250ms`, `3m`, `1.5h`, `3m+2s`.
//!
//! Options, agent specs, TOML files and Python read them here, so that they all
//! accept the same texts. Protocols and HTTP send plain seconds and do not.

use crate::limits::GameClock;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The units and their seconds. `ms` comes before `s`, which is its last letter.
const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3_600.0)];

/// The longest duration: a leap year.
const MOST_SECONDS: f64 = 366.0 * 86_400.0;

/// What a reader of durations expects, for messages of the form "expected …".
pub const EXPECTED_DURATION: &str = "a time such as 5s, 250ms or 3m";

/// A text that is no duration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DurationError;

impl fmt::Display for DurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a time; expected one such as 5s, 250ms or 3m")
    }
}

impl std::error::Error for DurationError {}

/// Reads a duration: a number and its unit, more than zero and at most a year.
///
/// ```
/// use std::time::Duration;
///
/// assert_eq!(isrever_agent::duration("1.5s"), Ok(Duration::from_millis(1_500)));
/// assert_eq!(isrever_agent::duration("3m"), Ok(Duration::from_secs(180)));
/// assert!(isrever_agent::duration("3").is_err());
/// ```
pub fn duration(text: &str) -> Result<Duration, DurationError> {
    duration_or_zero(text).ok().filter(|duration| !duration.is_zero()).ok_or(DurationError)
}

/// Reads a duration that may be zero.
pub fn duration_or_zero(text: &str) -> Result<Duration, DurationError> {
    let seconds = UNITS.iter().find_map(|(unit, seconds)| {
        let number = text.strip_suffix(unit)?;
        // Numbers only: Rust would also read signs, infinities and NaN.
        let is_plain = number.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        Some(number.parse::<f64>().ok().filter(|_| is_plain)? * seconds)
    });
    let seconds = seconds.filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or(DurationError)
}

/// A text that is no clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockError;

impl fmt::Display for ClockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a clock; expected one such as 3m+2s or 90s")
    }
}

impl std::error::Error for ClockError {}

/// Reads the time that is left, and what every move adds: `3m+2s`, or `90s`.
impl FromStr for GameClock {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<GameClock, ClockError> {
        let (main, added) = text.split_once('+').map_or((text, None), |(m, a)| (m, Some(a)));
        let remaining = duration(main).map_err(|_| ClockError)?;
        let increment = added.map_or(Ok(Duration::ZERO), duration_or_zero);
        let increment = increment.map_err(|_| ClockError)?;
        Ok(GameClock { remaining, increment, moves_left: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_numbers_with_units() {
        for (text, milliseconds) in [
            ("5s", 5_000),
            ("250ms", 250),
            ("0.5s", 500),
            (".5s", 500),
            ("1.5s", 1_500),
            ("1e3ms", 1_000),
            ("3m", 180_000),
            ("1.5m", 90_000),
            ("9m", 540_000),
            ("1h", 3_600_000),
            ("1.5h", 5_400_000),
            ("24h", 86_400_000),
            ("86400s", 86_400_000),
            ("8784h", 31_622_400_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
            assert_eq!(duration_or_zero(text), duration(text), "{text}");
        }
        for text in ["0s", "0ms", "0.0m", "0h"] {
            assert_eq!(duration(text), Err(DurationError), "{text}");
            assert_eq!(duration_or_zero(text), Ok(Duration::ZERO), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "", "s", ".s", "5", "-1s", "+1s", "NaNs", "NaNm", "infs", "1e9s", "1e9h", "8785h",
            "5 m", " 5s", "5s ", "5min", "1 d", "3m2s", "5S", "soon",
        ] {
            assert_eq!(duration_or_zero(text), Err(DurationError), "{text}");
        }
        let said = DurationError.to_string();
        let examples = |text: &str| text.split_once("such as").unwrap().1.to_owned();
        assert_eq!(examples(&said), examples(EXPECTED_DURATION));
    }

    #[test]
    fn clocks_are_what_is_left_and_what_is_added() {
        for (text, times) in [
            ("3m+2s", (180_000, 2_000)),
            ("90s", (90_000, 0)),
            ("1.5m+500ms", (90_000, 500)),
            ("1h+0s", (3_600_000, 0)),
            ("99h", (356_400_000, 0)),
        ] {
            let clock: GameClock = text.parse().unwrap();
            let [remaining, increment] = [clock.remaining, clock.increment].map(|t| t.as_millis());
            assert_eq!((remaining, increment), times, "{text}");
            assert_eq!(clock.moves_left, None);
        }
        for text in ["", "3", "0s", "3m+", "+2s", "3m+x", "-3m", "3m+-1s", "NaNs", "3m2s", "3m++2s"]
        {
            assert_eq!(text.parse::<GameClock>(), Err(ClockError), "{text}");
        }
    }
}
