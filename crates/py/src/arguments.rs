//! Converts Python's arguments to our types: rules, colours, sizes, moves, limits. `numbers` reads
//! numbers.
//!
//! Every argument is checked here, and refused with a `ValueError` that names the offence and what
//! was expected. The code behind relies on that and checks nothing again.

pub(crate) mod numbers;

use isrever_agent::{Limits, TimedBy};
use isrever_board::{self as rules, Color, Move, Size, Square};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList, PyString, PyTuple};
use std::fmt::Display;
use std::time::{Duration, Instant};

/// A `ValueError` with this message.
pub(crate) fn refusal(message: impl Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// An object's `repr` for a message, shortened to a line.
pub(crate) fn shown(thing: &Bound<'_, PyAny>) -> String {
    let text = match thing.repr() {
        Ok(text) => text.to_string(),
        Err(_) => "something without words".to_owned(),
    };
    let mut line: String = text.chars().take(80).map(|c| if c == '\n' { ' ' } else { c }).collect();
    if line.len() < text.len() {
        line.push('…');
    }
    line
}

/// What the players play for.
#[pyclass(module = "isrever", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Rule {
    /// Fewest discs wins: Reversed Reversi.
    #[pyo3(name = "REVERSED")]
    Reversed,
    /// Most discs wins: Othello.
    #[pyo3(name = "NORMAL")]
    Normal,
}

#[pymethods]
impl Rule {
    fn __str__(&self) -> String {
        rules::Rule::from(*self).to_string()
    }

    fn __repr__(&self) -> &'static str {
        match self {
            Rule::Reversed => "Rule.REVERSED",
            Rule::Normal => "Rule.NORMAL",
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = slf.py();
        let name = slf.get().__repr__().trim_start_matches("Rule.");
        let getattr = py.import("builtins")?.getattr("getattr")?;
        Ok((getattr, (slf.as_any().get_type(), name).into_pyobject(py)?.into_any()))
    }
}

impl From<Rule> for rules::Rule {
    fn from(rule: Rule) -> rules::Rule {
        match rule {
            Rule::Reversed => rules::Rule::Reversed,
            Rule::Normal => rules::Rule::Normal,
        }
    }
}

impl From<rules::Rule> for Rule {
    fn from(rule: rules::Rule) -> Rule {
        match rule {
            rules::Rule::Reversed => Rule::Reversed,
            rules::Rule::Normal => Rule::Normal,
        }
    }
}

/// A rule argument: a `Rule`, or its name.
#[derive(Clone, Copy)]
pub(crate) struct RuleArg(pub(crate) rules::Rule);

impl<'py> FromPyObject<'_, 'py> for RuleArg {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<RuleArg> {
        if let Ok(rule) = given.cast::<Rule>() {
            return Ok(RuleArg((*rule.get()).into()));
        }
        let named = given.cast::<PyString>().ok().and_then(|name| name.to_str().ok()?.parse().ok());
        let wrong =
            || refusal(format!("{} is no rule; expected reversed or normal", shown(&given)));
        named.map(RuleArg).ok_or_else(wrong)
    }
}

/// A clock argument: `wall` or `cpu`.
#[derive(Clone, Copy)]
pub(crate) struct TimedByArg(pub(crate) TimedBy);

impl<'py> FromPyObject<'_, 'py> for TimedByArg {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<TimedByArg> {
        let named = given.cast::<PyString>().ok().and_then(|name| name.to_str().ok()?.parse().ok());
        let wrong = || refusal(format!("{} is no clock; expected wall or cpu", shown(&given)));
        named.map(TimedByArg).ok_or_else(wrong)
    }
}

/// A board width argument: even, 4 to 16.
#[derive(Clone, Copy)]
pub(crate) struct SizeArg(pub(crate) Size);

impl<'py> FromPyObject<'_, 'py> for SizeArg {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<SizeArg> {
        let width = given.extract::<usize>().ok().and_then(|width| Size::new(width).ok());
        let wrong = || {
            let shown = shown(&given);
            refusal(format!("{shown} is no width of a board; expected an even one, 4 to 16"))
        };
        width.map(SizeArg).ok_or_else(wrong)
    }
}

impl SizeArg {
    /// The size, if it is 4, 6 or 8, as search and `VectorEnv` need.
    pub(crate) fn with_bits(self) -> PyResult<Size> {
        with_bits(self.0)
    }
}

/// The size, if its boards are bitboards: 4, 6 or 8.
pub(crate) fn with_bits(size: Size) -> PyResult<Size> {
    if size.has_bits() {
        return Ok(size);
    }
    Err(refusal(format!("a {size}x{size} board; expected 4x4, 6x6 or 8x8 (agents play on all)")))
}

/// A colour argument: −1 or `black`, 1 or `white`.
#[derive(Clone, Copy)]
pub(crate) struct ColorArg(pub(crate) Color);

