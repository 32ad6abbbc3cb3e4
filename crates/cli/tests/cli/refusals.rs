//! Bad input: one line on standard error, status 2, nothing printed, nothing written.

use crate::program::{directory, run, run_with};
use std::fs;

/// What is sent, and words of the answer: the place and the offence.
type Case<'a> = (&'a [u8], &'a [&'a str]);

/// A board of `squares` squares, a disc on the first, and the side.
fn board(squares: usize) -> Vec<u8> {
    format!("X{} X", "-".repeat(squares - 1)).into_bytes()
}

/// A WTHOR file of one game on a board of this width.
fn wthor(width: u8) -> Vec<u8> {
    let mut bytes = vec![20, 26, 11, 15, 1, 0, 0, 0, 0, 0, 0xea, 0x07, width, 0, 22, 0];
    bytes.extend([0; 8]);
    bytes.push(56);
    bytes.extend([0; 59]);
    bytes
}

/// Sends each case through every way in, and checks that no file appears.
fn refuse_all(name: &str, cases: &[Case<'_>]) {
    let directory = directory(name);
    let (file, output) = (directory.join("input"), directory.join("output"));
    for (bytes, words) in cases {
        fs::write(&file, bytes).unwrap();
        for to in ["board", "moves", "ggf"] {
            let converted = ["convert".as_ref(), file.as_os_str(), "--to".as_ref(), to.as_ref()];
            let to_file = ["-o".as_ref(), output.as_os_str()];
            run(converted).refused(words);
            run(converted.into_iter().chain(to_file)).refused(words);
            assert!(!output.exists());
        }
        run(["show".as_ref(), file.as_os_str()]).refused(words);
        run_with(["show", "--json", "-"], bytes).refused(words);
        run(["perft".as_ref(), "2".as_ref(), "--position".as_ref(), file.as_os_str()])
            .refused(words);
        run(["solve".as_ref(), "--file".as_ref(), file.as_os_str()]).refused(words);
        run(["play".as_ref(), "--position".as_ref(), file.as_os_str()]).refused(words);
        fs::remove_file(&file).unwrap();
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0, "no temporary file stays");
    }
}

#[test]
fn boards_that_are_none() {
    refuse_all(
        "boards",
        &[
            (&board(63), &["63 squares"]),
            (&board(65), &["65 squares"]),
            (b"X--O--Q--------- X", &["line 1, column 7", "\"Q\""]),
            (&board(49), &["49 squares", "odd"]),
            (&board(18 * 18), &["324 squares", "large"]),
            (b"XO--------------", &["no side to move"]),
            (b"---------------- X", &["no discs"]),
            (b"XO-------------- X\nXO-------------- Q\n", &["line 2, column 18", "\"Q\""]),
        ],
    );
}

#[test]
fn moves_that_are_none() {
    refuse_all(
        "moves",
        &[
            (b"f5a1", &["line 1, column 3", "a1 is illegal: white turns no disc there"]),
            (b"f5d6f5", &["line 1, column 5", "f5 is occupied"]),
            (b"f5pa", &["line 1, column 3", "white may not pass"]),
            (b"XO-------------- X c1d1", &["d1 comes after the end of the game"]),
            (b"f5d6z9", &["line 1, column 5", "z9"]),
            (b"f5d6c9", &["c9 is off the 8x8 board"]),
            (b"f5d6\nf5d6c3\nf5x", &["line 3, column 3"]),
        ],
    );
}

#[test]
fn records_that_are_broken() {
    refuse_all(
        "records",
        &[
            (b"(;GM[Othello]TY[8a]B[F5;)", &["]"]),
            (b"(;GM[Othello]TY[8a]B[F5]", &[";)"]),
            (b"(;GM[Othello]TY[8a]B[F5]B[D6];)", &["line 1"]),
            (b"(;GM[Othello]TY[7a]B[F5];)", &["7"]),
            (b"(;GM[2]SZ[8];B[a1])", &["a1"]),
            (&wthor(8)[..40], &["byte"]),
            (&wthor(8)[..10], &["byte"]),
            (&wthor(10), &["byte 12", "10"]),
            (&wthor(7), &["byte 12", "7"]),
        ],
    );
}

