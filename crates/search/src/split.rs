//! Split points: nodes whose children several threads search, and who waits for one.
//!
//! Young brothers wait: the first child of a node is searched alone, since it
//! often cuts the node off. If it does not, and a thread is idle, the node
//! becomes a split point: its other children are shared among the owner and
//! idle threads. Where a cut is expected all the same, `split_after` children
//! are searched first. An owner that has no child left helps its helpers further
//! down until all of them are done.
//!
//! At a node of the principal variation the others are scouted together. One that
//! is better than the first is searched again by the owner, and those that nobody
//! has finished are shared anew.
//!
//! Source: R. Feldmann, *Game tree search on massively parallel systems*, 1993.

use crate::bounds::NONE;
use crate::child::Child;
use crate::iteration::Iteration;
use crate::pool::panicking;
use crate::sync::{
    AtomicBool, AtomicUsize, Condvar, IDLE_SPINS, Mutex, MutexGuard, Ordering, spin_loop,
};
use crate::table::NO_MOVE;
use crossbeam_utils::CachePadded;
use std::sync::{Arc, PoisonError};

/// What the children of a node need to be searched.
#[derive(Clone, Copy)]
pub(crate) struct SplitNode {
    /// Asks whether their scores are above this.
    pub(crate) alpha: i32,
    pub(crate) empties: u32,
    /// The quadrants with an odd number of empty squares.
    pub(crate) odd: u32,
    pub(crate) depth: u32,
    pub(crate) iteration: Iteration,
}

/// A score and its move.
pub(crate) type Scored = (i32, u8);

/// What the children of a split point have scored so far.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    /// The best score above alpha, if there is one.
    pub(crate) above: Option<Scored>,
    /// The best of the other scores.
    pub(crate) refuted: Scored,
    /// The moves that score no more than alpha, a bit each.
    pub(crate) refuted_moves: u64,
}

impl Found {
    pub(crate) fn best(self) -> Scored {
        self.above.unwrap_or(self.refuted)
    }
}

/// A node whose children several threads search.
pub(crate) struct SplitPoint {
    pub(crate) node: SplitNode,
    children: Vec<Child>,
    /// Every node below reads this: what changes more often lies in other cache lines.
    cut: CachePadded<Cut>,
    /// The next child that no thread has taken.
    next: AtomicUsize,
    found: Mutex<Found>,
    /// Threads at work here besides the owner.
    helpers: AtomicUsize,
}

/// What cuts a split point off.
struct Cut {
    /// A child failed high: the others need not be finished.
    is_cut: AtomicBool,
    /// The split point above this one.
    parent: Option<Arc<SplitPoint>>,
}

