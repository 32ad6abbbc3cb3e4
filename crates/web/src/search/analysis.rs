//! Finds the value of every legal move, deeper and deeper, until all are proved.

use super::searchers::{Loan, Searchers};
use crate::pool::{Step, Work};
use crate::refusal::Refusal;
use crate::stream::Outbox;
use crate::wire::move_names;
use isrever_board::{Board, Game, Rule, Size};
use isrever_engine::PlayerSettings;
use isrever_search::{Answer, Control, EveryMove};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The time between two events.
const PAUSE: Duration = Duration::from_millis(50);

/// How long an analysis goes on whoever else wants its place.
const STAY: Duration = Duration::from_secs(30);

/// The limits of an analysis.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The greatest depth, in plies, if there is one.
    pub(crate) depth: Option<u32>,
    pub(crate) time: Duration,
    /// How many threads search.
    pub(crate) threads: u32,
}

/// An analysis in progress.
pub(crate) struct Analysis {
    board: Board,
    rule: Rule,
    size: Size,
    max_depth: u32,
    threads: u32,
    began: Instant,
    deadline: Instant,
    last_event: Option<Instant>,
    searchers: Searchers,
    /// The question with the searcher that works on it, from the first slice on.
    question: Option<(EveryMove, Loan)>,
    outbox: Outbox,
}

impl Analysis {
    /// Analyses the present position of `game` within `limits`.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub(crate) fn new(
        game: &Game,
        limits: Limits,
        searchers: Searchers,
        outbox: Outbox,
    ) -> Analysis {
        let Limits { depth, time, threads } = limits;
        let (size, began) = (game.size(), Instant::now());
        // 4×4 has no evaluation; a proof takes no time.
        let depth = depth.filter(|_| size != Size::FOUR);
        Analysis {
            board: game.position().board().expect("boards up to 8x8 have bits"),
            rule: game.rule(),
            size,
            max_depth: depth.unwrap_or(u32::MAX),
            threads,
            began,
            deadline: began + time,
            last_event: None,
            searchers,
            question: None,
            outbox,
        }
    }

    /// The question and its searcher. Made by the first slice, since the evaluation may have to be
    /// unpacked first.
    fn take_question(&mut self) -> (EveryMove, Loan) {
        self.question.take().unwrap_or_else(|| {
            let searcher = self.searchers.lend_with(self.rule, self.size, self.threads as usize);
            let PlayerSettings { confidence, .. } = PlayerSettings::default();
            let settings = searcher.settings();
            (EveryMove::deepening(self.board, settings, self.max_depth, confidence), searcher)
        })
    }

    /// Sends the values if it is time to; on 4×4, which has no evaluation, only proved ones.
    fn report(&mut self, every_move: &EveryMove, is_last: bool) {
        let is_known = self.size != Size::FOUR || every_move.is_exact();
        let is_time = self.last_event.is_none_or(|last| last.elapsed() >= PAUSE);
        if is_known && (is_time || is_last) {
            self.last_event = Some(Instant::now());
            self.outbox.update("values", &self.values(every_move));
        }
    }

    fn values(&self, every_move: &EveryMove) -> Values {
        let answers = every_move.answers();
        let (best, is_exact) = (answers[0], every_move.is_exact());
        let moves: Vec<MoveValue> = answers.iter().map(|answer| MoveValue::of(answer)).collect();
        Values {
            depth: best.depth,
            percent: best.confidence,
            exact: is_exact,
            best: moves[0].mv.clone(),
            value: best.score(),
            wld: is_exact.then(|| best.score().signum()),
            nodes: every_move.nodes(),
            seconds: self.began.elapsed().as_secs_f64(),
            pv: moves[0].pv.clone(),
            moves,
        }
    }

    fn end(&mut self, every_move: &EveryMove, reason: SearchReason) -> Step {
        let (nodes, seconds) = (every_move.nodes(), self.began.elapsed().as_secs_f64());
        self.outbox.done(&SearchEnd { reason, nodes, seconds });
        Step::Done
    }
}

