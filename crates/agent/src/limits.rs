//! The limits of a move, the agent's answer, and the watch that keeps the limits.
//!
//! A watch reads the clock only if there is a deadline: an agent limited by depth
//! or nodes answers alike on every machine and at any load.

use crate::timed_by::TimedBy;
use isrever_board::Square;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Nodes between two looks at the clock and the stop flag. On bitboards a look costs less than a
/// node; on the largest array board a node takes a good part of a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 8;

/// The number of moves over which agents without a plan share the time of a game: about as many as
/// a side makes before the last moves, which take no time.
const SHARES: u32 = 24;

/// The limits of one move. The default limits nothing.
///
/// An agent that would search for ever, such as one that deepens until told to
/// stop, sets itself a limit where none is given.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// When the answer must be there.
    pub deadline: Option<Instant>,
    /// The time left for the rest of the game, this move included.
    pub clock: Option<GameClock>,
    /// The clock by which the deadline is meant.
    pub timed_by: TimedBy,
    /// The most plies to look ahead.
    pub depth: Option<u32>,
    /// The most boards to visit; for agents that play games out, the most games.
    pub nodes: Option<u64>,
    /// Set it, from any thread, and the agent answers with what it has within a moment.
    pub stop: Arc<AtomicBool>,
}

impl Limits {
    /// At most `depth` plies.
    pub fn of_depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// At most `nodes` boards.
    pub fn of_nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A wise part of the time left for the game.
    pub fn of_clock(clock: GameClock) -> Limits {
        Limits { clock: Some(clock), ..Limits::default() }
    }

    /// At most `time` from now on.
    pub fn of_time(time: Duration) -> Limits {
        Limits::default().or_time(time)
    }

    /// These limits; or, if they limit nothing, `time` from now on.
    #[must_use]
    pub fn or_time(&self, time: Duration) -> Limits {
        let mut limits = self.clone();
        if !self.is_timed() && self.depth.is_none() && self.nodes.is_none() {
            limits.deadline = Some(Instant::now() + time);
        }
        limits
    }

    /// Whether time is limited, for the move or for the game.
    pub fn is_timed(&self) -> bool {
        self.deadline.is_some() || self.clock.is_some()
    }

    /// When an agent that does not plan its time for the game should have answered, if it begins
    /// `now`.
    fn due(&self, now: Instant) -> Option<Instant> {
        tighter(self.deadline, self.clock.map(|clock| now + clock.share()))
    }

    /// The same limits with only this part, from 0 to 1, of the time left and of the nodes.
    #[must_use]
    pub fn part(&self, part: f64) -> Limits {
        let mut limits = self.clone();
        limits.deadline = self.deadline.map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now).mul_f64(part)
        });
        limits.clock = self.clock.map(|clock| GameClock {
            remaining: clock.remaining.mul_f64(part),
            increment: clock.increment.mul_f64(part),
            ..clock
        });
        #[expect(clippy::cast_sign_loss, reason = "neither factor is negative")]
        let share = |nodes: u64| (nodes as f64 * part) as u64;
        limits.nodes = self.nodes.map(share);
        limits
    }

    /// The tighter of these limits and `share`, an agent's own.
    #[must_use]
    pub fn tightened(&self, share: &Share) -> Limits {
        let own = share.time.map(|time| Instant::now() + time);
        Limits {
            deadline: tighter(self.deadline, own),
            clock: self.clock,
            timed_by: self.timed_by,
            depth: tighter(self.depth, share.depth),
            nodes: tighter(self.nodes, share.nodes),
            stop: Arc::clone(&self.stop),
        }
    }
}

fn tighter<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

/// The time of one side for the rest of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    /// The time left. A side that has none left after its move loses the game.
    pub remaining: Duration,
    /// The time that each of its moves adds, once it is made.
    pub increment: Duration,
    /// The number of its moves that the time must last for; without one, the rest of the game.
    pub moves_left: Option<u32>,
}

impl GameClock {
    /// The time of one move for an agent without a plan for the others.
    fn share(&self) -> Duration {
        let shares = self.moves_left.map_or(SHARES, |moves| moves.clamp(1, SHARES));
        // The increment comes after the move: the time left must last until then.
        (self.remaining / shares + self.increment).min(self.remaining / 2)
    }
}

/// The limits that an agent sets itself for each move, however much its caller allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Time for each move.
    pub time: Option<Duration>,
    /// Plies.
    pub depth: Option<u32>,
    /// Boards.
    pub nodes: Option<u64>,
}

/// An agent's answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The square to play on.
    pub square: Square,
    /// The value of the move, on the agent's own scale.
    pub value: Option<f64>,
    /// The plies that it looked ahead, if it counts them.
    pub depth: Option<u32>,
    /// The boards that it visited, or the games that it played out.
    pub nodes: u64,
}

impl From<Square> for Choice {
    /// An answer without a search.
    fn from(square: Square) -> Choice {
        Choice { square, value: None, depth: None, nodes: 0 }
    }
}

