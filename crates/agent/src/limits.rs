//! What an agent may spend on a move, the answer it gives, and who watches the spending.
//!
//! The clock is read only where there is a deadline to keep: an agent limited
//! by depth or nodes answers alike on every machine and at any load.

use isrever_board::Square;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Nodes between two looks at the clock and the stop flag. A look costs less than a node on
/// bitboards; on the largest array board a node takes a good part of a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 8;

/// What an agent may spend on one move. The default limits nothing.
///
/// An agent that has no natural end of its own, such as one that deepens until
/// told to stop, chooses a limit for itself where none is given.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// When the answer must be there.
    pub deadline: Option<Instant>,
    /// How many plies to look ahead at most.
    pub depth: Option<u32>,
    /// How many boards to visit at most; for agents that play games out, how many games.
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

    /// At most `time` from now on.
    pub fn of_time(time: Duration) -> Limits {
        Limits::default().or_time(time)
    }

    /// These limits; or, if they limit nothing, `time` from now on.
    #[must_use]
    pub fn or_time(&self, time: Duration) -> Limits {
        let mut limits = self.clone();
        if self.deadline.is_none() && self.depth.is_none() && self.nodes.is_none() {
            limits.deadline = Some(Instant::now() + time);
        }
        limits
    }

    /// The same limits with only this part, from 0 to 1, of the time left and of the nodes.
    #[must_use]
    pub fn part(&self, part: f64) -> Limits {
        let mut limits = self.clone();
        limits.deadline = self.deadline.map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now).mul_f64(part)
        });
        #[expect(clippy::cast_sign_loss, reason = "neither factor is negative")]
        let share = |nodes: u64| (nodes as f64 * part) as u64;
        limits.nodes = self.nodes.map(share);
        limits
    }

    /// The tighter of these limits and `share`, which is of one agent's own making.
    #[must_use]
    pub fn tightened(&self, share: &Share) -> Limits {
        fn tighter<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            one.into_iter().chain(other).min()
        }
        let own = share.time.map(|time| Instant::now() + time);
        Limits {
            deadline: tighter(self.deadline, own),
            depth: tighter(self.depth, share.depth),
            nodes: tighter(self.nodes, share.nodes),
            stop: Arc::clone(&self.stop),
        }
    }
}

/// What an agent allows itself for each move, whatever its caller allows.
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
    /// What the move is worth to the agent, on a scale of its own.
    pub value: Option<f64>,
    /// How many plies it has looked ahead, if it counts them.
    pub depth: Option<u32>,
    /// How many boards it visited, or how many games it played out.
    pub nodes: u64,
}

impl From<Square> for Choice {
    /// An answer without any thought.
    fn from(square: Square) -> Choice {
        Choice { square, value: None, depth: None, nodes: 0 }
    }
}

/// Counts what is spent, and says when to stop.
#[derive(Debug)]
pub struct Watch<'a> {
    limits: &'a Limits,
    began: Option<Instant>,
    nodes: u64,
    is_over: bool,
}

impl<'a> Watch<'a> {
    /// Begins to watch over `limits`.
    pub fn new(limits: &'a Limits) -> Watch<'a> {
        let began = limits.deadline.map(|_| Instant::now());
        Watch { limits, began, nodes: 0, is_over: false }
    }

    /// Counts a node and says whether it is time to stop. Once it was, it stays so.
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

    /// Looks at the clock and the flag now: for those whose nodes take long.
    pub fn look(&mut self) -> bool {
        let is_late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
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

    /// The part of time or nodes that is spent, whichever is more; 1 is all. Depth does not count.
    pub fn spent(&self) -> f64 {
        let time = self.began.zip(self.limits.deadline).map_or(0.0, |(began, deadline)| {
            let all = deadline.saturating_duration_since(began).as_secs_f64();
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
    fn the_tighter_limit_counts() {
        let share = Share { time: None, depth: Some(5), nodes: Some(10) };
        let tight = Limits::of_depth(3).tightened(&share);
        assert_eq!((tight.depth, tight.nodes, tight.deadline), (Some(3), Some(10), None));
        assert_eq!(Limits::of_depth(7).tightened(&share).depth, Some(5));
        assert!(Limits::default().or_time(Duration::from_secs(9)).deadline.is_some());
        assert_eq!(tight.or_time(Duration::from_secs(9)).deadline, None);
    }
}
