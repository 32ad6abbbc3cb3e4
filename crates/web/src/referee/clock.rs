//! The clocks of a game as the server keeps them; callers pass in the time.

use crate::wire::{ColorWord, Pair};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How long each side has for all its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Control {
    /// For all moves.
    #[schema(minimum = 1, maximum = 86400)]
    pub(crate) seconds: u32,
    /// Added after each move, in seconds.
    #[schema(minimum = 0, maximum = 3600)]
    pub(crate) increment: u32,
}

/// The time left to each side, and whose time runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Clock {
    pub(crate) control: Control,
    /// Milliseconds, as they were when the running side's time began to run.
    left: Pair<i64>,
    running: Option<Running>,
}

/// The side whose time runs, and since when.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Running {
    side: ColorWord,
    since_ms: i64,
}

impl Clock {
    pub(crate) fn new(control: Control) -> Clock {
        let left = i64::from(control.seconds) * 1_000;
        Clock { control, left: Pair { black: left, white: left }, running: None }
    }

    /// The time left to both sides, in milliseconds.
    pub(crate) fn left(&self, now_ms: i64) -> Pair<i64> {
        let [black, white] = ColorWord::BOTH.map(|side| self.left_to(side, now_ms));
        Pair { black, white }
    }

    /// The side whose time runs.
    pub(crate) fn running(&self) -> Option<ColorWord> {
        self.running.map(|running| running.side)
    }

    /// When the running side's time is over.
    pub(crate) fn deadline_ms(&self) -> Option<i64> {
        self.running.map(|running| running.since_ms + self.left.of(running.side))
    }

    /// The side that is out of time, if one is.
    pub(crate) fn flag(&self, now_ms: i64) -> Option<ColorWord> {
        self.running().filter(|&side| self.left_to(side, now_ms) == 0)
    }

    /// The side that is out of time, whose clock stays at nothing.
    pub(super) fn settle(&mut self, now_ms: i64) -> Option<ColorWord> {
        let side = self.flag(now_ms)?;
        self.run(None, now_ms);
        Some(side)
    }

    /// Adds the increment of a move.
    pub(super) fn moved(&mut self, side: ColorWord, now_ms: i64) {
        // The first move of a game is free: no clock runs yet.
        if self.running() == Some(side) {
            self.run(None, now_ms);
            *self.left.of_mut(side) += i64::from(self.control.increment) * 1_000;
        }
    }

    /// Lets the time of `side` run, or of nobody.
    pub(crate) fn run(&mut self, side: Option<ColorWord>, now_ms: i64) {
        if side == self.running() {
            return;
        }
        self.left = self.left(now_ms);
        self.running = side.map(|side| Running { side, since_ms: now_ms });
    }

    /// Forgives the running side all time since its turn began: the server was away.
    pub(crate) fn resume(&mut self, now_ms: i64) {
        if let Some(running) = &mut self.running {
            running.since_ms = now_ms;
        }
    }

    fn left_to(&self, side: ColorWord, now_ms: i64) -> i64 {
        let spent = match self.running {
            Some(running) if running.side == side => (now_ms - running.since_ms).max(0),
            _ => 0,
        };
        (self.left.of(side) - spent).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ColorWord::{Black, White};

    fn clock() -> Clock {
        Clock::new(Control { seconds: 60, increment: 5 })
    }

    #[test]
    fn time_is_taken_from_the_side_to_move_and_the_increment_added() {
        let mut clock = clock();
        clock.moved(Black, 0);
        clock.run(Some(White), 1_000);
        assert_eq!(clock.left(11_000), Pair { black: 60_000, white: 50_000 });
        clock.moved(White, 11_000);
        clock.run(Some(Black), 11_000);
        assert_eq!(clock.left(12_000), Pair { black: 59_000, white: 55_000 });
        clock.run(Some(White), 12_000);
        assert_eq!(clock.left(12_000).black, 59_000, "without a move there is no increment");
        assert_eq!((clock.running(), clock.deadline_ms()), (Some(White), Some(67_000)));
    }

    #[test]
    fn a_side_is_out_of_time_at_its_deadline_and_not_before() {
        let mut clock = clock();
        assert_eq!(clock.flag(i64::MAX), None, "nobody's time runs");
        clock.run(Some(Black), 0);
        assert_eq!((clock.flag(59_999), clock.flag(60_000)), (None, Some(Black)));
        assert_eq!((clock.settle(59_999), clock.settle(61_000)), (None, Some(Black)));
        assert_eq!((clock.left(99_000).black, clock.running()), (0, None));
    }

    #[test]
    fn the_time_that_the_server_was_away_is_forgiven() {
        let mut clock = clock();
        clock.run(Some(White), 0);
        clock.resume(1_000_000);
        assert_eq!((clock.flag(1_000_001), clock.left(1_001_000).white), (None, 59_000));
    }
}