impl<'py> FromPyObject<'_, 'py> for ColorArg {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<ColorArg> {
        let by_name = given.cast::<PyString>().ok().and_then(|name| match name.to_str().ok()? {
            "black" => Some(Color::Black),
            "white" => Some(Color::White),
            _ => None,
        });
        let by_number = || given.extract::<i64>().ok().and_then(color);
        let wrong =
            || refusal(format!("{} is no colour; expected -1 black or 1 white", shown(&given)));
        by_name.or_else(by_number).map(ColorArg).ok_or_else(wrong)
    }
}

/// The colour that a number stands for.
pub(crate) fn color(number: i64) -> Option<Color> {
    match number {
        -1 => Some(Color::Black),
        1 => Some(Color::White),
        _ => None,
    }
}

/// The number of a colour, as in the course's arrays.
pub(crate) const fn number(color: Color) -> i8 {
    match color {
        Color::Black => -1,
        Color::White => 1,
    }
}

/// A move argument: a name such as `f5` or `pass`; `(row, column)` as a tuple, a list or an array; or
/// an action's number, row by row from 0. The number after the last square is a pass.
pub(crate) enum MoveArg {
    Named(Move),
    Place(i64, i64),
    Action(i64),
}

impl<'py> FromPyObject<'_, 'py> for MoveArg {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<MoveArg> {
        let wrong = || {
            let shown = shown(&given);
            let expected =
                "expected a square such as f5, pass, (row, column) or an action's number";
            refusal(format!("{shown} is no move; {expected}"))
        };
        if let Ok(name) = given.cast::<PyString>() {
            let name = name.to_str().map_err(|_| wrong())?;
            return match name {
                "pass" | "pa" | "ps" | "--" => Ok(MoveArg::Named(Move::Pass)),
                _ => name
                    .parse()
                    .map(|square| MoveArg::Named(Move::Place(square)))
                    .map_err(|_| wrong()),
            };
        }
        if let Some((row, column)) = pair(&given) {
            return Ok(MoveArg::Place(row, column));
        }
        whole(&given).map(MoveArg::Action).ok_or_else(wrong)
    }
}

/// A whole number: an `int`, or what has `__index__` as numpy's integers do; a truth value is none.
fn whole(given: &Bound<'_, PyAny>) -> Option<i64> {
    let is_int = given.is_instance_of::<PyInt>();
    if given.is_instance_of::<PyBool>() || !is_int && !given.hasattr("__index__").ok()? {
        return None;
    }
    given.extract().ok()
}

/// Two whole numbers in a tuple, a list or a numpy array.
fn pair(given: &Bound<'_, PyAny>) -> Option<(i64, i64)> {
    let is_sequence = given.is_instance_of::<PyTuple>()
        || given.is_instance_of::<PyList>()
        || given.cast::<PyUntypedArray>().is_ok_and(|array| array.ndim() == 1);
    if !is_sequence || given.len().ok()? != 2 {
        return None;
    }
    Some((whole(&given.get_item(0).ok()?)?, whole(&given.get_item(1).ok()?)?))
}

impl MoveArg {
    /// The move on a board of `size`.
    pub(crate) fn on(self, size: Size) -> PyResult<Move> {
        let width = i64::from(size.width());
        match self {
            MoveArg::Named(mv) => Ok(mv),
            MoveArg::Place(row, column) => place(row, column, size).map(Move::Place),
            MoveArg::Action(action) if action == width * width => Ok(Move::Pass),
            MoveArg::Action(action) if (0..width * width).contains(&action) => {
                place(action / width, action % width, size).map(Move::Place)
            }
            MoveArg::Action(action) => {
                let last = width * width;
                let range = format!("expected 0 to {}, or {last} for a pass", last - 1);
                Err(refusal(format!("action {action} on a {size}x{size} board; {range}")))
            }
        }
    }
}

fn place(row: i64, column: i64, size: Size) -> PyResult<Square> {
    let on_board = |number: i64| u8::try_from(number).ok().filter(|&n| n < size.width());
    match (on_board(row), on_board(column)) {
        (Some(row), Some(column)) => Ok(Square::new(column, row)),
        _ => {
            let last = size.width() - 1;
            let expected = format!("expected row and column from 0 to {last}");
            Err(refusal(format!("({row}, {column}) is off the {size}x{size} board; {expected}")))
        }
    }
}

/// The number of a move's action.
pub(crate) fn action(mv: Move, size: Size) -> usize {
    match mv {
        Move::Place(square) => {
            usize::from(square.row()) * usize::from(size.width()) + usize::from(square.column())
        }
        Move::Pass => size.cells(),
    }
}

/// The arguments that limit a move.
#[derive(Clone, Copy, Default)]
pub(crate) struct LimitArgs {
    pub(crate) time: Option<Duration>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// The time left for the rest of the game.
    pub(crate) clock: Option<Duration>,
}

impl LimitArgs {
    /// The limits of a move that begins now.
    pub(crate) fn settle(self) -> Limits {
        let LimitArgs { time, depth, nodes, clock } = self;
        let clock = clock.map(|remaining| isrever_agent::GameClock {
            remaining,
            increment: Duration::ZERO,
            moves_left: None,
        });
        let deadline = time.map(|time| Instant::now() + time);
        Limits { deadline, clock, depth, nodes, ..Limits::default() }
    }
}
