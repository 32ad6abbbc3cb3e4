//! The tree of the endgame: null windows, and the full window of the best line.
//!
//! Nothing is evaluated here: moves are ordered by cheap signs, and every score is that of a
//! finished game.

use super::bounds::{self, Objective};
use super::close::CLOSE;
use super::search::{Child, Line, NONE, PASS, PROVED, Search};
use crate::table::{Known, NO_MOVE};
use isrever_board::{Board, Kernel, squares};

/// From this many empty squares boards are remembered for all threads; below, each thread has a
/// small memory of its own.
const FAR: u32 = 12;

/// From this many empty squares moves are ordered by the best reply as well.
const FORESIGHT: u32 = 13;

/// From this many empty squares several threads may share a node's children.
const SHARED: u32 = 13;

impl<O: Objective, K: Kernel> Search<'_, O, K> {
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
            4..=CLOSE => self.close(board, moves, alpha, empties, odd),
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
            return self.forced(board, alpha, empties, odd);
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

    /// The side to move has no move: it passes, or the game is over. Rare, and kept out of the way.
    #[cold]
    #[inline(never)]
    pub(super) fn forced(&mut self, board: Board, alpha: i32, empties: u32, odd: u32) -> i32 {
        let passed = board.pass();
        let moves = self.moves(passed);
        if moves == 0 {
            return self.end(board);
        }
        -self.null_window(passed, moves, !alpha, empties, odd)
    }

    /// Symmetry: near the start, the board is turned into its canonical form.
    #[cold]
    fn symmetric_node(&mut self, board: Board, alpha: i32, empties: u32) -> i32 {
        let board = board.canonical(self.shared.size).0;
        let odd = self.odd_quadrants(board.empties(self.shared.size));
        self.remembered_node(board, self.moves(board), alpha, empties, odd)
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
        let hash = board.hash();
        let level = self.endgame_level();
        let mut first = NO_MOVE;
        if self.is_void() {
            return alpha;
        }
        if self.techniques.table
            && let Some(known) = self.recall(board, hash, empties)
        {
            if let Some(bound) = known.settles(alpha, empties, level) {
                return bound;
            }
            first = known.best;
        }

        let base = self.children.len();
        self.list_children(board, moves, first, empties, odd);

        // Enhanced transposition cut-off: a child already known to be bad for the opponent.
        if self.techniques.look_ahead {
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
        // A narrow pass leaves out unpromising moves.
        let end = self.children.len().min(base.saturating_add(self.pass.width));
        let (mut best, mut best_index) = (NONE, NO_MOVE);
        for at in base..end {
            // The first child is searched alone; its brothers may be shared among threads.
            if at > base && empties >= SHARED && end - at > 1 && self.shared.pool.has_idle() {
                let (score, index) = self.share(at..end, alpha, empties, odd, empties);
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
        if self.techniques.table && !self.is_void() {
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

    /// What the opponent's most promising reply is worth to it; a forced pass is worth little.
    #[inline(always)]
    fn best_reply(&self, board: Board, moves: u64, odd: u32) -> i32 {
        const PASS_WORTH: i32 = -1000;
        let replies = squares(moves).map(|square| self.look_at(board, square.index(), odd).2);
        replies.max().unwrap_or(PASS_WORTH)
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
}
