//! Turns a book into what books of other programs can say: values, links and leaves.

use super::{RULE, SIZE};
use crate::book::{Book, Entry};
use crate::graph::Worth;
use crate::step::After;
use isrever_board::{Board, Square, squares};
use std::collections::BTreeMap;

/// A position of the book.
pub(super) struct Position {
    pub(super) entry: Entry,
    /// Moves that lead to other positions, to a pass or to the end of the game, with their values.
    pub(super) links: Vec<(Square, i8)>,
    /// The best of the other moves. It is never worth more than the position.
    pub(super) leaf: Option<(Square, i8)>,
}

/// A whole book.
pub(super) struct Outgoing {
    pub(super) positions: Vec<Position>,
    /// Positions between two of the book whose side to move must pass, with the entries after the
    /// pass.
    pub(super) passes: BTreeMap<Board, Entry>,
    /// Finished games one move after a position of the book, with their scores for the side that
    /// would be to move.
    pub(super) over: BTreeMap<Board, i8>,
}

impl Outgoing {
    pub(super) fn new(book: &Book) -> Outgoing {
        let mut outgoing =
            Outgoing { positions: Vec::new(), passes: BTreeMap::new(), over: BTreeMap::new() };
        for entry in book.entries() {
            let position = outgoing.position(book, entry);
            outgoing.positions.push(position);
        }
        outgoing
    }

    fn position(&mut self, book: &Book, entry: Entry) -> Position {
        let (finding, Worth { value: worth, .. }) = (&entry.finding, entry.worth);
        if finding.is_exact {
            // A link would bring back the doubts of what comes after it.
            let leaf = Some((finding.best, worth));
            return Position { links: Vec::new(), leaf, entry };
        }
        let (mut links, mut rest) = (Vec::new(), Vec::new());
        for (number, square) in squares(finding.board.moves(SIZE)).enumerate() {
            match self.value_of(book, finding.board, square) {
                Some(value) => links.push((square, value)),
                None => {
                    let estimate =
                        finding.estimate(number, SIZE).map(|it| it.clamp(-64, worth.into()));
                    rest.extend(estimate.map(|it| (square, it as i8)));
                }
            }
        }
        let is_best = |&&(square, _): &&(Square, i8)| square == finding.best;
        // The first of the best, in the order of squares.
        let first = rest.iter().rev().max_by_key(|&&(_, value)| value);
        let leaf = rest.iter().find(is_best).or(first).copied();
        Position { links, leaf, entry }
    }

    /// The value of a move to the side that plays it, if it leads to a position of the book or to
    /// the end; what lies between is kept.
    fn value_of(&mut self, book: &Book, board: Board, square: Square) -> Option<i8> {
        let next = board.play(square, SIZE).expect("a legal move");
        let canonical = || next.canonical(SIZE).0;
        if next.moves(SIZE) != 0 {
            let entry = book.find(next)?;
            return Some(After::seen_back(entry.worth.value, true));
        }
        let passed = next.pass();
        if passed.moves(SIZE) != 0 {
            let entry = book.find(passed)?;
            let value = entry.worth.value;
            self.passes.insert(canonical(), entry);
            return Some(value);
        }
        let score = i8::try_from(next.score(SIZE, RULE)).expect("no score exceeds the squares");
        self.over.insert(canonical(), score);
        Some(-score)
    }
}
