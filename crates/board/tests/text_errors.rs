//! Input that the readers refuse, each with the exact message: the place, the offence, and what was
//! expected.

use isrever_board::text::{Defaults, Format, MAX_GAME_BYTES, MAX_LINE_BYTES, read, records, write};

/// An 8×8 start without its side.
const START: &str = "---------------------------OX------XO---------------------------";

fn message(bytes: &[u8], format: Option<Format>) -> String {
    match read(bytes, format, Defaults::default()) {
        Ok(records) => format!("read {} records", records.len()),
        Err(error) => error.to_string(),
    }
}

/// Every text is refused with its message, the format being told from the text.
fn refused(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let text = text.replace("START", START);
        assert_eq!(message(text.as_bytes(), None), *expected, "{text:?}");
        assert!(!expected.contains('\n') && !expected.ends_with('.'));
    }
}

#[test]
fn nothing_to_read() {
    let expected = "nothing to read; expected a position or a game";
    for text in ["", " \n\t\r\n", "% only a comment\n", "\u{feff}"] {
        assert_eq!(message(text.as_bytes(), None), expected, "{text:?}");
        assert_eq!(message(text.as_bytes(), Some(Format::Obf)), expected, "{text:?}");
    }
    assert_eq!(message(b"", Some(Format::Wthor)), expected);
}

#[test]
fn boards() {
    const SQUARES: &str = "expected 16, 36, 64, 100, 144, 196 or 256";
    let count = |count: usize, found: &str| {
        let text = format!("{} X", "O".repeat(count));
        let expected = format!("line 1, column 1: {found}; {SQUARES}");
        assert_eq!(message(text.as_bytes(), None), expected);
        assert_eq!(message(text.replace(' ', "").as_bytes(), Some(Format::Board)), expected);
    };
    count(25, "25 squares make an odd board");
    count(49, "49 squares make an odd board");
    count(81, "81 squares make an odd board");
    count(324, "324 squares make too large a board");
    let short = format!("line 1, column 1: 63 squares; {SQUARES}");
    assert_eq!(message(&START.as_bytes()[1..], None), short);
    assert_eq!(message(format!("{} X", &START[1..]).as_bytes(), None), short);
    let empty = format!("{} X", "-".repeat(64));
    let expected = "line 1, column 1: no discs on the board; expected at least one";
    assert_eq!(message(empty.as_bytes(), None), expected);
    refused(&[
        ("START", "line 1, column 65: no side to move; expected X or O after the squares"),
        ("START-", "line 1, column 66: no side to move; expected X or O after the squares"),
        ("START Z", "line 1, column 66: unknown side \"Z\"; expected X or O"),
        ("START -", "line 1, column 66: unknown side \"-\"; expected X or O"),
        ("START X\n??START X", "line 2, column 1: unknown square \"?\"; expected X, O or -"),
        ("\n---é------------ X", "line 2, column 4: unknown square \"é\"; expected X, O or -"),
        ("----\n-OX-\n-XO\n----\nX", "line 3, column 1: row 3 has 3 squares; expected 4"),
        ("----\n-OX-\n", "line 2, column 5: the grid has 2 of 4 rows; expected another row"),
        (
            "----\n-OX-\n-XO-\n----\n",
            "line 4, column 5: no side to move; expected X or O after the squares",
        ),
        (
            "-----\n--X--\n--O--\n-----\n-----\nX",
            "line 1, column 1: no board is 5 squares wide; expected 4, 6, 8, 10, 12, 14 or 16",
        ),
    ]);
}

#[test]
fn moves() {
    refused(&[
        ("hello", "line 1, column 1: unknown move \"hello\"; expected a square such as f5"),
        ("f5d6x4", "line 1, column 5: unknown move \"x4\"; expected a square such as f5"),
        (
            "f5\u{1b}[2J\u{7}\u{202e}a very long line of noise",
            "line 1, column 3: unknown move \"\\u{1b}[2J\\u{7}\\u{202e}a very long li…\"; \
             expected a square such as f5",
        ),
        (
            "f5a1",
            "line 1, column 3: a1 is illegal: white turns no disc there; expected f4, d6 or f6",
        ),
        ("f5d6\n1. f5 2. f5", "line 2, column 10: f5 is occupied; expected f4, d6 or f6"),
        (
            "f5 d6 pass",
            "line 1, column 7: black may not pass, having a move; \
             expected c3, c4, c5, c6 or c7",
        ),
        ("f5d6i9", "line 1, column 5: i9 is off the 8x8 board; expected c3, c4, c5, c6 or c7"),
        (
            "XO-------------- O c1 d1",
            "line 1, column 23: d1 comes after the end of the game; expected no more moves",
        ),
        ("START f5", "line 1, column 65: no side to move; expected X or O after the squares"),
    ]);
}

