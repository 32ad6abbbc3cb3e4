//! The tree above the last squares: null windows, and the full window of the best line.
//!
//! All scores are the final margin for the side to move under the rule, so one
//! search serves both. A null window asks "is it above `alpha`?"; since
//! `!alpha` is `-alpha - 1`, that is also the question to put to the opponent.

use super::bounds::{self, Objective};
use super::midgame::Thresholds;
use super::near::Near;
use super::order::{Order, OrderWeights};
use super::parallel::{Pool, Split};
use super::probcut::Margins;
use super::{Finding, Findings};
use crate::table::{Known, NO_MOVE, Table};
use isrever_board::{Board, Kernel, Size, Square, Symmetry, squares};
use isrever_eval::{Shape, Weights};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Up to this many empty squares there is no table and no list, only parity.
const SHALLOW: u32 = 6;

/// From this many empty squares boards are remembered; below, fetching them costs more than
/// searching again.
const REMEMBERED: u32 = 8;

/// From this many empty squares boards are remembered for all threads; below, each thread has a
/// small memory of its own.
const FAR: u32 = 12;

/// From this many empty squares the table is asked about all children first.
const LOOK_AHEAD: u32 = 9;

/// From this many empty squares a narrow pass leaves out unpromising moves.
const NARROWED: u32 = 10;

/// From this many empty squares moves are ordered by the best reply as well.
const FORESIGHT: u32 = 13;

/// From this many empty squares several threads may share a node's children.
const SHARED: u32 = 13;

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

/// The techniques that can be switched off to see what each is worth.
#[derive(Clone, Copy, Debug)]
pub struct Techniques {
    /// Transposition table: boards are remembered with their bounds.
    pub table: bool,
    /// Evaluation: on the upper plies, patterns with trained weights order the moves.
    pub evaluation: bool,
    /// Enhanced transposition cut-off: a child's known bound may end the search of its parent.
    pub look_ahead: bool,
    /// Stability: discs that can never turn bound the score.
    pub stability: bool,
    /// Fastest first: moves are tried in the order of what they promise.
    pub ordering: bool,
    /// Foresight: on the upper plies, that order looks at the best reply too.
    pub foresight: bool,
    /// Parity: near the leaves, quadrants with an odd number of empty squares come first.
    pub parity: bool,
    /// Narrow passes: a search of the few most promising moves guesses the score beforehand.
    pub narrow_passes: bool,
    /// Symmetry: near the start, boards that are images of each other are one.
    pub symmetry: bool,
}

impl Techniques {
    /// Everything switched on.
    pub const ALL: Techniques = Techniques {
        table: true,
        evaluation: true,
        look_ahead: true,
        stability: true,
        ordering: true,
        foresight: true,
        parity: true,
        narrow_passes: true,
        symmetry: true,
    };
}

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
    /// The same for whoever is watching.
    pub(super) watched_nodes: Option<&'a AtomicU64>,
    /// Who wants to know what took long to find.
    pub(super) findings: Option<Findings<'a>>,
}

