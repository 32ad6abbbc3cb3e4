//! No input makes a reader panic, and whatever a reader accepts survives a round trip.

use isrever_board::text::{Defaults, Format, Record, detect, read, write};
use isrever_board::{Game, Rule, Size};
use proptest::prelude::*;

/// The invariant of every reader, which the fuzz targets in `fuzz/` check as well.
fn holds(bytes: &[u8], format: Format) {
    let defaults = Defaults::default();
    detect(bytes, defaults);
    match read(bytes, Some(format), defaults) {
        Err(error) => {
            let line = error.to_string();
            assert!(!line.chars().any(char::is_control), "{line:?}");
            assert!(line.len() < 2000, "{line:?}");
        }
        Ok(records) => {
            let written = write(&records, format).unwrap();
            assert!(read(&written, Some(format), defaults).as_ref() == Ok(&records), "{format}");
            assert!(read(&written, None, defaults).as_ref() == Ok(&records), "{format} told");
            assert!(write(&records, format).as_ref() == Ok(&written), "{format} again");
            match format {
                Format::Ggf => converts(&records, Format::Sgf),
                Format::Sgf => converts(&records, Format::Ggf),
                _ => {}
            }
        }
    }
}

/// GGF and SGF can hold the same games, except for the wording of some tags.
fn converts(records: &[Record], format: Format) {
    let defaults = Defaults::default();
    let written = write(records, format).unwrap();
    let back = read(&written, None, defaults).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&written));
    });
    assert_eq!(back.len(), records.len());
    for (back, record) in back.iter().zip(records) {
        assert!(back.game == record.game, "{format}");
        assert_eq!(back.tag("PB"), record.tag("PB"));
    }
    assert!(write(&back, format).as_ref() == Ok(&written), "{format} converted");
}

/// Pieces of a format's texts, and a few that do not belong.
fn alphabet(format: Format) -> &'static [&'static str] {
    match format {
        Format::Board => &["X", "O", "-", "--------", "XO", ".", "*", "w", " ", "\n", "%", "?"],
        Format::Moves => &[
            "f5",
            "D6",
            "c3",
            "pa",
            "--",
            "pass",
            " ",
            ",",
            "1. ",
            "\n",
            "#",
            "a10",
            "é",
            "-----OX--XO-----X ",
        ],
        Format::Obf => {
            &["-----OX--XO----- X", ";", " ", "B1:", "+3", "-16", "PA:", "\n", "%", "OX"]
        }
        Format::Ggf => &[
            "(;",
            ";)",
            "GM[Othello]",
            "TY[",
            "8",
            "a",
            "r4",
            "s",
            "]",
            "BO[4 -----O*--*O----- *]",
            "B[B1]",
            "W[A1]",
            "W[PA]",
            "B[F5/1.5/2]",
            "RE[",
            "+3:r",
            "B+T",
            "PB[x\\]",
            "RU[",
            "RU[x]",
            "RU[anti][y]",
            "PB[a]",
            "\\",
            "\n",
            "1 ",
            "[",
        ],
        Format::Sgf => &[
            "(",
            ";",
            ")",
            "GM[2]",
            "SZ[4]",
            "RU[",
            "anti",
            "]",
            "AB[a1][bb]",
            "AW[b1]",
            "PL[W]",
            "B[b1]",
            "W[aa]",
            "W[PA]",
            "B[",
            "V[1.5]",
            "TS[2]",
            "RE[W+R]",
            "C[",
            "C[x]",
            "PB[a]",
            "\\",
            "\n",
            "[x]",
        ],
        Format::Wthor => &["\0", "\u{8}", "a", "8", "A", "@", "\u{1}"],
        Format::Hex => {
            &["0", "1", "f", "8000000000000000", "0x", " ", "X", "O", "6", "4", "\n", "g"]
        }
    }
}

/// A valid file of each format.
fn sample(format: Format, moves: usize) -> Vec<u8> {
    let mut game =
        Game::new(Rule::Reversed, if moves.is_multiple_of(3) { Size::FOUR } else { Size::EIGHT });
    if format == Format::Wthor {
        game = Game::new(Rule::Reversed, Size::EIGHT);
    }
    for step in 0..moves {
        let legal = game.position().moves();
        if legal.is_empty() {
            break;
        }
        game.place(legal[step % legal.len()]).unwrap();
    }
    let mut record = Record::from(game);
    record.tags.push(("PB".to_owned(), "a]\\b".to_owned()));
    record.scores.push((None, 3));
    write(&[record.clone(), record], format).unwrap()
}

/// A careless edit of a file.
#[derive(Clone, Debug)]
enum Slip {
    Change(usize, u8),
    Insert(usize, u8),
    Delete(usize),
    Cut(usize),
}

fn slip() -> impl Strategy<Value = Slip> {
    let byte =
        || prop_oneof![any::<u8>(), proptest::sample::select(b"XO-;[]()\\/\n 158aA".to_vec())];
    prop_oneof![
        (any::<usize>(), byte()).prop_map(|(at, byte)| Slip::Change(at, byte)),
        (any::<usize>(), byte()).prop_map(|(at, byte)| Slip::Insert(at, byte)),
        any::<usize>().prop_map(Slip::Delete),
        any::<usize>().prop_map(Slip::Cut),
    ]
}

fn slipped(mut bytes: Vec<u8>, slips: &[Slip]) -> Vec<u8> {
    for slip in slips {
        let place = |at: usize| at % bytes.len().max(1);
        match *slip {
            _ if bytes.is_empty() => {}
            Slip::Change(at, byte) => {
                let at = place(at);
                bytes[at] = byte;
            }
            Slip::Insert(at, byte) => bytes.insert(place(at), byte),
            Slip::Delete(at) => {
                bytes.remove(place(at));
            }
            Slip::Cut(at) => bytes.truncate(place(at)),
        }
    }
    bytes
}

fn format() -> impl Strategy<Value = Format> {
    proptest::sample::select(Format::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200), format in format()) {
        holds(&bytes, format);
        holds(&bytes, detect(&bytes, Defaults::default()));
    }

    #[test]
    fn any_pieces(format in format(), pieces in proptest::collection::vec(any::<usize>(), 0..40)) {
        let alphabet = alphabet(format);
        let text: String = pieces.iter().map(|piece| alphabet[piece % alphabet.len()]).collect();
        for format in Format::ALL {
            holds(text.as_bytes(), format);
        }
    }

    #[test]
    fn any_slips(format in format(), moves in 0..70_usize, slips in proptest::collection::vec(slip(), 0..4)) {
        holds(&slipped(sample(format, moves), &slips), format);
    }
}
