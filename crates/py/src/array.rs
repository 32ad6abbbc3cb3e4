//! Converts numpy arrays, in and out.
//!
//! Boards come in the course's form: n × n integers, −1 black, 1 white, 0 empty, in any layout and
//! of any integer type. An array that the caller passes to be written must have exactly the right
//! type and shape: nothing is converted silently.

use crate::arguments::{color, number, refusal};
use isrever_board::{Color, Draft, Position, Size};
use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyException, PyMemoryError};
use pyo3::prelude::*;

/// Loads numpy's C functions once, with the module.
///
/// Python code looks them up, and the crate `numpy` panics if that is interrupted: otherwise Ctrl-C
/// in a program's first call with an array would cause a panic.
pub(crate) fn prepare(py: Python<'_>) -> PyResult<()> {
    py.import("numpy.lib")?;
    i64::get_dtype(py);
    Ok(())
}

/// The integers of an array-like, aligned and in row-major order, with its shape.
///
/// `what` describes the expected array, for messages.
pub(crate) fn whole<'py>(
    given: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, i64>> {
    let numpy = given.py().import("numpy")?;
    let array = match given.cast::<PyUntypedArray>() {
        Ok(array) => array.clone().into_any(),
        Err(_) => numpy.call_method1("asarray", (given,)).map_err(|error| {
            if !error.is_instance_of::<PyException>(given.py()) {
                return error; // Ctrl-C
            }
            refusal(format!("no array ({}); expected {what}", error.value(given.py())))
        })?,
    };
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if kind != "i" && kind != "u" {
        return Err(refusal(format!("an array of {dtype}; expected {what}")));
    }
    // A u64 beyond i64 would wrap.
    if kind == "u" && dtype.getattr("itemsize")?.extract::<usize>()? == 8 {
        let size: usize = array.getattr("size")?.extract()?;
        let most: u64 = if size == 0 { 0 } else { array.call_method0("max")?.extract()? };
        if i64::try_from(most).is_err() {
            return Err(refusal(format!("{most} in the array; expected {what}")));
        }
    }
    let plain = numpy.call_method1("require", (array, "int64", ["C", "A"]))?;
    let plain = plain.cast_into::<PyArrayDyn<i64>>().map_err(PyErr::from)?;
    plain.try_readonly().map_err(|error| refusal(format!("{error}; expected {what}")))
}

/// The position of an array, `turn` to move.
pub(crate) fn position(given: &Bound<'_, PyAny>, turn: Color) -> PyResult<Position> {
    const WHAT: &str = "n x n integers, -1 black, 1 white, 0 empty";
    let array = whole(given, WHAT)?;
    let shape = array.shape();
    let size = match *shape {
        [rows, columns] if rows == columns => Size::new(rows).ok(),
        _ => None,
    };
    let size = size.ok_or_else(|| {
        refusal(format!("an array of shape {shape:?}; expected {WHAT}, n even from 4 to 16"))
    })?;
    let cells = array.as_slice().map_err(|error| refusal(format!("{error}; expected {WHAT}")))?;
    read(size, cells, i64::from(number(turn))).map_err(refusal)
}

/// The position of these numbers, row by row; or what is wrong with them.
pub(crate) fn read(size: Size, cells: &[i64], turn: i64) -> Result<Position, String> {
    let disc = |cell: i64| match cell {
        0 => Some(None),
        _ => color(cell).map(Some),
    };
    let turn = color(turn).ok_or_else(|| format!("turn {turn}; expected -1 black or 1 white"))?;
    let mut discs = Vec::with_capacity(cells.len());
    for (square, &cell) in size.squares().zip(cells) {
        discs.push(disc(cell).ok_or_else(|| {
            let place = format!("row {}, column {}", square.row(), square.column());
            format!("{cell} at {place}; expected -1 black, 1 white or 0 empty")
        })?);
    }
    Draft { size, discs, turn }.check().map_err(|error| error.to_string())
}

/// An array of zeros; numpy raises its own error if there is no memory.
pub(crate) fn zeros<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let array = py.import("numpy")?.call_method1("zeros", (shape, T::get_dtype(py)))?;
    array.cast_into().map_err(PyErr::from)
}

/// An empty vector with capacity for `count` values, or a `MemoryError`.
pub(crate) fn with_capacity<T>(count: usize) -> PyResult<Vec<T>> {
    let mut values = Vec::new();
    let wrong = |_| PyMemoryError::new_err(format!("no memory for {count} values"));
    values.try_reserve_exact(count).map_err(wrong)?;
    Ok(values)
}

/// Returns `values` as an array of this shape: a new one, or `out`, overwritten.
pub(crate) fn write_out<'py, T: Element + Copy>(
    py: Python<'py>,
    values: Vec<T>,
    shape: &[usize],
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    match out {
        None => Ok(PyArray1::from_vec(py, values).reshape(shape)?.into_any()),
        Some(out) => {
            fill(&out, &values, shape)?;
            Ok(out)
        }
    }
}

/// Writes `values` into the caller's array, which must have that type and shape, and be writeable
/// and contiguous.
fn fill<T: Element + Copy>(out: &Bound<'_, PyAny>, values: &[T], shape: &[usize]) -> PyResult<()> {
    let what =
        format!("a writeable, contiguous array of {} with shape {shape:?}", T::get_dtype(out.py()));
    let array = out.cast::<PyArrayDyn<T>>().map_err(|_| match out.cast::<PyUntypedArray>() {
        Ok(array) => refusal(format!("out is an array of {}; expected {what}", array.dtype())),
        Err(_) => refusal(format!("out is no array; expected {what}")),
    })?;
    if array.shape() != shape {
        return Err(refusal(format!("out has shape {:?}; expected {what}", array.shape())));
    }
    if !array.is_c_contiguous() || array.data().align_offset(align_of::<T>()) != 0 {
        return Err(refusal(format!("out is not in one piece; expected {what}")));
    }
    let mut target =
        array.try_readwrite().map_err(|_| refusal(format!("out is read-only; expected {what}")))?;
    let target =
        target.as_slice_mut().map_err(|error| refusal(format!("{error}; expected {what}")))?;
    target.copy_from_slice(values);
    Ok(())
}
