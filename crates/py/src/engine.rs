//! `isrever.Engine`: finds the best move, or the value of every move.

use crate::answer::Answer;
use crate::arguments::{self, LimitArgs, RuleArg, numbers, with_bits};
use crate::attend::{attend, unless_thinking};
use isrever_board as rules;
use isrever_engine::{Level, Player, PlayerSettings, Strength};
use pyo3::prelude::*;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The engine. Its transposition table lasts from one question to the next.
#[pyclass(module = "isrever", frozen)]
pub(crate) struct Engine(Mutex<Player>);

/// A game that the engine can think about.
fn searchable(given: &Bound<'_, PyAny>, rule: Option<RuleArg>) -> PyResult<rules::Game> {
    let game = arguments::game(given, rule)?;
    with_bits(game.size())?;
    Ok(game)
}

#[pymethods]
impl Engine {
    /// An engine with so many threads and so much memory for its transposition table; at full
    /// strength, or at a level from 1 to 20, whose choices follow from the seed.
    #[new]
    #[pyo3(signature = (*, level = None, threads = 1, hash_mb = 64, seed = 1))]
    fn new(
        #[pyo3(from_py_with = numbers::level)] level: Option<u8>,
        #[pyo3(from_py_with = numbers::threads)] threads: usize,
        #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
    ) -> Engine {
        let strength = level.and_then(Level::new).map_or(Strength::FULL, Level::strength);
        Engine(Mutex::new(Player::new(PlayerSettings {
            threads,
            hash_bytes: hash_mb << 20,
            strength,
            seed,
            ..PlayerSettings::default()
        })))
    }

    /// The best move and what it is worth, within the limits; for a second where nothing is
    /// limited. `progress` is called with an `Answer` before every iteration.
    #[pyo3(signature = (game, *, rule = None, time = None, depth = None, nodes = None, clock = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
    fn think(
        &self,
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        rule: Option<RuleArg>,
        #[pyo3(from_py_with = numbers::time)] time: Option<Duration>,
        #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = numbers::clock)] clock: Option<Duration>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let game = searchable(game, rule)?;
        let limits = LimitArgs { time, depth, nodes, clock };
        let began = Instant::now();
        let mut limits = limits.settle();
        let player = &mut *unless_thinking(&self.0, "engine")?;
        let answer = attend(py, progress, |call| {
            limits.stop = call.stop().clone();
            player.think_aloud(&game, &limits, &mut |answer| {
                call.tell(|| Answer::new(&answer, began));
            })
        })?;
        Ok(Answer::new(&answer, began))
    }

    /// The value of every move, best first, ply after ply until the limits say stop or all is
    /// proved. `progress` is called with an `Answer` for each move as it is found. The level does
    /// not matter.
    #[pyo3(signature = (game, *, rule = None, time = None, depth = None, nodes = None, clock = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
    fn hints(
        &self,
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        rule: Option<RuleArg>,
        #[pyo3(from_py_with = numbers::time)] time: Option<Duration>,
        #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = numbers::clock)] clock: Option<Duration>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Answer>> {
        let game = searchable(game, rule)?;
        if !game.position().has_move() {
            return Ok(Vec::new());
        }
        let mut limits = LimitArgs { time, depth, nodes, clock }.settle();
        let player = &mut *unless_thinking(&self.0, "engine")?;
        let began = Instant::now();
        let answers = attend(py, progress, |call| {
            limits.stop = call.stop().clone();
            player.every_move(&game, &limits, &mut |answer| {
                call.tell(|| Answer::new(&answer, began));
            })
        })?;
        Ok(answers.iter().map(|answer| Answer::new(answer, began)).collect())
    }
}