impl Work for Analysis {
    fn deadline(&self) -> Option<Instant> {
        Some(self.deadline)
    }

    fn threads(&self) -> u32 {
        self.threads
    }

    fn may_leave_from(&self) -> Option<Instant> {
        Some(self.began + STAY)
    }

    fn leave(&mut self) {
        let (every_move, _searcher) = self.take_question();
        self.end(&every_move, SearchReason::Room);
    }

    fn go(&mut self, stop: &Arc<AtomicBool>) -> Step {
        let (mut every_move, mut searcher) = self.take_question();
        if every_move.answers().is_empty() {
            return self.end(&every_move, SearchReason::Over);
        }
        self.report(&every_move, false);
        while !every_move.is_done() {
            let control = Control { stop, ..Control::NONE };
            let is_found = searcher.step_every_move(&mut every_move, control);
            if Instant::now() >= self.deadline {
                self.report(&every_move, true);
                return self.end(&every_move, SearchReason::Time);
            }
            if !is_found {
                self.question = Some((every_move, searcher));
                return Step::More;
            }
            self.report(&every_move, false);
        }
        self.report(&every_move, true);
        let is_proved = every_move.answers().iter().all(|answer| answer.is_exact);
        self.end(&every_move, if is_proved { SearchReason::Proved } else { SearchReason::Depth })
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.outbox.fail(&refusal);
    }
}

/// The values of a position and its moves.
#[derive(Serialize, ToSchema)]
pub(crate) struct Values {
    /// Plies searched for the best move.
    depth: u32,
    /// In how many of 100 cases its cuts are right.
    percent: u8,
    /// Whether the value of the position is proved.
    exact: bool,
    /// The best move.
    best: String,
    /// In discs, for the side to move.
    value: i32,
    /// The value's sign, where it is proved.
    wld: Option<i32>,
    /// Boards visited so far.
    nodes: u64,
    /// The time taken so far.
    seconds: f64,
    /// The moves that both sides are expected to make.
    pv: Vec<String>,
    /// Best first.
    moves: Vec<MoveValue>,
}

/// The value of a move.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveValue {
    #[serde(rename = "move")]
    /// A square or `pass`.
    mv: String,
    /// In discs, for the side to move.
    value: i32,
    /// Plies searched.
    depth: u32,
    /// In how many of 100 cases its cuts are right.
    percent: u8,
    /// Whether the value is proved.
    exact: bool,
    /// The moves that both sides are expected to make.
    pv: Vec<String>,
}

impl MoveValue {
    fn of(answer: &Answer) -> MoveValue {
        let pv = move_names(&answer.pv);
        MoveValue {
            mv: pv[0].clone(),
            value: answer.score(),
            depth: answer.depth,
            percent: answer.confidence,
            exact: answer.is_exact,
            pv,
        }
    }
}

/// How an analysis or a proof ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchEnd {
    pub(crate) reason: SearchReason,
    /// Boards it visited.
    pub(crate) nodes: u64,
    /// How long it took.
    pub(crate) seconds: f64,
}

/// Why an analysis or a proof ended.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SearchReason {
    /// Everything is proved.
    Proved,
    /// The greatest depth is reached.
    Depth,
    /// The time is over.
    Time,
    /// The game is over.
    Over,
    /// Another stream took its place.
    Room,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Streams;
    use http_body_util::BodyExt;

    #[tokio::test]
    async fn an_analysis_says_that_it_made_room_and_may_stay_for_a_while() {
        let game = Game::new(Rule::Reversed, Size::SIX);
        let limits = Limits { depth: Some(2), time: Duration::from_secs(3_600), threads: 2 };
        let outbox = Streams::default().open();
        let response = outbox.reader().response(());
        let mut analysis = Analysis::new(&game, limits, Searchers::default(), outbox);
        assert!(analysis.may_leave_from().is_some_and(|from| from > Instant::now()));
        assert_eq!(analysis.threads(), 2);
        analysis.leave();
        let text = response.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8(text.to_vec()).unwrap();
        assert!(text.starts_with("event: done\ndata: {\"reason\":\"room\""), "{text}");
    }
}
