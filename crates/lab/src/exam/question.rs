//! Questions: a position, its score, and the scores of moves as far as they are known.

use super::{Marks, SIZE};
use isrever_board::{Board, Move, Square};
use isrever_search::{Control, Goal, Searcher};
use std::fmt;

/// A position and the scores of some of its moves, for the side that makes them; a best one is
/// among them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    board: Board,
    scores: Vec<(Square, i32)>,
}

impl Question {
    /// A question about `board`. The caller knows that no move is better than the best of `scores`.
    ///
    /// # Errors
    /// If there is no score, or one for a move that is not legal.
    pub fn new(board: Board, scores: Vec<(Square, i32)>) -> Result<Question, QuestionError> {
        let moves = board.moves(SIZE);
        if moves == 0 {
            return Err(QuestionError::NoMove);
        }
        if scores.is_empty() {
            return Err(QuestionError::NoScore);
        }
        match scores.iter().find(|(square, _)| moves & square.bit() == 0) {
            Some(&(square, _)) => Err(QuestionError::Illegal(square)),
            None => Ok(Question { board, scores }),
        }
    }

    /// Solves `board`, which has a legal move; `None` if the search was stopped.
    pub fn solve(board: Board, solver: &mut Searcher, control: Control<'_>) -> Option<Question> {
        let solution = solver.search(board, Goal::Exact, control);
        match solution.best() {
            Some(Move::Place(square)) if solution.is_exact => {
                Some(Question { board, scores: vec![(square, solution.score())] })
            }
            _ => None,
        }
    }

    /// The position.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The known scores of moves.
    pub fn scores(&self) -> &[(Square, i32)] {
        &self.scores
    }

    /// The score of the best move.
    pub fn best(&self) -> i32 {
        self.scores.iter().map(|&(_, score)| score).max().expect("the best is known")
    }

    /// The marks for playing on `square`, if its score is known.
    pub fn marks(&self, square: Square) -> Option<Marks> {
        let (_, score) = self.scores.iter().find(|(known, _)| *known == square)?;
        Some(Marks::of_loss(u64::from((self.best() - score).unsigned_abs())))
    }

    /// Solves the move to `square`; `None` if the search was stopped.
    ///
    /// # Panics
    /// If the move is illegal.
    pub fn score_of(
        &self,
        square: Square,
        solver: &mut Searcher,
        control: Control<'_>,
    ) -> Option<i32> {
        let next = self.board.play(square, SIZE).expect("an answer is a legal move");
        let solution = solver.search(next, Goal::Exact, control);
        solution.is_exact.then_some(-solution.score())
    }

    /// Adds the score of `square`, unless it is known.
    pub fn learn(&mut self, square: Square, score: i32) {
        if self.marks(square).is_none() {
            self.scores.push((square, score));
        }
    }
}

/// Why a position is not a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuestionError {
    /// There is no legal move.
    NoMove,
    /// No move has a score.
    NoScore,
    /// An illegal move has a score.
    Illegal(Square),
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuestionError::NoMove => f.write_str("no legal move; expected at least one"),
            QuestionError::NoScore => {
                f.write_str("no move has a score; expected one for a best move at least")
            }
            QuestionError::Illegal(square) => {
                write!(f, "a score for {square}; expected scores for legal moves")
            }
        }
    }
}

impl std::error::Error for QuestionError {}

#[cfg(test)]
mod tests {
    use super::super::solver;
    use super::super::tests::{carried, positions};
    use super::*;
    use isrever_board::{Rule, squares};

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn a_loss_is_told_where_the_score_is_known() {
        let board = Board::start(SIZE);
        let scores = [("d3", 4), ("c4", -2)].map(|(name, score)| (square(name), score));
        let mut question = Question::new(board, scores.to_vec()).unwrap();
        let loss = |question: &Question, name| question.marks(square(name));
        assert_eq!(loss(&question, "d3"), Some(Marks::of_loss(0)));
        assert_eq!(loss(&question, "c4"), Some(Marks::of_loss(6)));
        assert_eq!(loss(&question, "e6"), None);
        question.learn(square("e6"), 0);
        question.learn(square("c4"), 64);
        assert_eq!(loss(&question, "e6"), Some(Marks::of_loss(4)));
        assert_eq!((question.best(), question.scores().len()), (4, 3));
    }

    #[test]
    fn what_is_no_question_is_refused() {
        let start = Board::start(SIZE);
        assert_eq!(Question::new(start, Vec::new()), Err(QuestionError::NoScore));
        let illegal = Question::new(start, vec![(square("a1"), 0)]).unwrap_err();
        assert_eq!(illegal.to_string(), "a score for a1; expected scores for legal moves");
        let full = Board { player: u64::MAX, opponent: 0 };
        assert_eq!(Question::new(full, Vec::new()), Err(QuestionError::NoMove));
    }

    #[test]
    fn solved_one_by_one_the_moves_have_the_scores_of_a_solver() {
        for rule in Rule::ALL {
            let mut solver = solver(rule, carried(rule));
            for number in 0..6 {
                let board = positions(rule).board(number);
                let question = Question::solve(board, &mut solver, Control::NONE).unwrap();
                let scores = solver.search_moves(board, Goal::Exact, Control::NONE);
                assert_eq!(question.best(), scores[0].score());
                assert_eq!(scores.len(), squares(board.moves(SIZE)).count());
                for answer in scores {
                    let square = answer.best().and_then(Move::square).unwrap();
                    let score = question.score_of(square, &mut solver, Control::NONE);
                    assert_eq!(score, Some(answer.score()));
                }
            }
        }
    }
}
