//! Decides what a player may spend, and when its answer is late.

use isrever_agent::{GameClock, Limits, Reason, TimedBy};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How much longer than allowed the arena waits for an agent before it takes the game away: long
/// enough for our own threads to get a processor on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

/// What each side of a game may spend. The default is the course's: five seconds a move, three
/// minutes a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time for a move.
    pub time: Option<Duration>,
    /// Time for all moves of one side.
    pub game_time: Option<Duration>,
    /// How much later than that an answer may come, because the machine was busy elsewhere.
    pub grace: Duration,
    /// The clock that times are meant by.
    pub timed_by: TimedBy,
    /// Boards for a move.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock {
            time: Some(Duration::from_secs(5)),
            game_time: Some(Duration::from_secs(180)),
            ..Clock::untimed()
        }
    }
}

impl Clock {
    /// How late an answer may be unless somebody says otherwise.
    pub const GRACE: Duration = Duration::from_millis(50);

    /// A clock that limits nothing.
    pub const fn untimed() -> Clock {
        Clock {
            time: None,
            game_time: None,
            grace: Clock::GRACE,
            timed_by: TimedBy::Wall,
            nodes: None,
            depth: None,
        }
    }

    /// Boards for each move, and no clock: games are the same on every machine.
    pub const fn of_nodes(nodes: u64) -> Clock {
        Clock { nodes: Some(nodes), ..Clock::untimed() }
    }

    /// Whether the time that an agent takes matters to the result. Without any limit agents keep
    /// times of their own.
    pub fn is_timed(&self) -> bool {
        let is_free = self.nodes.is_none() && self.depth.is_none();
        self.time.is_some() || self.game_time.is_some() || is_free
    }

    /// The time for the next move of a side that has used so much in this game.
    pub fn allowance(&self, used: Duration) -> Option<Duration> {
        let left = self.game_time.map(|all| all.saturating_sub(used));
        self.time.into_iter().chain(left).min()
    }

    /// What an agent is told about its next move.
    pub(crate) fn limits(&self, began: Instant, used: Duration, stop: &Arc<AtomicBool>) -> Limits {
        Limits {
            deadline: self.allowance(used).map(|time| began + time),
            clock: self.game_time.map(|all| GameClock {
                remaining: all.saturating_sub(used),
                increment: Duration::ZERO,
                moves_left: None,
            }),
            timed_by: self.timed_by,
            depth: self.depth,
            nodes: self.nodes,
            stop: Arc::clone(stop),
        }
    }

    /// When the arena gives up an agent that `began` to think at this moment and does not answer.
    pub(crate) fn overdue_at(&self, began: Instant, used: Duration) -> Option<Instant> {
        let wait = self.timed_by.longest_wait(self.allowance(used)?);
        began.checked_add(wait.saturating_add(self.grace).saturating_add(PATIENCE))
    }

    /// Why a move that took `taken` comes too late, if it does: that of the move, or that of the
    /// game, of which `used` was gone before.
    pub(crate) fn lateness(&self, used: Duration, taken: Duration) -> Option<(Reason, Duration)> {
        let is_late = |allowed: &Duration| taken > *allowed + self.grace;
        let left = self.game_time.map(|all| all.saturating_sub(used));
        let of_move = self.time.filter(is_late).map(|allowed| (Reason::Time, allowed));
        of_move.or_else(|| left.filter(is_late).map(|allowed| (Reason::GameTime, allowed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_move_is_late_after_its_time_and_the_grace() {
        let clock = Clock { time: Some(ms(100)), grace: ms(20), ..Clock::untimed() };
        assert_eq!(clock.lateness(ms(9_000), ms(120)), None);
        assert_eq!(clock.lateness(ms(0), ms(121)), Some((Reason::Time, ms(100))));
        assert_eq!(Clock::untimed().lateness(ms(1 << 40), ms(1 << 40)), None);
    }

    #[test]
    fn a_game_has_a_time_of_its_own() {
        let clock = Clock { time: Some(ms(100)), game_time: Some(ms(250)), ..Clock::untimed() };
        assert_eq!(clock.allowance(ms(0)), Some(ms(100)));
        assert_eq!(clock.allowance(ms(200)), Some(ms(50)));
        assert_eq!(clock.allowance(ms(400)), Some(ms(0)));
        assert_eq!(clock.lateness(ms(200), ms(101)), Some((Reason::GameTime, ms(50))));
        assert_eq!(clock.lateness(ms(200), ms(151)), Some((Reason::Time, ms(100))));
    }

    #[test]
    fn an_agent_is_given_up_long_after_its_time() {
        let began = Instant::now();
        let clock = Clock { time: Some(ms(100)), grace: ms(20), ..Clock::untimed() };
        assert_eq!(clock.overdue_at(began, ms(0)), Some(began + ms(120) + PATIENCE));
        let unfair = Clock { timed_by: TimedBy::Processor, ..clock };
        assert!(unfair.overdue_at(began, ms(0)) > Some(began + ms(60_000)));
        assert_eq!(Clock::untimed().overdue_at(began, ms(0)), None);
    }

    #[test]
    fn the_clock_matters_unless_something_else_limits() {
        assert!(Clock::default().is_timed() && Clock::untimed().is_timed());
        assert!(!Clock::of_nodes(100).is_timed());
        assert!(Clock { time: Some(ms(1)), ..Clock::of_nodes(100) }.is_timed());
    }
}
