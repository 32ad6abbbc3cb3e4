//! Analyses a whole game from its last move to its first: quickly, and then thoroughly.

use super::searchers::{Loan, Searchers};
use crate::pool::{Step, Work};
use crate::refusal::Refusal;
use crate::stream::Outbox;
use crate::wire::{ColorWord, Pair, move_names};
use isrever_board::{Board, Color, Game, Move};
use isrever_engine::{AnalysisSettings, PlayerSettings};
use isrever_search::{
    Answer, Control, GameAnalysis, Goal, Mark, Question, Request, Verdict, evaluate_moves,
};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The depth of the quick analysis, in plies, and the empty squares from which it solves.
const QUICK_DEPTH: u32 = 6;
const QUICK_SOLVE_FROM: u32 = 8;

/// A review in work.
pub(crate) struct Review {
    /// The time for each move of the thorough analysis, where its depth is not limited.
    time: Duration,
    depth: Option<u32>,
    analysis: GameAnalysis,
    /// 1 for the quick analysis, 2 for the thorough one.
    stage: u8,
    /// The search in work, and the time it has taken.
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
pub(crate) struct MoveBody {
    /// The first move's is 1.
    ply: usize,
    #[serde(rename = "move")]
    mv: String,
    color: ColorWord,
    /// The value of the move for the side that made it, in discs.
    value: i32,
    best: Option<String>,
    best_value: i32,
    /// What the best move is worth more.
    loss: i32,
    /// `inaccuracy`, `mistake` or `blunder`.
    mark: Option<&'static str>,
    /// Whether both values are proved.
    exact: bool,
    depth: u32,
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

/// The verdict on the whole game.
#[derive(Serialize)]
struct Summary {
    reason: &'static str,
    #[serde(flatten)]
    sides: Pair<Side>,
    nodes: u64,
    seconds: f64,
}

/// One side's moves in numbers.
#[derive(Clone, Copy, Default, Serialize)]
struct Side {
    moves: u32,
    loss: i32,
    inaccuracies: u32,
    mistakes: u32,
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

    /// The time that is left for the search in work, if it is limited.
    fn time_left(&self) -> Option<Duration> {
        let is_timed = self.stage == 2 && self.depth.is_none();
        let request = self.analysis.request().filter(|_| is_timed)?;
        Some(self.time.mul_f64(request.time_share).saturating_sub(self.spent))
    }

    /// Works on the search that the analysis needs next; nothing if the slice ended first.
    fn search(&mut self, stop: &AtomicBool) -> Option<Answer> {
        let game = self.analysis.game();
        let (rule, size) = (game.rule(), game.size());
        let request = self.analysis.request()?;
        let board = request.position.board().expect("boards up to 8x8 have bits");
        let question = self.question.take();
        let mut question = question.unwrap_or_else(|| Question::new(board, goal(&request)));
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
        let body = MoveBody {
            ply: verdict.ply + 1,
            mv: verdict.mv.to_string(),
            color: verdict.color.into(),
            value: verdict.value,
            best: best.best().map(|mv| mv.to_string()),
            best_value: best.score(),
            loss: verdict.loss,
            mark: verdict.mark.map(Mark::word),
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

    fn summary(&self) -> Summary {
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
        Summary { reason: "complete", sides, nodes: self.nodes, seconds }
    }
}

/// What to ask about the position of a request: a proof, where the depth reaches the end.
fn goal(request: &Request<'_>) -> Goal {
    let depth = request.depth.unwrap_or(u32::MAX);
    let default = PlayerSettings::default().confidence;
    let is_to_end = depth >= request.position.empties();
    let confidence = if is_to_end { 100 } else { request.confidence.unwrap_or(default) };
    Goal::Value { depth, confidence }
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
