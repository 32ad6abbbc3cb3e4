//! `isrever.solve`: exact scores.

use crate::arguments::{self, RuleArg, numbers, refusal, with_bits};
use crate::attend::{Desk, attend};
use crate::engine::names;
use crate::pickled::pickled;
use isrever_board as rules;
use isrever_engine::{self as search, Control, Goal, Settings, Solver};
use pyo3::prelude::*;
use std::time::Instant;

/// The score of a position with best play on both sides.
#[pyclass(module = "isrever", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Solution {
    /// The score for the side to move, in discs; asked for win, draw or loss, only its sign.
    score: i32,
    /// Whether it is proved. If not, the nodes were not enough, and this is the best guess.
    exact: bool,
    /// The best move, or `pass`; `None` when the game is over.
    best: Option<String>,
    /// The best moves for both sides; after a proof of the exact score, to the end.
    line: Vec<String>,
    /// Boards visited.
    nodes: u64,
    /// The time it took.
    seconds: f64,
}

pickled!(Solution { score, exact, best, line, nodes, seconds });

impl Solution {
    fn new(solution: &search::Solution, goal: Goal, began: Instant) -> Solution {
        let score = solution.score;
        Solution {
            score: if goal == Goal::Wld { score.signum() } else { score },
            exact: solution.is_proved,
            best: solution.best().map(|mv| mv.to_string()),
            line: names(&solution.line),
            nodes: solution.nodes,
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

#[pymethods]
impl Solution {
    fn __repr__(&self) -> String {
        let Solution { score, best, nodes, exact, .. } = self;
        let (best, exact) =
            (best.as_deref().unwrap_or("None"), if *exact { "exact" } else { "guess" });
        format!("<Solution {best} {score:+} {exact} nodes {nodes}>")
    }
}

/// How far a solve has come when a pass over the tree begins.
#[pyclass(module = "isrever", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Progress {
    /// The number of the pass, from 1 on.
    number: usize,
    /// How many passes there are: the last one proves, those before it guess.
    passes: usize,
    /// What the pass before found; `None` in the first.
    score: Option<i32>,
    /// The best move by then.
    best: Option<String>,
    /// Boards visited so far.
    nodes: u64,
}

pickled!(Progress { number, passes, score, best, nodes });

impl From<search::Progress> for Progress {
    fn from(progress: search::Progress) -> Progress {
        let search::Progress { pass, passes, guess, nodes, .. } = progress;
        let best = guess.and_then(|(_, best)| best).map(|mv| mv.to_string());
        Progress { number: pass, passes, score: guess.map(|(score, _)| score), best, nodes }
    }
}

#[pymethods]
impl Progress {
    fn __repr__(&self) -> String {
        let Progress { number, passes, nodes, .. } = self;
        format!("<Progress pass {number} of {passes}, nodes {nodes}>")
    }
}

/// What is to be solved, and how.
struct Question {
    board: rules::Board,
    goal: Goal,
    settings: Settings,
    most_nodes: Option<u64>,
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
        let game = arguments::game(game, rule)?;
        let size = with_bits(game.size())?;
        let board = game.position().board().ok_or_else(|| refusal("a board without bits"))?;
        let settings =
            Settings { threads, hash_bytes: hash_mb << 20, ..Settings::new(game.rule(), size) };
        let goal = if wld { Goal::Wld } else { Goal::Exact };
        Ok(Question { board, goal, settings, most_nodes: nodes })
    }

    /// Asks a new solver, which `desk` watches.
    fn ask<R>(&self, desk: &Desk<Progress>, ask: impl FnOnce(&mut Solver, Control<'_>) -> R) -> R {
        let progress = |progress: search::Progress| desk.tell(|| Progress::from(progress));
        let (stop, most_nodes) = (desk.stop(), self.most_nodes);
        let control = Control { stop, most_nodes, progress: &progress, ..Control::NONE };
        ask(&mut Solver::new(self.settings), control)
    }
}

/// The score of a position with best play, and the line that leads to it: exact, or with `wld` only
/// who wins. `progress` is called with a `Progress` at the beginning of every pass over the tree.
///
/// It takes as long as it takes, unless nodes are limited: up to 20 empty squares seconds.
#[pyfunction]
#[pyo3(signature = (game, *, rule = None, wld = false, threads = 1, hash_mb = 64, nodes = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
pub(crate) fn solve(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    rule: Option<RuleArg>,
    wld: bool,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
    #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Solution> {
    let question = Question::new(game, rule, wld, threads, hash_mb, nodes)?;
    let began = Instant::now();
    let solution = attend(py, progress, |desk| {
        question.ask(desk, |solver, control| solver.solve(question.board, question.goal, control))
    })?;
    Ok(Solution::new(&solution, question.goal, began))
}

/// The solution after every legal move, as pairs of a move and what it leads to for the side that
/// makes it, the best first. Where nodes are limited, only those that are proved.
#[pyfunction]
#[pyo3(signature = (game, *, rule = None, wld = false, threads = 1, hash_mb = 64, nodes = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
pub(crate) fn solve_moves(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    rule: Option<RuleArg>,
    wld: bool,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
    #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<(String, Solution)>> {
    let question = Question::new(game, rule, wld, threads, hash_mb, nodes)?;
    let began = Instant::now();
    let goal = question.goal;
    let solutions = attend(py, progress, |desk| {
        question.ask(desk, |solver, control| solver.solve_moves(question.board, goal, control))
    })?;
    let named = |(square, solution): &(rules::Square, search::Solution)| {
        (square.to_string(), Solution::new(solution, goal, began))
    };
    Ok(solutions.iter().map(named).collect())
}