#[test]
fn bytes_that_are_no_text() {
    refuse_all(
        "bytes",
        &[
            (b"", &["nothing to read"]),
            (b" \n\t\n", &["nothing to read"]),
            (b"f5\xff\xfe", &["line 1, column 3", "UTF-8"]),
            (b"\xc3\x28", &["UTF-8"]),
        ],
    );
    run(["show", ""]).refused(&["the given text", "nothing to read"]);
}

#[test]
fn a_line_of_100_megabytes_is_read_no_further_than_the_bound() {
    let line = vec![b'-'; 100_000_000];
    run_with(["show", "-"], &line).refused(&["standard input: longer than 64 MiB"]);
    run_with(["convert", "-", "--to", "board"], &line).refused(&["standard input: longer"]);
    run_with(["perft", "3", "--position", "-"], &line).refused(&["standard input: longer"]);
    // Within the bound the line is refused for its own length.
    run_with(["show", "-"], &line[..10_000_000]).refused(&["standard input", "line"]);
}

#[test]
fn files_that_are_not_there() {
    for name in ["nowhere.ggf", "no/such/file", "./f5d6"] {
        run(["show", name]).refused(&[name, "no such file"]);
        run(["convert", name, "--to", "sgf"]).refused(&[name, "no such file"]);
        run(["perft", "2", "--position", name]).refused(&[name, "no such file"]);
        run(["solve", "--position", name]).refused(&[name, "no such file"]);
        run(["play", "--position", name]).refused(&[name, "no such file"]);
    }
    let directory = directory("a_directory");
    run(["show".as_ref(), directory.as_os_str()]).refused(&["a directory"]);
}

#[test]
#[cfg(unix)]
fn arguments_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let bad = OsStr::from_bytes(b"f5\xff");
    for args in [
        vec![OsStr::new("show"), bad],
        vec![OsStr::new("convert"), bad, OsStr::new("--to"), OsStr::new("ggf")],
        vec![OsStr::new("perft"), OsStr::new("2"), OsStr::new("--position"), bad],
        vec![OsStr::new("play"), OsStr::new("--position"), bad],
        vec![OsStr::new("play"), OsStr::new("--against"), bad],
        vec![OsStr::new("show"), OsStr::new("--size"), bad],
        vec![bad],
    ] {
        run(args).refused(&["UTF-8"]);
    }
}

#[test]
fn what_was_sent_is_shown_back_short_and_harmless() {
    let answer = run(["show", "no\u{202e}\u{2028}\u{1b}[2J/where"]);
    answer.refused(&["no\\u{202e}\\u{2028}\\u{1b}[2J/where: no such file"]);
    let long = format!("begin{}end.txt", "x".repeat(100_000));
    let answer = run(["show", &long]);
    answer.refused(&["isrever: beginx", "…", "xend.txt: no such file"]);
    assert!(answer.err.len() < 400, "{}", answer.err);
}

