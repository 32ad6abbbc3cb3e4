//! Pipes and files: what is read, what is written, and what happens when nobody reads.

use crate::program::{command, directory, run, run_with};
use std::fs;
use std::io::Read;
use std::process::Stdio;

#[test]
fn a_reader_that_goes_early_is_no_fault() {
    // A thousand games are more than a pipe holds, so that writing meets the closed end.
    let games = "f5d6c3d3c4\n".repeat(1_000);
    let directory = directory("early");
    let file = directory.join("games");
    fs::write(&file, games).unwrap();
    for args in [
        vec!["show".as_ref(), "--step".as_ref(), file.as_os_str()],
        vec!["convert".as_ref(), file.as_os_str(), "--to".as_ref(), "ggf".as_ref()],
    ] {
        let mut child =
            command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn text_comes_from_the_argument_a_file_or_standard_input() {
    let file = directory("sources").join("game.txt");
    fs::write(&file, "f5d6c3\n").unwrap();
    let from_text = run(["show", "f5d6c3"]).ok();
    assert_eq!(run(["show".as_ref(), file.as_os_str()]).ok(), from_text);
    assert_eq!(run_with(["show", "-"], b"f5d6c3").ok(), from_text);
    assert!(from_text.contains("Black ● 5, White ○ 2; the player with fewer discs wins."));
}

#[test]
fn what_is_converted_can_be_converted_back() {
    let game = "f5d6c3d3c4f4f6\n";
    for format in ["moves", "ggf", "sgf"] {
        let there = run(["convert", game, "--to", format]).ok();
        assert_eq!(run_with(["convert", "-", "--to", "moves"], there.as_bytes()).ok(), game);
    }
    let board = run(["convert", game, "--to", "board"]).ok();
    for format in ["board", "obf", "hex"] {
        let there = run(["convert", game, "--to", format]).ok();
        let back = run_with(["convert", "-", "--from", format, "--to", "board"], there.as_bytes());
        assert_eq!(back.ok(), board);
    }
    let binary = directory("back").join("games.wtb");
    let args = ["convert", game, "--rule", "normal", "--to", "wthor", "-o"];
    let args = args.iter().map(AsRef::as_ref).chain([binary.as_os_str()]);
    assert_eq!(run(args).ok(), "");
    let back = run(["convert".as_ref(), binary.as_os_str(), "--to".as_ref(), "moves".as_ref()]);
    assert_eq!(back.ok(), game);
}

#[test]
fn an_output_file_is_replaced_whole_or_left_alone() {
    let directory = directory("replaced");
    let file = directory.join("out");
    let convert = |text: &str| {
        let args = ["convert", text, "--to", "moves", "-o"];
        run(args.iter().map(AsRef::as_ref).chain([file.as_os_str()]))
    };
    assert_eq!(convert("f5d6").ok(), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), "f5d6\n");
    assert_eq!(convert("f5").ok(), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), "f5\n");
    convert("f5\nf5f5").refused(&["line 2"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "f5\n");
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
}

#[test]
fn a_file_that_cannot_be_written_is_the_machine_s_fault() {
    let file = directory("unwritable").join("no").join("out");
    let args = ["convert", "f5", "--to", "moves", "-o"];
    let answer = run(args.iter().map(AsRef::as_ref).chain([file.as_os_str()]));
    assert_eq!((answer.status, answer.out.as_str()), (Some(1), ""));
    assert_eq!(answer.err.lines().count(), 1, "{}", answer.err);
}

#[test]
fn perft_is_the_same_with_every_kernel_and_number_of_threads() {
    let leaves = |args: &[&str]| -> Vec<u64> {
        let out = run(["perft", "7", "--json"].iter().chain(args)).ok();
        let object = |line| serde_json::from_str::<serde_json::Value>(line).unwrap();
        out.lines()
            .map(object)
            .map(|row| {
                let keys: Vec<&String> = row.as_object().unwrap().keys().collect();
                assert_eq!(keys, ["depth", "leaves", "passes", "seconds", "size"]);
                row["leaves"].as_u64().unwrap()
            })
            .collect()
    };
    let expected = [4, 12, 56, 244, 1_396, 8_200, 55_092];
    assert_eq!(leaves(&[]), expected);
    assert_eq!(leaves(&["--threads", "3"]), expected);
    assert_eq!(leaves(&["--isa", "scalar"]), expected);
    assert_eq!(leaves(&["--position", "f5"])[..2], [3, 14]);
    let free = ["--size", "4", "--passes", "free"];
    assert_eq!(leaves(&free), leaves(&[&free[..], &["--threads", "2"]].concat()));
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_the_machine_s_fault() {
    for args in [vec!["--help"], vec!["--version"], vec!["show", "--help"], vec!["show"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(&args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.starts_with("isrever: standard output: ") && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn a_fault_behind_a_thousand_games_writes_none_of_them() {
    let games = "f5d6c3d3c4\n".repeat(1_000);
    for format in ["board", "moves", "ggf", "sgf", "obf", "hex"] {
        let read = run_with(["convert", "-", "--to", format], games.as_bytes()).ok();
        assert_eq!(read.lines().count(), 1_000, "{format}");
        let wrong = format!("{games}f5f5\n");
        run_with(["convert", "-", "--to", format], wrong.as_bytes()).refused(&["line 1001"]);
    }
    // What cannot be written is found in the first pass too, and its number is the game's.
    let boards = format!("f5\nf5\n{}XO X\n", "-".repeat(98));
    run_with(["convert", "-", "--to", "hex"], boards.as_bytes()).refused(&["record 3: "]);
}

#[test]
fn colours_are_for_people_only() {
    assert!(!run(["show"]).ok().contains('\x1b'));
}

#[test]
fn help_and_version_are_no_faults() {
    for args in [vec!["--help"], vec!["--version"], vec!["help", "play"]] {
        assert!(run(&args).ok().to_lowercase().contains("isrever"), "{args:?}");
    }
    for command in ["play", "show", "convert", "perft", "agents"] {
        assert!(run([command, "--help"]).ok().contains("Examples:"), "{command}");
    }
}
