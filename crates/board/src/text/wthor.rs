//! WTHOR, the binary files of games (`.wtb`) of the French Othello Federation.
//!
//! All numbers are little-endian. A header of 16 bytes, then 68 for each game:
//!
//! | bytes | header                         | bytes | game                             |
//! |-------|--------------------------------|-------|----------------------------------|
//! | 0–3   | century, year, month, day      | 0–1   | number of the tournament         |
//! | 4–7   | number of games                | 2–3   | number of the black player       |
//! | 8–9   | players, or empties            | 4–5   | number of the white player       |
//! | 10–11 | year of the games              | 6     | discs of black at the end        |
//! | 12    | width of the board, 0 for 8    | 7     | the same with best play          |
//! | 13    | 1 for solitaires               | 8–67  | 60 moves: 10 × row + column,     |
//! | 14    | depth of the best play         |       | both from 1, then 0 to the end   |
//! | 15    | reserved: the rule, see below  |       |                                  |
//!
//! Passes are not stored; one at the very end of an unfinished game is lost.
//! The discs include the empty squares, which count for the side with more
//! discs; they are not checked against the moves, since games may be incomplete.
//!
//! WTHOR knows no variant. We give the reserved byte a meaning: `a` (anti, as in
//! GGF) makes the games reversed, 0 normal. So a file has one rule; and it has
//! only 8×8 games from the start.
//!
//! Numbers that do not follow from the game become tags unless they have their
//! usual value: the year is `DT`, the others begin with `wthor-`. The writer
//! takes them from there, those of the header from the first record.

use super::{Place, ReadError, Record, WriteError};
use crate::{Color, Game, Move, Position, Rule, Size, Square};

const HEADER: usize = 16;
const GAME: usize = 68;
/// The reserved byte of reversed games.
const ANTI: u8 = b'a';

/// The tags of the header's bytes, and their usual values.
const HEADER_TAGS: [(&str, usize, u8); 4] = [
    ("wthor-size", 12, 8),
    ("wthor-type", 13, 0),
    ("wthor-depth", 14, 0),
    ("wthor-reserved", 15, 0),
];
/// The tags of a game's numbers.
const GAME_TAGS: [(&str, usize); 3] =
    [("wthor-tournament", 0), ("wthor-black", 2), ("wthor-white", 4)];

/// The expectation named for a file so unlike WTHOR that it may be text with a NUL, such as UTF-16.
const FILE: &str = "expected a .wtb file, or text without NUL bytes";

/// The games, if the header is right.
pub(super) fn read(
    bytes: &[u8],
) -> Result<impl Iterator<Item = Result<Record, ReadError>>, ReadError> {
    let Some((header, games)) = bytes.split_first_chunk::<HEADER>() else {
        let offence = format!("the file ends before its header of {HEADER} bytes does; {FILE}");
        return Err(ReadError::new(Place::Byte(bytes.len()), offence));
    };
    let count = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    let expected = HEADER as u64 + GAME as u64 * u64::from(count);
    if bytes.len() as u64 != expected {
        let found = bytes.len();
        let offence = if games.len().is_multiple_of(GAME) {
            format!("the file has {found} bytes; expected {expected} for its {count} games")
        } else {
            // Such a length fits no number of games.
            format!("the file has {found} bytes, not {expected} for its {count} games; {FILE}")
        };
        return Err(ReadError::new(Place::Byte(4), offence));
    }
    if count == 0 {
        return Err(ReadError::new(Place::Byte(4), "no games; expected at least one"));
    }
    if !matches!(header[12], 0 | 8) {
        let offence = format!("a board {} wide; expected 8, or 0 for the same", header[12]);
        return Err(ReadError::new(Place::Byte(12), offence));
    }
    let rule = rule(header[15]);
    let tags = header_tags(header);
    let (games, _) = games.as_chunks::<GAME>();
    Ok(games.iter().zip(1..).map(move |(bytes, number)| game(bytes, number, rule, &tags)))
}

