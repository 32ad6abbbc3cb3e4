//! `isrever.Engine`: finds the best move, or the value of every move.

use crate::answer::Answer;
use crate::arguments::{LimitArgs, RuleArg, numbers, refusal, with_bits};
use crate::game;
use crate::long_call::{lock_if_idle, run};
use crate::training::file_error;
use isrever_board as rules;
use isrever_engine::{BookChoice, Level, Player, PlayerSettings, Strength, load_weights};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The engine. Its transposition table lasts from one question to the next. With a book, a file or
/// "embedded" for those of the package, `think` answers at once where the book has a move that can be
/// trusted; games differ by the seed.
#[pyclass(module = "isrever", frozen)]
pub(crate) struct Engine {
    player: Mutex<Player>,
    settings: PlayerSettings,
}

impl Engine {
    /// The game of an argument, if the engine can search its board.
    fn game(&self, given: &Bound<'_, PyAny>, rule: Option<RuleArg>) -> PyResult<rules::Game> {
        let game = game::from_argument(given, rule)?;
        with_bits(game.size())?;
        self.settings.check(&game).map_err(refusal)?;
        Ok(game)
    }
}

#[pymethods]
impl Engine {
    /// An engine with so many threads and so much memory for its transposition table; at full
    /// strength, or at a level from 1 to 20, whose choices follow from the seed; with the weights
    /// of the program, or with those of a file, linear or a network, for games of their rule and
    /// size alone; with a book or without one.
    #[new]
    #[pyo3(signature = (*, level = None, threads = 1, hash_mb = 64, seed = 1, weights = None, book = None))]
    fn new(
        #[pyo3(from_py_with = numbers::level)] level: Option<u8>,
        #[pyo3(from_py_with = numbers::threads)] threads: usize,
        #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        weights: Option<PathBuf>,
        book: Option<PathBuf>,
    ) -> PyResult<Engine> {
        let opening = match &book {
            None => BookChoice::None,
            Some(path) => BookChoice::named(&path.to_string_lossy())
                .map_err(|error| file_error(path, error))?,
        };
        let load = |path: PathBuf| load_weights(&path).map_err(|error| file_error(&path, error));
        let strength = level.and_then(Level::new).map_or(Strength::FULL, Level::strength);
        let settings = PlayerSettings {
            threads,
            hash_bytes: hash_mb << 20,
            strength,
            seed,
            opening,
            weights: weights.map(load).transpose()?,
            ..PlayerSettings::default()
        };
        Ok(Engine { player: Mutex::new(Player::new(settings)), settings })
    }

    /// The best move and its value, within the limits; without limits, after a second. `progress`
    /// is called with an `Answer` before every iteration.
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
        let game = self.game(game, rule)?;
        let limits = LimitArgs { time, depth, nodes, clock };
        let began = Instant::now();
        let mut limits = limits.settle();
        let player = &mut *lock_if_idle(&self.player, "engine")?;
        if let Some(answer) = player.book_move(&game, &limits) {
            return Ok(Answer::new(&answer, began));
        }
        let answer = run(py, progress, |call| {
            limits.stop = call.stop().clone();
            player.think_aloud(&game, &limits, &mut |answer| {
                call.report(|| Answer::new(&answer, began));
            })
        })?;
        Ok(Answer::new(&answer, began))
    }

    /// The value of every move, best first, deepened ply by ply until a limit is reached or all
    /// values are proved. `progress` is called with an `Answer` for each move as it is found. The
    /// level has no influence.
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
        let game = self.game(game, rule)?;
        if !game.position().has_move() {
            return Ok(Vec::new());
        }
        let mut limits = LimitArgs { time, depth, nodes, clock }.settle();
        let player = &mut *lock_if_idle(&self.player, "engine")?;
        let began = Instant::now();
        let answers = run(py, progress, |call| {
            limits.stop = call.stop().clone();
            player.every_move(&game, &limits, &mut |answer| {
                call.report(|| Answer::new(&answer, began));
            })
        })?;
        Ok(answers.iter().map(|answer| Answer::new(answer, began)).collect())
    }
}
