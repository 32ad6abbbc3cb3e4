//! When to stop thinking: decisions from readings of a clock, without a clock.
//!
//! A [`Budget`] says what a move may take, a [`Clock`] is told how late it is
//! and says whether to go on. It never reads the time itself, so that all it
//! does can be tried out on made-up readings; `player/timed.rs` brings the real
//! ones.
//!
//! **Never late.** A machine with other work to do lets a process wait, before
//! it can look at the clock, and again before it can answer. The reserve that
//! is kept at the end covers both waits if each is at most half of it. It is at
//! least a thirty-second part of the time and some milliseconds, and four times
//! the longest wait seen so far: where waits are long, more is kept, enough
//! even if each is half as long again as the longest before. The search has
//! half of the reserve to come to an end; whether it does or not, the answer is
//! given then.

#[cfg(test)]
mod simulation;

use isrever_agent::GameClock;
use std::time::Duration;

/// How long a stop from elsewhere may go unnoticed: the time between two looks.
pub(crate) const LOOK: Duration = Duration::from_millis(2);

/// What is kept of the time at least: so much, and a part of all,
const RESERVE: Duration = Duration::from_millis(10);
const RESERVE_PART: u32 = 32;

/// and so many times the longest wait seen.
const RESERVE_WAITS: u32 = 4;

/// With fewer empty squares the game is solved within a moment or two, and what comes after it
/// takes no time.
const SOLVED_FROM: u32 = 20;

/// How many moves' time the solving takes.
const SOLVING_SHARES: f64 = 3.0;

/// What a move may take that turns out to be difficult, as a multiple of what it should.
const DIFFICULT: f64 = 3.0;

/// What is lost with every move on the way from and to the opponent, unseen by us.
const LAG: Duration = Duration::from_millis(20);

/// A pass takes at least so many times as long as the last one.
const GROWTH: f64 = 1.5;

/// What a move may take, from its beginning on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Budget {
    /// What it should take, if all is well: saved is what may be needed later.
    pub(crate) wanted: Duration,
    /// When the answer must be there.
    pub(crate) limit: Duration,
}

impl Budget {
    /// For a move that has this time for itself: all of it, since nothing can be saved.
    pub(crate) fn of_move(time: Duration) -> Budget {
        Budget { wanted: time, limit: time }
    }

    /// For a move in a game of limited time, with this many empty squares on the board.
    pub(crate) fn of_game(clock: GameClock, empties: u32) -> Budget {
        let GameClock { remaining, increment, moves_left } = clock;
        let own = empties.div_ceil(2).max(1).min(moves_left.unwrap_or(u32::MAX).max(1));
        let left = remaining.saturating_sub(LAG * own);
        let before = f64::from(empties.saturating_sub(SOLVED_FROM)) / 2.0;
        let shares = (before + SOLVING_SHARES).min(own.into());
        // The increment comes when the move is made: it cannot be spent before.
        let wanted = left.div_f64(shares) + increment.mul_f64(0.9);
        // However hard this one is, others come after it.
        let most = if own == 1 { left } else { left.mul_f64(0.5) };
        let wanted = wanted.min(most);
        Budget { wanted, limit: wanted.mul_f64(DIFFICULT).min(most) }
    }

    /// The same with a deadline of its own.
    #[must_use]
    pub(crate) fn within(self, time: Duration) -> Budget {
        Budget { wanted: self.wanted.min(time), limit: self.limit.min(time) }
    }
}

/// Readings in, decisions out. All times are counted from the beginning of the move.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    budget: Budget,
    /// The longest wait so far between the moment that a reading was meant for and its own.
    longest_wait: Duration,
    /// The moment that the next reading is meant for.
    awaited: Option<Duration>,
    /// When the present pass of the search began.
    pass_began: Duration,
    /// When the search was told to stop.
    stopped: Option<Duration>,
}

impl Clock {
    /// A clock for one move; waits were up to `longest_wait` before it.
    pub(crate) fn new(budget: Budget, longest_wait: Duration) -> Clock {
        let (awaited, stopped) = (None, None);
        Clock { budget, longest_wait, awaited, pass_began: Duration::ZERO, stopped }
    }

    /// What is kept of the time, as far as is known now.
    fn reserve(&self) -> Duration {
        let Budget { limit, .. } = self.budget;
        let least = RESERVE + limit / RESERVE_PART;
        // Of a very short time half is for thinking all the same.
        least.max(self.longest_wait * RESERVE_WAITS).min(limit.max(RESERVE) / 2)
    }

