//! `isrever.analyze`: the value of every move of a game.

use crate::answer::Answer;
use crate::arguments::{self, RuleArg, number, numbers, with_bits};
use crate::attend::attend;
use crate::pickled::pickled;
use isrever_agent::Share;
use isrever_engine::{self as engine, AnalysisSettings, Player, PlayerSettings};
use isrever_search as search;
use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// The verdict on one move of a game.
#[pyclass(module = "isrever", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Verdict {
    /// How many moves were played before it, passes counted.
    ply: usize,
    /// The side that made it: −1 black, 1 white.
    color: i8,
    /// The move, or `pass`.
    r#move: String,
    /// Its value for the side that made it, in discs.
    value: i32,
    /// Whether that is proved.
    exact: bool,
    /// The answer for the position before it: the best move, its value and variation.
    best: Answer,
    /// How many discs the best move is worth more, never less than 0.
    loss: i32,
    /// `inaccuracy`, `mistake`, `blunder`, or `None`.
    mark: Option<String>,
}

pickled!(Verdict { ply, color, r#move, value, exact, best, loss, mark });

impl Verdict {
    fn new(verdict: &search::Verdict, began: Instant) -> Verdict {
        Verdict {
            ply: verdict.ply,
            color: number(verdict.color),
            r#move: verdict.mv.to_string(),
            value: verdict.value,
            exact: verdict.is_exact,
            best: Answer::new(&verdict.best, began),
            loss: verdict.loss,
            mark: verdict.mark.map(|mark| mark.word().to_owned()),
        }
    }
}

#[pymethods]
impl Verdict {
    fn __repr__(&self) -> String {
        let Verdict { ply, r#move, value, loss, mark, .. } = self;
        let mark = mark.as_ref().map_or_else(String::new, |mark| format!(" {mark}"));
        format!("<Verdict {} {move} {value:+} loss {loss}{mark}>", ply + 1)
    }
}

/// What every move of a game was worth, in the order they were played: a second for each move
/// where nothing is limited. `progress` is called with each `Verdict` as it is found, the last
/// move first.
#[pyfunction]
#[pyo3(signature = (game, *, rule = None, time = None, depth = None, nodes = None, solve_from = 16, threads = 1, hash_mb = 64, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
pub(crate) fn analyze(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    rule: Option<RuleArg>,
    #[pyo3(from_py_with = numbers::time)] time: Option<Duration>,
    #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    #[pyo3(from_py_with = numbers::solve_from)] solve_from: u32,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
    #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Verdict>> {
    let game = arguments::game(game, rule)?;
    with_bits(game.size())?;
    let is_free = time.is_none() && depth.is_none() && nodes.is_none();
    let time = if is_free { Some(Duration::from_secs(1)) } else { time };
    let settings = AnalysisSettings { share: Share { time, depth, nodes }, solve_from };
    let mut player = Player::new(PlayerSettings {
        threads,
        hash_bytes: hash_mb << 20,
        ..PlayerSettings::default()
    });
    let began = Instant::now();
    let analysis = attend(py, progress, |call| {
        engine::analyze(&mut player, &game, &settings, call.stop(), &mut |verdict| {
            call.tell(|| Verdict::new(verdict, began));
        })
    })?;
    Ok(analysis.verdicts().iter().flatten().map(|verdict| Verdict::new(verdict, began)).collect())
}