#[test]
fn arguments_that_make_no_sense() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["play", "--against", "nobody"], &["--against", "\"nobody\"", "random, greedy,"]),
        (&["play", "--against", "gredy"], &["--against", "\"gredy\"", "did you mean greedy?"]),
        (&["play", "--against", "greedy:by=luck"], &["--against", "by=luck", "discs, mobility,"]),
        (&["play", "--against", "depth3:luck=1"], &["--against", "\"luck\"", "depth, ending,"]),
        (&["play", "--color", "green"], &["--color green", "black or white"]),
        (&["play", "--seed", "x"], &["--seed x", "a whole number"]),
        (&["play", "--seed", "-1"], &["--seed -1", "a whole number from 0 up"]),
        (&["play", "--position", "-"], &["--position -"]),
        (&["show", "--size", "7"], &["--size 7", "no board is 7 squares wide"]),
        (&["play", "--size", "18"], &["--size 18", "18"]),
        (&["perft", "3", "--size", "big"], &["--size big", "4, 6, 8"]),
        (&["show", "--rule", "anti"], &["--rule anti", "reversed or normal"]),
        (&["show", "f5", "--from", "pgn"], &["--from pgn", "board, moves"]),
        (&["show", "f5", "--at", "2"], &["the given text", "1 move;", "--at 0 or 1"]),
        (&["show", "f5d6", "--at", "3"], &["the given text", "2 moves;", "--at 0 to 2"]),
        (&["show", "--at", "999"], &["the start position", "no moves;", "--at 0"]),
        (&["show", "f5", "--at", "-1"], &["--at -1: negative", "from 0 up"]),
        (&["show", "--from", "ggf"], &["expected TEXT|FILE|-, as isrever "]),
        (
            &["show", "--size", "6", "XO-------------- X"],
            &["the board is 4x4, but --size 6 was asked for; expected --size 4, or none"],
        ),
        (
            &["show", "--rule", "reversed", "(;GM[Othello]TY[8]B[F5];)"],
            &["the game's rule is normal, but --rule reversed was asked for", "--rule normal, or"],
        ),
        (&["show", "-O---OX--XO----Q"], &["the given text", "column 16", "\"Q\""]),
        (
            &["convert", "f5", "--to", "ggf", "--to", "sgf"],
            &["isrever: --to: given more than once"],
        ),
        (&["show", "f5", "--svg", "--json"], &["--svg and --json"]),
        (&["convert", "f5", "--to", "pgn"], &["--to pgn", "board, moves"]),
        (&["convert", "f5"], &["expected --to, as isrever convert --help says\n"]),
        (&["convert"], &["expected --to and TEXT|FILE|-, as isrever "]),
        (&["convert", "--to", "ggf"], &["TEXT|FILE|-"]),
        (&["convert", "f5", "--to", "ggf", "--passes"], &["--passes", "--to moves"]),
        (&["convert", "XO-------------- X", "--to", "wthor"], &["8x8"]),
        (&["convert", "d5", "--size", "10", "--to", "hex"], &[]),
        (&["perft"], &["N"]),
        (&["perft", "0"], &["0", "1 to 64"]),
        (&["perft", "65"], &["65", "1 to 64"]),
        (&["perft", "-1"], &["-1", "1 to 64"]),
        (&["perft", "2", "--threads", "-1"], &["--threads -1", "1 to 1024"]),
        (&["perft", "many"], &["many", "a whole number"]),
        (&["perft", "2", "--threads", "0"], &["--threads 0", "1 to 1024"]),
        (&["perft", "2", "--passes", "maybe"], &["--passes maybe", "ply or free"]),
        (&["perft", "2", "--isa", "sse9"], &["--isa sse9", "scalar, avx2 or avx512"]),
        (&["perft", "2", "--isa", "avx2", "--size", "10"], &["--isa avx2"]),
        (&["perft", "2", "--position", "f5\nd3"], &["2 positions or games", "expected one"]),
        (&["dance"], &["\"dance\""]),
        (&["show", "--loudly", "f5"], &["--loudly"]),
        (&["show", "f5", "--loudly"], &["--loudly"]),
        (&["show", "--loudly"], &["arguments: --loudly is not known here"]),
        (&["show", "--seed", "3", "f5"], &["--seed"]),
        (&["show", "f5", "d6"], &["d6"]),
        (&["show", "--at"], &["--at"]),
        (&["agents", "--json", "--json"], &["--json"]),
    ];
    for (args, words) in cases {
        run(*args).refused(words);
    }
}

#[test]
fn a_slip_is_answered_with_what_was_meant_and_with_the_help_of_its_command() {
    let cases: [(&[&str], &[&str]); 10] = [
        (&["sovle"], &["\"sovle\" (did you mean solve?)", "one that isrever --help lists"]),
        (&["arena", "rum"], &["(did you mean run?)", "one that isrever arena --help lists"]),
        (&["show", "f5", "--stpe"], &["--stpe is not known here (did you mean --step?)"]),
        (&["show", "--loudly"], &["known here; expected what isrever show --help lists"]),
        (
            &["arena", "run", "--playres", "random"],
            &["--playres is not known here (did you mean --players?)", "isrever arena run --help"],
        ),
        (&["move", "--rule", "revesed"], &["not a rule (did you mean reversed?); expected"]),
        (&["convert", "f5", "--to", "gff"], &["not a format (did you mean ggf?); expected"]),
        (&["serve", "--log", "debg"], &["\"debg\" is not known (did you mean debug?)"]),
        (
            &["play", "--against", "engine:lvel=3"],
            &["engine has no key \"lvel\" (did you mean level?)"],
        ),
        (
            &["play", "--against", "greedy:by=mobilty"],
            &["greedy was given by=mobilty (did you mean mobility?)"],
        ),
    ];
    for (args, words) in cases {
        run(args).refused(words);
    }
    run(["move", "--nodes", "0"])
        .refused(&["--nodes 0: out of range; expected a number from 1 up"]);
}
