//! The proof of one position's score.

use super::analysis::End;
use super::solvers::{Loan, Solvers};
use crate::pool::{Step, Work};
use crate::refusal::Refusal;
use crate::stream::Outbox;
use crate::wire::move_names;
use isrever_board::{Board, Game, Rule, Size};
use isrever_engine::{Control, Goal, Progress, Solution};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The time between two events of progress.
const PAUSE: Duration = Duration::from_millis(200);

/// A proof on its way.
pub(crate) struct Proof {
    board: Board,
    size: Size,
    rule: Rule,
    is_over: bool,
    goal: Goal,
    began: Instant,
    deadline: Instant,
    nodes: u64,
    last_event: Mutex<Option<Instant>>,
    solvers: Solvers,
    solver: Option<Loan>,
    outbox: Outbox,
}

/// How far a proof has come.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProgressBody {
    pass: usize,
    passes: usize,
    guess: Option<i32>,
    best: Option<String>,
    nodes: u64,
    seconds: f64,
}

/// What is proved, or guessed when the time is over.
#[derive(Serialize, ToSchema)]
pub(crate) struct SolutionBody {
    /// For the side to move.
    score: i32,
    /// Its sign.
    wld: i32,
    /// Whether it is proved.
    exact: bool,
    best: Option<String>,
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
}

impl Proof {
    /// Looks for the score, or its sign, until `deadline`.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub(crate) fn new(
        game: &Game,
        goal: Goal,
        deadline: Instant,
        solvers: Solvers,
        outbox: Outbox,
    ) -> Proof {
        Proof {
            board: game.position().board().expect("boards up to 8x8 have bits"),
            size: game.size(),
            rule: game.rule(),
            is_over: game.is_over(),
            goal,
            began: Instant::now(),
            deadline,
            nodes: 0,
            last_event: Mutex::new(None),
            solvers,
            solver: None,
            outbox,
        }
    }

    fn tell(&self, progress: Progress) {
        let mut last = self.last_event.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= PAUSE) {
            *last = Some(Instant::now());
            let (guess, best) = progress.guess.map_or((None, None), |(g, best)| (Some(g), best));
            self.outbox.update(
                "progress",
                &ProgressBody {
                    pass: progress.pass,
                    passes: progress.passes,
                    guess,
                    best: best.map(|best| best.to_string()),
                    nodes: self.nodes + progress.nodes,
                    seconds: self.began.elapsed().as_secs_f64(),
                },
            );
        }
    }

    fn end(&self, solution: &Solution, reason: &'static str) -> Step {
        let pv = move_names(&solution.line);
        let (nodes, seconds) = (self.nodes, self.began.elapsed().as_secs_f64());
        self.outbox.send(
            "solution",
            &SolutionBody {
                score: solution.score,
                wld: solution.score.signum(),
                exact: solution.is_proved,
                best: pv.first().cloned(),
                pv,
                nodes,
                seconds,
            },
        );
        self.outbox.done(&End { reason, nodes, seconds });
        Step::Done
    }
}

impl Work for Proof {
    fn deadline(&self) -> Option<Instant> {
        Some(self.deadline)
    }

    fn go(&mut self, stop: &Arc<AtomicBool>) -> Step {
        let mut solver =
            self.solver.take().unwrap_or_else(|| self.solvers.lend(self.rule, self.size));
        let progress = |progress: Progress| self.tell(progress);
        let control = Control { stop, progress: &progress, ..Control::NONE };
        let solution = solver.solve(self.board, self.goal, control);
        self.nodes += solution.nodes;
        self.solver = Some(solver);
        match solution.is_proved {
            true => self.end(&solution, if self.is_over { "over" } else { "proved" }),
            false if Instant::now() >= self.deadline => self.end(&solution, "time"),
            false => Step::More,
        }
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.outbox.fail(&refusal);
    }
}
