//! The samples in `testdata/formats` are detected, read, and survive a round trip.

use isrever_board::text::{Defaults, Format, Record, detect, read, write};
use isrever_board::{Move, Rule};
use std::path::Path;

fn bytes(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/formats");
    std::fs::read(folder.join(name)).unwrap()
}

fn sample(name: &str, format: Format) -> Vec<Record> {
    let bytes = bytes(name);
    assert_eq!(detect(&bytes, Defaults::default()), format, "{name}");
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
    assert_eq!(records[0].notes[0].comment.as_deref(), Some("the usual\nfirst move"));
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
    assert_eq!(plies(&records), [9, 4, 10, 2, 2]);
    assert_eq!(records[2].game.moves()[8], Move::Pass, "h6 leaves black no move");
    assert_eq!(records[3], records[4], "the pass may be left out");
    let wthor = sample("games.wtb", Format::Wthor);
    assert_eq!(plies(&wthor), [9, 4]);
    assert_eq!(rules(&wthor), [Rule::Normal; 2]);
    assert_eq!(wthor[0].game.moves(), records[0].game.moves());
    assert_eq!(wthor[1].tag("wthor-white"), Some("12"));
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    for name in
        ["games.ggf", "games.sgf", "games.txt", "positions.txt", "positions.hex", "problems.obf"]
    {
        let plain = bytes(name);
        let marked = ["\u{feff}".as_bytes(), &plain].concat();
        let defaults = Defaults::default();
        assert_eq!(detect(&marked, defaults), detect(&plain, defaults), "{name}");
        assert_eq!(read(&marked, None, defaults), read(&plain, None, defaults), "{name}");
    }
    let error = read("\u{feff}f5 x4".as_bytes(), None, Defaults::default()).unwrap_err();
    let expected = "line 1, column 4: unknown move \"x4\"; expected a square such as f5";
    assert_eq!(error.to_string(), expected, "columns do not count it");
    let twice = "\u{feff}\u{feff}f5".as_bytes();
    assert!(read(twice, None, Defaults::default()).is_err(), "a second one is no mark");
}

#[test]
fn a_binary_file_has_no_byte_order_mark() {
    let plain = bytes("games.wtb");
    let marked = ["\u{feff}".as_bytes(), &plain].concat();
    assert_eq!(detect(&marked, Defaults::default()), Format::Wthor);
    let error = read(&marked, None, Defaults::default()).unwrap_err().to_string();
    assert!(error.starts_with("byte 4: the file has 155 bytes, not "), "{error}");
    assert!(error.ends_with("expected a .wtb file, or text without NUL bytes"), "{error}");
    // The same three bytes may be the date of a file, and stay it.
    let dated = ["\u{feff}".as_bytes(), &plain[3..]].concat();
    let records = read(&dated, None, Defaults::default()).unwrap();
    assert_eq!(records[0].tag("wthor-date").map(|date| &date[..11]), Some("239 187 191"));
    assert_eq!(write(&records, Format::Wthor), Ok(dated));
}
