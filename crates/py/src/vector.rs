//! `isrever.VectorEnv`: thousands of games at once, stepped with one call.
//!
//! It owns the arrays that it returns, and every step overwrites them: it copies and allocates
//! nothing. A caller that wants to keep one must copy it.

mod boards;

use crate::arguments::{Rule, RuleArg, SizeArg, action, number, numbers, refusal, shown};
use crate::array;
use boards::{Boards, Ends, Illegal, Tally};
use isrever_board::{self as rules, Move, squares};
use numpy::{PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Boards stepped between two checks of Python's signals.
const BOARDS_BETWEEN_CHECKS: usize = 1 << 19;

/// Observations and masks.
type Observed<'py> = (Bound<'py, PyArray4<u8>>, Bound<'py, PyArray2<bool>>);

/// Observations, rewards, ends and masks.
type Stepped<'py> = (
    Bound<'py, PyArray4<u8>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<bool>>,
);

/// Many games at once. A game that ends is replaced by a new one in the same step.
#[pyclass(module = "isrever")]
pub(crate) struct VectorEnv {
    boards: Boards,
    observations: Py<PyArray4<u8>>,
    masks: Py<PyArray2<bool>>,
    rewards: Py<PyArray1<f32>>,
    scores: Py<PyArray1<i8>>,
    dones: Py<PyArray1<bool>>,
    turns: Py<PyArray1<i8>>,
    actions: Py<PyArray1<i64>>,
    /// A copy of a step's actions, because other threads can write to the array.
    given: Vec<i64>,
}

/// Borrows one of our own arrays as a mutable slice; the caller may have locked or reshaped it.
macro_rules! own {
    ($name:ident, $array:expr, $count:expr) => {
        let mut $name = $array.try_readwrite().map_err(|_| locked(stringify!($name)))?;
        let $name = $name.as_slice_mut().map_err(|_| locked(stringify!($name)))?;
        if $name.len() != $count {
            return Err(locked(stringify!($name)));
        }
    };
}

fn locked(name: &str) -> PyErr {
    refusal(format!("{name} was made read-only or another shape; expected it as it was given out"))
}

/// Reads which boards are to be stepped.
fn read_choice(given: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<bool>> {
    let chosen = given.cast::<PyArray1<bool>>().ok().filter(|chosen| chosen.len() == count);
    let wrong = || {
        let expected = format!("expected an array of {count} booleans, one for each board");
        refusal(format!("where cannot be {}; {expected}", shown(given)))
    };
    let chosen = chosen.ok_or_else(wrong)?.try_readonly().map_err(|_| wrong())?;
    Ok(chosen.as_array().to_vec())
}

impl VectorEnv {
    /// Updates observations, masks and turns of all boards.
    fn observe(&self, py: Python<'_>) -> PyResult<()> {
        let boards = &self.boards;
        let (count, cells) = (boards.len(), boards.size().cells());
        let (observations, masks, turns) =
            (self.observations.bind(py), self.masks.bind(py), self.turns.bind(py));
        own!(observations, observations, count * 2 * cells);
        own!(masks, masks, count * (cells + 1));
        own!(turns, turns, count);
        py.detach(|| {
            boards.observe(observations);
            boards.masks(masks);
            for (turn, &color) in turns.iter_mut().zip(boards.turns()) {
                *turn = number(color);
            }
        });
        Ok(())
    }

    /// Lets `work` make steps and write rewards, scores and dones.
    fn advance<R: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut Boards, &mut Ends<'_>) -> R + Send,
    ) -> PyResult<R> {
        let (rewards, scores, dones) =
            (self.rewards.bind(py), self.scores.bind(py), self.dones.bind(py));
        let boards = &mut self.boards;
        let count = boards.len();
        own!(rewards, rewards, count);
        own!(scores, scores, count);
        own!(dones, dones, count);
        Ok(py.detach(|| work(boards, &mut Ends { rewards, scores, dones })))
    }

    fn stepped<'py>(&self, py: Python<'py>) -> Stepped<'py> {
        (
            self.observations.bind(py).clone(),
            self.rewards.bind(py).clone(),
            self.dones.bind(py).clone(),
            self.masks.bind(py).clone(),
        )
    }

    /// The error for an illegal action.
    fn illegal(&self, illegal: &Illegal) -> PyErr {
        let Illegal { index, action: given, moves } = illegal;
        let size = self.boards.size();
        let legal: Vec<String> =
            squares(*moves).map(|square| action(Move::Place(square), size).to_string()).collect();
        let legal = match legal.split_last() {
            None => format!("{}, a pass", size.cells()),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
        };
        refusal(format!("action {given} of board {index} is not legal; expected {legal}"))
    }
}

