//! Analyses a whole game from its last move to its first: quickly, and then thoroughly.

use super::searchers::{Loan, Searchers};
use crate::pool::{Step, Work};
use crate::refusal::Refusal;
use crate::stream::Outbox;
use crate::wire::{ColorWord, Pair, move_names};
use isrever_board::{Board, Color, Game, Move};
use isrever_engine::{AnalysisSettings, PlayerSettings};
use isrever_search::{Answer, Control, GameAnalysis, Mark, Question, Verdict, evaluate_moves};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The depth of the quick analysis, in plies, and the empty squares from which it solves.
const QUICK_DEPTH: u32 = 6;
const QUICK_SOLVE_FROM: u32 = 8;

/// A review in progress.
pub(crate) struct Review {
    /// The time for each move of the thorough analysis, where its depth is not limited.
    time: Duration,
    depth: Option<u32>,
    analysis: GameAnalysis,
    /// 1 for the quick analysis, 2 for the thorough one.
    stage: u8,
    /// The search in progress, and the time it has taken.
    question: Option<Question>,
    spent: Duration,
    nodes: u64,
    began: Instant,
    searchers: Searchers,
    searcher: Option<Loan>,
    outbox: Outbox,
}

/// The verdict on one move.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReviewedMove {
    /// The first move's is 1.
    ply: usize,
    #[serde(rename = "move")]
    /// A square or `pass`.
    mv: String,
    color: ColorWord,
    /// The value of the move for the side that made it, in discs.
    value: i32,
    /// The best move.
    best: Option<String>,
    /// The value of the best move, likewise.
    best_value: i32,
    /// By how much the best move is better.
    loss: i32,
    /// How bad the move is, if it is.
    mark: Option<MarkWord>,
    /// Whether both values are proved.
    exact: bool,
    /// Plies searched.
    depth: u32,
    /// In how many of 100 cases the cuts of the search are right.
    percent: u8,
    /// The principal variation from the position before the move.
    pv: Vec<String>,
    /// The value of the position after the move for black.
    value_black: i32,
    /// There was no other move.
    forced: bool,
    /// 1 for the quick analysis, 2 for the thorough one.
    pass_number: u8,
}

/// How bad a move is.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum MarkWord {
    /// It loses 3 discs or more.
    Inaccuracy,
    /// It loses 6 discs or more; or, provably, a win or a draw.
    Mistake,
    /// It loses 12 discs or more; or, provably, a won game.
    Blunder,
}

impl From<Mark> for MarkWord {
    fn from(mark: Mark) -> MarkWord {
        match mark {
            Mark::Inaccuracy => MarkWord::Inaccuracy,
            Mark::Mistake => MarkWord::Mistake,
            Mark::Blunder => MarkWord::Blunder,
        }
    }
}

/// The verdict on the whole game.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReviewEnd {
    reason: ReviewReason,
    #[serde(flatten)]
    sides: Pair<Side>,
    /// Boards it visited.
    nodes: u64,
    /// How long it took.
    seconds: f64,
}

/// Why a review ended.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ReviewReason {
    /// Every move is analysed.
    Complete,
}

/// One side's moves in numbers.
#[derive(Clone, Copy, Default, Serialize, ToSchema)]
struct Side {
    /// How many it made.
    moves: u32,
    /// The discs that they lost in all.
    loss: i32,
    /// How many were inaccuracies.
    inaccuracies: u32,
    /// How many were mistakes.
    mistakes: u32,
    /// How many were blunders.
    blunders: u32,
}

