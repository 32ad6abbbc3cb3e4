//! `isrever.Engine`: the search, asked for the best move or for the worth of all.

use crate::arguments::{self, LimitArgs, RuleArg, numbers, with_bits};
use crate::attend::{attend, unless_thinking};
use crate::pickled::pickled;
use isrever_board::{self as rules, Move};
use isrever_engine::{self as search, Level, Player, PlayerSettings, Terms};
use pyo3::prelude::*;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What the engine thinks of a position.
#[pyclass(module = "isrever", frozen, get_all, from_py_object)]
#[derive(Clone)]
pub(crate) struct Thought {
    /// The best move, or `pass`; `None` when the game is over.
    best: Option<String>,
    /// What the position is worth to the side to move, in discs.
    value: i32,
    /// How many plies deep the search was.
    depth: u32,
    /// How often, in hundredths, its cuts are right.
    percent: u8,
    /// Whether the value is proved.
    exact: bool,
    /// The best moves for both sides as far as they are known.
    line: Vec<String>,
    /// Boards visited.
    nodes: u64,
    /// The time it took.
    seconds: f64,
}

pickled!(Thought { best, value, depth, percent, exact, line, nodes, seconds });

impl Thought {
    pub(crate) fn new(thought: &search::Thought, began: Instant) -> Thought {
        let line = names(&thought.line);
        Thought {
            best: line.first().cloned(),
            value: thought.value,
            depth: thought.depth,
            percent: thought.percent,
            exact: thought.is_exact,
            line,
            nodes: thought.nodes,
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

#[pymethods]
impl Thought {
    fn __repr__(&self) -> String {
        let Thought { best, value, depth, nodes, .. } = self;
        let best = best.as_deref().unwrap_or("None");
        let exact = if self.exact { " exact" } else { "" };
        format!("<Thought {best} {value:+} depth {depth} nodes {nodes}{exact}>")
    }
}

/// Moves by their names.
pub(crate) fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// What one move of a position is worth.
#[pyclass(module = "isrever", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Hint {
    /// The move.
    r#move: String,
    /// What it is worth to the side that makes it, in discs.
    value: f64,
    /// How many plies deep the search was, the move counted.
    depth: u32,
    /// Whether the value is proved.
    exact: bool,
    /// The move and the best ones after it, as far as they are known.
    line: Vec<String>,
    /// Boards visited so far, for all moves together.
    nodes: u64,
}

pickled!(Hint { r#move, value, depth, exact, line, nodes });

impl From<&search::Hint> for Hint {
    fn from(hint: &search::Hint) -> Hint {
        let search::Hint { square, value, depth, is_exact, line, nodes, .. } = hint;
        Hint {
            r#move: square.to_string(),
            value: *value,
            depth: *depth,
            exact: *is_exact,
            line: names(line),
            nodes: *nodes,
        }
    }
}

#[pymethods]
impl Hint {
    fn __repr__(&self) -> String {
        let Hint { r#move, value, depth, .. } = self;
        format!("<Hint {move} {value:+.2} depth {depth}>")
    }
}

/// The engine: it remembers what it has seen from one question to the next.
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
    /// An engine with so many threads and so much memory for remembered boards; at full strength,
    /// or at a level from 1 to 20, whose choices follow from the seed.
    #[new]
    #[pyo3(signature = (*, level = None, threads = 1, hash_mb = 64, seed = 1))]
    fn new(
        #[pyo3(from_py_with = numbers::level)] level: Option<u8>,
        #[pyo3(from_py_with = numbers::threads)] threads: usize,
        #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
    ) -> Engine {
        let terms = level.and_then(Level::new).map_or(Terms::FULL, Level::terms);
        Engine(Mutex::new(Player::new(PlayerSettings {
            threads,
            hash_bytes: hash_mb << 20,
            terms,
            seed,
            ..PlayerSettings::default()
        })))
    }

    /// The best move and what it is worth, within the limits; for a second where nothing is
    /// limited. `progress` is called with a `Thought` whenever the search goes a step deeper.
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
    ) -> PyResult<Thought> {
        let game = searchable(game, rule)?;
        let limits = LimitArgs { time, depth, nodes, clock };
        let began = Instant::now();
        let mut limits = limits.settle();
        let player = &mut *unless_thinking(&self.0, "engine")?;
        let thought = attend(py, progress, |desk| {
            limits.stop = desk.stop().clone();
            player.think_aloud(&game, &limits, &mut |thought| {
                desk.tell(|| Thought::new(thought, began));
            })
        })?;
        Ok(Thought::new(&thought, began))
    }

    /// What every move is worth, the best first, ply after ply until the limits say stop or all is
    /// proved. `progress` is called with a `Hint` for each move as it is looked at. The level does
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
    ) -> PyResult<Vec<Hint>> {
        let game = searchable(game, rule)?;
        if !game.position().has_move() {
            return Ok(Vec::new());
        }
        let mut limits = LimitArgs { time, depth, nodes, clock }.settle();
        let player = &mut *unless_thinking(&self.0, "engine")?;
        let hints = attend(py, progress, |desk| {
            limits.stop = desk.stop().clone();
            player.hints(&game, &limits, &mut |hint| desk.tell(|| Hint::from(hint)))
        })?;
        Ok(hints.iter().map(Hint::from).collect())
    }
}
