//! One thread's search: its state, and what the midgame and endgame trees share.
//!
//! Every score is the final margin for the side to move under the rule, so one
//! search serves both rules. A null window asks "is the score above `alpha`?";
//! since `!alpha` is `-alpha - 1`, that is also the question for the opponent.

use crate::bounds::{NONE, Objective, by_stability};
use crate::child::Child;
use crate::control::{StoredNode, StoredNodes};
use crate::counts::Counts;
use crate::iteration::Iteration;
use crate::line::Line;
use crate::local_table::LocalTable;
use crate::ordering::MoveOrdering;
use crate::parameters::Parameters;
use crate::probcut::Margins;
use crate::split::{SplitNode, SplitPoint, SplitPoints};
use crate::table::{NO_MOVE, Table, TableNode};
use crate::techniques::Techniques;
use crossbeam_utils::CachePadded;
use isrever_board::{Board, Kernel, Size, Square, Symmetry, squares};
use isrever_eval::{Deviations, Shape, Weights};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// A worker adds its nodes to the common count after each board that took at least this many: a
/// few hundred times a second.
const REPORT_FROM: u64 = 1 << 16;

/// What all workers of one search share. What they write is padded: nodes read the rest.
pub(crate) struct Shared<'a> {
    pub(crate) size: Size,
    pub(crate) techniques: Techniques,
    pub(crate) parameters: &'a Parameters,
    pub(crate) weights: Option<&'a Weights>,
    pub(crate) table: &'a Table,
    pub(crate) stop: &'a AtomicBool,
    /// The most nodes of one worker.
    pub(crate) max_nodes: u64,
    pub(crate) split_points: CachePadded<SplitPoints>,
    /// The nodes of all workers, added up now and then.
    pub(crate) nodes: CachePadded<AtomicU64>,
    /// What else they did, added up when they are done.
    pub(crate) counts: CachePadded<Mutex<Counts>>,
    /// A counter of the caller's that receives the nodes too.
    pub(crate) caller_nodes: Option<&'a AtomicU64>,
    /// Receives the nodes that took long to search.
    pub(crate) stored_nodes: Option<StoredNodes<'a>>,
}

/// One thread's search.
pub(crate) struct Worker<'a, O, K> {
    pub(crate) kernel: K,
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) local: &'a mut LocalTable,
    pub(crate) mask: u64,
    pub(crate) cells: u32,
    /// The quadrant of each square, one bit each.
    pub(crate) quadrants: [u8; 64],
    /// The squares of the quadrants in each set of quadrants.
    pub(crate) squares_of: [u64; 16],
    pub(crate) nodes: u64,
    /// How many of them the common count holds already.
    reported: u64,
    /// What else it did.
    pub(crate) counts: Counts,
    /// Boards that took at least this many nodes are reported.
    report_from: u64,
    pub(crate) iteration: Iteration,
    /// Whether the node of the next null window is expected to be cut off.
    pub(crate) expects_cut: bool,
    /// The split point this worker searches below, if any.
    pub(crate) split_point: Option<Arc<SplitPoint>>,
    pub(crate) techniques: Techniques,
    /// The evaluation above the endgame, if there is one.
    pub(crate) weights: Option<&'a Weights>,
    /// The patterns of the weights; unused without weights.
    pub(crate) shape: &'static Shape,
    pub(crate) parameters: Parameters,
    /// The stable discs to spare, by empty squares from four up.
    pub(crate) spare: [i32; 6],
    pub(crate) ordering: MoveOrdering,
    pub(crate) margins: Arc<Margins>,
    /// From this many empty squares on, the table holds boards in canonical form.
    pub(crate) symmetric_from: u32,
    /// Killers: the last two moves that cut off a node one ply above the leaves, a bit each.
    pub(crate) killers: [u64; 2],
    /// A stack with the children of every node from the root to here.
    pub(crate) children: Vec<Child>,
    objective: PhantomData<O>,
}