/// The tags of the header's unusual values.
fn header_tags(header: &[u8; HEADER]) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    if header[..4] != [0; 4] {
        let date = header[..4].iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        tags.push(("wthor-date".to_owned(), date));
    }
    push_number(&mut tags, "wthor-entries", header[8], header[9]);
    push_number(&mut tags, "DT", header[10], header[11]);
    for (name, byte, usual) in HEADER_TAGS {
        if header[byte] != usual && !(byte == 15 && header[byte] == ANTI) {
            tags.push((name.to_owned(), header[byte].to_string()));
        }
    }
    tags
}

/// Adds a tag for a number of two bytes, unless it is 0.
fn push_number(tags: &mut Vec<(String, String)>, name: &str, low: u8, high: u8) {
    let number = u16::from_le_bytes([low, high]);
    if number != 0 {
        tags.push((name.to_owned(), number.to_string()));
    }
}

/// The game with this number.
fn game(
    bytes: &[u8; GAME],
    number: usize,
    rule: Rule,
    header: &[(String, String)],
) -> Result<Record, ReadError> {
    let mut game = Game::new(rule, Size::EIGHT);
    let mut is_ended = false;
    for (index, &byte) in bytes[8..].iter().enumerate() {
        let refuse =
            |offence| Err(ReadError::new(Place::Move { game: number, number: index + 1 }, offence));
        let square = match (byte / 10, byte % 10) {
            (0, 0) => {
                is_ended = true;
                continue;
            }
            (row @ 1..=8, column @ 1..=8) => Square::new(column - 1, row - 1),
            _ => return refuse(format!("unknown move {byte}; expected 11 to 88, or 0 for none")),
        };
        if is_ended {
            return refuse(format!("{square} comes after a 0; expected 0 to the end"));
        }
        if let Err(error) = game.place(square) {
            return refuse(error.to_string());
        }
    }
    let mut tags = header.to_vec();
    for (name, at) in GAME_TAGS {
        push_number(&mut tags, name, bytes[at], bytes[at + 1]);
    }
    let (score, best) = (bytes[6], bytes[7]);
    if score != discs(game.position()) {
        tags.push(("wthor-score".to_owned(), score.to_string()));
    }
    if best != score {
        tags.push(("wthor-best".to_owned(), best.to_string()));
    }
    Ok(Record { tags, ..Record::from(game) })
}

/// Black's discs; the empty squares count for the side that has more.
fn discs(position: &Position) -> u8 {
    let margin = position.score(Rule::Normal, Color::Black);
    u8::try_from((64 + margin) / 2).expect("a margin is between -64 and 64")
}

/// Adds a game to a file; the first one writes the header, which counts the games.
pub(super) fn write(record: &Record, bytes: &mut Vec<u8>) -> Result<(), WriteError> {
    let game = &record.game;
    if bytes.is_empty() {
        bytes.extend(header(record));
    }
    let rule = rule(bytes[15]);
    let offence = if game.size() != Size::EIGHT {
        format!("the board is {size}x{size}; expected 8x8", size = game.size())
    } else if *game.start() != Position::start(Size::EIGHT) {
        "the game does not begin with the start; expected one that does".to_owned()
    } else if game.rule() != rule {
        format!("the rule is {}; expected {rule}, the first record's", game.rule())
    } else {
        bytes.extend(game_bytes(record));
        let games = (bytes.len() - HEADER) / GAME;
        let count = u32::try_from(games).expect("a file of 2^32 games fits no memory");
        bytes[4..8].copy_from_slice(&count.to_le_bytes());
        return Ok(());
    };
    Err(WriteError::whole(offence))
}

/// The rule by the last byte of the header.
fn rule(byte: u8) -> Rule {
    if byte == ANTI { Rule::Reversed } else { Rule::Normal }
}

