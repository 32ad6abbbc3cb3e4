//! The endgame tree: null windows, and the full window of the principal variation.
//!
//! It evaluates nothing: cheap features order the moves, and every score is that of a finished
//! game.

use crate::bounds::{NONE, Objective};
use crate::child::{Child, UNKNOWN};
use crate::line::{Line, PASS};
use crate::selectivity::Selectivity;
use crate::split::SplitNode;
use crate::table::{NO_MOVE, TableNode};
use crate::worker::Worker;
use isrever_board::{Board, Kernel, squares};

impl<O: Objective, K: Kernel> Worker<'_, O, K> {
    /// Null window: whether the score of `board`, where the side to move has `moves`, is above
    /// `alpha`. The result bounds the score from that side.
    pub(crate) fn null_window(
        &mut self,
        board: Board,
        moves: u64,
        alpha: i32,
        empties: u32,
        odd: u32,
    ) -> i32 {
        match empties {
            0..4 => self.last_few(board, alpha),
            4.. if empties <= self.parameters.shallow => {
                self.shallow(board, moves, alpha, empties, odd)
            }
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
            return self.pass_or_end(board, alpha, empties, odd);
        }

        // Stability: discs that can never be flipped bound the score.
        if let Some(bound) = self.bound_by_stability(board, alpha, empties) {
            return bound;
        }
        if empties >= self.symmetric_from {
            return self.symmetric_node(board, alpha, empties);
        }
        self.table_node(board, moves, alpha, empties, odd)
    }

    /// The side to move has no move: it passes, or the game is over. Rare, so out of line.
    #[cold]
    #[inline(never)]
    pub(crate) fn pass_or_end(&mut self, board: Board, alpha: i32, empties: u32, odd: u32) -> i32 {
        let passed = board.pass();
        let moves = self.moves(passed);
        if moves == 0 {
            return self.final_score(board);
        }
        self.expects_cut = !self.expects_cut;
        -self.null_window(passed, moves, !alpha, empties, odd)
    }

    /// Symmetry: near the start, searches the board in its canonical form.
    #[cold]
    fn symmetric_node(&mut self, board: Board, alpha: i32, empties: u32) -> i32 {
        let board = board.canonical(self.shared.size).0;
        let odd = self.odd_quadrants(board.empties(self.shared.size));
        self.table_node(board, self.moves(board), alpha, empties, odd)
    }

    #[inline(always)]
    fn table_node(&mut self, board: Board, moves: u64, alpha: i32, empties: u32, odd: u32) -> i32 {
        // Transposition table.
        let hash = board.hash();
        let selectivity = self.endgame_selectivity();
        let mut first = NO_MOVE;
        let mut expects_cut = self.expects_cut;
        if self.is_aborted() {
            return alpha;
        }
        if self.techniques.table
            && let Some(stored) = self.probe(board, hash, empties)
        {
            if let Some(bound) = stored.cutoff(alpha, empties, selectivity) {
                return bound;
            }
            first = stored.best;
            expects_cut = stored.is_above(alpha).unwrap_or(expects_cut);
        }

        let base = self.children.len();
        self.generate_children(board, moves, first, empties, odd);

        // Enhanced transposition cut-off: a stored bound of a child may exceed alpha.
        if self.techniques.etc {
            for at in base..self.children.len() {
                let child = self.children[at].board;
                if let Some(stored) = self.probe(child, child.hash(), empties - 1)
                    && u32::from(stored.depth) + 1 >= empties
                    && stored.selectivity >= selectivity
                    && -i32::from(stored.upper) > alpha
                {
                    self.children.truncate(base);
                    return -i32::from(stored.upper);
                }
            }
        }

        let before = self.nodes;
        // A narrow iteration skips moves with low ordering scores.
        let end = self.children.len().min(base.saturating_add(self.iteration.width));
        let (mut best, mut best_index) = (NONE, NO_MOVE);
        let shared_from = base + self.tried_alone(expects_cut);
        for at in base..end {
            if at >= shared_from
                && empties >= self.parameters.endgame_split
                && self.may_split(at..end)
            {
                let (depth, iteration) = (empties, self.iteration);
                let node = SplitNode { alpha, empties, odd, depth, iteration };
                let found = self.split(at..end, node);
                if found.best().0 > best {
                    (best, best_index) = found.best();
                }
                break;
            }
            let child = self.pick(at);
            self.expects_cut = at > base || !expects_cut;
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
        if self.techniques.table && !self.is_aborted() {
            let bounds = TableNode::from_window(best, alpha, alpha + 1, empties);
            let node = TableNode { selectivity, best: best_index, ..bounds };
            match empties >= self.parameters.shared_table {
                true => self.store(board, hash, best_index, before, node),
                false => self.local.put(board, hash, node),
            }
        }
        best
    }

    /// The node of a board with this many empty squares, from the table that would hold it.
    #[inline(always)]
    fn probe(&mut self, board: Board, hash: u64, empties: u32) -> Option<TableNode> {
        match empties >= self.parameters.shared_table {
            true => {
                self.counts.probes += 1;
                self.shared.table.get(board, hash)
            }
            false => self.local.get(board, hash),
        }
    }

    /// The selectivity of endgame bounds: only narrow iterations guess here.
    #[inline(always)]
    fn endgame_selectivity(&self) -> Selectivity {
        if self.iteration.is_wide() { Selectivity::NONE } else { self.iteration.selectivity }
    }

    /// Puts the children of a node on the stack, with their ordering scores.
    #[inline(always)]
    fn generate_children(
        &mut self,
        board: Board,
        mut moves: u64,
        first: u8,
        empties: u32,
        odd: u32,
    ) {
        let has_foresight = self.techniques.foresight && empties >= self.parameters.foresight;
        while moves != 0 {
            let index = moves.trailing_zeros();
            moves &= moves - 1;
            let (next, replies, mut ordering_score) = self.play_scored(board, index, odd);
            if index == u32::from(first) {
                ordering_score = i32::MAX;
            } else if !self.techniques.ordering {
                ordering_score = 0;
            } else if has_foresight {
                let reply = self.best_reply(next, replies, odd ^ self.quadrant(index));
                ordering_score += self.ordering.reply_penalty(reply);
            }
            if empties > self.parameters.shared_table {
                self.shared.table.prefetch(self.kernel, next.hash());
            }
            let (value, index) = (UNKNOWN, index as u8);
            self.children.push(Child { board: next, replies, ordering_score, value, index });
        }
    }

    /// The greatest ordering score of the opponent's replies; a forced pass has a low one.
    #[inline(always)]
    fn best_reply(&self, board: Board, moves: u64, odd: u32) -> i32 {
        const PASS_SCORE: i32 = -1000;
        let replies = squares(moves).map(|square| self.play_scored(board, square.index(), odd).2);
        replies.max().unwrap_or(PASS_SCORE)
    }

    /// Full window: the score, exact if it lies between `alpha` and `beta`, and its variation.
    ///
    /// The table never cuts off here, so that the variation is complete.
    pub(crate) fn full_window(
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
                return self.final_score(board);
            }
            let score = -self.full_window(passed, -beta, -alpha, line);
            line.insert(0, PASS);
            return score;
        }
        let empty = board.empties(self.shared.size);
        let (empties, odd) = (empty.count_ones(), self.odd_quadrants(empty));
        let (table_form, symmetry) = self.table_form(board, empties);
        let hash = table_form.hash();
        let first = self.table_move(table_form, hash, symmetry);
        let base = self.children.len();
        self.generate_children(board, moves, first, empties, odd);
        let before = self.nodes;
        let (depth, iteration) = (empties, self.iteration);
        let shared = SplitNode { alpha, empties, odd, depth, iteration };
        let (best, best_index) = self.search_children(
            (alpha, beta),
            base,
            (empties >= self.parameters.endgame_split).then_some(shared),
            line,
            |worker, child, low| {
                let odd = odd ^ worker.quadrant(child.index.into());
                worker.null_window(child.board, child.replies, !low, empties - 1, odd)
            },
            |worker, child, low, below| worker.full_window(child.board, -beta, -low, below),
        );
        if !self.is_aborted() {
            let selectivity = self.endgame_selectivity();
            let best_index = self.turn_move(best_index, symmetry);
            self.store(
                table_form,
                hash,
                best_index,
                before,
                TableNode { selectivity, ..TableNode::from_window(best, alpha, beta, empties) },
            );
        }
        best
    }
}