/// A move that an agent weighed before its answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// Where the disc would go.
    pub square: Square,
    /// How likely it seemed before the search, from 0 to 1, if something said so.
    pub prior: Option<f64>,
    /// How many playouts began with it.
    pub visits: u64,
    /// Its value, on the agent's own scale; none before a playout.
    pub value: Option<f64>,
}

/// Counts nodes, and says when to stop.
#[derive(Debug)]
pub struct Watch<'a> {
    limits: &'a Limits,
    /// The start of the move, and the time when the answer is due.
    times: Option<[Instant; 2]>,
    nodes: u64,
    is_over: bool,
}

impl<'a> Watch<'a> {
    /// Begins to watch over `limits`.
    pub fn new(limits: &'a Limits) -> Watch<'a> {
        let times = limits.is_timed().then(|| {
            let now = Instant::now();
            [now, limits.due(now).unwrap_or(now)]
        });
        Watch { limits, times, nodes: 0, is_over: false }
    }

    /// Counts a node and says whether to stop. Once it says so, it goes on saying so.
    #[inline]
    pub fn tick(&mut self) -> bool {
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            self.is_over = true;
        } else if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            self.look();
        }
        self.nodes += u64::from(!self.is_over);
        self.is_over
    }

    /// Looks at the clock and the flag now, for agents whose nodes take long.
    pub fn look(&mut self) -> bool {
        let is_late = self.times.is_some_and(|[_, due]| Instant::now() >= due);
        self.is_over |= is_late || self.limits.stop.load(Relaxed);
        self.is_over
    }

    /// Whether a search was told to stop.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The depth to stop at: `own`, or less if the limits say so, but never less than one ply.
    pub fn depth(&self, own: u32) -> u32 {
        self.limits.depth.unwrap_or(own).min(own).max(1)
    }

    /// The part of the time or of the nodes that is spent, whichever is more; 1 is all. Depth does
    /// not count.
    pub fn spent(&self) -> f64 {
        let time = self.times.map_or(0.0, |[began, due]| {
            let all = due.saturating_duration_since(began).as_secs_f64();
            if all > 0.0 { began.elapsed().as_secs_f64() / all } else { 1.0 }
        });
        let nodes = self.limits.nodes.map_or(0.0, |most| self.nodes as f64 / most.max(1) as f64);
        time.max(nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_to_the_last() {
        let limits = Limits::of_nodes(100);
        let mut watch = Watch::new(&limits);
        let allowed = (0..1_000).filter(|_| !watch.tick()).count();
        assert_eq!((allowed, watch.nodes(), watch.spent()), (100, 100, 1.0));
    }

    #[test]
    fn a_deadline_that_has_passed_and_a_stop_beforehand_allow_nothing() {
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        let stopped = Limits::default();
        stopped.stop.store(true, Relaxed);
        for limits in [late, stopped] {
            let mut watch = Watch::new(&limits);
            assert!(watch.tick() && watch.tick() && watch.is_over());
            assert_eq!(watch.nodes(), 0);
        }
    }

    #[test]
    fn a_stop_on_the_way_is_seen_soon() {
        let limits = Limits::default();
        let mut watch = Watch::new(&limits);
        assert!((0..1_000).all(|_| !watch.tick()));
        limits.stop.store(true, Relaxed);
        let late = (0..1_000).filter(|_| !watch.tick()).count() as u64;
        assert!(late < NODES_BETWEEN_LOOKS, "{late}");
    }

    #[test]
    fn a_game_s_time_is_shared_over_its_moves() {
        let seconds = Duration::from_secs;
        let clock = |remaining, increment, moves_left| GameClock {
            remaining: seconds(remaining),
            increment: seconds(increment),
            moves_left,
        };
        assert_eq!(clock(240, 2, None).share(), seconds(12));
        assert_eq!(clock(240, 2, Some(12)).share(), seconds(22));
        assert_eq!(clock(10, 20, None).share(), seconds(5), "the increment is not there yet");
        assert_eq!(clock(10, 0, Some(1)).share(), seconds(5));
        let now = Instant::now();
        let limits = Limits::of_clock(clock(240, 2, None));
        assert_eq!(limits.due(now), Some(now + seconds(12)));
        let sooner = Limits { deadline: Some(now + seconds(3)), ..limits.clone() };
        assert_eq!(sooner.due(now), sooner.deadline);
        assert_eq!(limits.part(0.5).clock, Some(clock(120, 1, None)));
        assert_eq!(limits.or_time(seconds(1)).deadline, None, "it is limited already");
        assert!(Watch::new(&Limits::of_clock(clock(0, 0, None))).tick(), "no time, no node");
    }

    #[test]
    fn the_tighter_limit_counts() {
        let share = Share { time: None, depth: Some(5), nodes: Some(10) };
        let tight = Limits::of_depth(3).tightened(&share);
        assert_eq!((tight.depth, tight.nodes, tight.deadline), (Some(3), Some(10), None));
        assert_eq!(Limits::of_depth(7).tightened(&share).depth, Some(5));
        assert!(Limits::default().or_time(Duration::from_secs(9)).deadline.is_some());
        assert_eq!(tight.or_time(Duration::from_secs(9)).deadline, None);
    }
}
