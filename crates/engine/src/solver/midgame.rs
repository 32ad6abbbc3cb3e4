//! The tree above the endgame: an evaluation at its leaves, or in the order of its moves.
//!
//! A search goes down a number of plies and evaluates, or down to the end of
//! the game; near the end it is handed over to the endgame, which needs no
//! evaluation. Values are discs, as scores are, so the two fit together.

use super::DARING;
use super::bounds::{self, Objective};
use super::probcut;
use super::search::{Child, Line, NONE, PASS, Search};
use crate::table::{Known, NO_MOVE};
use isrever_board::{Board, Kernel, Size};
use isrever_eval::{DISC, Indices};

/// From this depth the table is asked about all children first.
const LOOK_AHEAD: u32 = 4;

/// From this depth moves are ordered by the value after them.
const VALUED: u32 = 3;

/// From this depth several threads may share a node's children.
const SHARED: u32 = 5;

/// From this depth a node of the best line without a known move is searched less deeply first.
const DEEPENED: u32 = 4;

/// What a reply of the opponent costs in the order of moves, in parts of a disc.
const REPLY: i32 = DISC / 2;

/// The same in a search to the end, where few replies make a small tree.
const REPLY_TO_END: i32 = 5 * DISC / 2;

/// Where the evaluation is worth its time, on boards of one size; fitted to node counts.
pub(super) struct Thresholds {
    /// A search to the end evaluates no more below this many empty squares.
    pub(super) evaluated: u32,
    /// From this depth, and this, moves are ordered by the value one and two plies further on.
    foreseen: [u32; 2],
}

impl Thresholds {
    pub(super) const fn of(size: Size) -> &'static Thresholds {
        match size.width() {
            // Values are nearer the truth here: they pay for longer, and need less foresight.
            ..=6 => &Thresholds { evaluated: 10, foreseen: [14, 18] },
            _ => &Thresholds { evaluated: 13, foreseen: [16, 22] },
        }
    }
}

/// A board and what goes with it.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) board: Board,
    indices: Indices,
    /// The moves of the side to move.
    pub(super) moves: u64,
    /// The quadrants with an odd number of empty squares.
    pub(super) odd: u32,
    pub(super) empties: u32,
}