#[test]
fn obf() {
    refused(&[
        (
            "START X; A1:+3;",
            "line 1, column 69: a1 is illegal: black turns no disc there; \
             expected d3, c4, f5 or e6",
        ),
        ("START X; D4:+3;", "line 1, column 69: d4 is occupied; expected d3, c4, f5 or e6"),
        (
            "START X; PA:0;",
            "line 1, column 69: black may not pass, having a move; expected d3, c4, f5 or e6",
        ),
        ("START X; F5:+3", "line 1, column 74: \"F5:+3\" is not ended; expected ;"),
        (
            "START X; F5:+65;",
            "line 1, column 72: unknown score \"+65\"; expected a number from -64 to +64",
        ),
        ("START X; ;", "line 1, column 69: unknown score \"\"; expected a number from -64 to +64"),
        ("START X; Z5:1;", "line 1, column 69: unknown move \"Z5\"; expected a square such as f5"),
        ("START; F5:1;", "line 1, column 65: no side to move; expected X or O after the squares"),
    ]);
}

#[test]
fn hex() {
    refused(&[
        ("0000000810000000 0000001818000000 X", "line 1, column 18: two discs on e4; expected one"),
        (
            "0000000810000000 0000001008000000 Y",
            "line 1, column 35: unknown side \"Y\"; expected X or O",
        ),
        (
            "0000000810000000 0000001008000000 X 4",
            "line 1, column 1: a disc on e4; expected none outside the 4x4 board",
        ),
        (
            "0000000810000000 0000001008000000 X 10",
            "line 1, column 37: unknown width \"10\"; expected 4, 6 or 8",
        ),
        (
            "0000000810000000 0000001008000000 X 8 f5",
            "line 1, column 39: \"f5\" follows; expected the end",
        ),
        ("0x0 0x0 X", "line 1, column 1: no discs on the board; expected at least one"),
    ]);
    for (text, found) in [
        ("1 1g", "line 1, column 3: unknown bitboard \"1g\""),
        ("1", "line 1, column 2: no second bitboard"),
        ("+1 1", "line 1, column 1: unknown bitboard \"+1\""),
        ("0x 1", "line 1, column 1: unknown bitboard \"0x\""),
        ("12345678123456781 1", "line 1, column 1: unknown bitboard \"12345678123456781\""),
    ] {
        let expected = format!("{found}; expected 1 to 16 hexadecimal digits");
        assert_eq!(message(text.as_bytes(), Some(Format::Hex)), expected);
    }
}

