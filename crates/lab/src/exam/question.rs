//! Questions: a position and the score of every legal move.

use super::{Marks, SIZE};
use isrever_board::{Board, Square, squares};
use isrever_engine::{Control, Goal, Solver};
use std::fmt;

/// A position and the score of every legal move, for the side that makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    board: Board,
    scores: Vec<(Square, i32)>,
}

impl Question {
    /// A question about `board`.
    ///
    /// # Errors
    /// If a legal move has no score, or there is none.
    pub fn new(board: Board, scores: &[(Square, i32)]) -> Result<Question, QuestionError> {
        let moves = board.moves(SIZE);
        if moves == 0 {
            return Err(QuestionError::NoMove);
        }
        let score = |square: Square| {
            let known = scores.iter().find(|(scored, _)| *scored == square);
            known.copied().ok_or(QuestionError::Unknown(square))
        };
        let scores = squares(moves).map(score).collect::<Result<_, _>>()?;
        Ok(Question { board, scores })
    }

    /// Solves every move of `board`, which has at least one; `None` if that was stopped.
    pub fn solve(board: Board, solver: &mut Solver, control: Control<'_>) -> Option<Question> {
        let solutions = solver.solve_moves(board, Goal::Exact, control);
        let scores: Vec<(Square, i32)> =
            solutions.into_iter().map(|(square, solution)| (square, solution.score)).collect();
        Question::new(board, &scores).ok()
    }

    /// The position.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The moves and their scores.
    pub fn scores(&self) -> &[(Square, i32)] {
        &self.scores
    }

    /// What the best move is worth.
    pub fn best(&self) -> i32 {
        self.scores.iter().map(|&(_, score)| score).max().expect("there is a move")
    }

    /// The marks for playing on `square`.
    ///
    /// # Panics
    /// If that is not legal.
    pub fn marks(&self, square: Square) -> Marks {
        let known = self.scores.iter().find(|(scored, _)| *scored == square);
        let (_, score) = known.expect("an answer is a legal move");
        let loss = u64::from((self.best() - score).unsigned_abs());
        Marks::of_loss(loss)
    }
}

/// Why something is not a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuestionError {
    /// There is nothing to choose from.
    NoMove,
    /// This legal move has no score.
    Unknown(Square),
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuestionError::NoMove => f.write_str("no legal move; expected at least one"),
            QuestionError::Unknown(square) => {
                write!(f, "no score for {square}; expected one for every legal move")
            }
        }
    }
}

impl std::error::Error for QuestionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_has_a_score() {
        let board = Board::start(SIZE);
        let square = |name: &str| name.parse::<Square>().unwrap();
        let scores = [("d3", 4), ("c4", -2), ("f5", 4), ("e6", 0)];
        let scores = scores.map(|(name, score)| (square(name), score));
        let question = Question::new(board, &scores).unwrap();
        assert_eq!((question.best(), question.scores().len()), (4, 4));
        for (name, loss) in [("d3", 0), ("c4", 6), ("f5", 0), ("e6", 4)] {
            assert_eq!(question.marks(square(name)), Marks::of_loss(loss));
        }
        let missing = Question::new(board, &scores[1..]).unwrap_err();
        assert_eq!(missing, QuestionError::Unknown(square("d3")));
        let line = "no score for d3; expected one for every legal move";
        assert_eq!(missing.to_string(), line);
        let full = Board { player: u64::MAX, opponent: 0 };
        assert_eq!(Question::new(full, &[]), Err(QuestionError::NoMove));
    }
}