impl SplitPoint {
    /// Shares `children`, which are taken in this order.
    pub(crate) fn new(
        node: SplitNode,
        children: Vec<Child>,
        parent: Option<Arc<SplitPoint>>,
    ) -> Arc<SplitPoint> {
        let nothing = Found { above: None, refuted: (NONE, NO_MOVE), refuted_moves: 0 };
        Arc::new(SplitPoint {
            node,
            children,
            cut: Cut { is_cut: AtomicBool::new(false), parent }.into(),
            next: AtomicUsize::new(0),
            found: Mutex::new(nothing),
            helpers: AtomicUsize::new(0),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the children have scored so far.
    pub(crate) fn found(&self) -> Found {
        *self.lock()
    }

    /// Whether this split point or one above it was cut off.
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        let Cut { is_cut, parent } = &*self.cut;
        is_cut.load(Ordering::Relaxed) || parent.as_ref().is_some_and(|p| p.is_cut())
    }

    fn has_work(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.children.len() && !self.is_cut()
    }

    /// Takes the next child, if there is one and the node is not cut off.
    pub(crate) fn take(&self) -> Option<&Child> {
        if !self.has_work() {
            return None;
        }
        self.children.get(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Whether no helper is at work here. What the helpers did is visible afterwards.
    pub(crate) fn is_left(&self) -> bool {
        self.helpers.load(Ordering::Acquire) == 0
    }

    /// Records the score of a child, which may cut the node off.
    pub(crate) fn record(&self, score: i32, index: u8) {
        let mut found = self.lock();
        if score > self.node.alpha {
            found.above = found.above.max(Some((score, index)));
            self.cut.is_cut.store(true, Ordering::Relaxed);
        } else {
            found.refuted_moves |= 1 << index;
            if score > found.refuted.0 {
                found.refuted = (score, index);
            }
        }
    }

    pub(crate) fn is_below(&self, other: &SplitPoint) -> bool {
        std::ptr::eq(self, other) || self.cut.parent.as_ref().is_some_and(|p| p.is_below(other))
    }
}

/// The open split points of a search, and the threads that wait for one.
#[derive(Default)]
pub(crate) struct SplitPoints {
    open: Mutex<Open>,
    /// Counts events: a new split point, or a helper that is done. Changes under the lock.
    events: AtomicUsize,
    /// Wakes sleeping threads after an event.
    wake: Condvar,
    sleepers: AtomicUsize,
    idle: CachePadded<AtomicUsize>,
    /// Every node reads this: like `idle`, it has cache lines of its own.
    is_broken_off: CachePadded<AtomicBool>,
}

#[derive(Default)]
struct Open {
    split_points: Vec<Arc<SplitPoint>>,
    is_closed: bool,
}

impl SplitPoints {
    /// Whether a thread waits for work.
    #[inline(always)]
    pub(crate) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Whether a thread of the search has panicked, or searched as many nodes as it may: what the
    /// others find is worthless.
    #[inline(always)]
    pub(crate) fn is_broken_off(&self) -> bool {
        self.is_broken_off.load(Ordering::Relaxed)
    }

    /// Ends the search of all threads without a result.
    #[cold]
    pub(crate) fn break_off(&self) {
        self.is_broken_off.store(true, Ordering::Relaxed);
    }

    /// Tells the other threads if this one is panicking.
    fn note_panic(&self) {
        if panicking() {
            self.break_off();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        // A thread that panics takes the whole search with it; the list is still a list.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Announces an event that happened under the lock, and releases it.
    fn announce(&self, open: MutexGuard<'_, Open>) {
        self.events.fetch_add(1, Ordering::Relaxed);
        drop(open);
        // A thread that is not counted yet has yet to take the lock, and will see the event.
        if self.sleepers.load(Ordering::Relaxed) > 0 {
            self.wake.notify_all();
        }
    }

    pub(crate) fn add(&self, split_point: &Arc<SplitPoint>) {
        let mut open = self.lock();
        open.split_points.push(split_point.clone());
        self.announce(open);
    }

    pub(crate) fn remove(&self, split_point: &Arc<SplitPoint>) {
        self.lock().split_points.retain(|other| !Arc::ptr_eq(other, split_point));
    }

    /// Sends all helpers home as soon as what this returns is dropped, be it by a panic.
    pub(crate) fn close_at_end(&self) -> CloseAtEnd<'_> {
        CloseAtEnd(self)
    }

    fn close(&self) {
        let mut open = self.lock();
        open.is_closed = true;
        self.announce(open);
    }

    /// Waits for a split point with work that is `wanted`, and joins it as a helper; `None` once
    /// `is_done` or closed.
    pub(crate) fn join(
        &self,
        wanted: impl Fn(&SplitPoint) -> bool,
        is_done: impl Fn() -> bool,
    ) -> Option<Help<'_>> {
        let mut open = self.lock();
        loop {
            if open.is_closed || is_done() {
                return None;
            }
            let mut split_points = open.split_points.iter();
            if let Some(split_point) = split_points.find(|split| split.has_work() && wanted(split))
            {
                split_point.helpers.fetch_add(1, Ordering::Relaxed);
                return Some(Help { split_points: self, split_point: split_point.clone() });
            }
            self.idle.fetch_add(1, Ordering::Relaxed);
            open = self.wait_for_event(open);
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Releases the lock until there is an event that came after it was taken.
    fn wait_for_event<'a>(&'a self, open: MutexGuard<'a, Open>) -> MutexGuard<'a, Open> {
        let seen = self.events.load(Ordering::Relaxed);
        drop(open);
        let is_quiet = || self.events.load(Ordering::Relaxed) == seen;
        for _ in 0..IDLE_SPINS {
            if !is_quiet() {
                return self.lock();
            }
            spin_loop();
        }
        let mut open = self.lock();
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        while is_quiet() {
            open = self.wake.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
        open
    }

    /// Ends the work of a helper at `split_point`.
    fn leave(&self, split_point: &SplitPoint) {
        // Under the lock, or the event could come between the owner's check and its sleep.
        let open = self.lock();
        split_point.helpers.fetch_sub(1, Ordering::Release);
        self.announce(open);
    }
}

/// A thread's help at a split point that counts it among its helpers until this is dropped. An
/// owner would wait for ever for a helper that panicked and was still counted.
pub(crate) struct Help<'a> {
    split_points: &'a SplitPoints,
    pub(crate) split_point: Arc<SplitPoint>,
}

impl Drop for Help<'_> {
    fn drop(&mut self) {
        self.split_points.note_panic();
        self.split_points.leave(&self.split_point);
    }
}

/// Sends all helpers home when it is dropped.
pub(crate) struct CloseAtEnd<'a>(&'a SplitPoints);

impl Drop for CloseAtEnd<'_> {
    fn drop(&mut self) {
        self.0.note_panic();
        self.0.close();
    }
}

#[cfg(test)]
fn split_point(children: u8, alpha: i32) -> Arc<SplitPoint> {
    let board = isrever_board::Board { player: 1, opponent: 2 };
    let child = |index| Child { board, replies: 0, ordering_score: 0, value: 0, index };
    let iteration = Iteration::proof(10);
    let node = SplitNode { alpha, empties: 10, odd: 0, depth: 10, iteration };
    SplitPoint::new(node, (0..children).map(child).collect(), None)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Whether the threads learn of a panic while something of this search is held.
    fn is_told<T>(split_points: &SplitPoints, held: impl FnOnce() -> T) -> bool {
        let panics = || {
            let _held = held();
            panic!("on purpose");
        };
        assert!(!split_points.is_broken_off());
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        split_points.is_broken_off()
    }

    #[test]
    fn a_panic_of_a_helper_ends_the_search() {
        let (split_points, shared) = (SplitPoints::default(), split_point(2, 0));
        split_points.add(&shared);
        assert!(is_told(&split_points, || split_points.join(|_| true, || false)));
        assert!(shared.is_left());
    }

    #[test]
    fn a_panic_of_the_first_thread_ends_the_search() {
        let split_points = SplitPoints::default();
        assert!(is_told(&split_points, || split_points.close_at_end()));
        assert!(split_points.join(|_| true, || false).is_none());
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::thread;

    /// Shares a node of `children` between its owner and `helpers` threads, in every order of their
    /// steps with at most three preemptions. A child's score is its index; the owner must see the
    /// best one and nobody may sleep for ever.
    fn shared(children: u8, alpha: i32, helpers: usize) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let split_points = Arc::new(SplitPoints::default());
            let help = |split_points: Arc<SplitPoints>| {
                move || {
                    while let Some(help) = split_points.join(|_| true, || false) {
                        work_on(&help.split_point);
                    }
                }
            };
            let threads: Vec<_> =
                (0..helpers).map(|_| thread::spawn(help(split_points.clone()))).collect();
            let split_point = split_point(children, alpha);
            split_points.add(&split_point);
            work_on(&split_point);
            split_points.remove(&split_point);
            while let Some(help) =
                split_points.join(|other| other.is_below(&split_point), || split_point.is_left())
            {
                work_on(&help.split_point);
            }
            let found = split_point.found();
            if alpha >= i32::from(children) {
                assert_eq!(found.above, None);
                assert_eq!(found.best(), (i32::from(children) - 1, children - 1));
                assert_eq!(found.refuted_moves, (1 << children) - 1);
            } else {
                let (score, _) = found.above.expect("a node that was cut off has a score that cut");
                assert!(score > alpha && found.refuted.0 <= alpha);
                assert!(found.refuted_moves < 2 << alpha, "what is above alpha is not refuted");
            }
            drop(split_points.close_at_end());
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
    }

    fn work_on(split_point: &SplitPoint) {
        while let Some(child) = split_point.take() {
            split_point.record(child.index.into(), child.index);
        }
    }

    #[test]
    fn the_owner_sees_what_its_helper_found() {
        shared(2, 9, 1);
    }

    #[test]
    fn a_cut_off_node_has_the_score_that_cut_it_off() {
        shared(3, 0, 1);
    }

    #[test]
    fn two_helpers_wake_and_go_home() {
        shared(1, 9, 2);
    }
}
