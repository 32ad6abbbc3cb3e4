//! The bytes of Edax's `book.dat`, and what Edax's levels mean.
//!
//! Source of both: Edax 4.4 by Richard Delorme, `book.c` and `search.c`. Edax
//! writes its structures as they lie in memory, here those of a little-endian
//! machine: 42 bytes of header, then 40 bytes and two for each link and the
//! leaf of every position. Positions where one side must pass, and finished
//! games, are positions of their own; every link must lead to a position.

use super::incoming::Position;
use super::outgoing::Outgoing;
use super::{ForeignError, Format, SIZE, Search, empties, is_score, square, take, take_board};
use crate::book::{Book, Entry};
use crate::finding::Finding;
use crate::graph::Worth;
use isrever_board::{Board, Square};

/// The words `EDAX` and `BOOK`, the lowest byte first.
pub(super) const MAGIC: &[u8] = b"XADEKOOB";
pub(super) const VERSION: u8 = 4;

/// What we write as release. Edax does not look at it.
const RELEASE: u8 = 4;

/// 1 January 1970, midnight, and a byte of padding: the same book has the same bytes on any day.
const DATE: [u8; 8] = [0xb2, 0x07, 1, 1, 0, 0, 0, 0];

/// The errors, in discs, that Edax assumes of searches in the midgame and near the end.
const MIDGAME_ERROR: u32 = 2;
const ENDCUT_ERROR: u32 = 1;

/// Moves that are none.
const PASS: u8 = 64;
const NO_MOVE: u8 = 65;

/// The score of a leaf that is none.
const NO_SCORE: i8 = -127;

/// Reads what follows the version.
pub(super) fn read(mut bytes: &[u8]) -> Result<Vec<Position>, ForeignError> {
    let short = ForeignError::Length(Format::Edax);
    let [_release] = take(&mut bytes).ok_or(short)?;
    let _date: [u8; 8] = take(&mut bytes).ok_or(short)?;
    let mut number = || take(&mut bytes).map(u32::from_le_bytes).ok_or(short);
    let [_level, _empties, midgame, endcut, _verbosity, count] =
        [number()?, number()?, number()?, number()?, number()?, number()?];
    // Where a search is taken to be without error, bounds that meet prove nothing.
    let has_bounds = midgame > 0 && endcut > 0;
    let mut positions = Vec::new();
    for number in 1..=count as usize {
        let record = Record::take(&mut bytes).ok_or(short)?;
        let wrong = ForeignError::Impossible(Format::Edax, number);
        positions.extend(record.position(has_bounds).ok_or(wrong)?);
    }
    match bytes {
        [] => Ok(positions),
        _ => Err(short),
    }
}

/// A position as it lies in a file.
struct Record {
    board: Board,
    /// Value, lower and upper bound.
    scores: [i16; 3],
    level: u8,
    /// Score and move.
    links: Vec<[u8; 2]>,
    leaf: [u8; 2],
}

