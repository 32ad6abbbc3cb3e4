//! Turns what another program's book says into findings.
//!
//! Such a book has a value for each position, and values of moves only where
//! they lead to positions of the book or are the best of the rest (the *leaf*).
//! It does not say what a search of the position itself found: here that is its
//! value, with a move that explains it. What our graph then derives from all
//! findings is what the other program derived.

use super::{Contents, RULE, SIZE, Search, empties};
use crate::finding::{Finding, UNKNOWN};
use crate::step::{After, after};
use isrever_board::{Board, Square, squares};
use std::collections::BTreeMap;

/// What another program's book says of a position where the side to move has a move.
pub(super) struct Position {
    /// In any image.
    pub(super) board: Board,
    /// The value; `None` if it says none.
    pub(super) value: Option<i8>,
    /// The score, if the program says that it is proved.
    pub(super) proved: Option<i8>,
    pub(super) level: u8,
    /// The best move that does not lead to a position of the book.
    pub(super) leaf: Option<(Square, i8)>,
    /// Other moves and their values.
    pub(super) links: Vec<(Square, i8)>,
}

/// A move whose value is known.
#[derive(Clone, Copy)]
struct Valued {
    square: Square,
    value: i8,
    /// Whether the value is that of a position that becomes a finding, or of the end of the game.
    is_inner: bool,
}

/// The findings that positions become; `search` says what a level is at so many empty squares.
pub(super) fn contents(positions: Vec<Position>, search: fn(u8, u8) -> Search) -> Contents {
    let total = positions.len();
    let mut known: BTreeMap<Board, Position> = BTreeMap::new();
    let mut twice = 0;
    for position in positions {
        let position = canonical(position);
        match known.get(&position.board) {
            Some(other) => {
                twice += 1;
                if other.level < position.level {
                    known.insert(position.board, position);
                }
            }
            None => _ = known.insert(position.board, position),
        }
    }
    known.retain(|_, position| position.value.is_some());
    let findings: Vec<Finding> =
        known.values().filter_map(|position| finding(position, &known, search)).collect();
    let without_move = total - twice - findings.len();
    Contents { findings, without_move }
}

/// The same in canonical form.
fn canonical(mut position: Position) -> Position {
    let (board, symmetry) = position.board.canonical(SIZE);
    position.board = board;
    for (square, _) in position.leaf.iter_mut().chain(&mut position.links) {
        *square = symmetry.square(*square, SIZE);
    }
    position
}

/// The finding that a position becomes; `None` if nothing is known of any of its moves.
fn finding(
    position: &Position,
    known: &BTreeMap<Board, Position>,
    search: fn(u8, u8) -> Search,
) -> Option<Finding> {
    let moves = valued(position, known);
    let of = |is_inner: bool| {
        let moves = moves.iter().filter(move |one| one.is_inner == is_inner);
        // The first of the best, in the order of squares.
        moves.rev().max_by_key(|one| one.value).copied()
    };
    let (inner, outer) = (of(true), of(false));
    let value = position.value?;
    let proof = position.proved.and_then(|score| {
        let leaf = position.leaf.filter(|&(_, value)| value == score).map(|(square, _)| square);
        let found = || moves.iter().find(|one| one.value == score).map(|one| one.square);
        Some((leaf.or_else(found)?, score))
    });
    let (best, value) = match (proof, inner, outer) {
        (Some(proof), ..) => proof,
        (None, None, outer) => (outer?.square, value),
        // A leaf counts where the program has counted it.
        (None, Some(inner), Some(outer)) if outer.value == value && value > inner.value => {
            (outer.square, value)
        }
        (None, Some(inner), _) => (inner.square, value),
    };
    let estimate = |square: Square| {
        let known = moves.iter().find(|one| one.square == square);
        known.map_or(UNKNOWN, |one| one.value)
    };
    let Search { depth, confidence } = search(position.level, empties(position.board));
    Some(Finding {
        board: position.board,
        value,
        best,
        depth,
        confidence,
        is_exact: proof.is_some(),
        nodes: 0,
        estimates: squares(position.board.moves(SIZE)).map(estimate).collect(),
    })
}

/// The moves of a position whose values are known, in the order of squares.
fn valued(position: &Position, known: &BTreeMap<Board, Position>) -> Vec<Valued> {
    let said = |square: Square| {
        let mut moves = position.leaf.iter().chain(&position.links);
        moves.find(|&&(other, _)| other == square).map(|&(_, value)| value)
    };
    let valued = |square: Square| {
        let (value, is_inner) = match after(position.board, square, SIZE, RULE) {
            After::Over(score) => (score, true),
            After::Position { board, is_reply } => match known.get(&board) {
                Some(next) => {
                    let value = next.value.expect("those without are gone");
                    (After::seen_back(value, is_reply), has_move(next, known))
                }
                None => (said(square)?, false),
            },
        };
        Some(Valued { square, value, is_inner })
    };
    squares(position.board.moves(SIZE)).filter_map(valued).collect()
}

/// Whether anything is known of any move of a position.
fn has_move(position: &Position, known: &BTreeMap<Board, Position>) -> bool {
    let is_known = |square| match after(position.board, square, SIZE, RULE) {
        After::Over(_) => true,
        After::Position { board, .. } => known.contains_key(&board),
    };
    position.leaf.is_some()
        || !position.links.is_empty()
        || squares(position.board.moves(SIZE)).any(is_known)
}
