//! One thread's search: what it knows and counts, and what the trees of the midgame and of the
//! endgame have in common.
//!
//! All scores are the final margin for the side to move under the rule, so one
//! search serves both. A null window asks "is it above `alpha`?"; since
//! `!alpha` is `-alpha - 1`, that is also the question to put to the opponent.

use super::bounds::Objective;
use super::midgame::Thresholds;
use super::near::Near;
use super::order::{Order, OrderWeights};
use super::parallel::{Pool, Split};
use super::probcut::Margins;
use super::techniques::Techniques;
use super::{Finding, Findings};
use crate::table::{Known, NO_MOVE, Table};
use isrever_board::{Board, Kernel, Size, Square, Symmetry, squares};
use isrever_eval::{Shape, Weights};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A board that took this many nodes or more is an occasion to add them to those of all threads: a
/// few hundred times a second.
const REPORTED: u64 = 1 << 16;

/// Within this many plies of the start, boards that are images of each other are one.
const SYMMETRIC_PLIES: u32 = 9;

/// A value below every score.
pub(super) const NONE: i32 = -100;

/// The level of bounds that are proved: no move was left out.
pub(super) const PROVED: u8 = 255;

/// A pass in a [`Line`].
pub(super) const PASS: u8 = 64;

/// Indices of squares, and [`PASS`].
pub(super) type Line = Vec<u8>;

/// What all threads of one solve share.
pub(super) struct Shared<'a> {
    pub(super) size: Size,
    pub(super) techniques: Techniques,
    pub(super) order: OrderWeights,
    pub(super) weights: Option<&'a Weights>,
    pub(super) table: &'a Table,
    pub(super) stop: &'a AtomicBool,
    /// The most nodes of one thread.
    pub(super) most_nodes: u64,
    pub(super) pool: Pool,
    /// Nodes of all threads, added up now and then.
    pub(super) nodes: AtomicU64,
    /// The boards of all threads that were looked at for the order of moves alone.
    pub(super) ordered: AtomicU64,
    /// The nodes for whoever is watching.
    pub(super) watched_nodes: Option<&'a AtomicU64>,
    /// Who wants to know what took long to find.
    pub(super) findings: Option<Findings<'a>>,
}

/// One thread's search.
pub(super) struct Search<'a, O, K> {
    pub(super) kernel: K,
    pub(super) shared: &'a Shared<'a>,
    pub(super) near: &'a mut Near,
    pub(super) mask: u64,
    pub(super) cells: u32,
    /// The quadrant of each square, one bit each.
    pub(super) quadrants: [u8; 64],
    /// The squares of the quadrants in each set of quadrants.
    pub(super) squares_of: [u64; 16],
    pub(super) nodes: u64,
    /// How many of them are in the sum of all threads already.
    reported: u64,
    /// Boards above the endgame, looked at for the order of moves alone, that are in no sum yet.
    pub(super) ordered: u64,
    /// What took at least so many nodes is told.
    told_from: u64,
    /// Most moves tried at a node, and how far to trust what that proves.
    pub(super) pass: Pass,
    /// The shared node this thread works below, if any.
    pub(super) split: Option<Arc<Split>>,
    pub(super) techniques: Techniques,
    /// What values positions above the endgame, if anything does.
    pub(super) weights: Option<&'a Weights>,
    /// What the weights look at; without weights nobody asks.
    pub(super) shape: &'static Shape,
    pub(super) thresholds: &'static Thresholds,
    pub(super) order: Order,
    pub(super) margins: &'static Margins,
    /// From this many empty squares boards are taken in their canonical form.
    pub(super) symmetric_from: u32,
    /// The moves that cut off the last nodes one ply above the leaves, a bit each.
    pub(super) cutters: [u64; 2],
    /// The children of every node on the way down, one list after the other.
    pub(super) children: Vec<Child>,
    objective: PhantomData<O>,
}

/// One pass over the tree: narrow ones guess, the last one proves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    pub(super) width: usize,
    pub(super) level: u8,
}

impl Pass {
    /// All moves are tried.
    pub(super) const PROOF: Pass = Pass { width: usize::MAX, level: PROVED };
}

/// A move and where it leads.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) board: Board,
    /// The moves of the other side there.
    pub(super) replies: u64,
    pub(super) worth: i32,
    pub(super) index: u8,
}

