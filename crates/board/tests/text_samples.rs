//! The samples in `testdata/formats` are told, read, and survive.

use isrever_board::Rule;
use isrever_board::text::{Defaults, Format, Record, detect, read, write};
use std::path::Path;

fn sample(name: &str, format: Format) -> Vec<Record> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/formats");
    let bytes = std::fs::read(folder.join(name)).unwrap();
    assert_eq!(detect(&bytes), format, "{name}");
    let records =
        read(&bytes, None, Defaults::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let written = write(&records, format).unwrap();
    assert_eq!(read(&written, None, Defaults::default()).as_ref(), Ok(&records), "{name}");
    records
}

/// How many moves each game has, passes included.
fn plies(records: &[Record]) -> Vec<usize> {
    records.iter().map(|record| record.game.ply()).collect()
}

fn rules(records: &[Record]) -> Vec<Rule> {
    records.iter().map(|record| record.game.rule()).collect()
}

#[test]
fn ggf() {
    let records = sample("games.ggf", Format::Ggf);
    assert_eq!(plies(&records), [3, 2, 1, 13]);
    assert_eq!(rules(&records)[..2], [Rule::Normal, Rule::Reversed]);
    assert_eq!(records[0].notes[1].value, Some(-0.5));
    assert_eq!(records[1].game.start(), records[2].game.start());
    assert_eq!(records[2].tag("PW"), Some("ann \\ [co]"));
    assert_eq!(records[1].tag("TY"), Some("s6ar8"));
    assert!(records[3].game.is_over());
    assert!(records[3].tags.is_empty(), "the result is what the moves say");
}

#[test]
fn sgf() {
    let records = sample("games.sgf", Format::Sgf);
    assert_eq!(plies(&records), [5, 2]);
    assert_eq!(rules(&records), [Rule::Normal, Rule::Reversed]);
    assert_eq!(records[0].notes[1].value, Some(1.5), "black's minus is white's plus");
    let ggf = sample("games.ggf", Format::Ggf);
    assert_eq!(records[1].game, ggf[1].game, "the same game in both");
}

#[test]
fn obf() {
    let records = sample("problems.obf", Format::Obf);
    let scores: Vec<usize> = records.iter().map(|record| record.scores.len()).collect();
    assert_eq!(scores, [1, 1, 1]);
    assert_eq!(records[0].game.position().empties(), 20);
    assert_eq!(records[2].scores, [(None, -3)]);
}

#[test]
fn positions() {
    let boards = sample("positions.txt", Format::Board);
    assert_eq!(boards.len(), 4);
    let hex = sample("positions.hex", Format::Hex);
    assert_eq!(hex.len(), 3);
    assert_eq!(hex[0], boards[0]);
    assert_eq!(hex[2], boards[3]);
    assert_eq!(hex[1].game.position(), &boards[0].game.position().pass());
}

#[test]
fn games() {
    let records = sample("games.txt", Format::Moves);
    assert_eq!(plies(&records), [9, 4, 8, 2, 2]);
    assert_eq!(records[3], records[4], "the pass may be left out");
    let wthor = sample("games.wtb", Format::Wthor);
    assert_eq!(plies(&wthor), [9, 4]);
    assert_eq!(rules(&wthor), [Rule::Normal; 2]);
    assert_eq!(wthor[0].game.moves(), records[0].game.moves());
    assert_eq!(wthor[1].tag("wthor-white"), Some("12"));
}
