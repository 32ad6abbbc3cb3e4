//! Split points: several threads search one node.
//!
//! Young brothers wait: the first child of a node is searched alone, since it
//! often cuts the node off. If it does not, and a thread is idle, the node
//! becomes a split point: its other children are shared among the owner and
//! idle threads. An owner that has no child left helps its helpers further down
//! until all of them are done.
//!
//! Source: R. Feldmann, *Game tree search on massively parallel systems*, 1993.

use crate::bounds::Objective;
use crate::iteration::Iteration;
use crate::table::NO_MOVE;
use crate::worker::{Child, NONE, Worker};
use isrever_board::Kernel;
use std::hint::spin_loop;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// An idle thread spins this often, some 50 µs, before it sleeps: many split points come sooner, and
/// are done in less time than waking up takes.
const SPINS: u32 = 1000;

/// A node whose children several threads search.
pub(crate) struct SplitPoint {
    children: Vec<Child>,
    /// The next child that no thread has taken.
    next: AtomicUsize,
    /// The window, and what a child needs to be searched.
    alpha: i32,
    empties: u32,
    odd: u32,
    depth: u32,
    iteration: Iteration,
    /// The best score so far and its move.
    best: Mutex<(i32, u8)>,
    /// A child failed high: the others do not matter.
    is_cut: AtomicBool,
    /// Threads at work here besides the owner.
    helpers: AtomicUsize,
    /// The split point above this one.
    parent: Option<Arc<SplitPoint>>,
}

impl SplitPoint {
    /// Whether this split point or one above it was cut off.
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|p| p.is_cut())
    }

    fn has_work(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.children.len() && !self.is_cut()
    }

    fn is_below(&self, other: &SplitPoint) -> bool {
        std::ptr::eq(self, other) || self.parent.as_ref().is_some_and(|p| p.is_below(other))
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
    idle: AtomicUsize,
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

    fn add(&self, split_point: &Arc<SplitPoint>) {
        let mut open = self.lock();
        open.split_points.push(split_point.clone());
        self.announce(open);
    }

    fn remove(&self, split_point: &Arc<SplitPoint>) {
        self.lock().split_points.retain(|other| !Arc::ptr_eq(other, split_point));
    }

    /// Sends all helpers home.
    pub(crate) fn close(&self) {
        let mut open = self.lock();
        open.is_closed = true;
        self.announce(open);
    }

    /// Waits for a split point with work that is `wanted`, and joins it as a helper; `None` once
    /// `is_done` or closed.
    fn join(
        &self,
        wanted: impl Fn(&SplitPoint) -> bool,
        is_done: impl Fn() -> bool,
    ) -> Option<Arc<SplitPoint>> {
        let mut open = self.lock();
        loop {
            if open.is_closed || is_done() {
                return None;
            }
            let mut split_points = open.split_points.iter();
            if let Some(split_point) = split_points.find(|split| split.has_work() && wanted(split))
            {
                split_point.helpers.fetch_add(1, Ordering::Relaxed);
                return Some(split_point.clone());
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
        for _ in 0..SPINS {
            if !is_quiet() {
                return self.lock();
            }
            spin_loop();
        }
        let open = self.lock();
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        let open = self.wake.wait_while(open, |_| is_quiet());
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
        open.unwrap_or_else(PoisonError::into_inner)
    }
}

impl<O: Objective, K: Kernel> Worker<'_, O, K> {
    /// Searches the `rest` of the children on the stack together with idle threads, in the order of
    /// their ordering scores: the best score and its move.
    pub(crate) fn split(
        &mut self,
        rest: Range<usize>,
        alpha: i32,
        empties: u32,
        odd: u32,
        depth: u32,
    ) -> (i32, u8) {
        for at in rest.clone() {
            self.pick(at);
        }
        let split_points = &self.shared.split_points;
        let split_point = Arc::new(SplitPoint {
            children: self.children[rest].to_vec(),
            next: AtomicUsize::new(0),
            alpha,
            empties,
            odd,
            depth,
            iteration: self.iteration,
            best: Mutex::new((NONE, NO_MOVE)),
            is_cut: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
            parent: self.split_point.clone(),
        });
        split_points.add(&split_point);
        let outer = self.split_point.replace(split_point.clone());
        self.work_on(&split_point);
        split_points.remove(&split_point);
        let is_done = || split_point.helpers.load(Ordering::Acquire) == 0;
        while let Some(below) = split_points.join(|other| other.is_below(&split_point), is_done) {
            self.help(&below);
        }
        self.split_point = outer;
        *split_point.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes children one by one until none is left or the node is cut off.
    fn work_on(&mut self, split_point: &SplitPoint) {
        while split_point.has_work() {
            let at = split_point.next.fetch_add(1, Ordering::Relaxed);
            let Some(child) = split_point.children.get(at) else { break };
            let SplitPoint { alpha, empties, depth, .. } = *split_point;
            let score = match self.weights {
                Some(_) => -self.scout(&self.root(child.board), !alpha, depth - 1),
                None => {
                    let odd = split_point.odd ^ self.quadrant(child.index.into());
                    -self.null_window(child.board, child.replies, !alpha, empties - 1, odd)
                }
            };
            if self.is_aborted() {
                break;
            }
            let mut best = split_point.best.lock().unwrap_or_else(PoisonError::into_inner);
            if score > best.0 {
                *best = (score, child.index);
                if score > alpha {
                    split_point.is_cut.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    /// Works at another thread's split point, which counts this one among its helpers.
    fn help(&mut self, split_point: &Arc<SplitPoint>) {
        let outer = self.split_point.replace(split_point.clone());
        let iteration = std::mem::replace(&mut self.iteration, split_point.iteration);
        self.work_on(split_point);
        self.split_point = outer;
        self.iteration = iteration;
        // Before the owner may go on, and with it the whole search: no node is reported late.
        self.report_nodes();
        // Under the lock, or the event could come between the owner's check and its sleep.
        let open = self.shared.split_points.lock();
        split_point.helpers.fetch_sub(1, Ordering::Release);
        self.shared.split_points.announce(open);
    }

    /// Helps wherever there is work until the search is over.
    pub(crate) fn help_until_closed(&mut self) {
        let split_points = &self.shared.split_points;
        while let Some(split_point) = split_points.join(|_| true, || false) {
            self.help(&split_point);
        }
    }
}