impl<'a, O: Objective, K: Kernel> Worker<'a, O, K> {
    pub(crate) fn new(kernel: K, shared: &'a Shared<'a>, local: &'a mut LocalTable) -> Self {
        let size = shared.size;
        let half = size.width() / 2;
        let mut quadrants = [0; 64];
        let mut squares_of = [0; 16];
        for square in size.squares() {
            let number = u8::from(square.column() >= half) + 2 * u8::from(square.row() >= half);
            quadrants[square.index() as usize] = 1 << number;
            for set in (0..16).filter(|set| set >> number & 1 != 0) {
                squares_of[set] |= square.bit();
            }
        }
        let cells = size.cells() as u32;
        let parameters = shared.parameters;
        let deviations = match shared.weights {
            Some(weights) => weights.deviations(),
            None => Deviations::common(O::RULE, size),
        };
        Worker {
            kernel,
            shared,
            local,
            mask: size.mask(),
            cells,
            quadrants,
            squares_of,
            nodes: 0,
            reported: 0,
            counts: Counts::default(),
            report_from: shared.stored_nodes.map_or(REPORT_FROM, |s| s.min_nodes.min(REPORT_FROM)),
            iteration: Iteration::proof(0),
            expects_cut: true,
            split_point: None,
            techniques: shared.techniques,
            weights: shared.weights,
            shape: shared.weights.map_or(Shape::EIGHT, Weights::shape),
            parameters: *parameters,
            spare: parameters.spare(),
            ordering: MoveOrdering::new(parameters, size),
            margins: Margins::of(deviations, parameters),
            symmetric_from: match shared.techniques.symmetry {
                true => cells - 4 - parameters.symmetric_plies,
                false => 64,
            },
            killers: [0; 2],
            children: Vec::with_capacity(1024),
            objective: PhantomData,
        }
    }

    /// The quadrants with an odd number of the squares `bits`.
    pub(crate) fn odd_quadrants(&self, bits: u64) -> u32 {
        squares(bits).fold(0, |odd, square| odd ^ self.quadrant(square.index()))
    }

    #[inline(always)]
    pub(crate) fn quadrant(&self, index: u32) -> u32 {
        u32::from(self.quadrants[index as usize & 63])
    }

    #[inline(always)]
    pub(crate) fn moves(&self, board: Board) -> u64 {
        self.kernel.moves(board) & self.mask
    }

    /// The score of a finished game.
    #[inline(always)]
    pub(crate) fn final_score(&self, board: Board) -> i32 {
        board.score(self.shared.size, O::RULE)
    }

    /// A bound of the score that decides whether it is above `alpha`, if stable discs give one.
    #[inline(always)]
    pub(crate) fn bound_by_stability(&self, board: Board, alpha: i32, empties: u32) -> Option<i32> {
        if !self.techniques.stability {
            return None;
        }
        by_stability::<O, K>(self.kernel, board, self.mask, alpha, empties, &self.spare)
    }

    /// Whether the search was stopped or broken off, or a split point above was cut off: results are
    /// worthless.
    #[inline(always)]
    pub(crate) fn is_aborted(&self) -> bool {
        self.shared.stop.load(Relaxed)
            || self.shared.split_points.is_broken_off()
            || self.is_exhausted()
            || self.split_point.as_ref().is_some_and(|split_point| split_point.is_cut())
    }

    /// Whether this worker has searched as many nodes as it may. Then the others end, too: what it
    /// leaves unsearched is missing from their results.
    #[inline(always)]
    fn is_exhausted(&self) -> bool {
        let is_exhausted = self.nodes >= self.shared.max_nodes;
        if is_exhausted {
            self.shared.split_points.break_off();
        }
        is_exhausted
    }

    /// Adds this worker's nodes to the common count.
    pub(crate) fn report_nodes(&mut self) {
        for sum in [Some(&*self.shared.nodes), self.shared.caller_nodes].into_iter().flatten() {
            sum.fetch_add(self.nodes - self.reported, Relaxed);
        }
        self.reported = self.nodes;
    }

    /// Adds what else this worker did to the common counts, once it is done: unlike its nodes,
    /// nobody reads them earlier.
    pub(crate) fn report_counts(&mut self) {
        let mut counts = self.shared.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts += std::mem::take(&mut self.counts);
    }

    /// The form in which the table holds `board`, and the symmetry that leads to it.
    #[inline(always)]
    pub(crate) fn table_form(&self, board: Board, empties: u32) -> (Board, Symmetry) {
        if empties >= self.symmetric_from {
            board.canonical(self.shared.size)
        } else {
            (board, Symmetry::IDENTITY)
        }
    }

    /// Where `symmetry` takes a move, if it is one.
    pub(crate) fn turn_move(&self, index: u8, symmetry: Symmetry) -> u8 {
        match index {
            NO_MOVE => NO_MOVE,
            _ => {
                let square = Square::from_index(index.into());
                symmetry.square(square, self.shared.size).index() as u8
            }
        }
    }

