//! Time control: when to stop searching, decided from readings of a clock.
//!
//! A [`MoveBudget`] says how much time a move may take. A [`Clock`] receives
//! readings and says whether to go on. It never reads the time itself, so that
//! tests can feed it made-up readings; `player/watchdog.rs` feeds it real ones.
//!
//! **Never late.** On a busy machine a process waits before it can read the
//! clock, and again before it can answer. The reserve at the end covers both
//! waits if each takes at most half of it. It is a thirty-second of the time
//! plus some milliseconds, and at least four times the longest wait seen so
//! far: enough even if each wait is half as long again as the longest before.
//! The search has half of the reserve to stop; then the answer is given,
//! whether it has stopped or not.

#[cfg(test)]
mod simulation;

use isrever_agent::GameClock;
use std::time::Duration;

/// The time between two readings: how long a stop flag may go unnoticed.
pub(crate) const POLL: Duration = Duration::from_millis(2);

/// The reserve at the end of the time is at least this, plus this part of the time,
const RESERVE: Duration = Duration::from_millis(10);
const RESERVE_PART: u32 = 32;

/// and at least this many times the longest wait.
const RESERVE_WAITS: u32 = 4;

/// With fewer empty squares the game is solved within a moment or two, and the moves after that take
/// no time.
const SOLVED_FROM: u32 = 20;

/// Solving takes the time of so many moves.
const SOLVING_SHARES: f64 = 3.0;

/// A difficult move may take this many times its optimum.
const DIFFICULT: f64 = 3.0;

/// The time that every move loses on the way from and to the opponent, unseen by us.
const LAG: Duration = Duration::from_millis(20);

/// An iteration takes at least this many times as long as the one before.
const GROWTH: f64 = 1.5;

/// How much time a move may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveBudget {
    /// The time it should take; what is saved serves later moves.
    pub(crate) optimum: Duration,
    /// The time after which the answer is late.
    pub(crate) maximum: Duration,
}

impl MoveBudget {
    /// For a move with a time limit of its own: all of it, since nothing can be saved.
    pub(crate) fn of_move(time: Duration) -> MoveBudget {
        MoveBudget { optimum: time, maximum: time }
    }

    /// For a move in a game of limited time, with this many empty squares on the board.
    pub(crate) fn of_game(clock: GameClock, empties: u32) -> MoveBudget {
        let GameClock { remaining, increment, moves_left } = clock;
        let own = empties.div_ceil(2).max(1).min(moves_left.unwrap_or(u32::MAX).max(1));
        let left = remaining.saturating_sub(LAG * own);
        let before = f64::from(empties.saturating_sub(SOLVED_FROM)) / 2.0;
        let shares = (before + SOLVING_SHARES).min(own.into());
        // The increment comes after the move: it cannot be spent before.
        let optimum = left.div_f64(shares) + increment.mul_f64(0.9);
        // However hard this move is, others come after it.
        let most = if own == 1 { left } else { left.mul_f64(0.5) };
        let optimum = optimum.min(most);
        MoveBudget { optimum, maximum: optimum.mul_f64(DIFFICULT).min(most) }
    }

    /// The same within a time limit for the move.
    #[must_use]
    pub(crate) fn within(self, time: Duration) -> MoveBudget {
        MoveBudget { optimum: self.optimum.min(time), maximum: self.maximum.min(time) }
    }
}

/// Turns readings into decisions. All times count from the beginning of the move.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    budget: MoveBudget,
    /// The longest delay so far of a reading beyond the moment it was planned for.
    longest_wait: Duration,
    /// The moment that the next reading is planned for.
    planned: Option<Duration>,
    /// When the present iteration began.
    iteration_began: Duration,
    /// When the search was told to stop.
    stopped: Option<Duration>,
}

impl Clock {
    /// A clock for one move; earlier moves waited up to `longest_wait`.
    pub(crate) fn new(budget: MoveBudget, longest_wait: Duration) -> Clock {
        let (planned, stopped) = (None, None);
        Clock { budget, longest_wait, planned, iteration_began: Duration::ZERO, stopped }
    }

    /// The time after which the answer is late.
    pub(crate) fn maximum(&self) -> Duration {
        self.budget.maximum
    }

    /// The reserve at the end, as far as waits are known now.
    fn reserve(&self) -> Duration {
        let MoveBudget { maximum, .. } = self.budget;
        let least = RESERVE + maximum / RESERVE_PART;
        // Even of a very short time, half is for the search.
        least.max(self.longest_wait * RESERVE_WAITS).min(maximum.max(RESERVE) / 2)
    }

    /// When the search must be told to stop.
    pub(crate) fn stop_at(&self) -> Duration {
        self.budget.maximum.saturating_sub(self.reserve())
    }

    /// When to answer, whether the search has stopped or not.
    pub(crate) fn give_up_at(&self) -> Duration {
        self.budget.maximum.saturating_sub(self.reserve() / 2)
    }

    /// How long to wait from `now` until the next reading.
    pub(crate) fn wait(&mut self, now: Duration) -> Duration {
        let wait = self.stop_at().saturating_sub(now).min(POLL);
        self.planned = Some(now + wait);
        wait
    }

