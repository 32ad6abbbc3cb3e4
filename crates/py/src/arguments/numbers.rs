//! Reads Python's numbers, each with the name of its argument.
//!
//! Python's integers are unbounded. Without this, one too large for our type would raise an
//! `OverflowError` that names neither the argument nor its range. So every number has a reader of
//! its own (`from_py_with`), which refuses values outside the range. Anything but a number still
//! raises a `TypeError`.

use super::{refusal, shown};
use isrever_agent::duration_or_zero;
use pyo3::exceptions::{PyMemoryError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The longest time that we accept: a hundred years.
const LONGEST_SECONDS: f64 = 3.2e9;

/// More pairs than this are refused here; the arena says how many games the players may have.
const MOST_PAIRS: u64 = 100_000_000;

/// Reads the argument `name`, an integer from `range`.
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

/// Reads an argument that may be `None`.
fn optional<'py, T>(
    given: &Bound<'py, PyAny>,
    read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    if given.is_none() { Ok(None) } else { read(given).map(Some) }
}

/// Reads the argument `name`, a time: a number of seconds, or a text such as `3m`.
fn seconds(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Duration> {
    if let Ok(text) = given.extract::<PyBackedStr>() {
        return duration_or_zero(&text)
            .map_err(|error| refusal(format!("{name} {} is {error}", shown(given))));
    }
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

/// Reads a time above 0.
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

/// Seconds for a move of a match; more than 0.
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

/// Nodes to search.
pub(crate) fn nodes(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    optional(given, |given| whole(given, "nodes", 1..=u64::MAX))
}

/// The number of empty squares from which an analysis solves.
pub(crate) fn solve_from(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    whole(given, "solve_from", 0..=u32::MAX)
}

/// A level of the engine.
pub(crate) fn level(given: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    optional(given, |given| whole(given, "level", 1..=20))
}

/// A seed of random choices.
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

/// MiB for the transposition table; refused if the machine lacks the memory.
pub(crate) fn hash_mb(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    let mib = whole(given, "hash_mb", 1..=1 << 16)?;
    if isrever_search::has_room(mib << 20) {
        return Ok(mib);
    }
    let message = format!("hash_mb cannot be {mib} here; expected MiB that can be had");
    Err(PyMemoryError::new_err(message))
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

/// Games of self-play.
pub(crate) fn games(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, "games", 1..=1 << 32)
}

/// The number of the first game of self-play.
pub(crate) fn first(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, "first", 0..=1 << 62)
}

/// The least and the greatest number of random moves that a game of self-play begins with.
pub(crate) fn random(given: &Bound<'_, PyAny>) -> PyResult<(u32, u32)> {
    match given.extract::<(u32, u32)>() {
        Ok((least, most)) if least <= most && most <= 60 => Ok((least, most)),
        _ => {
            let expected = "expected a pair of numbers from 0 to 60, the smaller one first";
            Err(refusal(format!("random cannot be {}; {expected}", shown(given))))
        }
    }
}

/// The number of empty squares from which self-play is perfect.
pub(crate) fn ending(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    whole(given, "solve_from", 0..=30)
}

/// How much a label owes to the end of the game, from 0 to 1.
pub(crate) fn lambda(given: &Bound<'_, PyAny>) -> PyResult<f32> {
    match given.extract::<f32>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Err(error) if !error.is_instance_of::<PyOverflowError>(given.py()) => Err(error),
        _ => Err(refusal(format!("lambda_ cannot be {}; expected 0 to 1", shown(given)))),
    }
}
