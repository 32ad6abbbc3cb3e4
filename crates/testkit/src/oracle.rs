//! Searches without window, table or move ordering: the oracles of the fast ones.

use isrever_board::{ArrayBoard, Board, Rule, Size, squares};
use isrever_eval::{DISC, Weights};

/// The score of `board` for the side to move under perfect play, by trying everything.
pub fn brute_force(board: Board, size: Size, rule: Rule) -> i32 {
    let moves = board.moves(size);
    if moves == 0 {
        let passed = board.pass();
        let is_over = passed.moves(size) == 0;
        return if is_over { board.score(size, rule) } else { -brute_force(passed, size, rule) };
    }
    let next = |square| board.play(square, size).expect("a legal move");
    squares(moves).map(|square| -brute_force(next(square), size, rule)).max().expect("a move")
}

/// The same on the plain board, which has any size.
pub fn plain_brute_force(board: &ArrayBoard, rule: Rule) -> i32 {
    if board.is_over() {
        return board.score(rule);
    }
    if !board.has_move() {
        return -plain_brute_force(&board.pass(), rule);
    }
    let next = |square| board.play(square).expect("a legal move");
    board.moves().map(|square| -plain_brute_force(&next(square), rule)).max().expect("a move")
}

/// The value of `board` for the side to move, in discs, by looking `depth` plies ahead. A pass
/// costs no ply. Leaves have the value of `weights`, finished games their score.
pub fn minimax(board: Board, depth: u32, weights: &Weights, rule: Rule, size: Size) -> i32 {
    if board.is_over(size) {
        return board.score(size, rule);
    }
    if depth == 0 {
        // To the nearest disc, halves up.
        return (weights.plain_value(board) + DISC / 2).div_euclid(DISC);
    }
    let moves = board.moves(size);
    if moves == 0 {
        return -minimax(board.pass(), depth, weights, rule, size);
    }
    let after = |square| board.play(square, size).expect("a legal move");
    squares(moves)
        .map(|square| -minimax(after(square), depth - 1, weights, rule, size))
        .max()
        .expect("a move")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_boards;

    #[test]
    fn both_boards_have_the_same_score() {
        for rule in Rule::ALL {
            for board in random_boards(Size::SIX, 5, 30) {
                let plain = ArrayBoard::from_bits(board, Size::SIX);
                let score = brute_force(board, Size::SIX, rule);
                assert_eq!(plain_brute_force(&plain, rule), score, "{rule} {board:x?}");
            }
        }
    }

    #[test]
    fn minimax_to_the_end_is_brute_force() {
        for rule in Rule::ALL {
            let weights = Weights::embedded(rule, Size::SIX).expect("weights for 6x6");
            for board in random_boards(Size::SIX, 4, 30) {
                let score = brute_force(board, Size::SIX, rule);
                assert_eq!(minimax(board, 4, weights, rule, Size::SIX), score, "{board:x?}");
            }
        }
    }

    #[test]
    fn the_smallest_board_has_its_published_score() {
        // White wins 4x4 Othello by 11 to 3, and the two empty squares are the winner's.
        assert_eq!(brute_force(Board::start(Size::FOUR), Size::FOUR, Rule::Normal), -10);
    }
}