impl Review {
    /// Analyses every move of `game` for `time`, or `depth` plies deep.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub(crate) fn new(
        game: Game,
        time: Duration,
        depth: Option<u32>,
        searchers: Searchers,
        outbox: Outbox,
    ) -> Review {
        Review {
            time,
            depth,
            analysis: GameAnalysis::new(game, Some(QUICK_DEPTH), QUICK_SOLVE_FROM),
            stage: 1,
            question: None,
            spent: Duration::ZERO,
            nodes: 0,
            began: Instant::now(),
            searchers,
            searcher: None,
            outbox,
        }
    }

    /// The time left for the search in progress, if it is limited.
    fn time_left(&self) -> Option<Duration> {
        let is_timed = self.stage == 2 && self.depth.is_none();
        let request = self.analysis.request().filter(|_| is_timed)?;
        Some(self.time.mul_f64(request.time_share).saturating_sub(self.spent))
    }

    /// Works on the next search of the analysis; `None` if the slice ended first.
    fn search(&mut self, stop: &AtomicBool) -> Option<Answer> {
        let game = self.analysis.game();
        let (rule, size) = (game.rule(), game.size());
        let request = self.analysis.request()?;
        let board = request.position.board().expect("boards up to 8x8 have bits");
        let question = self.question.take();
        let goal = request.goal(PlayerSettings::default().confidence);
        let mut question = question.unwrap_or_else(|| Question::new(board, goal));
        let searcher = self.searcher.get_or_insert_with(|| self.searchers.lend(rule, size));
        let began = Instant::now();
        let answer = searcher.ask(&mut question, Control { stop, ..Control::NONE });
        self.spent += began.elapsed();
        let is_time_up = || self.time_left().is_some_and(|left| left.is_zero());
        if !question.is_done() && !is_time_up() {
            self.question = Some(question);
            return None;
        }
        self.spent = Duration::ZERO;
        self.nodes += answer.nodes;
        Some(if answer.iterations > 0 { answer } else { self.evaluate(board) })
    }

    /// The answer where there was no time to search.
    fn evaluate(&self, board: Board) -> Answer {
        let searcher = self.searcher.as_ref().expect("it was lent for the search");
        let answers = evaluate_moves(board, searcher.settings());
        answers.into_iter().next().expect("the game is not over")
    }

    fn report(&self, verdict: &Verdict) {
        let before = &self.analysis.game().positions()[verdict.ply];
        let is_black = verdict.color == Color::Black;
        let best = &verdict.best;
        let body = ReviewedMove {
            ply: verdict.ply + 1,
            mv: verdict.mv.to_string(),
            color: verdict.color.into(),
            value: verdict.value,
            best: best.best().map(|mv| mv.to_string()),
            best_value: best.score(),
            loss: verdict.loss,
            mark: verdict.mark.map(MarkWord::from),
            exact: verdict.is_exact && best.is_exact,
            depth: best.depth,
            percent: best.confidence,
            pv: move_names(&best.pv),
            value_black: if is_black { verdict.value } else { -verdict.value },
            forced: before.moves().len() <= 1,
            pass_number: self.stage,
        };
        self.outbox.send("move", &body);
    }

    fn summary(&self) -> ReviewEnd {
        let mut sides = Pair { black: Side::default(), white: Side::default() };
        for verdict in
            self.analysis.verdicts().iter().flatten().filter(|verdict| verdict.mv != Move::Pass)
        {
            let side = match verdict.color {
                Color::Black => &mut sides.black,
                Color::White => &mut sides.white,
            };
            side.moves += 1;
            side.loss += verdict.loss;
            match verdict.mark {
                None => {}
                Some(Mark::Inaccuracy) => side.inaccuracies += 1,
                Some(Mark::Mistake) => side.mistakes += 1,
                Some(Mark::Blunder) => side.blunders += 1,
            }
        }
        let seconds = self.began.elapsed().as_secs_f64();
        ReviewEnd { reason: ReviewReason::Complete, sides, nodes: self.nodes, seconds }
    }
}

impl Work for Review {
    fn deadline(&self) -> Option<Instant> {
        self.time_left().map(|left| Instant::now() + left)
    }

    fn go(&mut self, stop: &Arc<AtomicBool>) -> Step {
        if self.analysis.is_done() {
            if self.stage == 2 || self.analysis.game().ply() == 0 {
                self.outbox.done(&self.summary());
                return Step::Done;
            }
            let (game, solve_from) =
                (self.analysis.game().clone(), AnalysisSettings::default().solve_from);
            self.analysis = GameAnalysis::new(game, self.depth, solve_from);
            self.stage = 2;
            return Step::More;
        }
        let answer = match self.analysis.request() {
            Some(_) => match self.search(stop) {
                None => return Step::More,
                answer => answer,
            },
            None => None,
        };
        if let Some(verdict) = self.analysis.answer(answer).cloned() {
            self.report(&verdict);
        }
        Step::More
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.outbox.fail(&refusal);
    }
}