    /// When the search must be told to stop.
    pub(crate) fn stop_at(&self) -> Duration {
        self.budget.limit.saturating_sub(self.reserve())
    }

    /// When to answer whether the search has come to an end or not.
    pub(crate) fn give_up_at(&self) -> Duration {
        self.budget.limit.saturating_sub(self.reserve() / 2)
    }

    /// How long to wait from `now` to the next reading.
    pub(crate) fn wait(&mut self, now: Duration) -> Duration {
        let wait = self.stop_at().saturating_sub(now).min(LOOK);
        self.awaited = Some(now + wait);
        wait
    }

    /// A reading: whether it is time to stop.
    pub(crate) fn read(&mut self, now: Duration) -> bool {
        if let Some(awaited) = self.awaited.take() {
            self.longest_wait = self.longest_wait.max(now.saturating_sub(awaited));
        }
        if now >= self.stop_at() {
            self.stopped.get_or_insert(now);
        }
        self.stopped.is_some()
    }

    /// A pass of the search begins, each of which takes longer than the last: whether there is
    /// time for it.
    pub(crate) fn begin_pass(&mut self, now: Duration) -> bool {
        let last = now.saturating_sub(self.pass_began);
        self.pass_began = now;
        let Budget { wanted, limit } = self.budget;
        // What cannot be saved may as well be used: a pass that is cut short may still find better.
        let is_worth_it = wanted == limit || now + last.mul_f64(GROWTH) <= wanted.mul_f64(GROWTH);
        if !is_worth_it {
            self.stopped.get_or_insert(now);
        }
        is_worth_it && !self.read(now)
    }

    /// The answer is given: how long the waits were, for the next move.
    pub(crate) fn answered(&self, now: Duration) -> Duration {
        // Who gave up waiting for the search may have been woken late.
        let last = now.saturating_sub(self.give_up_at());
        // A load that has gone is forgotten, move by move.
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
            let clock = Clock::new(Budget::of_move(ms(limit)), Duration::ZERO);
            assert_eq!(clock.stop_at().as_millis(), stop, "{limit} ms");
        }
    }

    #[test]
    fn long_waits_are_remembered_and_make_the_reserve_larger() {
        let mut clock = Clock::new(Budget::of_move(ms(5_000)), Duration::ZERO);
        assert_eq!(clock.wait(ms(0)), LOOK);
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
        let mut all = Clock::new(Budget::of_move(ms(1_000)), Duration::ZERO);
        assert!(all.begin_pass(ms(0)) && all.begin_pass(ms(500)) && all.begin_pass(ms(950)));
        assert!(!all.begin_pass(ms(960)));
        let mut planned = Clock::new(Budget::of_game(game(60_000, 0), 50), Duration::ZERO);
        let wanted = planned.budget.wanted;
        assert!(planned.begin_pass(ms(0)));
        assert!(planned.begin_pass(wanted.mul_f64(0.2)));
        assert!(planned.begin_pass(wanted.mul_f64(0.5)));
        assert!(!planned.begin_pass(wanted.mul_f64(0.95)), "it would take until 1.6 of it");
        assert!(planned.read(wanted), "and that is that");
    }

    #[test]
    fn a_game_s_time_goes_to_the_moves_that_need_it() {
        let wanted = |clock, empties| Budget::of_game(clock, empties).wanted.as_millis();
        // Twenty moves before the solver and three for it: nothing is left for the others.
        assert_eq!(wanted(game(180_600, 0), 60), 7_826);
        assert_eq!(wanted(game(60_000, 0), 20), 19_933);
        assert_eq!(wanted(game(60_000, 2_000), 20), 21_733);
        assert_eq!(wanted(game(60_000, 0), 1), 59_980, "the last move may have it all");
        let byoyomi = GameClock { moves_left: Some(1), ..game(10_000, 0) };
        assert_eq!(wanted(byoyomi, 40), 9_980);
        for empties in 0..=60 {
            for clock in [game(0, 0), game(5, 1_000), game(1_000, 50), game(100_000, 0)] {
                let Budget { wanted, limit } = Budget::of_game(clock, empties);
                assert!(wanted <= limit && limit <= clock.remaining, "{clock:?} {empties}");
            }
        }
        let tight = Budget::of_game(game(60_000, 0), 40).within(ms(100));
        assert_eq!(tight, Budget::of_move(ms(100)));
    }
}
