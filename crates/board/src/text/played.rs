//! Moves in GGF and SGF, with their side and their notes.
//!
//! Both formats name the side that moves, may leave out a forced pass, and can
//! hold a value and a time; only SGF can hold a comment. Numbers that are not
//! finite and negative times are refused.

use super::error::quote;
use super::span::{Fault, Span};
use super::{Note, Record};
use crate::{Color, Move};

/// Adds a move of `color`, after the pass it may imply, and its note.
pub(super) fn add(
    record: &mut Record,
    color: Color,
    mv: Move,
    note: Note,
    span: Span<'_>,
) -> Result<(), Fault> {
    let game = &mut record.game;
    if game.position().turn() != color && game.position().must_pass() && mv != Move::Pass {
        game.play(Move::Pass).map_err(|error| span.fault(error.to_string()))?;
        record.notes.push(Note::default());
    }
    if !game.is_over() && game.position().turn() != color {
        let offence = format!("{mv} is said to be {color}'s; expected a move of {}", color.other());
        return Err(span.fault(offence));
    }
    game.play(mv).map_err(|error| span.fault(error.to_string()))?;
    record.notes.push(note);
    Ok(())
}

/// The value of a move; nothing there means `None`.
pub(super) fn number(span: Span<'_>) -> Result<Option<f64>, Fault> {
    let span = span.trim();
    if span.text.is_empty() {
        return Ok(None);
    }
    let number = span.text.parse().ok().filter(|number: &f64| number.is_finite());
    let offence = || format!("unknown number {}; expected one such as 1.5", quote(span.text));
    number.map(Some).ok_or_else(|| span.fault(offence()))
}

/// The time of a move; nothing there means `None`.
pub(super) fn seconds(span: Span<'_>) -> Result<Option<f64>, Fault> {
    match number(span)? {
        Some(seconds) if seconds < 0.0 => {
            let found = quote(span.trim().text);
            Err(span.trim().fault(format!("a time of {found}; expected no less than 0")))
        }
        seconds => Ok(seconds),
    }
}

/// The notes, none at all if nothing is noted.
pub(super) fn tidy(notes: Vec<Note>) -> Vec<Note> {
    if notes.iter().all(|note| *note == Note::default()) { Vec::new() } else { notes }
}

/// What is noted beside move number `index`, without what could not be read again.
pub(super) fn note(record: &Record, index: usize) -> Note {
    let note = record.notes.get(index).cloned().unwrap_or_default();
    Note {
        value: note.value.filter(|value| value.is_finite()),
        seconds: note.seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0),
        comment: note.comment.filter(|comment| !comment.is_empty()),
    }
}