    /// Takes a reading; true if it is time to stop.
    pub(crate) fn read(&mut self, now: Duration) -> bool {
        if let Some(planned) = self.planned.take() {
            self.longest_wait = self.longest_wait.max(now.saturating_sub(planned));
        }
        if now >= self.stop_at() {
            self.stopped.get_or_insert(now);
        }
        self.stopped.is_some()
    }

    /// An iteration begins, which will take longer than the one before: true if there is time for
    /// it.
    pub(crate) fn begin_iteration(&mut self, now: Duration) -> bool {
        let last = now.saturating_sub(self.iteration_began);
        self.iteration_began = now;
        let MoveBudget { optimum, maximum } = self.budget;
        // Time that cannot be saved may as well be used: an aborted iteration may still find better.
        let is_worth_it =
            optimum == maximum || now + last.mul_f64(GROWTH) <= optimum.mul_f64(GROWTH);
        if !is_worth_it {
            self.stopped.get_or_insert(now);
        }
        is_worth_it && !self.read(now)
    }

    /// The answer is given: the longest wait, for the next move.
    pub(crate) fn answered(&self, now: Duration) -> Duration {
        // After giving up on the search, the thread may have woken late.
        let last = now.saturating_sub(self.give_up_at());
        // A load that is over is forgotten, move by move.
        self.longest_wait.max(last).mul_f64(0.75)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn game(remaining: u64, increment: u64) -> GameClock {
        GameClock { remaining: ms(remaining), increment: ms(increment), moves_left: None }
    }

    #[test]
    fn a_move_s_own_time_is_used_but_for_the_reserve() {
        for (limit, stop) in [(5_000, 4_833), (1_000, 958), (100, 86), (20, 10), (4, 0), (0, 0)] {
            let clock = Clock::new(MoveBudget::of_move(ms(limit)), Duration::ZERO);
            assert_eq!(clock.stop_at().as_millis(), stop, "{limit} ms");
        }
    }

    #[test]
    fn long_waits_are_remembered_and_make_the_reserve_larger() {
        let mut clock = Clock::new(MoveBudget::of_move(ms(5_000)), Duration::ZERO);
        assert_eq!(clock.wait(ms(0)), POLL);
        assert!(!clock.read(ms(202)));
        assert_eq!(clock.stop_at(), ms(5_000 - 800));
        assert!(!clock.read(ms(4_199)), "nobody waited for this reading");
        assert_eq!(clock.wait(ms(4_199)), ms(1));
        assert!(clock.read(ms(4_200)));
        assert_eq!(clock.give_up_at(), ms(4_600));
        assert_eq!(clock.answered(ms(4_201)), ms(150));
        assert_eq!(clock.answered(ms(5_000)), ms(300), "the wait for the answer counts too");
    }

    #[test]
    fn passes_begin_as_long_as_time_is_there_or_as_they_fit() {
        let mut all = Clock::new(MoveBudget::of_move(ms(1_000)), Duration::ZERO);
        assert!(
            all.begin_iteration(ms(0))
                && all.begin_iteration(ms(500))
                && all.begin_iteration(ms(950))
        );
        assert!(!all.begin_iteration(ms(960)));
        let mut planned = Clock::new(MoveBudget::of_game(game(60_000, 0), 50), Duration::ZERO);
        let optimum = planned.budget.optimum;
        assert!(planned.begin_iteration(ms(0)));
        assert!(planned.begin_iteration(optimum.mul_f64(0.2)));
        assert!(planned.begin_iteration(optimum.mul_f64(0.5)));
        assert!(!planned.begin_iteration(optimum.mul_f64(0.95)), "it would take until 1.6 of it");
        assert!(planned.read(optimum), "and that is that");
    }

    #[test]
    fn a_game_s_time_goes_to_the_moves_that_need_it() {
        let optimum = |clock, empties| MoveBudget::of_game(clock, empties).optimum.as_millis();
        // Twenty moves before the solver and three for it: nothing is left for the others.
        assert_eq!(optimum(game(180_600, 0), 60), 7_826);
        assert_eq!(optimum(game(60_000, 0), 20), 19_933);
        assert_eq!(optimum(game(60_000, 2_000), 20), 21_733);
        assert_eq!(optimum(game(60_000, 0), 1), 59_980, "the last move may have it all");
        let byoyomi = GameClock { moves_left: Some(1), ..game(10_000, 0) };
        assert_eq!(optimum(byoyomi, 40), 9_980);
        for empties in 0..=60 {
            for clock in [game(0, 0), game(5, 1_000), game(1_000, 50), game(100_000, 0)] {
                let MoveBudget { optimum, maximum } = MoveBudget::of_game(clock, empties);
                assert!(optimum <= maximum && maximum <= clock.remaining, "{clock:?} {empties}");
            }
        }
        let tight = MoveBudget::of_game(game(60_000, 0), 40).within(ms(100));
        assert_eq!(tight, MoveBudget::of_move(ms(100)));
    }
}
