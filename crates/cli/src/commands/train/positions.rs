//! Reads files of positions for training: 8×8 boards.

use crate::commands::records;
use crate::error::Error;
use crate::input::{Input, Place};
use crate::options::DefaultArgs;
use isrever_board::text::Record;
use isrever_board::{Board, Rule, Size};
use std::path::Path;

/// The 8×8 positions of a file, in any format, with the records they come from. The rule is that
/// of those that do not say theirs.
pub(super) fn read(
    path: &Path,
    rule: Option<Rule>,
) -> Result<(Place, Vec<(Board, Record)>), Error> {
    let input = Input::read_named(path.as_os_str())?;
    let asked = DefaultArgs { rule, size: None };
    let mut positions = Vec::new();
    for (record, number) in records(&input, None, &asked, None)?.zip(1..) {
        let record = record?;
        let position = record.game.position();
        match position.board() {
            Some(board) if position.size() == Size::EIGHT => positions.push((board, record)),
            _ => return Err(error_at(&input.place, number, "not an 8x8 board; expected one")),
        }
    }
    Ok((input.place, positions))
}

/// The boards alone.
pub(super) fn boards(path: &Path) -> Result<Vec<Board>, Error> {
    let (_, positions) = read(path, None)?;
    Ok(positions.into_iter().map(|(board, _)| board).collect())
}

/// What is wrong with a position, counted from 1.
pub(super) fn error_at(place: &Place, number: usize, offence: impl std::fmt::Display) -> Error {
    Error::input(place, format_args!("position {number}: {offence}"))
}
