//! One step through the graph: what a move leads to, passes included.

use isrever_board::{Board, Rule, Size, Square};

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// The game is over, with this score for the side that moved.
    Over(i8),
    /// A position where a side has a move.
    Position {
        /// In canonical form.
        board: Board,
        /// Whether the other side is to move. It is not where it must pass.
        is_reply: bool,
    },
}

impl After {
    /// What a value of the position means to the side that moved.
    pub(crate) fn seen_back(value: i8, is_reply: bool) -> i8 {
        if is_reply { -value } else { value }
    }
}

/// What the move on `square` leads to.
///
/// # Panics
/// If the move is not legal.
pub fn after(board: Board, square: Square, size: Size, rule: Rule) -> After {
    let next = board.play(square, size).expect("a legal move");
    if next.moves(size) != 0 {
        return After::Position { board: next.canonical(size).0, is_reply: true };
    }
    let again = next.pass();
    if again.moves(size) != 0 {
        return After::Position { board: again.canonical(size).0, is_reply: false };
    }
    let score = i8::try_from(again.score(size, rule)).expect("no score exceeds the squares");
    After::Over(score)
}

/// The position after the move on `square`, and after a pass if there is no reply to it.
///
/// # Panics
/// If the move is not legal.
pub fn played(board: Board, square: Square, size: Size) -> Board {
    let next = board.play(square, size).expect("a legal move");
    if next.moves(size) == 0 { next.pass() } else { next }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::squares;

    /// Walks all games on 4×4 and counts what moves lead to.
    fn walk(board: Board, counts: &mut [u32; 3]) {
        let (size, rule) = (Size::FOUR, Rule::Reversed);
        for square in squares(board.moves(size)) {
            let played = board.play(square, size).unwrap();
            match after(board, square, size, rule) {
                After::Over(score) => {
                    assert!(played.is_over(size));
                    assert_eq!(i32::from(score), -played.score(size, rule));
                    counts[0] += 1;
                }
                After::Position { board: next, is_reply } => {
                    let expected = if is_reply { played } else { played.pass() };
                    assert_eq!(next, expected.canonical(size).0);
                    assert!(next.moves(size) != 0);
                    assert_eq!(is_reply, played.moves(size) != 0);
                    counts[if is_reply { 1 } else { 2 }] += 1;
                    if next.empties(size).count_ones() > 6 || !is_reply {
                        walk(next, counts);
                    }
                }
            }
        }
    }

    #[test]
    fn a_pass_belongs_to_the_move_before_it() {
        let mut counts = [0; 3];
        walk(Board::start(Size::FOUR), &mut counts);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