#[test]
fn ggf() {
    let widths = "expected 4, 6, 8, 10, 12, 14 or 16";
    for (width, found) in [
        ("7", "no board is 7 squares wide"),
        ("18a", "no board is 18 squares wide"),
        ("a", "not a size"),
        ("99999999999999999999", "not a size"),
    ] {
        let text = format!("(;GM[Othello]TY[{width}]B[F5];)");
        let expected = format!("line 1, column 17: TY: {found}; {widths}");
        assert_eq!(message(text.as_bytes(), None), expected);
    }
    refused(&[
        (
            "(;GM[Othello]TY[88];)",
            "line 1, column 17: TY: 88 is the octagon; expected a square board",
        ),
        (
            "(;GM[Othello]TY[8z];)",
            "line 1, column 17: unknown TY \"8z\"; expected a width and letters of s, k, a, r, b and w",
        ),
        ("(;GM[Othello]TY[8]TY[8];)", "line 1, column 19: a second TY; expected one"),
        ("(;GM[Othello]TY[8][6];)", "line 1, column 14: TY has 2 values; expected one"),
        (
            "(;GM[Othello]TY[8]\nBO[8 ---X *];)",
            "line 2, column 6: 4 squares make too small a board; \
             expected 16, 36, 64, 100, 144, 196 or 256",
        ),
        (
            "(;GM[Othello]BO[START *];)",
            "line 1, column 14: unknown BO \"--------------------…\"; \
             expected the width, the squares and the side",
        ),
        ("(;GM[Othello]TY[6]BO[8 START *];)", "line 1, column 19: the board is 8x8; expected 6x6"),
        ("(;GM[Othello]BO[6 START *];)", "line 1, column 14: the board is 8x8; expected 6x6"),
        (
            "(;GM[Othello]W[F5];)",
            "line 1, column 16: f5 is said to be white's; expected a move of black",
        ),
        (
            "(;GM[Othello]B[F5]W[PA];)",
            "line 1, column 21: white may not pass, having a move; expected f4, d6 or f6",
        ),
        ("(;GM[Othello]B[F5]W[D5];)", "line 1, column 21: d5 is occupied; expected f4, d6 or f6"),
        (
            "(;GM[Othello]BO[4 XO-------------- *]B[C1]W[PA];)",
            "line 1, column 45: pass comes after the end of the game; expected no more moves",
        ),
        ("(;GM[Othello]B[];)", "line 1, column 16: no move; expected a square such as f5"),
        (
            "(;GM[Othello]B[F5/nan];)",
            "line 1, column 19: unknown number \"nan\"; expected one such as 1.5",
        ),
        (
            "(;GM[Othello]B[F5/1/inf];)",
            "line 1, column 21: unknown number \"inf\"; expected one such as 1.5",
        ),
        (
            "(;GM[Othello]B[F5/1e999];)",
            "line 1, column 19: unknown number \"1e999\"; expected one such as 1.5",
        ),
        (
            "(;GM[Othello]B[F5/1/2/3];)",
            "line 1, column 21: unknown number \"2/3\"; expected one such as 1.5",
        ),
        (
            "(;GM[Othello]B[F5/1/-2];)",
            "line 1, column 21: a time of \"-2\"; expected no less than 0",
        ),
        ("(;GM[Othello]B[F5]W[D6", "line 1, column 20: no ] closes the value of \"W\"; expected ]"),
        ("(;GM[Othello]B[F5]W[D6]", "line 1, column 24: the game is not closed; expected ;)"),
        ("(;GM[Othello]B[F5]W D6];)", "line 1, column 21: no [ behind \"W\"; expected KEY[value]"),
        (
            "(;GM[Othello]B[F5]\n(;GM[Othello];)",
            "line 2, column 1: a ( inside a game; expected ;) before it",
        ),
        (
            "(;GM[Othello]B[F5];) junk",
            "line 1, column 22: unknown \"junk\"; expected (; and a game",
        ),
    ]);
    for game in ["(;GM[Chess]TY[8a];)", "(;PB[ann]GM[Chess];)"] {
        let column = game.find("GM").unwrap() + 1;
        let expected = format!("line 1, column {column}: unknown GM \"Chess\"; expected Othello");
        assert_eq!(message(game.as_bytes(), None), expected);
    }
}