impl Record {
    fn take(bytes: &mut &[u8]) -> Option<Record> {
        let board = take_board(bytes)?;
        let _games: [u8; 16] = take(bytes)?;
        let scores = [take(bytes)?, take(bytes)?, take(bytes)?].map(i16::from_le_bytes);
        let [links, level] = take(bytes)?;
        let links = (0..links).map(|_| take(bytes)).collect::<Option<_>>()?;
        Some(Record { board, scores, level, links, leaf: take(bytes)? })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.board.player.to_le_bytes());
        bytes.extend(self.board.opponent.to_le_bytes());
        // Edax counts games again when it negamaxes.
        bytes.extend([0; 16]);
        self.scores.iter().for_each(|score| bytes.extend(score.to_le_bytes()));
        bytes.extend([self.links.len() as u8, self.level]);
        bytes.extend(self.links.as_flattened());
        bytes.extend(self.leaf);
    }

    /// What it says of a position; `None` in the outer sense if that is impossible, in the inner if
    /// the side to move has no move.
    fn position(&self, has_bounds: bool) -> Option<Option<Position>> {
        let Record { board, scores: [value, lower, upper], level, .. } = *self;
        if board.player & board.opponent != 0 || level > 60 {
            return None;
        }
        let moves = board.moves(SIZE);
        if moves == 0 {
            return Some(None);
        }
        let legal = |[score, to]: [u8; 2]| {
            let (score, square) = (score.cast_signed(), square(to)?);
            (is_score(score) && moves & square.bit() != 0).then_some((square, score))
        };
        let links: Vec<(Square, i8)> =
            self.links.iter().map(|&link| legal(link)).collect::<Option<_>>()?;
        let leaf = match self.leaf {
            [_, NO_MOVE] => None,
            leaf => Some(legal(leaf)?),
        };
        let solved = search(level, empties(board)).is_proof(empties(board));
        let is_proved = has_bounds && solved && lower == value && upper == value;
        Some(Some(Position {
            board,
            // What Edax derives; what it has written may be older.
            value: links.iter().chain(&leaf).map(|&(_, value)| value).max(),
            proved: is_proved.then_some(i8::try_from(value).ok()).flatten(),
            level,
            leaf,
            links,
        }))
    }
}

/// The bytes of a book.
pub(super) fn write(book: &Book) -> Vec<u8> {
    let Outgoing { positions, passes, over } = Outgoing::new(book);
    let of_link = |&(square, value): &(Square, i8)| [value.cast_unsigned(), square.index() as u8];
    let no_leaf = [NO_SCORE.cast_unsigned(), NO_MOVE];
    let level_of = |entry: &Entry| level(&entry.finding);
    let own = positions.iter().map(|position| {
        let Worth { value, lower, upper, .. } = position.entry.worth;
        Record {
            board: position.entry.finding.board,
            scores: [value, lower, upper].map(i16::from),
            level: level_of(&position.entry),
            links: position.links.iter().map(of_link).collect(),
            leaf: position.leaf.as_ref().map_or(no_leaf, of_link),
        }
    });
    let passes = passes.iter().map(|(&board, entry)| {
        let Worth { value, lower, upper, .. } = entry.worth;
        Record {
            board,
            scores: [value, upper, lower].map(|score| -i16::from(score)),
            level: level_of(entry),
            links: vec![[(-value).cast_unsigned(), PASS]],
            leaf: no_leaf,
        }
    });
    let over = over.iter().map(|(&board, &score)| Record {
        board,
        scores: [score.into(); 3],
        level: 60,
        links: Vec::new(),
        leaf: [score.cast_unsigned(), NO_MOVE],
    });
    let records: Vec<Record> = own.chain(passes).chain(over).collect();
    let of_book = || book.entries().map(|entry| (level_of(&entry), empties(entry.finding.board)));
    let highest = of_book().map(|(level, _)| level).max().unwrap_or(0);
    let fewest = of_book().map(|(_, empties)| empties).min().unwrap_or(60);
    let count = u32::try_from(records.len()).expect("a book of less than 2³² positions");
    let mut bytes = MAGIC.to_vec();
    bytes.extend([VERSION, RELEASE]);
    bytes.extend(DATE);
    for number in [highest.into(), fewest.into(), MIDGAME_ERROR, ENDCUT_ERROR, 0, count] {
        bytes.extend(number.to_le_bytes());
    }
    records.iter().for_each(|record| record.write(&mut bytes));
    bytes
}

