//! Several threads on one tree.
//!
//! Young brothers wait: the first child of a node is searched alone, since it
//! often cuts the node off. If it does not, the thread offers the other
//! children to whoever is idle, and works on them itself. Who has nothing left
//! to do at its own offer helps below it until all helpers are done.
//!
//! Source: R. Feldmann, *Game tree search on massively parallel systems*, 1993.

use super::bounds::Objective;
use super::search::{Child, NONE, Pass, Search};
use crate::table::NO_MOVE;
use isrever_board::Kernel;
use std::hint::spin_loop;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How often a thread without work looks for news before it sleeps, some 50 µs in all: many offers
/// come sooner, and are worked off in less time than waking up takes.
const LOOKS: u32 = 1000;

/// A node whose children are shared out.
pub(super) struct Split {
    children: Vec<Child>,
    /// The next child that nobody has taken.
    next: AtomicUsize,
    /// The window, and what a child needs to be searched.
    alpha: i32,
    empties: u32,
    odd: u32,
    depth: u32,
    pass: Pass,
    /// The best score so far and its move.
    best: Mutex<(i32, u8)>,
    /// A child was above the window: the others are of no use.
    is_cut: AtomicBool,
    /// Threads at work here besides the one that offered it.
    helpers: AtomicUsize,
    /// The shared node above this one.
    parent: Option<Arc<Split>>,
}

impl Split {
    /// Whether this node or one above it was cut off.
    #[inline]
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|p| p.is_cut())
    }

    fn has_work(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.children.len() && !self.is_cut()
    }

    fn is_below(&self, other: &Split) -> bool {
        std::ptr::eq(self, other) || self.parent.as_ref().is_some_and(|p| p.is_below(other))
    }
}

/// The nodes on offer, and who waits for some.
#[derive(Default)]
pub(super) struct Pool {
    offers: Mutex<Offers>,
    /// How often something came on offer or a helper was done; changes under the lock.
    news: AtomicUsize,
    /// Wakes those who sleep until there is news, and how many they are.
    alarm: Condvar,
    sleepers: AtomicUsize,
    idle: AtomicUsize,
}

#[derive(Default)]
struct Offers {
    splits: Vec<Arc<Split>>,
    is_closed: bool,
}

impl Pool {
    /// Whether a thread waits for work.
    #[inline(always)]
    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    fn lock(&self) -> MutexGuard<'_, Offers> {
        // A thread that panicked takes the whole solve with it; the list is still a list.
        self.offers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whoever waits that something changed while `offers` were locked.
    fn announce(&self, offers: MutexGuard<'_, Offers>) {
        self.news.fetch_add(1, Ordering::Relaxed);
        drop(offers);
        // Who is not counted yet has yet to lock the offers, and will see the news.
        if self.sleepers.load(Ordering::Relaxed) > 0 {
            self.alarm.notify_all();
        }
    }

    fn offer(&self, split: &Arc<Split>) {
        let mut offers = self.lock();
        offers.splits.push(split.clone());
        self.announce(offers);
    }

    fn withdraw(&self, split: &Arc<Split>) {
        self.lock().splits.retain(|other| !Arc::ptr_eq(other, split));
    }

    /// Ends the waiting of all helpers for good.
    pub(super) fn close(&self) {
        let mut offers = self.lock();
        offers.is_closed = true;
        self.announce(offers);
    }

    /// Waits for work that is `wanted` and takes part in it; `None` once `is_done` or closed.
    fn wait(
        &self,
        wanted: impl Fn(&Split) -> bool,
        is_done: impl Fn() -> bool,
    ) -> Option<Arc<Split>> {
        let mut offers = self.lock();
        loop {
            if offers.is_closed || is_done() {
                return None;
            }
            if let Some(split) =
                offers.splits.iter().find(|split| split.has_work() && wanted(split))
            {
                split.helpers.fetch_add(1, Ordering::Relaxed);
                return Some(split.clone());
            }
            self.idle.fetch_add(1, Ordering::Relaxed);
            offers = self.wait_for_news(offers);
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Gives the lock back until there is news since it was taken.
    fn wait_for_news<'a>(&'a self, offers: MutexGuard<'a, Offers>) -> MutexGuard<'a, Offers> {
        let seen = self.news.load(Ordering::Relaxed);
        drop(offers);
        let is_old = || self.news.load(Ordering::Relaxed) == seen;
        for _ in 0..LOOKS {
            if !is_old() {
                return self.lock();
            }
            spin_loop();
        }
        let offers = self.lock();
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        let offers = self.alarm.wait_while(offers, |_| is_old());
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
        offers.unwrap_or_else(PoisonError::into_inner)
    }
}

impl<O: Objective, K: Kernel> Search<'_, O, K> {
    /// Searches the `rest` of the children on the stack, the most promising first, together with
    /// whoever is idle: the best score and its move.
    pub(super) fn share(
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
        let pool = &self.shared.pool;
        let split = Arc::new(Split {
            children: self.children[rest].to_vec(),
            next: AtomicUsize::new(0),
            alpha,
            empties,
            odd,
            depth,
            pass: self.pass,
            best: Mutex::new((NONE, NO_MOVE)),
            is_cut: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
            parent: self.split.clone(),
        });
        pool.offer(&split);
        let outer = self.split.replace(split.clone());
        self.work_on(&split);
        pool.withdraw(&split);
        let is_done = || split.helpers.load(Ordering::Acquire) == 0;
        while let Some(below) = pool.wait(|other| other.is_below(&split), is_done) {
            self.help(&below);
        }
        self.split = outer;
        *split.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes children one by one until there are none or the node is cut off.
    fn work_on(&mut self, split: &Split) {
        while split.has_work() {
            let at = split.next.fetch_add(1, Ordering::Relaxed);
            let Some(child) = split.children.get(at) else { break };
            let odd = split.odd ^ self.quadrant(child.index.into());
            let alpha = split.alpha;
            let score = match self.weights {
                Some(_) => -self.scout(&self.root(child.board), !alpha, split.depth - 1),
                None => {
                    -self.null_window(child.board, child.replies, !alpha, split.empties - 1, odd)
                }
            };
            if self.is_void() {
                break;
            }
            let mut best = split.best.lock().unwrap_or_else(PoisonError::into_inner);
            if score > best.0 {
                *best = (score, child.index);
                if score > alpha {
                    split.is_cut.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    /// Works on another thread's offer, which counts this one among its helpers.
    fn help(&mut self, split: &Arc<Split>) {
        let outer = self.split.replace(split.clone());
        let pass = std::mem::replace(&mut self.pass, split.pass);
        self.work_on(split);
        self.split = outer;
        self.pass = pass;
        // Before the waiter may go on, and with it the whole solve: no node comes late.
        self.report_nodes();
        // Under the lock, or the news could come between the waiter's look and its sleep.
        let offers = self.shared.pool.lock();
        split.helpers.fetch_sub(1, Ordering::Release);
        self.shared.pool.announce(offers);
    }

    /// Helps wherever there is work until the pool is closed.
    pub(super) fn serve(&mut self) {
        let pool = &self.shared.pool;
        while let Some(split) = pool.wait(|_| true, || false) {
            self.help(&split);
        }
    }
}