/// One thread's search.
pub(super) struct Search<'a, O, K> {
    pub(super) kernel: K,
    pub(super) shared: &'a Shared<'a>,
    near: &'a mut Near,
    pub(super) mask: u64,
    pub(super) cells: u32,
    /// The quadrant of each square, one bit each.
    pub(super) quadrants: [u8; 64],
    /// The squares of the quadrants in each set of quadrants.
    pub(super) squares_of: [u64; 16],
    pub(super) nodes: u64,
    /// How many of them are in the sum of all threads already.
    reported: u64,
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
    order: Order,
    pub(super) margins: &'static Margins,
    /// From this many empty squares boards are taken in their canonical form.
    pub(super) symmetric_from: u32,
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

    /// Adds this thread's nodes to those of all.
    pub(super) fn report_nodes(&mut self) {
        for sum in [Some(&self.shared.nodes), self.shared.watched_nodes].into_iter().flatten() {
            sum.fetch_add(self.nodes - self.reported, Relaxed);
        }
        self.reported = self.nodes;
    }

    /// Null window on few empty squares: odd quadrants first, nothing remembered.
    fn shallow(&mut self, board: Board, alpha: i32, empties: u32, odd: u32) -> i32 {
        let kernel = self.kernel;
        kernel.run(
            #[inline(always)]
            move || {
                if empties == 4 {
                    return self.last_4(board, alpha, odd);
                }
                self.nodes += 1;
                let moves = self.moves(board);
                if moves != 0 {
                    return self.shallow_moves(board, moves, alpha, empties, odd);
                }
                let board = board.pass();
                let moves = self.moves(board);
                if moves == 0 {
                    return -self.end(board);
                }
                -self.shallow_moves(board, moves, !alpha, empties, odd)
            },
        )
    }

    #[inline(always)]
    fn shallow_moves(
        &mut self,
        board: Board,
        moves: u64,
        alpha: i32,
        empties: u32,
        odd: u32,
    ) -> i32 {
        let first = moves & self.first_by_parity(odd);
        let mut best = NONE;
        for mut set in [first, moves & !first] {
            while set != 0 {
                let index = set.trailing_zeros();
                set &= set - 1;
                let flips = self.kernel.flips(board, index);
                let next = board.play_unchecked(1 << index, flips);
                let score = -self.shallow(next, !alpha, empties - 1, odd ^ self.quadrant(index));
                best = best.max(score);
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// Parity: the squares to try first, those of the `odd` quadrants.
    #[inline(always)]
    pub(super) fn first_by_parity(&self, odd: u32) -> u64 {
        if self.techniques.parity { self.squares_of[odd as usize & 15] } else { 0 }
    }

    /// Null window: whether the score of `board`, where the side to move has `moves`, is above
    /// `alpha`. What is returned bounds the score from that side.
    pub(super) fn null_window(
        &mut self,
        board: Board,
        moves: u64,
        alpha: i32,
        empties: u32,
        odd: u32,
    ) -> i32 {
        match empties {
            0..4 => self.few(board, alpha),
            4..=SHALLOW => self.shallow(board, alpha, empties, odd),
            _ => {
                let kernel = self.kernel;
                kernel.run(
                    #[inline(always)]
                    move || self.node(board, moves, alpha, empties, odd),
                )
            }
        }
    }

    #[inline(always)]
    fn node(&mut self, board: Board, moves: u64, alpha: i32, empties: u32, odd: u32) -> i32 {
        self.nodes += 1;
        if moves == 0 {
            let passed = board.pass();
            let moves = self.moves(passed);
            if moves == 0 {
                return self.end(board);
            }
            return -self.null_window(passed, moves, !alpha, empties, odd);
        }

        // Stability: what can never turn bounds the score.
        if self.techniques.stability
            && let Some(bound) = bounds::upper_bound_within::<O>(board, self.mask, alpha)
        {
            return bound;
        }
        if empties >= self.symmetric_from {
            return self.symmetric_node(board, alpha, empties);
        }
        self.remembered_node(board, moves, alpha, empties, odd)
    }

    /// Symmetry: near the start, the board is turned into its canonical form.
    #[cold]
    fn symmetric_node(&mut self, board: Board, alpha: i32, empties: u32) -> i32 {
        let board = board.canonical(self.shared.size).0;
        let odd = self.odd_quadrants(board.empties(self.shared.size));
        self.remembered_node(board, self.moves(board), alpha, empties, odd)
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

    #[inline(always)]
    fn remembered_node(
        &mut self,
        board: Board,
        moves: u64,
        alpha: i32,
        empties: u32,
        odd: u32,
    ) -> i32 {
        // Transposition: what an earlier search of this board proved.
        let is_remembered = self.techniques.table && empties >= REMEMBERED;
        let hash = board.hash();
        let level = self.endgame_level();
        let mut first = NO_MOVE;
        if empties >= REMEMBERED && self.is_void() {
            return alpha;
        }
        if is_remembered && let Some(known) = self.recall(board, hash, empties) {
            if known.depth >= empties as u8 && known.level >= level {
                if i32::from(known.lower) > alpha {
                    return known.lower.into();
                }
                if i32::from(known.upper) <= alpha {
                    return known.upper.into();
                }
            }
            first = known.best;
        }

        let base = self.children.len();
        self.list_children(board, moves, first, empties, odd);

        // Enhanced transposition cut-off: a child already known to be bad for the opponent.
        if self.techniques.look_ahead && empties >= LOOK_AHEAD {
            for at in base..self.children.len() {
                let child = self.children[at].board;
                if let Some(known) = self.recall(child, child.hash(), empties - 1)
                    && u32::from(known.depth) + 1 >= empties
                    && known.level >= level
                    && -i32::from(known.upper) > alpha
                {
                    self.children.truncate(base);
                    return -i32::from(known.upper);
                }
            }
        }

        let before = self.nodes;
        let end = match empties {
            NARROWED.. => self.children.len().min(base.saturating_add(self.pass.width)),
            _ => self.children.len(),
        };
        let (mut best, mut best_index) = (NONE, NO_MOVE);
        for at in base..end {
            // The first child is searched alone; its brothers may be shared among threads.
            if at > base && empties >= SHARED && end - at > 1 && self.shared.pool.has_idle() {
                for rest in at..end {
                    self.pick(rest);
                }
                let children = self.children[at..end].to_vec();
                let (score, index) = self.share(children, alpha, empties, odd, empties);
                if score > best {
                    (best, best_index) = (score, index);
                }
                break;
            }
            let child = self.pick(at);
            let odd = odd ^ self.quadrant(child.index.into());
            let score = -self.null_window(child.board, child.replies, !alpha, empties - 1, odd);
            if score > best {
                (best, best_index) = (score, child.index);
                if best > alpha {
                    break;
                }
            }
        }
        self.children.truncate(base);
        if is_remembered && !self.is_void() {
            let bounds = Known::from_window(best, alpha, alpha + 1, empties);
            let known = Known { level, best: best_index, ..bounds };
            match empties {
                FAR.. => self.remember(board, hash, best_index, before, known),
                _ => self.near.put(board, hash, known),
            }
        }
        best
    }

    /// What is known of a board with so many empty squares.
    #[inline(always)]
    fn recall(&self, board: Board, hash: u64, empties: u32) -> Option<Known> {
        if empties < FAR { self.near.get(board, hash) } else { self.shared.table.get(board, hash) }
    }

    /// How far bounds of the endgame can be trusted: only passes that leave moves out guess there.
    #[inline(always)]
    fn endgame_level(&self) -> u8 {
        if self.pass.width == usize::MAX { PROVED } else { self.pass.level }
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

    /// Puts the children of a node on the stack, with what they are worth trying.
    #[inline(always)]
    fn list_children(&mut self, board: Board, mut moves: u64, first: u8, empties: u32, odd: u32) {
        let has_foresight = self.techniques.foresight && empties >= FORESIGHT;
        while moves != 0 {
            let index = moves.trailing_zeros();
            moves &= moves - 1;
            let (next, replies, mut worth) = self.look_at(board, index, odd);
            if index == u32::from(first) {
                worth = i32::MAX;
            } else if !self.techniques.ordering {
                worth = 0;
            } else if has_foresight {
                let reply = self.best_reply(next, replies, odd ^ self.quadrant(index));
                worth += self.order.charge(reply);
            }
            if empties > FAR {
                self.shared.table.prefetch(self.kernel, next.hash());
            }
            self.children.push(Child { board: next, replies, worth, index: index as u8 });
        }
    }

    /// The board after a move, the moves there, and what the move promises.
    #[inline(always)]
    pub(super) fn look_at(&self, board: Board, index: u32, odd: u32) -> (Board, u64, i32) {
        let flips = self.kernel.flips(board, index);
        let next = board.play_unchecked(1 << index, flips);
        let replies = self.moves(next);
        let is_odd = self.squares_of[odd as usize & 15] >> index & 1 != 0;
        (next, replies, self.order.worth(index, flips, next, replies, is_odd))
    }

    /// What the opponent's most promising reply is worth to it; a forced pass is worth little.
    #[inline(always)]
    fn best_reply(&self, board: Board, moves: u64, odd: u32) -> i32 {
        const PASS_WORTH: i32 = -1000;
        let replies = squares(moves).map(|square| self.look_at(board, square.index(), odd).2);
        replies.max().unwrap_or(PASS_WORTH)
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

    /// Full window: the score, exact if it lies between `alpha` and `beta`, and the line to it.
    ///
    /// Nothing is cut off by the table here, so that the line is whole.
    pub(super) fn full_window(
        &mut self,
        board: Board,
        alpha: i32,
        beta: i32,
        line: &mut Line,
    ) -> i32 {
        line.clear();
        self.nodes += 1;
        let moves = self.moves(board);
        if moves == 0 {
            let passed = board.pass();
            if self.moves(passed) == 0 {
                return self.end(board);
            }
            let score = -self.full_window(passed, -beta, -alpha, line);
            line.insert(0, PASS);
            return score;
        }
        let empty = board.empties(self.shared.size);
        let (empties, odd) = (empty.count_ones(), self.odd_quadrants(empty));
        let (known_as, symmetry) = self.known_as(board, empties);
        let hash = known_as.hash();
        let first = self.known_move(known_as, hash, symmetry);
        let base = self.children.len();
        self.list_children(board, moves, first, empties, odd);
        let before = self.nodes;
        let (best, best_index) = self.best_child(
            (alpha, beta),
            base,
            line,
            |search, child, low| {
                let odd = odd ^ search.quadrant(child.index.into());
                search.null_window(child.board, child.replies, !low, empties - 1, odd)
            },
            |search, child, low, below| search.full_window(child.board, -beta, -low, below),
        );
        if !self.is_void() {
            let level = self.endgame_level();
            let best_index = self.turned(best_index, symmetry);
            self.remember(
                known_as,
                hash,
                best_index,
                before,
                Known { level, ..Known::from_window(best, alpha, beta, empties) },
            );
        }
        best
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
