//! Training in a loop: whole, in pieces, and killed on the way.

use crate::program::{command, directory, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A loop small enough for a test: the weights are bad, and it takes a second.
const SMALL: [&str; 16] = [
    "train",
    "loop",
    "--games",
    "24",
    "--chunk",
    "4",
    "--depth",
    "1",
    "--pairs",
    "12",
    "--solve-from",
    "6",
    "--generations",
    "3",
    "--seed",
    // Generation 1 is accepted, generation 2 is not: so with three seeds of the first 140.
    "114",
];

fn args(folder: &Path, more: &[&str]) -> Vec<String> {
    let dir = ["--dir", folder.to_str().unwrap()];
    SMALL.iter().chain(&dir).chain(more).map(|&arg| arg.to_owned()).collect()
}

/// Every file of a loop with its bytes, in order.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}

/// The same loop, wherever it lies.
fn assert_alike(one: &Path, other: &Path) {
    let [one, other] = [one, other].map(|folder| {
        let files = files(folder).into_iter();
        files
            .map(|(path, bytes)| (path.strip_prefix(folder).unwrap().to_owned(), bytes))
            .collect::<Vec<_>>()
    });
    let names = |files: &[(PathBuf, Vec<u8>)]| {
        files.iter().map(|(path, _)| path.display().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(&one), names(&other));
    for ((path, one), (_, other)) in one.iter().zip(&other) {
        assert!(one == other, "{} differs", path.display());
    }
}

/// The rows of the log, none if it was not begun.
fn rows(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("log.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_loop_makes_weights_and_says_what_they_are_worth() {
    let folder = directory("loop");
    let table = run(args(&folder, &["--threads", "1"])).ok();
    let rows = rows(&folder);
    assert_eq!((&rows[0]["player"], &rows[1]["player"]), (&"mobile".into(), &"engine:1".into()));
    assert_eq!(rows[0]["matches"].as_array().unwrap().len(), 0);
    let accepted = |row: &&Value| row["accepted"].as_bool().unwrap();
    for (row, number) in rows.iter().zip(0..).skip(1) {
        let first = &row["matches"][0];
        assert_eq!((&row["generation"], &first["against"]), (&number.into(), &(number - 1).into()));
        assert_eq!(accepted(&row), first["superiority"].as_f64().unwrap() >= 0.975);
        let count = |key: &str| first[key].as_u64().unwrap();
        assert_eq!(count("wins") + count("draws") + count("losses"), 24);
    }
    // It ends with the first that is not accepted, and says so.
    assert_eq!(rows.iter().map(|row| accepted(&row)).collect::<Vec<_>>(), [true, true, false]);
    assert!(table.contains("Generation 2 is not accepted: the loop ends.\n"), "{table}");
    assert!(table.ends_with("weights.bin: the weights of generation 1\n"), "{table}");
    let published = fs::read(folder.join("weights.bin")).unwrap();
    assert!(published == fs::read(folder.join("g01/weights.bin")).unwrap());
    assert!(fs::read_to_string(folder.join("plot.svg")).unwrap().contains("generation 0"));
    assert_eq!(fs::read_dir(folder.join("g00")).unwrap().count(), 6 + 2);

    // Once more: nothing is left to do, and the same is said.
    let before = files(&folder);
    assert_eq!(run(args(&folder, &[])).ok(), table);
    assert!(files(&folder) == before);

    // On other threads, and in pieces as short as can be: the same bytes.
    let pieces = directory("loop_pieces");
    let mut count = 0;
    while self::rows(&pieces).len() < rows.len() {
        let said = run(args(&pieces, &["--until", "1ms", "--threads", "2"])).ok();
        count += 1;
        assert!(count < 100, "the loop does not come to its end: {said}");
    }
    assert!(count > 6, "{count} pieces");
    assert_alike(&pieces, &folder);
}

#[test]
#[cfg(unix)]
fn a_killed_loop_goes_on_where_it_was() {
    let (whole, killed) = (directory("loop_whole"), directory("loop_killed"));
    let table = run(args(&whole, &[])).ok();
    for event in ["g00/games-0003.dat", "g00/weights.bin", "g01/games-0001.dat"] {
        let mut child = command(args(&killed, &["--threads", "1"]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while !killed.join(event).exists() {
            assert!(child.try_wait().unwrap().is_none(), "it ends before {event} is there");
            std::thread::yield_now();
        }
        // SIGKILL: it cannot be caught, so nothing is tidied up.
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "it ends too early to be killed");
    }
    // What it may leave: a file that was begun, and half a line.
    fs::write(killed.join("g01/.games-0009.dat.1.tmp"), "half").unwrap();
    let log = fs::read_to_string(killed.join("log.jsonl")).unwrap();
    fs::write(killed.join("log.jsonl"), log + "{\"generation\":1,\"pla").unwrap();
    let chunk = killed.join("g00/games-0003.dat");
    let written = fs::metadata(&chunk).unwrap().modified().unwrap();

    let name = |folder: &Path| folder.to_str().unwrap().to_owned();
    assert_eq!(run(args(&killed, &[])).ok(), table.replace(&name(&whole), &name(&killed)));
    assert_alike(&killed, &whole);
    assert_eq!(fs::metadata(&chunk).unwrap().modified().unwrap(), written, "it was played again");
}

#[test]
fn another_loop_is_not_mixed_in() {
    let folder = directory("loop_refused");
    let name = folder.to_str().unwrap();
    let small = |more: &[&str]| {
        let args = ["train", "loop", "--dir", name, "--games", "4", "--solve-from", "4"];
        let more = ["--generations", "1"].iter().chain(more);
        run(args.iter().chain(more))
    };
    small(&[]).ok();
    let before = files(&folder);
    for (option, value, begun) in [
        ("--rule", "normal", "--rule reversed"),
        ("--depth", "2", "--depth 4"),
        ("--seed", "2", "--seed 1"),
        ("--chunk", "3", "--chunk 500"),
        ("--pairs", "9", "--pairs 500"),
        ("--random", "6..20", "--random 6..40"),
        ("--lambda", "0.5", "--lambda 1"),
    ] {
        small(&[option, value]).refused(&[
            &format!("{option} {value}: "),
            name,
            begun,
            "another directory",
        ]);
    }
    let args = ["train", "loop", "--dir", name, "--games", "5", "--solve-from", "4"];
    run(args).refused(&["--games 5", "begun with --games 4"]);
    assert!(files(&folder) == before);
    // A loop from before there was a choice of --lambda had none.
    let settings = folder.join("loop.toml");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text.replace("lambda = \"1\"\n", "")).unwrap();
    small(&["--lambda", "0.5"]).refused(&["--lambda 0.5", "begun with --lambda 1"]);
    // Time and threads may be others.
    small(&["--until", "1h", "--threads", "1"]).ok();

    for (option, value, words) in [
        ("--generations", "0", "1 to 100"),
        ("--games", "0", "--games 0"),
        ("--until", "soon", "expected one such as 5s, 250ms or 3m"),
        ("--random", "9..6", "expected A..B"),
        ("--lambda", "-0.1", "expected a number from 0 to 1"),
    ] {
        run(["train", "loop", "--dir", name, option, value]).refused(&[option, value, words]);
    }
    let log = folder.join("log.jsonl");
    {
        let file = fs::File::open(&log).unwrap();
        file.lock().unwrap();
        small(&[]).refused(&["log.jsonl: in use by another loop"]);
    }
    fs::write(&log, "{\"generation\":7}\n").unwrap();
    small(&[]).refused(&["log.jsonl: line 1: not generation 0"]);
    fs::write(folder.join("loop.toml"), "rule = \"reversed\"\n").unwrap();
    small(&[]).refused(&["loop.toml: no games"]);
    fs::write(folder.join("loop.toml"), "rule = [").unwrap();
    small(&[]).refused(&["loop.toml: not what a loop was begun with"]);
}
