//! `isrever.solve`: exact scores.

use crate::answer::Answer;
use crate::arguments::{RuleArg, numbers, refusal, with_bits};
use crate::game;
use crate::long_call::{Call, run_until};
use crate::pickled::pickled;
use isrever_board as rules;
use isrever_search::{self as search, Control, Goal, Pool, Searcher, Settings};
use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// The progress of a solve when an iteration begins.
#[pyclass(module = "isrever", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Progress {
    /// The number of the iteration, from 1 on.
    iteration: usize,
    /// The number of iterations: the last one proves, those before it estimate.
    iterations: usize,
    /// The score of the iteration before; `None` in the first.
    score: Option<i32>,
    /// The best move so far.
    best: Option<String>,
    /// Nodes searched so far.
    nodes: u64,
}

pickled!(Progress { iteration, iterations, score, best, nodes });

impl From<search::Progress> for Progress {
    fn from(progress: search::Progress) -> Progress {
        let search::Progress { iteration, iterations, guess, nodes, .. } = progress;
        let best = guess.and_then(|(_, best)| best).map(|mv| mv.to_string());
        Progress { iteration, iterations, score: guess.map(|(score, _)| score), best, nodes }
    }
}

#[pymethods]
impl Progress {
    /// The same as `iteration`.
    #[getter]
    fn number(&self) -> usize {
        self.iteration
    }

    /// The same as `iterations`.
    #[getter]
    fn passes(&self) -> usize {
        self.iterations
    }

    fn __repr__(&self) -> String {
        let Progress { iteration, iterations, nodes, .. } = self;
        format!("<Progress iteration {iteration} of {iterations}, nodes {nodes}>")
    }
}

/// What to solve, and how.
struct Question {
    board: rules::Board,
    goal: Goal,
    settings: Settings,
    max_nodes: Option<u64>,
}

impl Question {
    fn new(
        game: &Bound<'_, PyAny>,
        rule: Option<RuleArg>,
        wld: bool,
        threads: usize,
        hash_mb: usize,
        nodes: Option<u64>,
    ) -> PyResult<Question> {
        let game = game::from_argument(game, rule)?;
        let size = with_bits(game.size())?;
        let board = game.position().board().ok_or_else(|| refusal("a board without bits"))?;
        let settings = Settings {
            pool: Pool::threads(threads),
            hash_bytes: hash_mb << 20,
            ..Settings::new(game.rule(), size)
        };
        let goal = if wld { Goal::Wld } else { Goal::Exact };
        Ok(Question { board, goal, settings, max_nodes: nodes })
    }

    /// Asks a new searcher, which reports to `call`.
    fn ask<R>(
        &self,
        call: &Call<Progress>,
        ask: impl FnOnce(&mut Searcher, Control<'_>) -> R,
    ) -> R {
        let progress = |progress: search::Progress| call.report(|| Progress::from(progress));
        let (stop, max_nodes) = (call.stop(), self.max_nodes);
        let control = Control { stop, max_nodes, progress: &progress, ..Control::NONE };
        ask(&mut Searcher::new(self.settings), control)
    }

    /// The answer as Python sees it.
    fn answer(&self, answer: &search::Answer, began: Instant) -> Answer {
        let answer = Answer::new(answer, began);
        if self.goal == Goal::Wld { answer.wld() } else { answer }
    }
}

/// The score of a position with best play and its principal variation: exact, or with `wld` only
/// who wins. `progress` is called with a `Progress` at the beginning of every iteration.
///
/// Up to 20 empty squares take seconds. `time` (seconds, or a text such as `3m`) and `nodes` limit
/// it: when they run out first, `exact` is false, and the value is that of the last completed
/// iteration, `depth` plies deep with cuts of `confidence` percent, or of a better move found since.
/// Before the first one `depth` is 0, and the value is that of the discs on the board.
#[pyfunction]
#[pyo3(signature = (game, *, rule = None, wld = false, threads = 1, hash_mb = 64, time = None, nodes = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
pub(crate) fn solve(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    rule: Option<RuleArg>,
    wld: bool,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
    #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
    #[pyo3(from_py_with = numbers::time)] time: Option<Duration>,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let question = Question::new(game, rule, wld, threads, hash_mb, nodes)?;
    let began = Instant::now();
    let answer = run_until(py, progress, time.map(|time| began + time), |call| {
        question
            .ask(call, |searcher, control| searcher.search(question.board, question.goal, control))
    })?;
    Ok(question.answer(&answer, began))
}

/// The answer for every legal move, as pairs of the move and its answer for the side that makes it,
/// the best first. Where `time` or `nodes` run out first, only the moves that are proved.
#[pyfunction]
#[pyo3(signature = (game, *, rule = None, wld = false, threads = 1, hash_mb = 64, time = None, nodes = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
pub(crate) fn solve_moves(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    rule: Option<RuleArg>,
    wld: bool,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
    #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
    #[pyo3(from_py_with = numbers::time)] time: Option<Duration>,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<(String, Answer)>> {
    let question = Question::new(game, rule, wld, threads, hash_mb, nodes)?;
    let began = Instant::now();
    let answers = run_until(py, progress, time.map(|time| began + time), |call| {
        question.ask(call, |searcher, control| {
            searcher.search_moves(question.board, question.goal, control)
        })
    })?;
    let named = |answer: &search::Answer| {
        let mv = answer.best()?.to_string();
        Some((mv, question.answer(answer, began)))
    };
    Ok(answers.iter().filter_map(named).collect())
}