impl<'a, O: Objective, K: Kernel> Search<'a, O, K> {
    pub(super) fn new(kernel: K, shared: &'a Shared<'a>, near: &'a mut Near) -> Search<'a, O, K> {
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
        Search {
            kernel,
            shared,
            near,
            mask: size.mask(),
            cells,
            quadrants,
            squares_of,
            nodes: 0,
            reported: 0,
            ordered: 0,
            told_from: shared.findings.map_or(REPORTED, |f| f.from_nodes.min(REPORTED)),
            pass: Pass::PROOF,
            split: None,
            techniques: shared.techniques,
            weights: shared.weights,
            shape: shared.weights.map_or(Shape::EIGHT, Weights::shape),
            thresholds: Thresholds::of(size),
            order: Order::new(shared.order, size),
            margins: Margins::of(O::RULE, size),
            symmetric_from: match shared.techniques.symmetry {
                true => cells - 4 - SYMMETRIC_PLIES,
                false => 64,
            },
            cutters: [0; 2],
            children: Vec::with_capacity(1024),
            objective: PhantomData,
        }
    }

    /// The quadrants that have an odd number of the squares `bits`.
    pub(super) fn odd_quadrants(&self, bits: u64) -> u32 {
        squares(bits).fold(0, |odd, square| odd ^ self.quadrant(square.index()))
    }

    #[inline(always)]
    pub(super) fn quadrant(&self, index: u32) -> u32 {
        u32::from(self.quadrants[index as usize & 63])
    }

    #[inline(always)]
    pub(super) fn moves(&self, board: Board) -> u64 {
        self.kernel.moves(board) & self.mask
    }

    /// The score of a board on which nobody can move.
    #[inline(always)]
    pub(super) fn end(&self, board: Board) -> i32 {
        board.score(self.shared.size, O::RULE)
    }

    /// Whether what this thread finds is of no more use.
    #[inline(always)]
    pub(super) fn is_void(&self) -> bool {
        self.shared.stop.load(Relaxed)
            || self.nodes >= self.shared.most_nodes
            || self.split.as_ref().is_some_and(|split| split.is_cut())
    }

    /// Adds this thread's nodes, and what it looked at besides, to those of all.
    pub(super) fn report_nodes(&mut self) {
        for sum in [Some(&self.shared.nodes), self.shared.watched_nodes].into_iter().flatten() {
            sum.fetch_add(self.nodes - self.reported, Relaxed);
        }
        self.reported = self.nodes;
        self.shared.ordered.fetch_add(std::mem::take(&mut self.ordered), Relaxed);
    }

    /// The form in which the table knows `board`, and how it is got.
    #[inline(always)]
    pub(super) fn known_as(&self, board: Board, empties: u32) -> (Board, Symmetry) {
        if empties >= self.symmetric_from {
            board.canonical(self.shared.size)
        } else {
            (board, Symmetry::IDENTITY)
        }
    }

    /// Where `symmetry` takes a move, if it is one.
    pub(super) fn turned(&self, index: u8, symmetry: Symmetry) -> u8 {
        match index {
            NO_MOVE => NO_MOVE,
            _ => {
                let square = Square::from_index(index.into());
                symmetry.square(square, self.shared.size).index() as u8
            }
        }
    }

    /// Puts what was found into the table, and tells of it if it took long.
    #[inline(always)]
    pub(super) fn remember(
        &mut self,
        board: Board,
        hash: u64,
        best: u8,
        nodes_before: u64,
        bounds: Known,
    ) {
        let nodes = self.nodes - nodes_before;
        let cost = nodes.max(1).ilog2() as u8;
        let known = Known { best, cost, ..bounds };
        self.shared.table.put(board, hash, known);
        if nodes >= self.told_from {
            self.tell(board, known, nodes);
        }
    }

    /// Tells whoever is watching how far this thread is, and what it found.
    #[cold]
    fn tell(&mut self, board: Board, known: Known, nodes: u64) {
        self.report_nodes();
        if let Some(findings) = self.shared.findings
            && nodes >= findings.from_nodes
            && u32::from(known.depth) == board.empties(self.shared.size).count_ones()
        {
            (findings.tell)(Finding::new(board, known, nodes, self.shared.size));
        }
    }

    /// The board after a move, the moves there, and the discs that it turned.
    #[inline(always)]
    pub(super) fn played(&self, board: Board, index: u32) -> (Board, u64, u64) {
        let flips = self.kernel.flips(board, index);
        let next = board.play_unchecked(1 << index, flips);
        (next, self.moves(next), flips)
    }

    /// The board after a move, the moves there, and what the move promises.
    #[inline(always)]
    pub(super) fn look_at(&self, board: Board, index: u32, odd: u32) -> (Board, u64, i32) {
        let (next, replies, flips) = self.played(board, index);
        let is_odd = self.squares_of[odd as usize & 15] >> index & 1 != 0;
        (next, replies, self.order.worth(index, flips, next, replies, is_odd))
    }

    /// Brings the most promising of the children from `at` on there, and gives it.
    #[inline(always)]
    pub(super) fn pick(&mut self, at: usize) -> Child {
        let rest = &mut self.children[at..];
        let mut best = 0;
        for i in 1..rest.len() {
            if rest[i].worth > rest[best].worth {
                best = i;
            }
        }
        rest.swap(0, best);
        rest[0]
    }

    /// The best of the children from `base` on and its score, the line to it in `line`: the first
    /// in the full window, the others only if the null window finds them better. `scout` and
    /// `full` ask the other side about a child, above what is certain already; the children are
    /// taken from the stack.
    pub(super) fn best_child(
        &mut self,
        (alpha, beta): (i32, i32),
        base: usize,
        line: &mut Line,
        scout: impl Fn(&mut Self, &Child, i32) -> i32,
        full: impl Fn(&mut Self, &Child, i32, &mut Line) -> i32,
    ) -> (i32, u8) {
        let (mut best, mut best_index) = (NONE, NO_MOVE);
        let mut below = Line::new();
        for at in base..self.children.len() {
            let child = self.pick(at);
            let low = alpha.max(best);
            let mut score = NONE;
            if at > base {
                score = -scout(self, &child, low);
            }
            if at == base || (score > low && score < beta) {
                score = -full(self, &child, low, &mut below);
            } else {
                below.clear();
            }
            if self.is_void() {
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
        }
        self.children.truncate(base);
        (best, best_index)
    }

    /// The best move of a board that the table knows turned by `symmetry`.
    pub(super) fn known_move(&self, known_as: Board, hash: u64, symmetry: Symmetry) -> u8 {
        let known = self.shared.table.get(known_as, hash);
        known.map_or(NO_MOVE, |known| self.turned(known.best, symmetry.inverse()))
    }
}