impl<O: Objective, K: Kernel> Search<'_, O, K> {
    /// The node of `board`.
    pub(super) fn root(&self, board: Board) -> Node {
        let empties = self.mask & !(board.player | board.opponent);
        Node {
            board,
            indices: Indices::new(self.shape, board),
            moves: self.moves(board),
            odd: self.odd_quadrants(empties),
            empties: empties.count_ones(),
        }
    }

    #[inline(always)]
    fn below(&self, node: &Node, child: &Child) -> Node {
        let flips = child.board.opponent ^ node.board.player ^ 1 << child.index;
        Node {
            board: child.board,
            indices: node.indices.play(self.shape, child.index.into(), flips),
            moves: child.replies,
            odd: node.odd ^ self.quadrant(child.index.into()),
            empties: node.empties - 1,
        }
    }

    #[inline(always)]
    fn passed(&self, node: &Node) -> Node {
        let board = node.board.pass();
        Node { board, indices: node.indices.pass(), moves: self.moves(board), ..*node }
    }

    /// What the evaluation says of a board, in parts of a disc, or the score if the game is over.
    #[inline(always)]
    fn fine_value(&self, board: Board, indices: &Indices, moves: u64) -> i32 {
        let opponent_moves = self.moves(board.pass());
        if moves | opponent_moves == 0 {
            return self.end(board) * DISC;
        }
        // Without weights nothing above the endgame is searched.
        let Some(weights) = self.weights else { return 0 };
        weights.value(indices, board, moves, opponent_moves)
    }

    #[inline(always)]
    fn value(&self, node: &Node) -> i32 {
        to_discs(self.fine_value(node.board, &node.indices, node.moves))
    }

    /// Null window: whether the value of `node` by a search of `depth` plies is above `alpha`.
    pub(super) fn scout(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
        if depth >= node.empties && node.empties < self.thresholds.evaluated {
            return self.null_window(node.board, node.moves, alpha, node.empties, node.odd);
        }
        let kernel = self.kernel;
        kernel.run(
            #[inline(always)]
            move || self.scout_node(node, alpha, depth.min(node.empties)),
        )
    }

    #[inline(always)]
    fn scout_node(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
        self.nodes += 1;
        if depth == 0 {
            return self.value(node);
        }
        if node.moves == 0 {
            let passed = self.passed(node);
            if passed.moves == 0 {
                return self.end(node.board);
            }
            return -self.scout(&passed, !alpha, depth);
        }
        if depth == 1 {
            return self.leaves(node, alpha);
        }
        if self.is_void() {
            return alpha;
        }

        // Stability: what can never turn bounds the score.
        if self.techniques.stability
            && let Some(bound) = bounds::upper_bound_within::<O>(node.board, self.mask, alpha)
        {
            return bound;
        }
        if node.empties >= self.symmetric_from {
            return self.symmetric_scout(node.board, alpha, depth);
        }
        self.remembered_scout(node, alpha, depth)
    }

    /// Symmetry: near the start, the board is turned into its canonical form.
    #[cold]
    fn symmetric_scout(&mut self, board: Board, alpha: i32, depth: u32) -> i32 {
        let node = self.root(board.canonical(self.shared.size).0);
        let kernel = self.kernel;
        kernel.run(
            #[inline(always)]
            move || self.remembered_scout(&node, alpha, depth),
        )
    }

    #[inline(always)]
    fn remembered_scout(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
        // Transposition: what an earlier search of this board found.
        let level = self.pass.level;
        let hash = node.board.hash();
        let mut first = NO_MOVE;
        if self.techniques.table
            && let Some(known) = self.shared.table.get(node.board, hash)
        {
            if let Some(bound) = known.settles(alpha, depth, level) {
                return bound;
            }
            first = known.best;
        }

        // Multi-ProbCut.
        if let Some(margin) = self.margins.get(level, node.empties, depth)
            && let Some(value) = self.almost_certain(node, alpha, depth, margin)
        {
            return value;
        }

        let base = self.children.len();
        self.list_by_value(node, first, depth);

        // Enhanced transposition cut-off: a child already known to be bad for the opponent.
        if self.techniques.look_ahead && depth >= LOOK_AHEAD {
            for at in base..self.children.len() {
                let (child, _) = self.known_as(self.children[at].board, node.empties - 1);
                if let Some(known) = self.shared.table.get(child, child.hash())
                    && u32::from(known.depth) + 1 >= depth
                    && known.level >= level
                    && -i32::from(known.upper) > alpha
                {
                    self.children.truncate(base);
                    return -i32::from(known.upper);
                }
            }
        }

        let before = self.nodes;
        let end = self.children.len();
        let (mut best, mut best_index) = (NONE, NO_MOVE);
        for at in base..end {
            // The first child is searched alone; its brothers may be shared among threads.
            if at > base && depth >= SHARED && end - at > 1 && self.shared.pool.has_idle() {
                let (score, index) = self.share(at..end, alpha, node.empties, node.odd, depth);
                if score > best {
                    (best, best_index) = (score, index);
                }
                break;
            }
            let child = self.pick(at);
            let score = -self.scout(&self.below(node, &child), !alpha, depth - 1);
            if score > best {
                (best, best_index) = (score, child.index);
                if best > alpha {
                    break;
                }
            }
        }
        self.children.truncate(base);
        if !self.is_void() {
            let bounds = Known { level, ..Known::from_window(best, alpha, alpha + 1, depth) };
            self.remember(node.board, hash, best_index, before, bounds);
        }
        best
    }

    /// One ply above the leaves: every child is evaluated, none is listed.
    #[inline(always)]
    fn leaves(&mut self, node: &Node, alpha: i32) -> i32 {
        let mut best = NONE;
        let mut moves = node.moves;
        while moves != 0 {
            // What cut off the last nodes often does so here.
            let promising = moves & (self.cutters[0] | self.cutters[1]);
            let index = if promising != 0 { promising } else { moves }.trailing_zeros();
            let bit = 1 << index;
            moves ^= bit;
            self.nodes += 1;
            let flips = self.kernel.flips(node.board, index);
            let next = node.board.play_unchecked(bit, flips);
            let indices = node.indices.play(self.shape, index, flips);
            let value = -to_discs(self.fine_value(next, &indices, self.moves(next)));
            best = best.max(value);
            if best > alpha {
                if bit != self.cutters[0] {
                    self.cutters = [bit, self.cutters[0]];
                }
                break;
            }
        }
        best
    }

    /// Asks a shallow search whether `node` is far above or below the window.
    #[inline(always)]
    fn almost_certain(&mut self, node: &Node, alpha: i32, depth: u32, margin: i32) -> Option<i32> {
        let shallow = probcut::shallow_depth(depth);
        // Where the evaluation itself is on the other side, the shallow search will not help.
        let value = self.value(node);
        if value > alpha {
            let bound = alpha + margin;
            if bound < 64 && self.scout(node, bound, shallow) > bound {
                return Some(alpha + 1);
            }
        } else {
            let bound = alpha - margin;
            if bound > -64 && self.scout(node, bound, shallow) <= bound {
                return Some(alpha);
            }
        }
        None
    }

    /// Puts the children of a node on the stack, with what they are worth trying.
    #[inline(always)]
    fn list_by_value(&mut self, node: &Node, first: u8, depth: u32) {
        let mut moves = node.moves;
        let reply = if depth >= node.empties { REPLY_TO_END } else { REPLY };
        while moves != 0 {
            let index = moves.trailing_zeros();
            moves &= moves - 1;
            let (next, replies, cheap) = self.look_at(node.board, index, node.odd);
            let child = Child { board: next, replies, worth: cheap, index: index as u8 };
            let worth = if index == u32::from(first) {
                i32::MAX
            } else if !self.techniques.ordering {
                0
            } else if depth < VALUED {
                self.ordered += 1;
                cheap
            } else {
                let below = self.below(node, &child);
                let plies =
                    self.thresholds.foreseen.iter().filter(|&&from| depth >= from).count() as u32;
                let value = match plies {
                    0 => {
                        self.ordered += 1;
                        self.fine_value(next, &below.indices, replies)
                    }
                    // These are visited, and count as such.
                    _ => self.estimate(&below, NONE, -NONE, plies) * DISC,
                };
                -value - reply * replies.count_ones().cast_signed()
            };
            if depth >= LOOK_AHEAD {
                self.shared.table.prefetch(self.kernel, next.hash());
            }
            self.children.push(Child { worth, ..child });
        }
    }

    /// The value by a few plies, nothing remembered.
    fn estimate(&mut self, node: &Node, alpha: i32, beta: i32, depth: u32) -> i32 {
        let kernel = self.kernel;
        kernel.run(
            #[inline(always)]
            move || self.estimate_node(node, alpha, beta, depth),
        )
    }

    #[inline(always)]
    fn estimate_node(&mut self, node: &Node, alpha: i32, beta: i32, depth: u32) -> i32 {
        self.nodes += 1;
        if depth == 0 {
            return self.value(node);
        }
        if node.moves == 0 {
            let passed = self.passed(node);
            if passed.moves == 0 {
                return self.end(node.board);
            }
            return -self.estimate(&passed, -beta, -alpha, depth);
        }
        let mut best = NONE;
        let mut moves = node.moves;
        while moves != 0 {
            let index = moves.trailing_zeros();
            moves &= moves - 1;
            let (board, replies, worth) = self.look_at(node.board, index, node.odd);
            let child = Child { board, replies, worth, index: index as u8 };
            let below = self.below(node, &child);
            best = best.max(-self.estimate(&below, -beta, -alpha.max(best), depth - 1));
            if best >= beta {
                break;
            }
        }
        best
    }

    /// Full window: the value by `depth` plies, exact if it lies between `alpha` and `beta`, and
    /// the line to it.
    ///
    /// Nothing is cut off by the table here, so that the line is whole.
    pub(super) fn principal(
        &mut self,
        node: &Node,
        alpha: i32,
        beta: i32,
        depth: u32,
        line: &mut Line,
    ) -> i32 {
        if depth >= node.empties && node.empties < self.thresholds.evaluated {
            return self.full_window(node.board, alpha, beta, line);
        }
        line.clear();
        let depth = depth.min(node.empties);
        self.nodes += 1;
        if depth == 0 {
            return self.value(node);
        }
        if node.moves == 0 {
            let passed = self.passed(node);
            if passed.moves == 0 {
                return self.end(node.board);
            }
            let score = -self.principal(&passed, -beta, -alpha, depth, line);
            line.insert(0, PASS);
            return score;
        }
        let (known_as, symmetry) = self.known_as(node.board, node.empties);
        let hash = known_as.hash();
        let mut first = self.known_move(known_as, hash, symmetry);
        if first == NO_MOVE && depth >= DEEPENED {
            let level = self.pass.level;
            self.pass.level = DARING;
            self.principal(node, alpha, beta, depth - depth / 3 - 1, &mut Line::new());
            self.pass.level = level;
            first = self.known_move(known_as, hash, symmetry);
        }
        let base = self.children.len();
        self.list_by_value(node, first, depth);
        let before = self.nodes;
        let (best, best_index) = self.best_child(
            (alpha, beta),
            base,
            line,
            |search, child, low| search.scout(&search.below(node, child), !low, depth - 1),
            |search, child, low, below| {
                search.principal(&search.below(node, child), -beta, -low, depth - 1, below)
            },
        );
        if !self.is_void() {
            let level = self.pass.level;
            let bounds = Known { level, ..Known::from_window(best, alpha, beta, depth) };
            self.remember(known_as, hash, self.turned(best_index, symmetry), before, bounds);
        }
        best
    }
}

/// A value in parts of a disc as the nearest whole number of discs.
#[inline(always)]
fn to_discs(value: i32) -> i32 {
    (value + DISC / 2) >> DISC.trailing_zeros()
}
