//! A perfect strategy: a proved best move for one side against every move of the other.
//!
//! Such a strategy needs one finding for each position where its own side is to
//! move, and none where the other is: one move there, every move here. For both
//! sides together this is a small part of all positions, and enough to play
//! perfectly, until few enough squares are empty for a solver.

use crate::graph::Graph;
use crate::step::{After, after};
use isrever_board::{Board, squares};
use std::collections::{BTreeSet, HashSet};

impl Graph {
    /// The positions, at most `count`, that a perfect strategy of the first or of the second player
    /// meets and that have no proved move yet; those nearest the start first, none of `pending`,
    /// none with fewer than `empties` empty squares.
    pub(crate) fn next_of_strategy(
        &self,
        empties: u32,
        count: usize,
        pending: &HashSet<Board>,
    ) -> Vec<Board> {
        let (start, _) = Board::start(self.size).canonical(self.size);
        // The positions of a number of discs, each with whether the strategy's own side is to move.
        let mut layer = BTreeSet::from([(start, true), (start, false)]);
        let mut chosen = Vec::new();
        while !layer.is_empty() {
            let mut next = BTreeSet::new();
            for (board, is_own) in layer {
                if board.empties(self.size).count_ones() < empties {
                    continue;
                }
                let mut follow = |square| match after(board, square, self.size, self.rule) {
                    After::Over(_) => {}
                    After::Position { board, is_reply } => {
                        next.insert((board, is_own ^ is_reply));
                    }
                };
                match self.find(board).filter(|(finding, _)| finding.is_exact) {
                    _ if !is_own => squares(board.moves(self.size)).for_each(follow),
                    Some((finding, _)) => follow(finding.best),
                    None if !pending.contains(&board) => chosen.push(board),
                    None => {}
                }
                if chosen.len() == count {
                    return chosen;
                }
            }
            layer = next;
        }
        chosen
    }
}