    /// Stores bounds in the table, and reports them if they took long to find.
    #[inline(always)]
    pub(crate) fn store(
        &mut self,
        board: Board,
        hash: u64,
        best: u8,
        nodes_before: u64,
        bounds: TableNode,
    ) {
        let nodes = self.nodes - nodes_before;
        let cost = nodes.max(1).ilog2() as u8;
        let node = TableNode { best, cost, ..bounds };
        self.shared.table.put(board, hash, node);
        if nodes >= self.report_from {
            self.report(board, node, nodes);
        }
    }

    /// Tells the caller how many nodes there are, and what was stored.
    #[cold]
    fn report(&mut self, board: Board, node: TableNode, nodes: u64) {
        self.report_nodes();
        if let Some(stored_nodes) = self.shared.stored_nodes
            && nodes >= stored_nodes.min_nodes
            && u32::from(node.depth) == board.empties(self.shared.size).count_ones()
        {
            (stored_nodes.report)(StoredNode::new(board, node, nodes, self.shared.size));
        }
    }

    /// The board after a move, the moves there, and the discs that it flipped.
    #[inline(always)]
    pub(crate) fn play(&self, board: Board, index: u32) -> (Board, u64, u64) {
        let flips = self.kernel.flips(board, index);
        let next = board.play_unchecked(1 << index, flips);
        (next, self.moves(next), flips)
    }

    /// The board after a move, the moves there, and the move's ordering score.
    #[inline(always)]
    pub(crate) fn play_scored(&self, board: Board, index: u32, odd: u32) -> (Board, u64, i32) {
        let (next, replies, flips) = self.play(board, index);
        let is_odd = self.squares_of[odd as usize & 15] >> index & 1 != 0;
        (next, replies, self.ordering.score(index, flips, next, replies, is_odd))
    }

    /// Swaps the child with the best ordering score from `at` on to `at`, and returns it.
    #[inline(always)]
    pub(crate) fn pick(&mut self, at: usize) -> Child {
        let rest = &mut self.children[at..];
        let mut best = 0;
        for i in 1..rest.len() {
            if rest[i].ordering_score > rest[best].ordering_score {
                best = i;
            }
        }
        rest.swap(0, best);
        rest[0]
    }

    /// Principal variation search over the children from `base` on: the best score and move, its
    /// variation in `line`. The first child has the full window; the others are searched again
    /// only if the null window fails high. `scout` and `full` search a child for the opponent
    /// above the lower bound they are given. With `shared`, idle threads scout with this one; its
    /// alpha is replaced by the lower bound at that time. Removes the children from the stack.
    pub(crate) fn search_children(
        &mut self,
        (alpha, beta): (i32, i32),
        base: usize,
        shared: Option<SplitNode>,
        line: &mut Line,
        scout: impl Fn(&mut Self, &Child, i32) -> i32,
        full: impl Fn(&mut Self, &Child, i32, &mut Line) -> i32,
    ) -> (i32, u8) {
        let (mut best, mut best_index) = (NONE, NO_MOVE);
        let mut below = Line::new();
        let mut at = base;
        while at < self.children.len() {
            let low = alpha.max(best);
            let mut score = NONE;
            if at > base {
                let rest = at..self.children.len();
                score = match shared.filter(|_| self.may_split(rest)) {
                    Some(node) => {
                        let found = self.scout_together(at, SplitNode { alpha: low, ..node });
                        if found.refuted.0 > best {
                            (best, best_index) = found.refuted;
                            line.clear();
                            line.push(best_index);
                        }
                        // None is above, or the search was aborted.
                        let Some((score, _)) = found.above else { break };
                        score
                    }
                    None => {
                        let child = self.pick(at);
                        self.expects_cut = true;
                        -scout(self, &child, low)
                    }
                };
            }
            if self.is_aborted() {
                break;
            }
            let child = self.pick(at);
            if at == base || (score > low && score < beta) {
                score = -full(self, &child, low, &mut below);
            } else {
                below.clear();
            }
            if self.is_aborted() {
                break;
            }
            if score > best {
                (best, best_index) = (score, child.index);
                line.clear();
                line.push(child.index);
                line.append(&mut below);
                if best >= beta {
                    break;
                }
            }
            at += 1;
        }
        self.children.truncate(base);
        (best, best_index)
    }

    /// The table's best move for a board that it holds turned by `symmetry`.
    pub(crate) fn table_move(&self, table_form: Board, hash: u64, symmetry: Symmetry) -> u8 {
        let node = self.shared.table.get(table_form, hash);
        node.map_or(NO_MOVE, |node| self.turn_move(node.best, symmetry.inverse()))
    }
}
