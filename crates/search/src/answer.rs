//! The answer to a question: the same type for a value, a proof, and one move of many.

use crate::counts::Counts;
use isrever_board::{Move, Size, Square, Symmetry};

/// What a search found out about a position, seen by the side to move.
///
/// ```
/// use isrever_board::{Board, Rule, Size};
/// use isrever_search::{Control, Goal, Searcher, Settings};
///
/// let mut searcher = Searcher::new(Settings::new(Rule::Reversed, Size::FOUR));
/// let answer = searcher.search(Board::start(Size::FOUR), Goal::Exact, Control::NONE);
/// assert_eq!(answer.score(), 4);
/// // The principal variation begins with the best move and leads to the end of the game.
/// assert_eq!(answer.best(), answer.pv.first().copied());
/// assert!(answer.pv.len() >= 10);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The value in discs. Searches find whole discs, a static evaluation may lie between. For
    /// [`Goal::Wld`](crate::Goal::Wld) only its sign means something.
    pub value: f64,
    /// Whether the value is proved.
    pub is_exact: bool,
    /// The principal variation: the best moves of both sides as far as they are known, passes
    /// included. After a proof of the exact score it goes to the end; empty if the game is over.
    pub pv: Vec<Move>,
    /// The depth of the last completed iteration in plies; to the end, the number of empty squares.
    pub depth: u32,
    /// In how many of 100 cases its cuts are right: 100 if there were none, 0 if that is unknown.
    pub confidence: u8,
    /// How many iterations were completed. After none, the value is only that of the board as it
    /// stands, and the move any legal one.
    pub iterations: usize,
    /// Boards visited.
    pub nodes: u64,
    /// What else the search did.
    pub counts: Counts,
}

impl Answer {
    /// The answer where the game is over.
    pub fn game_over(score: i32) -> Answer {
        Answer {
            value: score.into(),
            is_exact: true,
            pv: Vec::new(),
            depth: 0,
            confidence: 100,
            iterations: 0,
            nodes: 0,
            counts: Counts::default(),
        }
    }

    /// The best move; `None` when the game is over.
    pub fn best(&self) -> Option<Move> {
        self.pv.first().copied()
    }

    /// The value in whole discs: the final score, if it is exact.
    pub fn score(&self) -> i32 {
        #[expect(clippy::cast_possible_truncation, reason = "no value exceeds the squares")]
        let score = self.value.round() as i32;
        score
    }

    /// The best square and its score; `None` where the best move is a pass or the game is over.
    pub fn scored_square(&self) -> Option<(Square, i32)> {
        Some((self.best()?.square()?, self.score()))
    }

    /// The same answer about the image of the position.
    #[must_use]
    pub(crate) fn image(mut self, symmetry: Symmetry, size: Size) -> Answer {
        for mv in &mut self.pv {
            if let Move::Place(square) = mv {
                *square = symmetry.square(*square, size);
            }
        }
        self
    }

    /// The answer for the side that plays `mv` and leaves the position of this one.
    #[must_use]
    pub fn before(mut self, mv: Move) -> Answer {
        // Not -0, which is printed with its sign.
        self.value = 0.0 - self.value;
        self.pv.insert(0, mv);
        self.depth += 1;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_turns_the_answer_round() {
        let over = Answer::game_over(6);
        let before = over.before(Move::Pass);
        assert_eq!((before.score(), before.depth, before.best()), (-6, 1, Some(Move::Pass)));
        assert!(Answer::game_over(0).before(Move::Pass).value.is_sign_positive());
    }

    #[test]
    fn only_a_move_to_a_square_has_a_scored_square() {
        let square: Square = "f5".parse().unwrap();
        let over = Answer::game_over(6);
        assert_eq!(over.scored_square(), None);
        assert_eq!(over.clone().before(Move::Pass).scored_square(), None);
        assert_eq!(over.before(Move::Place(square)).scored_square(), Some((square, -6)));
    }
}
