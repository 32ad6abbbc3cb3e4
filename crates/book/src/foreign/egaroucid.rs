//! The bytes of Egaroucid's `.egbk3`, and what Egaroucid's levels mean.
//!
//! Source of both: Egaroucid 7 by Takuto Yamana, `book.hpp` and `level.hpp`. 14
//! bytes of header, then 25 for each position; numbers are little-endian. Moves
//! are not stored: they are the positions that they lead to. Egaroucid has a1 in
//! bit 63 where we have h8. That is a half turn, one of the eight symmetries,
//! and each position is the smallest of its eight images for both, so boards and
//! squares have the same bits in both programs.

use super::incoming::Position;
use super::outgoing::Outgoing;
use super::{ForeignError, Format, SIZE, Search, edax, is_score, square, take, take_board};
use crate::book::Book;
use isrever_board::{Board, Square};

/// `EGAROUCID` backwards.
pub(super) const MAGIC: &[u8] = b"DICUORAGE";
pub(super) const VERSION: u8 = 3;

/// The length of a position.
const RECORD: usize = 25;

/// A value, and a leaf's move, that are none. Old versions say −127.
const NO_VALUE: i8 = -126;
const OLD_NO_VALUE: i8 = -127;
const NO_MOVE: u8 = 65;

/// Reads what follows the version.
pub(super) fn read(mut bytes: &[u8]) -> Result<Vec<Position>, ForeignError> {
    let short = ForeignError::Length(Format::Egaroucid);
    let count = take(&mut bytes).map(u32::from_le_bytes).ok_or(short)?;
    if u64::from(count) * RECORD as u64 != bytes.len() as u64 {
        return Err(short);
    }
    let mut positions = Vec::new();
    for (number, mut record) in bytes.chunks_exact(RECORD).enumerate() {
        let wrong = ForeignError::Impossible(Format::Egaroucid, number + 1);
        positions.extend(position(&mut record).ok_or(wrong)?);
    }
    Ok(positions)
}

/// What a record says of a position; `None` in the outer sense if that is impossible, in the inner
/// if the side to move has no move.
fn position(record: &mut &[u8]) -> Option<Option<Position>> {
    let board = take_board(record)?;
    let [value, level] = take(record)?;
    let _lines: [u8; 4] = take(record)?;
    let [leaf_value, leaf_move, _leaf_level] = take(record)?;
    let [value, leaf_value] = [value, leaf_value].map(u8::cast_signed);
    let is_none = value == NO_VALUE || value == OLD_NO_VALUE;
    if board.player & board.opponent != 0 || !is_score(value) && !is_none {
        return None;
    }
    let moves = board.moves(SIZE);
    if moves == 0 {
        return Some(None);
    }
    let leaf = square(leaf_move).filter(|_| is_score(leaf_value));
    if leaf.is_some_and(|square| moves & square.bit() == 0) {
        return None;
    }
    Some(Some(Position {
        board,
        value: is_score(value).then_some(value),
        // A level is given by hand as easily as by a search, and nothing else speaks of proofs.
        proved: None,
        // Undefined is below all levels. A person's value, 70, is of no search at all.
        level: if level > 60 { 0 } else { level },
        leaf: leaf.map(|square| (square, leaf_value)),
        links: Vec::new(),
    }))
}

/// The bytes of a book.
pub(super) fn write(book: &Book) -> Vec<u8> {
    let Outgoing { positions, over, .. } = Outgoing::new(book);
    let count = positions.len() + over.len();
    let count = u32::try_from(count).expect("a book of less than 2³² positions");
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    bytes.extend(count.to_le_bytes());
    for position in &positions {
        let finding = &position.entry.finding;
        // Levels mean nearly the same in both programs.
        let level = edax::level(finding);
        write_position(&mut bytes, finding.board, position.entry.worth.value, level, position.leaf);
    }
    for (&board, &score) in &over {
        write_position(&mut bytes, board, score, 60, None);
    }
    bytes
}

fn write_position(
    bytes: &mut Vec<u8>,
    board: Board,
    value: i8,
    level: u8,
    leaf: Option<(Square, i8)>,
) {
    bytes.extend(board.player.to_le_bytes());
    bytes.extend(board.opponent.to_le_bytes());
    bytes.extend([value.cast_unsigned(), level]);
    // Egaroucid counts lines again when it negamaxes.
    bytes.extend([0; 4]);
    let leaf = leaf.map_or([NO_VALUE.cast_unsigned(), NO_MOVE], |(square, value)| {
        [value.cast_unsigned(), square.index() as u8]
    });
    bytes.extend(leaf);
    bytes.push(level);
}

/// What a level of Egaroucid is at so many empty squares.
///
/// It looks as many plies ahead as its number says. From how many empty squares on it searches to
/// the end, and how surely, depends on the version of the program, which a book does not say; so
/// only what holds for all of them is promised.
pub(super) fn search(level: u8, empties: u8) -> Search {
    let depth = level.min(empties);
    let confidence = match level {
        0..=super::LAST_FULL_WIDTH | 60 => 100,
        // Cuts at 1.13 standard deviations: 74 % where Edax and we say 73 for 1.1.
        _ => 73,
    };
    Search { depth, confidence }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_promise_no_more_than_all_versions_keep() {
        for (level, empties, depth, confidence) in [
            (1, 60, 1, 100),
            (10, 60, 10, 100),
            (21, 60, 21, 73),
            (21, 12, 12, 73),
            (60, 40, 40, 100),
        ] {
            assert_eq!(search(level, empties), Search { depth, confidence });
        }
    }
}
