//! The tree just above the last four squares, where most of the time goes.
//!
//! What is here does what `endgame` does further up, for less: lists of moves lie
//! in the frame of their node, boards are remembered by this thread alone, and
//! nobody asks whether the search was stopped.

use super::bounds::{self, Objective};
use super::search::{Child, NONE, PROVED, Search};
use crate::table::{Known, NO_MOVE};
use isrever_board::{Board, Kernel};

/// Up to this many empty squares nodes are searched here. No pass leaves moves out so near the
/// end, so every bound is proved.
pub(super) const CLOSE: u32 = 9;

/// From this many empty squares boards are remembered; below, fetching them costs more than
/// searching again.
const REMEMBERED: u32 = 6;

/// From this many empty squares what is remembered of all children is asked for first.
const LOOK_AHEAD: u32 = 9;

/// From this many empty squares stable discs are counted; below, it costs more than it cuts off.
const STABLE: u32 = 7;

impl<O: Objective, K: Kernel> Search<'_, O, K> {
    /// Null window on four to [`CLOSE`] empty squares, where the side to move has `moves`.
    pub(super) fn close(
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
            move || self.close_node(board, moves, alpha, empties, odd),
        )
    }

    #[inline(always)]
    fn close_node(&mut self, board: Board, moves: u64, alpha: i32, empties: u32, odd: u32) -> i32 {
        self.nodes += 1;
        if moves == 0 {
            return self.forced(board, alpha, empties, odd);
        }
        if empties == 4 {
            return self.last_4(board, moves, alpha, odd);
        }
        // Stability: what can never turn bounds the score.
        if empties >= STABLE
            && self.techniques.stability
            && let Some(bound) = bounds::upper_bound_within::<O>(board, self.mask, alpha)
        {
            return bound;
        }
        if empties < REMEMBERED || !self.techniques.table {
            return self.listed(board, moves, NO_MOVE, alpha, empties, odd).0;
        }
        // Transposition: what an earlier search of this board proved.
        let hash = board.hash();
        let mut first = NO_MOVE;
        if let Some(known) = self.near.get(board, hash) {
            if let Some(bound) = known.settles(alpha, empties, PROVED) {
                return bound;
            }
            first = known.best;
        }
        let (score, best) = self.listed(board, moves, first, alpha, empties, odd);
        let bounds = Known::from_window(score, alpha, alpha + 1, empties);
        self.near.put(board, hash, Known { level: PROVED, best, ..bounds });
        score
    }

    /// The best of `moves` and its square, the most promising first and `first` before all.
    #[inline(always)]
    fn listed(
        &mut self,
        board: Board,
        mut moves: u64,
        first: u8,
        alpha: i32,
        empties: u32,
        odd: u32,
    ) -> (i32, u8) {
        const EMPTY: Child =
            Child { board: Board { player: 0, opponent: 0 }, replies: 0, worth: 0, index: 0 };
        let mut children = [EMPTY; CLOSE as usize];
        let mut count = 0;
        while moves != 0 {
            let index = moves.trailing_zeros();
            moves &= moves - 1;
            let (next, replies, flips) = self.played(board, index);
            let worth = match index == u32::from(first) {
                true => i32::MAX,
                false if self.techniques.ordering => self.order.glance(index, flips, replies),
                false => 0,
            };
            children[count] = Child { board: next, replies, worth, index: index as u8 };
            count += 1;
        }
        let children = &mut children[..count];
        // Enhanced transposition cut-off: a child already known to be bad for the opponent.
        if empties >= LOOK_AHEAD && self.techniques.look_ahead {
            for child in children.iter() {
                if let Some(known) = self.near.get(child.board, child.board.hash())
                    && -i32::from(known.upper) > alpha
                {
                    return (-i32::from(known.upper), child.index);
                }
            }
        }
        let (mut best, mut best_index) = (NONE, NO_MOVE);
        for _ in 0..count {
            let mut at = 0;
            for i in 1..children.len() {
                if children[i].worth > children[at].worth {
                    at = i;
                }
            }
            let child = children[at];
            // It stays where it is, and is not taken again.
            children[at].worth = i32::MIN;
            let odd = odd ^ self.quadrant(child.index.into());
            let score = -self.close(child.board, child.replies, !alpha, empties - 1, odd);
            if score > best {
                (best, best_index) = (score, child.index);
                if best > alpha {
                    break;
                }
            }
        }
        (best, best_index)
    }
}
