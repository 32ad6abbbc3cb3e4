//! Whether a late answer overran the move's time or the game's, and times as text.

use isrever_agent::{GameClock, Reason};
use std::time::Duration;

/// How much of a move's time may pass before we read the clock.
const SLACK: Duration = Duration::from_millis(10);

/// Which time an answer has overrun that did not come within `time`: the game's, if no more than
/// that was left of it.
pub(crate) fn lateness(clock: Option<GameClock>, time: Duration) -> Reason {
    match clock {
        Some(clock) if clock.remaining <= time + SLACK => Reason::GameTime,
        _ => Reason::Time,
    }
}

/// A time for messages, in seconds.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_move_overruns_the_game_s_time_if_no_more_was_left() {
        let ms = Duration::from_millis;
        let clock =
            |left| Some(GameClock { remaining: ms(left), increment: ms(0), moves_left: None });
        assert_eq!(lateness(None, ms(100)), Reason::Time);
        assert_eq!(lateness(clock(5_000), ms(100)), Reason::Time);
        assert_eq!(lateness(clock(200), ms(199)), Reason::GameTime);
        assert_eq!(lateness(clock(0), ms(0)), Reason::GameTime);
        assert_eq!(seconds(ms(140)), "0.140 s");
    }
}