#[test]
fn sgf() {
    refused(&[
        (
            "(;GM[2]SZ[9])",
            "line 1, column 11: SZ: no board is 9 squares wide; \
             expected 4, 6, 8, 10, 12, 14 or 16",
        ),
        (
            "(;GM[2]SZ[18])",
            "line 1, column 11: SZ: no board is 18 squares wide; \
             expected 4, 6, 8, 10, 12, 14 or 16",
        ),
        (
            "(;GM[2]SZ[8:8])",
            "line 1, column 11: SZ: not a size; expected 4, 6, 8, 10, 12, 14 or 16",
        ),
        ("(;GM[1])", "line 1, column 3: unknown GM \"1\"; expected 2, which is Othello"),
        ("(;GM[2];W[f5])", "line 1, column 11: f5 is said to be white's; expected a move of black"),
        ("(;GM[2];B[])", "line 1, column 11: no move; expected a square such as f5"),
        ("(;GM[2];B[tt])", "line 1, column 11: unknown move \"tt\"; expected a square such as f5"),
        ("(;GM[2];B[f5];W[fe])", "line 1, column 17: f5 is occupied; expected f4, d6 or f6"),
        (
            "(;GM[2];B[f5];W[pass])",
            "line 1, column 17: white may not pass, having a move; expected f4, d6 or f6",
        ),
        (
            "(;GM[2]SZ[4]AB[a1]AW[b1];B[c1];W[d1])",
            "line 1, column 34: d1 comes after the end of the game; expected no more moves",
        ),
        (
            "(;GM[2];B[f5]V[nan])",
            "line 1, column 16: unknown number \"nan\"; expected one such as 1.5",
        ),
        ("(;GM[2];B[f5]TS[-1])", "line 1, column 17: a time of \"-1\"; expected no less than 0"),
        (
            "(;GM[2]AB[a1]AW[aa])",
            "line 1, column 14: AW has \"aa\" again; expected each square once",
        ),
        ("(;GM[2]AB[a9])", "line 1, column 8: AB has \"a9\"; expected a square of the 8x8 board"),
        ("(;GM[2]PL[?])", "line 1, column 8: unknown PL \"?\"; expected B or W"),
        ("(;GM[2]AE[d4])", "line 1, column 8: AE clears squares; expected only AB and AW"),
        ("(;GM[2];B[f5];AB[a1])", "line 1, column 15: AB after a move; expected it before"),
        ("(;GM[2];B[f5]", "line 1, column 14: the game is not closed; expected )"),
        ("(;GM[2];B[f5;W[d6]", "line 1, column 19: the game is not closed; expected )"),
        ("(;GM[2];B f5])", "line 1, column 11: no [ behind \"B\"; expected KEY[value]"),
        ("(;GM[2](;B[f5", "line 1, column 11: no ] closes the value of \"B\"; expected ]"),
        ("(;GM[2]))", "line 1, column 9: unknown \")\"; expected (; and a game"),
    ]);
    let deep = "(".repeat(100_000);
    let expected = "line 1, column 100001: the game is not closed; expected )";
    assert_eq!(message(deep.as_bytes(), None), expected);
}

#[test]
fn wthor() {
    let mut file = vec![20, 26, 11, 15, 2, 0, 0, 0, 0, 0, 234, 7, 8, 0, 0, b'a'];
    file.resize(16 + 2 * 68, 0);
    let with = |changes: &[(usize, u8)]| {
        let mut file = file.clone();
        for &(at, byte) in changes {
            file[at] = byte;
        }
        message(&file, None)
    };
    let second = 16 + 68 + 8;
    assert_eq!(with(&[]), "read 2 records");
    assert_eq!(with(&[(4, 3)]), "byte 4: the file has 152 bytes; expected 220 for its 3 games");
    assert_eq!(with(&[(12, 10)]), "byte 12: a board 10 wide; expected 8, or 0 for the same");
    assert_eq!(
        with(&[(second, 99)]),
        "game 2, move 1: unknown move 99; expected 11 to 88, or 0 for none"
    );
    assert_eq!(
        with(&[(second, 11)]),
        "game 2, move 1: a1 is illegal: black turns no disc there; expected d3, c4, f5 or e6"
    );
    assert_eq!(
        with(&[(second, 56), (second + 1, 56)]),
        "game 2, move 2: f5 is occupied; expected f4, d6 or f6"
    );
    assert_eq!(
        with(&[(second + 1, 56)]),
        "game 2, move 2: f5 comes after a 0; expected 0 to the end"
    );
    assert_eq!(
        message(&file[..100], None),
        "byte 4: the file has 100 bytes, not 152 for its 2 games; \
         expected a .wtb file, or text without NUL bytes"
    );
    assert_eq!(
        message(&file[..10], None),
        "byte 10: the file ends before its header of 16 bytes does; \
         expected a .wtb file, or text without NUL bytes"
    );
    assert_eq!(message(&[0; 16], None), "byte 4: no games; expected at least one");
}

#[test]
fn bytes_that_are_no_text() {
    for format in [None, Some(Format::Sgf), Some(Format::Hex)] {
        let expected = "line 2, column 3: byte 0xff is not UTF-8; expected plain text";
        assert_eq!(message(b"f5d6\nf\xc3\xa9\xff", format), expected);
    }
    let nul = "line 1, column 5: byte 0x00 is NUL; expected plain text";
    assert_eq!(message(b"f5d6\0", Some(Format::Moves)), nul);
    let short = "byte 5: the file ends before its header of 16 bytes does; \
                 expected a .wtb file, or text without NUL bytes";
    assert_eq!(message(b"f5d6\0", None), short, "a NUL this early is taken for WTHOR's");
    let utf16: Vec<u8> = "\u{feff}f5d6c3d3c4".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = "byte 4: the file has 22 bytes, not 445648420 for its 6553653 games; \
                expected a .wtb file, or text without NUL bytes";
    assert_eq!(message(&utf16, None), wide);
    let cut = "line 1, column 3: byte 0xc3 is not UTF-8; expected plain text";
    assert_eq!(message(b"f5\xc3", None), cut);
}