/// What a level of Edax is at so many empty squares.
pub(super) fn search(level: u8, empties: u8) -> Search {
    // How many empty squares it searches to the end, and how surely.
    let own: [(u8, u8); 6];
    let ends: &[(u8, u8)] = match level {
        0 => &[],
        1..=10 => {
            own = [(2 * level, 100); 6];
            &own
        }
        11..=12 => &[(21, 100), (24, 98)],
        13..=18 => &[(21, 100), (24, 98), (27, 87)],
        19..=21 => &[(24, 100), (27, 98), (30, 87)],
        22..=24 => &[(24, 100), (27, 99), (30, 95), (33, 73)],
        25..=27 => &[(27, 100), (30, 98), (33, 87)],
        28..=29 => &[(27, 100), (30, 99), (33, 95), (36, 73)],
        30..=31 => &[(30, 100), (33, 98), (36, 87)],
        32..=33 => &[(30, 100), (33, 99), (36, 95), (39, 73)],
        34..=35 => &[(30, 100), (33, 99), (36, 98), (39, 87)],
        36..=59 => {
            let steps = [(0, 100), (3, 99), (6, 98), (9, 95), (12, 87), (15, 73)];
            own = steps.map(|(step, confidence)| (level - 6 + step, confidence));
            &own
        }
        _ => &[(64, 100)],
    };
    match ends.iter().find(|&&(most, _)| empties <= most) {
        Some(&(_, confidence)) => Search { depth: empties, confidence },
        None if level <= super::LAST_FULL_WIDTH => Search { depth: level, confidence: 100 },
        None => Search { depth: level, confidence: 73 },
    }
}

/// The level to write for a finding: for a proof the lowest that proves as much, else the highest
/// that searches no deeper and, unless it is one of those that prune nothing, no surer.
pub(super) fn level(finding: &Finding) -> u8 {
    let empties = empties(finding.board);
    let fits = |&level: &u8| {
        let Search { depth, confidence } = search(level, empties);
        let is_full_width = level <= super::LAST_FULL_WIDTH && depth < empties;
        depth <= finding.depth && (is_full_width || confidence <= finding.confidence)
    };
    let is_proof = |&level: &u8| search(level, empties).is_proof(empties);
    match finding.is_exact {
        true => (0..=60).find(is_proof).unwrap_or(60),
        false => (0..60).rev().find(fits).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::squares;

    #[test]
    fn levels_are_those_of_edax() {
        for (level, empties, depth, confidence) in [
            (0, 60, 0, 100),
            (1, 2, 2, 100),
            (1, 3, 1, 100),
            (10, 20, 20, 100),
            (10, 21, 10, 100),
            (12, 24, 24, 98),
            (12, 25, 12, 73),
            (18, 27, 27, 87),
            (21, 24, 24, 100),
            (21, 30, 30, 87),
            (21, 31, 21, 73),
            (24, 33, 33, 73),
            (24, 34, 24, 73),
            (35, 36, 36, 98),
            (36, 30, 30, 100),
            (36, 45, 45, 73),
            (36, 46, 36, 73),
            (59, 53, 53, 100),
            (59, 60, 60, 95),
            (60, 60, 60, 100),
        ] {
            let expected = Search { depth, confidence };
            assert_eq!(search(level, empties), expected, "level {level}, {empties} empties");
        }
    }

    #[test]
    fn a_finding_gets_a_level_that_promises_no_more() {
        let board = Board::start(SIZE).canonical(SIZE).0;
        let best = squares(board.moves(SIZE)).next().unwrap();
        let level = |depth, confidence, is_exact| {
            let estimates = vec![0; 4];
            let finding =
                Finding { board, value: 0, best, depth, confidence, is_exact, nodes: 0, estimates };
            level(&finding)
        };
        assert_eq!(level(18, 73, false), 18);
        assert_eq!(level(18, 49, false), 10, "nothing above prunes as much");
        assert_eq!(level(8, 73, false), 8);
        assert_eq!(level(0, 1, false), 0);
        assert_eq!(level(60, 99, false), 59);
        assert_eq!(level(60, 100, true), 60);
    }

    #[test]
    fn no_level_looks_beyond_the_end() {
        for level in 0..=60 {
            for empties in 0..=60 {
                let Search { depth, confidence } = search(level, empties);
                assert!(depth <= empties || level == 0 && depth == 0, "{level} {empties}");
                assert!((73..=100).contains(&confidence));
            }
        }
    }
}