/// The number in a tag, or the usual one.
fn number<T: std::str::FromStr>(record: &Record, name: &str, usual: T) -> T {
    record.tag(name).and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// The header of a file without games.
fn header(record: &Record) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    let date = record.tag("wthor-date").unwrap_or_default();
    for (byte, number) in header[..4].iter_mut().zip(date.split(' ')) {
        *byte = number.parse().unwrap_or(0);
    }
    header[8..10].copy_from_slice(&number(record, "wthor-entries", 0_u16).to_le_bytes());
    // A date may continue after its year.
    let date = record.tag("DT").unwrap_or_default();
    let year = date.split(|mark: char| !mark.is_ascii_digit()).next().unwrap_or_default();
    header[10..12].copy_from_slice(&year.parse().unwrap_or(0_u16).to_le_bytes());
    for (name, byte, usual) in HEADER_TAGS {
        header[byte] = number(record, name, usual);
    }
    // Neither tag may contradict the game.
    header[12] = if header[12] == 0 { 0 } else { 8 };
    match record.game.rule() {
        Rule::Reversed => header[15] = ANTI,
        Rule::Normal if header[15] == ANTI => header[15] = 0,
        Rule::Normal => {}
    }
    header
}

fn game_bytes(record: &Record) -> [u8; GAME] {
    let mut bytes = [0; GAME];
    for (name, at) in GAME_TAGS {
        bytes[at..at + 2].copy_from_slice(&number(record, name, 0_u16).to_le_bytes());
    }
    bytes[6] = number(record, "wthor-score", discs(record.game.position()));
    bytes[7] = number(record, "wthor-best", bytes[6]);
    // A game from the start has at most sixty moves.
    let squares = record.game.moves().iter().filter_map(|mv: &Move| mv.square());
    for (byte, square) in bytes[8..].iter_mut().zip(squares) {
        *byte = 10 * (square.row() + 1) + square.column() + 1;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One game of three moves in the year 1998, all numbers different.
    fn file(rule: u8) -> Vec<u8> {
        let mut bytes = vec![19, 99, 12, 31, 1, 0, 0, 0, 7, 1, 206, 7, 0, 1, 24, rule];
        bytes.extend([2, 1, 3, 0, 4, 0, 40, 30, 56, 64, 33]);
        bytes.resize(HEADER + GAME, 0);
        bytes
    }

    #[test]
    fn every_byte_comes_back() {
        for (byte, rule) in [(0, Rule::Normal), (ANTI, Rule::Reversed), (9, Rule::Normal)] {
            let file = file(byte);
            let record = read(&file).unwrap().next().unwrap().unwrap();
            assert_eq!(record.game.rule(), rule);
            assert_eq!(record.game.ply(), 3);
            assert_eq!(record.tag("DT"), Some("1998"));
            assert_eq!(record.tag("wthor-tournament"), Some("258"));
            let mut written = Vec::new();
            write(&record, &mut written).unwrap();
            assert_eq!(written, file);
        }
    }

    #[test]
    fn a_plain_game_needs_no_tags() {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        for name in ["f5", "d6", "c3"] {
            game.place(name.parse().unwrap()).unwrap();
        }
        let record = Record::from(game);
        let mut bytes = Vec::new();
        write(&record, &mut bytes).unwrap();
        assert_eq!(bytes.len(), 84);
        assert_eq!(bytes[16 + 6], 62, "black has five discs of six and gets the empty squares");
        assert!(read(&bytes).unwrap().eq([Ok(record)]));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let plain = Record::from(Game::new(Rule::Reversed, Size::EIGHT));
        let small = Record::from(Game::new(Rule::Reversed, Size::SIX));
        let normal = Record::from(Game::new(Rule::Normal, Size::EIGHT));
        let start = Position::start(Size::EIGHT).pass();
        let other = Record::from(Game::from_position(Rule::Reversed, start));
        for (record, message) in [
            (small, "the board is 6x6; expected 8x8"),
            (normal, "the rule is normal; expected reversed, the first record's"),
            (other, "the game does not begin with the start; expected one that does"),
        ] {
            let mut bytes = Vec::new();
            write(&plain, &mut bytes).unwrap();
            assert_eq!(write(&record, &mut bytes).unwrap_err().to_string(), message);
        }
    }
}