#[test]
fn lines_that_are_too_long() {
    let line = "f5 ".repeat(MAX_LINE_BYTES);
    for (text, format) in [
        (format!("f5d6\n{line}"), Format::Moves),
        (format!("(;GM[Othello]\nC[{line}];)"), Format::Ggf),
        (format!("(;GM[2]\nC[{line}])"), Format::Sgf),
    ] {
        let bytes = text.lines().nth(1).unwrap().len();
        let expected =
            format!("line 2, column 1: the line has {bytes} bytes; expected at most 1048576");
        assert_eq!(message(text.as_bytes(), None), expected);
        assert_eq!(message(text.as_bytes(), Some(format)), expected);
    }
}

#[test]
fn games_that_are_too_long() {
    let expected = "line 2, column 3: the game is too long; expected at most 1048576 bytes";
    for (open, piece, close) in [
        ("(;GM[Othello]", "A[]\n", ";)"),
        ("(;GM[Othello]", "[]\n", ";)"),
        ("(;GM[Othello]C", "[\\]]\n", ";)"),
        ("(;GM[2]", ";A[]\n", ")"),
        ("(;GM[2]", "[]\n", ")"),
        ("(;GM[2](((;C[", "x\n", "])))"),
        ("(;GM[2]", ";;(\n", ""),
    ] {
        let game = |pieces| format!("{open}{}{close}", piece.repeat(pieces));
        let text = format!("\n1 {}", game(MAX_GAME_BYTES / piece.len()));
        assert_eq!(message(text.as_bytes(), None), expected, "{open}{piece}");
    }
}

#[test]
fn a_game_may_be_just_long_enough() {
    for (open, close, format) in
        [("(;GM[Othello]\nC[", "]\n;)", Format::Ggf), ("(;GM[2]\nC[", "]\n)", Format::Sgf)]
    {
        let filled = |length: usize| {
            let around = open.len() + close.len();
            let filling: String = "x\n".chars().cycle().take(length - around).collect();
            format!("{open}{filling}{close}")
        };
        let (fits, over) = (filled(MAX_GAME_BYTES), filled(MAX_GAME_BYTES + 1));
        assert_eq!((fits.len(), over.len()), (MAX_GAME_BYTES, MAX_GAME_BYTES + 1));
        assert_eq!(message(format!("{fits}\n{fits}").as_bytes(), None), "read 2 records");
        let expected = "line 1, column 1: the game is too long; expected at most 1048576 bytes";
        assert_eq!(message(over.as_bytes(), None), expected);

        // The longest that the writer writes can be read, and there is nothing between.
        let mut record = read(fits.as_bytes(), None, Defaults::default()).unwrap().remove(0);
        let error = write(std::slice::from_ref(&record), format).unwrap_err().to_string();
        assert_eq!(error, "record 1: the game is too long; expected at most 1048576 bytes");
        while let Err(error) = write(std::slice::from_ref(&record), format) {
            assert!(error.to_string().contains("too long"));
            assert!(record.tags[0].1.pop().is_some());
        }
        let written = write(std::slice::from_ref(&record), format).unwrap();
        assert_eq!(written.len(), MAX_GAME_BYTES + 1, "with the newline behind it");
        assert_eq!(read(&written, None, Defaults::default()), Ok(vec![record]));
    }
}

#[test]
fn variations_may_be_of_any_length() {
    let variations = "(;W[f6];A[]\n[][])".repeat(MAX_GAME_BYTES / 8);
    let text = format!("(;GM[2];B[f5](;W[d6]){variations})(;GM[2];B[d3])");
    let mut games = records(text.as_bytes(), None, Defaults::default()).unwrap();
    assert_eq!(games.next().unwrap().unwrap().game.ply(), 2);
    assert_eq!(games.next().unwrap().unwrap().game.ply(), 1);
    assert!(games.next().is_none());
}
