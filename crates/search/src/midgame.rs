//! The tree above the endgame, which evaluates leaves and orders moves by their value.
//!
//! A search goes a number of plies deep and evaluates there, or goes to the end
//! of the game. Near the end the endgame search takes over, which needs no
//! evaluation. Values and scores are both in discs, so the two fit together.

use crate::bounds::{NONE, Objective};
use crate::child::{Child, UNKNOWN};
use crate::line::{Line, PASS};
use crate::probcut;
use crate::selectivity::Selectivity;
use crate::split::SplitNode;
use crate::table::{NO_MOVE, TableNode};
use crate::worker::Worker;
use isrever_board::{Board, Kernel};
use isrever_eval::{DISC, Indices};

/// A board with its incremental state.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) board: Board,
    indices: Indices,
    /// The moves of the side to move.
    pub(crate) moves: u64,
    /// The quadrants with an odd number of empty squares.
    pub(crate) odd: u32,
    pub(crate) empties: u32,
    /// The evaluation in parts of a disc, or [`UNKNOWN`].
    value: i16,
}

impl<O: Objective, K: Kernel> Worker<'_, O, K> {
    /// The node of `board`.
    pub(crate) fn root(&self, board: Board) -> Node {
        let empties = self.mask & !(board.player | board.opponent);
        Node {
            board,
            indices: Indices::new(self.shape, board),
            moves: self.moves(board),
            odd: self.odd_quadrants(empties),
            empties: empties.count_ones(),
            value: UNKNOWN,
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
            value: child.value,
        }
    }

    #[inline(always)]
    fn passed(&self, node: &Node) -> Node {
        let board = node.board.pass();
        let moves = self.moves(board);
        Node { board, indices: node.indices.pass(), moves, value: UNKNOWN, ..*node }
    }

    /// The evaluation of a board in parts of a disc, or the score if the game is over.
    #[inline(always)]
    fn fine_value(&mut self, board: Board, indices: &Indices, moves: u64) -> i32 {
        let opponent_moves = self.moves(board.pass());
        if moves | opponent_moves == 0 {
            return self.final_score(board) * DISC;
        }
        // Without weights the endgame search does everything.
        let Some(weights) = self.weights else { return 0 };
        self.counts.evaluations += 1;
        weights.value(indices, board, moves, opponent_moves)
    }

    /// The evaluation in discs.
    #[inline(always)]
    fn value(&mut self, node: &Node) -> i32 {
        to_discs(match node.value {
            UNKNOWN => self.fine_value(node.board, &node.indices, node.moves),
            value => value.into(),
        })
    }

    /// Null window: whether the value of `node` by a search of `depth` plies is above `alpha`.
    pub(crate) fn scout(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
        if depth >= node.empties && node.empties < self.parameters.evaluated {
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
                return self.final_score(node.board);
            }
            self.expects_cut = !self.expects_cut;
            return -self.scout(&passed, !alpha, depth);
        }
        if depth == 1 {
            return self.leaves(node, alpha);
        }
        if self.is_aborted() {
            return alpha;
        }

        // Stability: discs that can never be flipped bound the score.
        if let Some(bound) = self.bound_by_stability(node.board, alpha, node.empties) {
            return bound;
        }
        if node.empties >= self.symmetric_from {
            return self.symmetric_scout(node.board, alpha, depth);
        }
        self.table_scout(node, alpha, depth)
    }

    /// Symmetry: near the start, searches the board in its canonical form.
    #[cold]
    fn symmetric_scout(&mut self, board: Board, alpha: i32, depth: u32) -> i32 {
        let node = self.root(board.canonical(self.shared.size).0);
        let kernel = self.kernel;
        kernel.run(
            #[inline(always)]
            move || self.table_scout(&node, alpha, depth),
        )
    }

    #[inline(always)]
    fn table_scout(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
        // Transposition table.
        let selectivity = self.iteration.selectivity;
        let hash = node.board.hash();
        let mut first = NO_MOVE;
        let mut expects_cut = self.expects_cut;
        self.counts.probes += 1;
        if self.techniques.table
            && let Some(stored) = self.shared.table.get(node.board, hash)
        {
            if let Some(bound) = stored.cutoff(alpha, depth, selectivity) {
                return bound;
            }
            first = stored.best;
            expects_cut = stored.is_above(alpha).unwrap_or(expects_cut);
        }

        // Multi-ProbCut.
        if let Some(margin) = self.margins.get(selectivity, node.empties, depth)
            && let Some(value) = self.probcut(node, alpha, depth, margin)
        {
            return value;
        }

        let base = self.children.len();
        self.list_children(node, first, depth);

        // Enhanced transposition cut-off: a stored bound of a child may exceed alpha.
        if self.techniques.etc && depth >= self.parameters.etc_from {
            self.counts.probes += (self.children.len() - base) as u64;
            for at in base..self.children.len() {
                let (child, _) = self.table_form(self.children[at].board, node.empties - 1);
                if let Some(stored) = self.shared.table.get(child, child.hash())
                    && u32::from(stored.depth) + 1 >= depth
                    && stored.selectivity >= selectivity
                    && -i32::from(stored.upper) > alpha
                {
                    self.children.truncate(base);
                    return -i32::from(stored.upper);
                }
            }
        }

        let before = self.nodes;
        let end = self.children.len();
        let (mut best, mut best_index) = (NONE, NO_MOVE);
        // The table's move cuts off so often that the others are evaluated only after it.
        let evaluated_from = base + usize::from(first != NO_MOVE);
        let shared_from = base + self.tried_alone(expects_cut);
        for at in base..end {
            if at == evaluated_from {
                self.order_by_value(node, at, depth);
            }
            if at >= shared_from && depth >= self.parameters.split_from && self.may_split(at..end) {
                let Node { empties, odd, .. } = *node;
                let iteration = self.iteration;
                let node = SplitNode { alpha, empties, odd, depth, iteration };
                let found = self.split(at..end, node);
                if found.best().0 > best {
                    (best, best_index) = found.best();
                }
                break;
            }
            let child = self.pick(at);
            self.expects_cut = at > base || !expects_cut;
            let score = -self.scout(&self.below(node, &child), !alpha, depth - 1);
            if score > best {
                (best, best_index) = (score, child.index);
                if best > alpha {
                    break;
                }
            }
        }
        self.children.truncate(base);
        if !self.is_aborted() {
            let bounds =
                TableNode { selectivity, ..TableNode::from_window(best, alpha, alpha + 1, depth) };
            self.store(node.board, hash, best_index, before, bounds);
        }
        best
    }

    /// One ply above the leaves: evaluates the children without listing them.
    #[inline(always)]
    fn leaves(&mut self, node: &Node, alpha: i32) -> i32 {
        let mut best = NONE;
        let mut moves = node.moves;
        while moves != 0 {
            // Killers first.
            let killers = moves & (self.killers[0] | self.killers[1]);
            let index = if killers != 0 { killers } else { moves }.trailing_zeros();
            let bit = 1 << index;
            moves ^= bit;
            self.nodes += 1;
            let flips = self.kernel.flips(node.board, index);
            let next = node.board.play_unchecked(bit, flips);
            let indices = node.indices.play(self.shape, index, flips);
            let replies = self.moves(next);
            let value = -to_discs(self.fine_value(next, &indices, replies));
            best = best.max(value);
            if best > alpha {
                if bit != self.killers[0] {
                    self.killers = [bit, self.killers[0]];
                }
                break;
            }
        }
        best
    }

    /// Multi-ProbCut: a bound, if a shallow search lies far above or below the window.
    #[inline(always)]
    fn probcut(&mut self, node: &Node, alpha: i32, depth: u32, margin: i32) -> Option<i32> {
        let shallow = probcut::shallow_depth(depth);
        // The evaluation says which side is worth probing.
        let value = self.value(node);
        self.expects_cut = value > alpha;
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

    /// Puts the children of a node on the stack: `first` with the highest ordering score, the others
    /// with one by cheap features.
    #[inline(always)]
    fn list_children(&mut self, node: &Node, first: u8, depth: u32) {
        let mut moves = node.moves;
        while moves != 0 {
            let index = moves.trailing_zeros();
            moves &= moves - 1;
            let (board, replies, cheap) = self.play_scored(node.board, index, node.odd);
            let ordering_score = match index == u32::from(first) {
                true => i32::MAX,
                false if self.techniques.ordering => cheap,
                false => 0,
            };
            if depth >= self.parameters.etc_from {
                self.shared.table.prefetch(self.kernel, board.hash());
            }
            let (value, index) = (UNKNOWN, index as u8);
            self.children.push(Child { board, replies, ordering_score, value, index });
        }
    }

    /// Gives the children on the stack from `from` on, all of them listed, ordering scores by the
    /// evaluation.
    #[inline(always)]
    fn order_by_value(&mut self, node: &Node, from: usize, depth: u32) {
        if !self.techniques.ordering {
            return;
        }
        if depth < self.parameters.valued {
            self.counts.ordering_nodes += (self.children.len() - from) as u64;
            return;
        }
        let reply = match depth >= node.empties {
            true => self.parameters.reply_to_end,
            false => self.parameters.reply,
        };
        let plies = u32::from(depth >= self.parameters.foreseen_1)
            + u32::from(depth >= self.parameters.foreseen_2);
        for at in from..self.children.len() {
            let mut child = self.children[at];
            // The table's move comes first whatever its value is.
            if child.ordering_score == i32::MAX {
                continue;
            }
            let below = self.below(node, &child);
            let value = match plies {
                0 => {
                    self.counts.ordering_nodes += 1;
                    let value = self.fine_value(child.board, &below.indices, child.replies);
                    child.value = value as i16;
                    value
                }
                // These boards are searched, and counted as nodes.
                _ => self.lookahead_value(&below, NONE, -NONE, plies) * DISC,
            };
            child.ordering_score = -value - reply * child.replies.count_ones().cast_signed();
            self.children[at] = child;
        }
    }

    /// The value by a few plies of plain alpha-beta, without the table.
    fn lookahead_value(&mut self, node: &Node, alpha: i32, beta: i32, depth: u32) -> i32 {
        let kernel = self.kernel;
        kernel.run(
            #[inline(always)]
            move || self.lookahead_node(node, alpha, beta, depth),
        )
    }

    #[inline(always)]
    fn lookahead_node(&mut self, node: &Node, alpha: i32, beta: i32, depth: u32) -> i32 {
        self.nodes += 1;
        if depth == 0 {
            return self.value(node);
        }
        if node.moves == 0 {
            let passed = self.passed(node);
            if passed.moves == 0 {
                return self.final_score(node.board);
            }
            return -self.lookahead_value(&passed, -beta, -alpha, depth);
        }
        let mut best = NONE;
        let mut moves = node.moves;
        while moves != 0 {
            let index = moves.trailing_zeros();
            moves &= moves - 1;
            let (board, replies, ordering_score) = self.play_scored(node.board, index, node.odd);
            let child =
                Child { board, replies, ordering_score, value: UNKNOWN, index: index as u8 };
            let below = self.below(node, &child);
            best = best.max(-self.lookahead_value(&below, -beta, -alpha.max(best), depth - 1));
            if best >= beta {
                break;
            }
        }
        best
    }

    /// Principal variation search: the value by `depth` plies, exact if it lies between `alpha`
    /// and `beta`, and its variation.
    ///
    /// The table never cuts off here, so that the variation is complete.
    pub(crate) fn pvs(
        &mut self,
        node: &Node,
        alpha: i32,
        beta: i32,
        depth: u32,
        line: &mut Line,
    ) -> i32 {
        if depth >= node.empties && node.empties < self.parameters.evaluated {
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
                return self.final_score(node.board);
            }
            let score = -self.pvs(&passed, -beta, -alpha, depth, line);
            line.insert(0, PASS);
            return score;
        }
        let (table_form, symmetry) = self.table_form(node.board, node.empties);
        let hash = table_form.hash();
        let mut first = self.table_move(table_form, hash, symmetry);
        if first == NO_MOVE && depth >= self.parameters.deepened {
            let selectivity = self.iteration.selectivity;
            self.iteration.selectivity = Selectivity::MOST;
            self.pvs(node, alpha, beta, depth - depth / 3 - 1, &mut Line::new());
            self.iteration.selectivity = selectivity;
            first = self.table_move(table_form, hash, symmetry);
        }
        let base = self.children.len();
        self.list_children(node, first, depth);
        self.order_by_value(node, base, depth);
        let before = self.nodes;
        let (empties, odd, iteration) = (node.empties, node.odd, self.iteration);
        let shared = SplitNode { alpha, empties, odd, depth, iteration };
        let (best, best_index) = self.search_children(
            (alpha, beta),
            base,
            (depth >= self.parameters.split_from).then_some(shared),
            line,
            |worker, child, low| worker.scout(&worker.below(node, child), !low, depth - 1),
            |worker, child, low, below| {
                worker.pvs(&worker.below(node, child), -beta, -low, depth - 1, below)
            },
        );
        if !self.is_aborted() {
            let selectivity = self.iteration.selectivity;
            let bounds =
                TableNode { selectivity, ..TableNode::from_window(best, alpha, beta, depth) };
            self.store(table_form, hash, self.turn_move(best_index, symmetry), before, bounds);
        }
        best
    }
}

/// Rounds a value in parts of a disc to whole discs.
#[inline(always)]
fn to_discs(value: i32) -> i32 {
    (value + DISC / 2) >> DISC.trailing_zeros()
}
