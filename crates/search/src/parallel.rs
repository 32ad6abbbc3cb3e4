//! A worker's part in a parallel search: it splits its own nodes and helps at those of others.

use crate::bounds::Objective;
use crate::split::{Found, Help, SplitNode, SplitPoint};
use crate::worker::Worker;
use isrever_board::Kernel;
use std::ops::Range;

impl<O: Objective, K: Kernel> Worker<'_, O, K> {
    /// How many children of a node are searched before others may be shared. Young brothers wait, and
    /// where a cut is expected they wait for longer.
    #[inline(always)]
    pub(crate) fn tried_alone(&self, expects_cut: bool) -> usize {
        if expects_cut { self.parameters.split_after } else { 1 }
    }

    /// Whether the `rest` of a node's children can be shared with a thread that waits for work.
    #[inline(always)]
    pub(crate) fn may_split(&self, rest: Range<usize>) -> bool {
        rest.len() > 1 && self.shared.split_points.has_idle()
    }

    /// Scouts the children on the stack from `at` on together with idle threads. Those that are not
    /// above alpha leave the stack; one that is above comes first of the rest.
    pub(crate) fn scout_together(&mut self, at: usize, node: SplitNode) -> Found {
        let found = self.split(at..self.children.len(), node);
        let mut rest = self.children.split_off(at);
        rest.retain(|child| found.refuted_moves >> child.index & 1 == 0);
        for child in &mut rest {
            if found.above.is_some_and(|(_, index)| index == child.index) {
                child.ordering_score = i32::MAX;
            }
        }
        self.children.append(&mut rest);
        found
    }

    /// Searches the `rest` of the children on the stack together with idle threads, in the order of
    /// their ordering scores, until one of them is above alpha.
    pub(crate) fn split(&mut self, rest: Range<usize>, node: SplitNode) -> Found {
        for at in rest.clone() {
            self.pick(at);
        }
        let split_points = &self.shared.split_points;
        let split_point =
            SplitPoint::new(node, self.children[rest].to_vec(), self.split_point.clone());
        split_points.add(&split_point);
        let outer = self.split_point.replace(split_point.clone());
        self.work_on(&split_point);
        split_points.remove(&split_point);
        let is_below = |other: &SplitPoint| other.is_below(&split_point);
        while let Some(help) = split_points.join(is_below, || split_point.is_left()) {
            self.help(help);
        }
        self.split_point = outer;
        split_point.found()
    }

    /// Takes children one by one until none is left or the node is cut off.
    fn work_on(&mut self, split_point: &SplitPoint) {
        while let Some(child) = split_point.take() {
            let SplitNode { alpha, empties, odd, depth, .. } = split_point.node;
            self.expects_cut = true;
            let score = match self.weights {
                Some(_) => -self.scout(&self.root(child.board), !alpha, depth - 1),
                None => {
                    let odd = odd ^ self.quadrant(child.index.into());
                    -self.null_window(child.board, child.replies, !alpha, empties - 1, odd)
                }
            };
            if self.is_aborted() {
                break;
            }
            split_point.record(score, child.index);
        }
    }

    /// Works at another thread's split point.
    fn help(&mut self, help: Help<'_>) {
        let split_point = &help.split_point;
        let outer = self.split_point.replace(split_point.clone());
        let iteration = std::mem::replace(&mut self.iteration, split_point.node.iteration);
        self.work_on(split_point);
        self.split_point = outer;
        self.iteration = iteration;
        // Before the owner may go on, and with it the whole search: no node is reported late.
        self.report_nodes();
        drop(help);
    }

    /// Helps wherever there is work until the search is over.
    pub(crate) fn help_until_closed(&mut self) {
        let split_points = &self.shared.split_points;
        while let Some(help) = split_points.join(|_| true, || false) {
            self.help(help);
        }
        self.report_counts();
    }
}
