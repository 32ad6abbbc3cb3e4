//! The best lines ahead of a position as a small tree, for people to walk in.

use crate::book::Book;
use crate::step::{After, after, played};
use isrever_board::{Board, Square, squares};

/// A move of the tree, and the best moves after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Where, on the board as it was asked for.
    pub square: Square,
    /// What it is worth to the side that plays it, in discs.
    pub value: i8,
    /// The moves after it, the best first.
    pub branches: Vec<Branch>,
}

/// A move that the tree may have.
struct Candidate {
    square: Square,
    value: i8,
    plies: u8,
    /// The position after it in canonical form.
    to: Board,
}

impl Book {
    /// The best moves of a position and of those after it: at each step as many as `widths` says, the
    /// best line's first. Of moves that are the same by symmetry there is one.
    pub fn branches(&self, board: Board, widths: &[usize]) -> Vec<Branch> {
        let Some((&width, rest)) = widths.split_first() else { return Vec::new() };
        let mut candidates = self.candidates(board);
        let best = self.best(board);
        candidates.sort_by_key(|it| {
            (-i16::from(it.value), Some(it.square) != best, -i16::from(it.plies))
        });
        candidates.truncate(width);
        let branch = |it: Candidate| {
            let next = played(board, it.square, self.size());
            Branch { square: it.square, value: it.value, branches: self.branches(next, rest) }
        };
        candidates.into_iter().map(branch).collect()
    }

    /// The moves that lead to a position of the book, and the one that the position's own search found
    /// best.
    fn candidates(&self, board: Board) -> Vec<Candidate> {
        let size = self.size();
        let own = self.find(board).map(|entry| entry.finding);
        let own = own.map(|it| (after(it.board, it.best, size, self.rule()), it.value));
        let mut found: Vec<Candidate> = Vec::new();
        // Of images, the one that the best line begins with.
        let best = self.best(board);
        let others = squares(board.moves(size)).filter(|&square| Some(square) != best);
        for square in best.into_iter().chain(others) {
            let reached = after(board, square, size, self.rule());
            let After::Position { board: to, is_reply } = reached else { continue };
            if found.iter().any(|it| it.to == to) {
                continue;
            }
            if let Some(entry) = self.find(to) {
                let value = After::seen_back(entry.worth.value, is_reply);
                found.push(Candidate { square, value, plies: entry.worth.plies + 1, to });
            } else if let Some((own, value)) = own
                && own == reached
            {
                found.push(Candidate { square, value, plies: 0, to });
            }
        }
        found
    }
}
