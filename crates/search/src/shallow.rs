//! The endgame tree just above the last four squares, where most of the time goes.
//!
//! It does what `endgame` does from `shallow` empty squares up, for less: move lists live on the
//! stack frame, only the thread's local table is used, and nothing checks
//! whether the search was stopped. Iterations skip no moves so near the end, so
//! every bound is proved.

use crate::bounds::{NONE, Objective};
use crate::child::{Child, UNKNOWN};
use crate::selectivity::Selectivity;
use crate::table::{NO_MOVE, TableNode};
use crate::worker::Worker;
use arrayvec::ArrayVec;
use isrever_board::{Board, Kernel};

/// Room for the moves of a node, as many as its empty squares: those that `shallow` allows in the
/// table of parameters.
const MOST_MOVES: usize = 12;

impl<O: Objective, K: Kernel> Worker<'_, O, K> {
    /// Null window on four to `shallow` empty squares, where the side to move has `moves`.
    pub(crate) fn shallow(
        &mut self,
        board: Board,
        moves: u64,
        alpha: i32,
        empties: u32,
        odd: u32,
    ) -> i32 {
        let kernel = self.kernel;
        kernel.run(
            #[inline(always)]
            move || self.shallow_node(board, moves, alpha, empties, odd),
        )
    }

    #[inline(always)]
    fn shallow_node(
        &mut self,
        board: Board,
        moves: u64,
        alpha: i32,
        empties: u32,
        odd: u32,
    ) -> i32 {
        self.nodes += 1;
        if moves == 0 {
            return self.pass_or_end(board, alpha, empties, odd);
        }
        // Stability: discs that can never be flipped bound the score.
        if let Some(bound) = self.bound_by_stability(board, alpha, empties) {
            return bound;
        }
        if empties == 4 {
            return self.last_4(board, moves, alpha, odd);
        }
        if empties < self.parameters.stored || !self.techniques.table {
            return self.search_moves(board, moves, NO_MOVE, alpha, empties, odd).0;
        }
        // Transposition table.
        let hash = board.hash();
        let mut first = NO_MOVE;
        if let Some(stored) = self.local.get(board, hash) {
            if let Some(bound) = stored.cutoff(alpha, empties, Selectivity::NONE) {
                return bound;
            }
            first = stored.best;
        }
        let (score, best) = self.search_moves(board, moves, first, alpha, empties, odd);
        let bounds = TableNode::from_window(score, alpha, alpha + 1, empties);
        self.local.put(board, hash, TableNode { selectivity: Selectivity::NONE, best, ..bounds });
        score
    }

    /// The best score of `moves` and its move, in the order of their ordering scores, `first`
    /// before all.
    #[inline(always)]
    fn search_moves(
        &mut self,
        board: Board,
        mut moves: u64,
        first: u8,
        alpha: i32,
        empties: u32,
        odd: u32,
    ) -> (i32, u8) {
        let mut children = ArrayVec::<Child, MOST_MOVES>::new();
        let (mut at, mut most) = (0, i32::MIN);
        while moves != 0 {
            let index = moves.trailing_zeros();
            moves &= moves - 1;
            let (next, replies, flips) = self.play(board, index);
            let ordering_score = match index == u32::from(first) {
                true => i32::MAX,
                false if self.techniques.ordering => {
                    self.ordering.quick_score(index, flips, replies)
                }
                false => 0,
            };
            if ordering_score > most {
                (at, most) = (children.len(), ordering_score);
            }
            let (value, index) = (UNKNOWN, index as u8);
            children.push(Child { board: next, replies, ordering_score, value, index });
        }
        // Enhanced transposition cut-off: a stored bound of a child may exceed alpha.
        if empties >= self.parameters.shallow_etc && self.techniques.etc {
            for child in &children {
                if let Some(stored) = self.local.get(child.board, child.board.hash())
                    && -i32::from(stored.upper) > alpha
                {
                    return (-i32::from(stored.upper), child.index);
                }
            }
        }
        let (mut best, mut best_index) = (NONE, NO_MOVE);
        for left in (0..children.len()).rev() {
            let child = children[at];
            let odd = odd ^ self.quadrant(child.index.into());
            let score = -self.shallow(child.board, child.replies, !alpha, empties - 1, odd);
            if score > best {
                (best, best_index) = (score, child.index);
                if best > alpha {
                    break;
                }
            }
            if left == 0 {
                break;
            }
            // It stays in place, and is not picked again.
            children[at].ordering_score = i32::MIN;
            (at, most) = (0, i32::MIN);
            for (place, child) in children.iter().enumerate() {
                if child.ordering_score > most {
                    (at, most) = (place, child.ordering_score);
                }
            }
        }
        (best, best_index)
    }
}