#[pymethods]
impl VectorEnv {
    /// `count` games by a rule, on boards of size 4, 6 or 8. Random choices follow from the seed.
    #[new]
    #[pyo3(
        signature = (count, *, rule = RuleArg(rules::Rule::Reversed), size = SizeArg(rules::Size::EIGHT), seed = 1),
        text_signature = "(count, *, rule='reversed', size=8, seed=1)"
    )]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::count)] count: usize,
        rule: RuleArg,
        size: SizeArg,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
    ) -> PyResult<VectorEnv> {
        let size = size.with_bits()?;
        let boards = Boards::new(rule.0, size, count, seed)
            .map_err(|_| PyMemoryError::new_err(format!("no memory for {count} boards")))?;
        let width = usize::from(size.width());
        let env = VectorEnv {
            observations: array::zeros(py, &[count, 2, width, width])?.unbind(),
            masks: array::zeros(py, &[count, boards.actions()])?.unbind(),
            rewards: array::zeros(py, &[count])?.unbind(),
            scores: array::zeros(py, &[count])?.unbind(),
            dones: array::zeros(py, &[count])?.unbind(),
            turns: array::zeros(py, &[count])?.unbind(),
            actions: array::zeros(py, &[count])?.unbind(),
            given: array::with_capacity(count)?,
            boards,
        };
        env.observe(py)?;
        Ok(env)
    }

    /// Restarts all games, and the random choices if a seed is given; returns observations and
    /// masks.
    #[pyo3(signature = (seed = None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::new_seed)] seed: Option<u64>,
    ) -> PyResult<Observed<'py>> {
        if let Some(seed) = seed {
            self.boards.seed(seed);
        }
        self.boards.reset();
        self.advance(py, |_, ends| {
            ends.rewards.fill(0.0);
            ends.scores.fill(0);
            ends.dones.fill(false);
        })?;
        self.observe(py)?;
        let (observations, _, _, masks) = self.stepped(py);
        Ok((observations, masks))
    }

    /// Plays one action on every board; returns observations, rewards, dones and masks.
    ///
    /// Rewards are for the side that made the step, observations for the side to move next. If any
    /// action is illegal, nothing is played on any board. With `where`, booleans, only the boards
    /// where it is true are stepped: the others stay as they are, with reward 0, and their actions
    /// may be anything.
    #[pyo3(signature = (actions, r#where = None))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
        r#where: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Stepped<'py>> {
        let count = self.boards.len();
        let what = format!("{count} integers, an action for each board");
        let actions = array::whole(actions, &what)?;
        if actions.shape() != [count] {
            return Err(refusal(format!(
                "actions of shape {:?}; expected {what}",
                actions.shape()
            )));
        }
        let actions =
            actions.as_slice().map_err(|error| refusal(format!("{error}; expected {what}")))?;
        let chosen = r#where.map(|chosen| read_choice(chosen, count)).transpose()?;
        let mut given = std::mem::take(&mut self.given);
        given.clear();
        given.extend_from_slice(actions);
        let stepped = self.advance(py, |boards, ends| boards.step(&given, chosen.as_deref(), ends));
        self.given = given;
        stepped?.map_err(|illegal| self.illegal(&illegal))?;
        self.observe(py)?;
        Ok(self.stepped(py))
    }

    /// A random legal action for every board, all equally likely.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let actions = self.actions.bind(py);
        let (boards, count) = (&mut self.boards, actions.len());
        {
            own!(actions, actions, count);
            py.detach(|| boards.sample(actions));
        }
        Ok(self.actions.bind(py).clone())
    }

    /// Plays random steps on every board; returns how many games black won, were drawn, and white
    /// won. `progress` is called now and then with the steps made so far.
    #[pyo3(signature = (steps, *, progress = None))]
    fn play_randomly(
        &mut self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::steps)] steps: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(u64, u64, u64)> {
        let mut tally = Tally::default();
        let at_once = (BOARDS_BETWEEN_CHECKS / self.boards.len()).max(1);
        let mut left = steps;
        while left > 0 {
            let now = left.min(at_once);
            self.advance(py, |boards, ends| {
                (0..now).for_each(|_| boards.step_randomly(ends, &mut tally));
            })?;
            left -= now;
            let reported = progress.map_or(Ok(()), |call| call.call1((steps - left,)).map(drop));
            if let Err(error) = reported.and_then(|()| py.check_signals()) {
                self.observe(py)?;
                return Err(error);
            }
        }
        self.observe(py)?;
        Ok((tally.black, tally.drawn, tally.white))
    }

    /// Sets all boards: count × n × n integers (−1 black, 1 white, 0 empty), and the side to move on
    /// each (−1 or 1). No game may be over.
    fn load(
        &mut self,
        py: Python<'_>,
        boards: &Bound<'_, PyAny>,
        turns: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (count, size) = (self.boards.len(), self.boards.size());
        let width = usize::from(size.width());
        let what = format!("{count} x {size} x {size} integers, -1 black, 1 white, 0 empty");
        let boards = array::whole(boards, &what)?;
        if boards.shape() != [count, width, width] {
            return Err(refusal(format!("boards of shape {:?}; expected {what}", boards.shape())));
        }
        let what = format!("{count} integers, -1 black or 1 white");
        let turns = array::whole(turns, &what)?;
        if turns.shape() != [count] {
            return Err(refusal(format!("turns of shape {:?}; expected {what}", turns.shape())));
        }
        let cells = boards.as_slice().map_err(|error| refusal(format!("{error}")))?;
        let turns = turns.as_slice().map_err(|error| refusal(format!("{error}")))?;
        let mut read = array::with_capacity(count)?;
        for (index, (cells, &turn)) in cells.chunks(size.cells()).zip(turns).enumerate() {
            let position = array::read(size, cells, turn)
                .map_err(|words| refusal(format!("board {index}: {words}")))?;
            let board = position.board().expect("a board of this size has bits");
            if position.is_over() {
                return Err(refusal(format!(
                    "board {index} is over; expected a game that goes on"
                )));
            }
            read.push((board, position.turn()));
        }
        for (index, (board, turn)) in read.into_iter().enumerate() {
            self.boards.set(index, board, turn);
        }
        self.observe(py)
    }

    /// The discs of all boards: count × n × n of int8, −1 black, 1 white, 0 empty.
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<i8>>> {
        let (count, size) = (self.boards.len(), self.boards.size());
        let width = usize::from(size.width());
        let discs = array::zeros(py, &[count, width, width])?;
        {
            own!(cells, discs, count * size.cells());
            for (index, cells) in cells.chunks_mut(size.cells()).enumerate() {
                let (board, turn) = self.boards.get(index);
                for (cell, square) in cells.iter_mut().zip(size.squares()) {
                    *cell = match square.bit() {
                        bit if board.player & bit != 0 => number(turn),
                        bit if board.opponent & bit != 0 => number(turn.other()),
                        _ => 0,
                    };
                }
            }
        }
        Ok(discs)
    }

    /// How many boards there are.
    fn __len__(&self) -> usize {
        self.boards.len()
    }

    /// The rule.
    #[getter]
    fn rule(&self) -> Rule {
        self.boards.rule().into()
    }

    /// The width of the boards.
    #[getter]
    fn size(&self) -> u8 {
        self.boards.size().width()
    }

    /// How many actions there are: a square each, and the pass, which is the last.
    #[getter]
    fn actions(&self) -> usize {
        self.boards.actions()
    }

    /// count × 2 × n × n of uint8: the discs of the side to move, and of the other.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray4<u8>> {
        self.observations.bind(py).clone()
    }

    /// count × actions of bool: what is legal.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        self.masks.bind(py).clone()
    }

    /// 1 where the last step won its game, −1 where it lost it, else 0.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        self.rewards.bind(py).clone()
    }

    /// The score of the side that made the last step, in discs, where that ended the game.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.scores.bind(py).clone()
    }

    /// Whether the last step ended its game.
    #[getter]
    fn dones<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.dones.bind(py).clone()
    }

    /// The sides to move: −1 black, 1 white.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.turns.bind(py).clone()
    }

    fn __repr__(&self) -> String {
        let (count, rule, size) = (self.boards.len(), self.boards.rule(), self.boards.size());
        format!("VectorEnv({count}, rule='{rule}', size={size})")
    }
}
