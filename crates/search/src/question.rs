//! A question about a position, and how far its answer has come.
//!
//! A question is plain data: a [`Searcher`](crate::Searcher) works on it, may be
//! stopped, and takes it up again later at the iteration where it was.

use crate::answer::Answer;
use crate::counts::Counts;
use crate::goal::Goal;
use crate::iteration::Iteration;
use crate::line::{Line, to_move};
use isrever_board::{Board, Move, Rule, Size, squares};

/// A question about the side to move of a board.
///
/// ```
/// use isrever_board::{Board, Rule, Size};
/// use isrever_search::{Control, Goal, Question, Searcher, Settings};
///
/// // Ask iteration by iteration, as a screen that shows progress does.
/// let mut searcher = Searcher::new(Settings::new(Rule::Normal, Size::FOUR));
/// let mut question = Question::new(Board::start(Size::FOUR), Goal::Exact);
/// let mut answer = searcher.step(&mut question, Control::NONE);
/// while !question.is_done() {
///     answer = searcher.step(&mut question, Control::NONE);
/// }
/// assert_eq!((answer.score(), answer.is_exact), (-10, true));
/// ```
#[derive(Clone, Debug)]
pub struct Question {
    pub(crate) board: Board,
    pub(crate) goal: Goal,
    /// The iterations that lead to the goal; `None` until a searcher has planned them.
    pub(crate) plan: Option<Vec<Iteration>>,
    /// How many of them are completed.
    pub(crate) done: usize,
    /// The score and variation of the last completed iteration, or of a better move that an
    /// aborted one found.
    pub(crate) guess: Option<i32>,
    pub(crate) line: Line,
    /// The depth and confidence of the last completed iteration.
    pub(crate) depth: u32,
    pub(crate) confidence: u8,
    pub(crate) nodes: u64,
    pub(crate) counts: Counts,
}

impl Question {
    /// Asks about `board`.
    pub fn new(board: Board, goal: Goal) -> Question {
        Question {
            board,
            goal,
            plan: None,
            done: 0,
            guess: None,
            line: Line::new(),
            depth: 0,
            confidence: 0,
            nodes: 0,
            counts: Counts::default(),
        }
    }

    /// The board asked about.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Whether all iterations are completed.
    pub fn is_done(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| self.done == plan.len())
    }

    /// The best move so far.
    pub(crate) fn best(&self) -> Option<Move> {
        self.line.first().map(|&index| to_move(index))
    }

    /// The answer as far as it is known.
    pub(crate) fn answer(&self, rule: Rule, size: Size) -> Answer {
        let mut pv: Vec<Move> = self.line.iter().map(|&index| to_move(index)).collect();
        if pv.is_empty() && !self.board.is_over(size) {
            // Stopped before the first iteration was completed: any legal move must do.
            let square = squares(self.board.moves(size)).next();
            pv.push(square.map_or(Move::Pass, Move::Place));
        }
        let score = self.guess.unwrap_or_else(|| self.board.score(size, rule));
        let is_to_end = self.depth == self.board.empties(size).count_ones();
        Answer {
            value: score.into(),
            is_exact: self.is_done() && is_to_end && self.confidence == 100,
            pv,
            depth: self.depth,
            confidence: self.confidence,
            iterations: self.done,
            nodes: self.nodes,
            counts: self.counts,
        }
    }
}
