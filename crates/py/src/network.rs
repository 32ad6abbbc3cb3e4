//! Networks for `isrever.train`: their files from arrays, and values by any weights.

use crate::arguments::{RuleArg, refusal};
use crate::array;
use crate::long_call::{Call, run};
use crate::training::weights_of;
use isrever_board::{self as rules, Board, Size};
use isrever_eval::{DIMENSIONS, Indices, MOVES, ODD_QUADRANTS, Parameters, Shape, Weights};
use numpy::{PyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

/// How many rows of patterns a network has; the rows of own moves (32), opponent's moves (32), odd
/// quadrants (5) and parity (2) are counted behind them.
#[pyfunction]
pub(crate) fn network_rows() -> usize {
    Shape::WIDE.pattern_class_count()
}

/// The integers of an array of this shape.
fn integers<T: TryFrom<i64>>(
    given: &Bound<'_, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<Vec<T>> {
    let what = format!("{name} of {} bits with shape {shape:?}", 8 * size_of::<T>());
    let array = array::whole(given, &what)?;
    if array.shape() != shape {
        return Err(refusal(format!("an array of shape {:?}; expected {what}", array.shape())));
    }
    let numbers = array.as_slice().map_err(|error| refusal(format!("{error}; expected {what}")))?;
    let number = |&number: &i64| {
        T::try_from(number).map_err(|_| refusal(format!("{number} in an array; expected {what}")))
    };
    numbers.iter().map(number).collect()
}

/// The rows of an array of `COUNT` rows.
fn rows<const COUNT: usize>(
    given: &Bound<'_, PyAny>,
    name: &str,
) -> PyResult<[[i16; DIMENSIONS]; COUNT]> {
    let numbers = integers(given, name, &[COUNT, DIMENSIONS])?;
    let (rows, _) = numbers.as_chunks();
    Ok(rows.try_into().expect("the shape was checked"))
}

/// The bytes of a file of weights with this network; `docs/guide/formats.md` describes the arrays.
#[pyfunction]
#[pyo3(signature = (*, rule, rows, own_moves, opponent_moves, odd_quadrants, outputs, biases))]
#[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
pub(crate) fn network_bytes<'py>(
    py: Python<'py>,
    rule: RuleArg,
    rows: &Bound<'py, PyAny>,
    own_moves: &Bound<'py, PyAny>,
    opponent_moves: &Bound<'py, PyAny>,
    odd_quadrants: &Bound<'py, PyAny>,
    outputs: &Bound<'py, PyAny>,
    biases: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    const PHASES: usize = Shape::WIDE.phase_count();
    let parameters = Parameters {
        own_moves: self::rows::<MOVES>(own_moves, "own_moves")?,
        opponent_moves: self::rows::<MOVES>(opponent_moves, "opponent_moves")?,
        odd_quadrants: self::rows::<ODD_QUADRANTS>(odd_quadrants, "odd_quadrants")?,
        outputs: self::rows::<PHASES>(outputs, "outputs")?,
        biases: integers(biases, "biases", &[PHASES])?.try_into().expect("the shape was checked"),
        // Last, for they are by far the most.
        rows: integers(rows, "rows", &[network_rows(), DIMENSIONS])?.as_chunks().0.to_vec(),
    };
    let weights = Weights::network(rule.0, &parameters)
        .map_err(|error| refusal(format!("{error}; expected smaller numbers")))?;
    let bytes = run(py, None, |_: &Call<()>| weights.to_bytes())?;
    Ok(PyBytes::new(py, &bytes))
}

/// What boards (n × 2 of uint64: discs of the side to move, and of the other, as bits) are worth to
/// the side to move by the weights of a file, linear or a network, or by those of the program
/// (`embedded`): n of int32, 256 to a disc.
#[pyfunction]
#[pyo3(
    signature = (weights, boards, *, rule = RuleArg(rules::Rule::Reversed)),
    text_signature = "(weights, boards, *, rule='reversed')"
)]
pub(crate) fn values<'py>(
    py: Python<'py>,
    weights: PathBuf,
    boards: &Bound<'py, PyAny>,
    rule: RuleArg,
) -> PyResult<Bound<'py, PyArray1<i32>>> {
    const WHAT: &str = "boards in one piece, n x 2 of uint64";
    let weights = weights_of(&weights, rule.0)?;
    let bits: PyReadonlyArray2<'_, u64> =
        boards.extract().map_err(|_| refusal(format!("no such array; expected {WHAT}")))?;
    let shape = bits.shape();
    if shape[1] != 2 {
        return Err(refusal(format!("an array of shape {shape:?}; expected {WHAT}")));
    }
    let bits = bits.as_slice().map_err(|error| refusal(format!("{error}; expected {WHAT}")))?;
    // A copy, because other threads of Python can write to the array.
    let (pairs, _) = bits.as_chunks();
    let boards: Vec<Board> =
        pairs.iter().map(|&[player, opponent]| Board { player, opponent }).collect();
    if let Some(number) = boards.iter().position(|board| board.player & board.opponent != 0) {
        let offence = format!("two discs on one square of board {number}");
        return Err(refusal(format!("{offence}; expected at most one")));
    }
    let value = |board: Board| {
        let indices = Indices::new(weights.shape(), board);
        let (own, opponent) = (board.moves(Size::EIGHT), board.pass().moves(Size::EIGHT));
        weights.value(&indices, board, own, opponent)
    };
    let values: Vec<i32> = run(py, None, |call: &Call<()>| {
        let value = |&board: &Board| if call.stop().load(Relaxed) { 0 } else { value(board) };
        boards.par_iter().map(value).collect()
    })?;
    Ok(PyArray1::from_vec(py, values))
}
