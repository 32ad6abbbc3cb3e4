//! Proves the score of one position.

use super::analysis::{SearchEnd, SearchReason};
use super::searchers::{Loan, Searchers};
use crate::pool::{Step, Work};
use crate::refusal::Refusal;
use crate::stream::Outbox;
use crate::wire::move_names;
use isrever_board::{Game, Rule, Size};
use isrever_search::{Answer, Control, Goal, Progress, Question};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The time between two events of progress.
const PAUSE: Duration = Duration::from_millis(200);

/// A proof in progress.
pub(crate) struct Proof {
    question: Question,
    rule: Rule,
    size: Size,
    is_over: bool,
    deadline: Instant,
    reporter: Reporter,
    searchers: Searchers,
    searcher: Option<Loan>,
}

/// Reports the progress of a proof.
struct Reporter {
    began: Instant,
    last_event: Mutex<Option<Instant>>,
    outbox: Outbox,
}

/// The progress of a proof.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProgressBody {
    /// Which pass of the search it is at, from 1.
    pass: usize,
    /// How many passes there are.
    passes: usize,
    /// The score by the passes so far.
    guess: Option<i32>,
    /// The best move by the passes so far.
    best: Option<String>,
    /// Boards visited so far.
    nodes: u64,
    /// The time taken so far.
    seconds: f64,
}

/// The proved score, or the best guess when the time is over.
#[derive(Serialize, ToSchema)]
pub(crate) struct SolutionBody {
    /// For the side to move.
    score: i32,
    /// Its sign.
    wld: i32,
    /// Whether it is proved.
    exact: bool,
    /// The best move; none if the game is over.
    best: Option<String>,
    /// The best moves of both sides.
    pv: Vec<String>,
    /// Boards it visited.
    nodes: u64,
    /// How long it took.
    seconds: f64,
}

impl Proof {
    /// Proves the score, or its sign, until `deadline`.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub(crate) fn new(
        game: &Game,
        goal: Goal,
        deadline: Instant,
        searchers: Searchers,
        outbox: Outbox,
    ) -> Proof {
        let board = game.position().board().expect("boards up to 8x8 have bits");
        Proof {
            question: Question::new(board, goal),
            rule: game.rule(),
            size: game.size(),
            is_over: game.is_over(),
            deadline,
            reporter: Reporter { began: Instant::now(), last_event: Mutex::new(None), outbox },
            searchers,
            searcher: None,
        }
    }
}

impl Reporter {
    fn progress(&self, progress: Progress) {
        let mut last = self.last_event.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= PAUSE) {
            *last = Some(Instant::now());
            let (guess, best) = progress.guess.map_or((None, None), |(g, best)| (Some(g), best));
            self.outbox.update(
                "progress",
                &ProgressBody {
                    pass: progress.iteration,
                    passes: progress.iterations,
                    guess,
                    best: best.map(|best| best.to_string()),
                    nodes: progress.nodes,
                    seconds: self.began.elapsed().as_secs_f64(),
                },
            );
        }
    }

    fn end(&self, answer: &Answer, reason: SearchReason) -> Step {
        let pv = move_names(&answer.pv);
        let (nodes, seconds) = (answer.nodes, self.began.elapsed().as_secs_f64());
        self.outbox.send(
            "solution",
            &SolutionBody {
                score: answer.score(),
                wld: answer.score().signum(),
                exact: answer.is_exact,
                best: pv.first().cloned(),
                pv,
                nodes,
                seconds,
            },
        );
        self.outbox.done(&SearchEnd { reason, nodes, seconds });
        Step::Done
    }
}

impl Work for Proof {
    fn deadline(&self) -> Option<Instant> {
        Some(self.deadline)
    }

    fn go(&mut self, stop: &Arc<AtomicBool>) -> Step {
        let Proof { question, rule, size, reporter, searchers, searcher, .. } = self;
        let searcher = searcher.get_or_insert_with(|| searchers.lend(*rule, *size));
        let progress = |progress: Progress| reporter.progress(progress);
        let answer = searcher.ask(question, Control { stop, progress: &progress, ..Control::NONE });
        match answer.is_exact {
            true if self.is_over => reporter.end(&answer, SearchReason::Over),
            true => reporter.end(&answer, SearchReason::Proved),
            false if Instant::now() >= self.deadline => reporter.end(&answer, SearchReason::Time),
            false => Step::More,
        }
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.reporter.outbox.fail(&refusal);
    }
}
