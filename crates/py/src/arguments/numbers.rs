//! Reads Python's numbers, each with the name of its argument.
//!
//! Python's integers are unbounded. Without this, one too large for our type would raise an
//! `OverflowError` that names neither the argument nor its range. So every number has a reader of
//! its own (`from_py_with`), which refuses values outside the range. Anything but a number still
//! raises a `TypeError`.

use super::{refusal, shown};
use pyo3::exceptions::{PyMemoryError, PyOverflowError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The longest time that is taken for one: a hundred years.
const LONGEST_SECONDS: f64 = 3.2e9;

/// More pairs than this are refused here; the arena says how many games the players may have.
const MOST_PAIRS: u64 = 100_000_000;

/// A whole number from `range`, which is the argument called `name`.
fn whole<T>(given: &Bound<'_, PyAny>, name: &str, range: RangeInclusive<T>) -> PyResult<T>
where
    T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr> + PartialOrd + Display,
{
    match given.extract::<T>() {
        Ok(number) if range.contains(&number) => return Ok(number),
        Err(error) if !error.is_instance_of::<PyOverflowError>(given.py()) => return Err(error),
        _ => (),
    }
    let (least, most) = range.into_inner();
    Err(refusal(format!("{name} cannot be {}; expected {least} to {most}", shown(given))))
}

/// What `read` makes of an argument that may be `None`.
fn optional<'py, T>(
    given: &Bound<'py, PyAny>,
    read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    if given.is_none() { Ok(None) } else { read(given).map(Some) }
}

/// A time in seconds, which is the argument called `name`.
fn seconds(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Duration> {
    match given.extract::<f64>() {
        Ok(number) if (0.0..=LONGEST_SECONDS).contains(&number) => {
            return Ok(Duration::from_secs_f64(number));
        }
        Err(error) if !error.is_instance_of::<PyOverflowError>(given.py()) => return Err(error),
        _ => (),
    }
    let expected = format!("expected seconds from 0 to {LONGEST_SECONDS:e}");
    Err(refusal(format!("{name} cannot be {}; {expected}", shown(given))))
}

/// A time that is more than none.
fn some_seconds(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Duration> {
    match seconds(given, name)? {
        Duration::ZERO => Err(refusal(format!("{name} cannot be 0; expected more"))),
        time => Ok(time),
    }
}

/// Seconds for a move.
pub(crate) fn time(given: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    optional(given, |given| seconds(given, "time"))
}

/// Seconds for the rest of the game.
pub(crate) fn clock(given: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    optional(given, |given| seconds(given, "clock"))
}

/// Seconds for a move of a match, where none would allow no move.
pub(crate) fn move_time(given: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    optional(given, |given| some_seconds(given, "time"))
}

/// Seconds for all moves of a game.
pub(crate) fn game_time(given: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    optional(given, |given| some_seconds(given, "game_time"))
}

/// Plies to look ahead.
pub(crate) fn depth(given: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    optional(given, |given| whole(given, "depth", 1..=u32::MAX))
}

/// Boards to visit.
pub(crate) fn nodes(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    optional(given, |given| whole(given, "nodes", 1..=u64::MAX))
}

/// Empty squares from which on an analysis solves.
pub(crate) fn solve_from(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    whole(given, "solve_from", 0..=u32::MAX)
}

/// A level of the engine.
pub(crate) fn level(given: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    optional(given, |given| whole(given, "level", 1..=20))
}

/// Where random choices come from.
pub(crate) fn seed(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, "seed", 0..=u64::MAX)
}

/// A seed, or `None`.
pub(crate) fn new_seed(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    optional(given, seed)
}

/// Threads of a search.
pub(crate) fn threads(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole(given, "threads", 1..=1024)
}

/// MiB for remembered boards, which are there to be had.
pub(crate) fn hash_mb(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    let mib = whole(given, "hash_mb", 1..=1 << 16)?;
    if isrever_search::has_room(mib << 20) {
        return Ok(mib);
    }
    let words = format!("hash_mb cannot be {mib} here; expected MiB that can be had");
    Err(PyMemoryError::new_err(words))
}

/// MiB of memory for a course's file.
pub(crate) fn memory_mb(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, "memory_mb", 1..=1 << 20)
}

/// Pairs of games in which two players meet.
pub(crate) fn pairs(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, "pairs", 1..=MOST_PAIRS)
}

/// Games that run at once.
pub(crate) fn concurrency(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    optional(given, |given| whole(given, "concurrency", 1..=1024))
}

/// Boards that are stepped at once.
pub(crate) fn count(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole(given, "count", 1..=1 << 22)
}

/// Steps of random play.
pub(crate) fn steps(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole(given, "steps", 0..=usize::MAX)
}

/// The discs of the side to move, as bits.
pub(crate) fn player(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, "player", 0..=u64::MAX)
}

/// The discs of the other side, as bits.
pub(crate) fn opponent(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, "opponent", 0..=u64::MAX)
}
