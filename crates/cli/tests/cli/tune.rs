//! Tuning: whole, on one thread or two, killed on the way, and refused.

use crate::program::{command, directory, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// A tuning small enough for a test.
const SMALL: &str = "\
agent = \"greedy:by=squares\"
parameters = [\"a1\", \"b2\", \"d4\"]
algorithm = \"elitist\"
population = 4
generations = 12
pairs = 12
size = 6
ending = 8
proof-pairs = 20
finalists = 3
";

/// Writes a specification, and gives the arguments that tune by it into a folder beside it.
fn args(folder: &Path, spec: &str, more: &[&str]) -> Vec<String> {
    let file = folder.join("spec.toml");
    fs::write(&file, spec).unwrap();
    let dir = folder.join("out");
    let usual = ["tune", file.to_str().unwrap(), "--dir", dir.to_str().unwrap()];
    usual.iter().chain(more).map(|&arg| arg.to_owned()).collect()
}

/// The files that a tuning wrote, with their bytes, but for those that tell of the machine.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder.join("out")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if name != "provenance.json" && !name.starts_with("timings") {
            files.push((name, fs::read(entry.path()).unwrap()));
        }
    }
    files.sort();
    files
}

fn assert_alike(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    let names = |files: &[(String, Vec<u8>)]| {
        files.iter().map(|(name, _)| name.clone()).collect::<Vec<String>>()
    };
    assert_eq!(names(&one), names(&other));
    for ((name, one), (_, other)) in one.iter().zip(&other) {
        assert!(one == other, "{name} differs");
    }
}

#[test]
fn a_tuning_finds_the_same_on_any_number_of_threads_and_says_what_it_is_worth() {
    let [one, two] = ["tune_one", "tune_two"].map(directory);
    let said = run(args(&one, SMALL, &["--threads", "1", "--json"])).ok();
    let rows: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 13);
    for (row, number) in rows[..12].iter().zip(0..) {
        assert_eq!(row["generation"], number);
        assert!(row["best"].as_f64() >= row["mean"].as_f64(), "{row}");
    }
    let result = &rows[12];
    let agent = result["agent"].as_str().unwrap();
    assert!(agent.starts_with("greedy:by=squares,a1="), "{agent}");
    let against: Vec<&Value> =
        result["proofs"].as_array().unwrap().iter().map(|proof| &proof["against"]).collect();
    assert_eq!(against, ["random", "greedy:by=squares"]);
    assert!(result["proofs"][0]["wins"].as_u64().unwrap() > 20, "{result}");

    run(args(&two, SMALL, &["--threads", "2", "--json"])).ok();
    assert_alike(&one, &two);
    let out = one.join("out");
    assert!(fs::read_to_string(out.join("fitness.svg")).unwrap().contains("generation"));
    let preset = fs::read_to_string(out.join("preset.txt")).unwrap();
    assert_eq!(preset.trim_end(), result["preset"].as_str().unwrap());
    let log = fs::read_to_string(out.join("log.jsonl")).unwrap();
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    let count = |key: &str| last[key].as_array().unwrap().len();
    assert_eq!((count("values"), count("fitness")), (8, 8), "parents and children");

    // Once more: nothing is left to do, and the same is said.
    assert_eq!(run(args(&one, SMALL, &["--json"])).ok(), said);
    assert_alike(&one, &two);
    let table = run(args(&one, SMALL, &[])).ok();
    assert!(table.contains("winner: greedy:by=squares,a1="), "{table}");
    assert!(table.contains("against random: ") && table.contains("(95 %), in 40 games"), "{table}");
}

#[test]
#[cfg(unix)]
fn a_killed_tuning_goes_on_where_it_was() {
    let [whole, killed] = ["tune_whole", "tune_killed"].map(directory);
    run(args(&whole, SMALL, &[])).ok();
    let log = killed.join("out/log.jsonl");
    let lines = || fs::read_to_string(&log).unwrap_or_default().matches('\n').count();
    for until in [1, 4, 7] {
        let mut child = command(args(&killed, SMALL, &["--threads", "1"]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while lines() < until {
            assert!(child.try_wait().unwrap().is_none(), "it ends before generation {until}");
            std::thread::yield_now();
        }
        // SIGKILL: it cannot be caught, so nothing is tidied up.
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "it ends too early to be killed");
    }
    // What it may leave: a file that was begun, and half a line.
    fs::write(killed.join("out/.fitness.svg.1.tmp"), "half").unwrap();
    let kept = fs::read_to_string(&log).unwrap();
    fs::write(&log, kept + "{\"generation\":9,\"ga").unwrap();
    run(args(&killed, SMALL, &[])).ok();
    assert_alike(&whole, &killed);
}

#[test]
fn a_tuning_can_be_done_in_pieces() {
    let [whole, pieces] = ["tune_unbroken", "tune_pieces"].map(directory);
    run(args(&whole, SMALL, &[])).ok();
    let first = run(args(&pieces, SMALL, &["--until", "1ms"])).ok();
    assert!(first.contains("the time is up: "), "{first}");
    assert!(first.ends_with("; the same command goes on\n"), "{first}");
    run(args(&pieces, SMALL, &[])).ok();
    assert_alike(&whole, &pieces);
}

#[test]
fn every_algorithm_and_objective_works_on_a_small_scale() {
    for (agent, algorithm, objective) in [
        ("genetic", "binary", "round-robin"),
        ("maximax", "cma-es", "neighbours"),
        ("depth3:depth=2", "elitist", "minimax-loss"),
        ("mcts:playouts=10", "cma-es", "win-rate"),
    ] {
        let folder = directory(&format!("tune_{algorithm}_{objective}"));
        let spec = "size = 6\nending = 6\n";
        let options = ["--agent", agent, "--algorithm", algorithm, "--objective", objective];
        let said = run(args(&folder, spec, &[&options[..], &["--quick"]].concat())).ok();
        assert!(said.contains("all generations are done"), "{said}");
    }
}

#[test]
fn what_is_wrong_is_named_and_nothing_is_written() {
    let folder = directory("tune_refused");
    let agent = "agent = \"greedy:by=squares\"\n";
    for (more, words) in [
        ("luck = 3", &["spec.toml: line 2: luck: no such key", "population"][..]),
        (
            "algorithm = \"luck\"",
            &["line 2: algorithm: cannot be \"luck\"", "elitist, binary or cma-es"],
        ),
        (
            "objective = \"luck\"",
            &["objective", "win-rate, round-robin, wins, neighbours, minimax-loss or effort"],
        ),
        ("parameters = [\"z9\"]", &["parameters: no parameter is called \"z9\"", "a1, b1"]),
        ("population = 0", &["population: cannot be 0", "from 2 to 10000"]),
        ("pairs = -1", &["pairs: cannot be -1; expected a whole number from 1 to 10000000"]),
        ("pairs = \"many\"", &["pairs: cannot be \"many\"; expected a whole number from 1"]),
        ("against = \"genetic:time=1s\"", &["against: genetic:time=1s is limited by time"]),
        ("against = \"nobody\"", &["against: no agent is called \"nobody\"", "random"]),
        ("sigma = 0.1\nalgorithm = \"binary\"", &["sigma: means nothing to binary"]),
    ] {
        run(args(&folder, &format!("{agent}{more}"), &[])).refused(words);
    }
    run(args(&folder, "agent = \"random\"", &[])).refused(&["random has no parameters"]);
    run(args(&folder, "pairs = [", &[])).refused(&["spec.toml: line 1"]);
    run(args(&folder, SMALL, &["--seed", "x"])).refused(&["--seed x"]);
    run(["tune", "no-such.toml"]).refused(&["no-such.toml"]);
    run(["tune", "--agent", "maximax", "--name", "../up"]).refused(&["name \"../up\""]);
    assert!(!folder.join("out").exists());

    // A folder is for one tuning.
    run(args(&folder, SMALL, &["--quick"])).ok();
    run(args(&folder, SMALL, &["--quick", "--seed", "2"])).refused(&[
        "out: the tuning there was begun with seed = 1, not 2; expected the same options to go on",
        "--dir with another folder",
    ]);
    let log = folder.join("out/log.jsonl");
    {
        let file = fs::File::open(&log).unwrap();
        file.lock().unwrap();
        run(args(&folder, SMALL, &["--quick"])).refused(&["log.jsonl: in use by another tuning"]);
    }
    let kept = fs::read_to_string(&log).unwrap();
    fs::write(&log, kept.replacen("[[", "[[1,", 1)).unwrap();
    run(args(&folder, SMALL, &["--quick"])).refused(&["generation 0 does not follow"]);
    fs::write(&log, "{}\n").unwrap();
    run(args(&folder, SMALL, &["--quick"])).refused(&["log.jsonl: line 1: not generation 0"]);
}

#[test]
fn a_smoke_run_takes_the_place_of_no_full_one() {
    let directory = directory("tune-quick");
    fs::write(directory.join("spec.toml"), SMALL).unwrap();
    let tune = |args: &[&str]| {
        let output = command([&["tune", "spec.toml", "--name", "cup"], args].concat())
            .current_dir(&directory)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    // Either may come first.
    tune(&["--quick"]);
    let winner = |folder: &str| fs::read(directory.join(folder).join("cup/winner.json")).unwrap();
    let quick = winner("trial");
    assert!(!directory.join("experiments").exists());
    tune(&[]);
    assert_eq!(winner("trial"), quick);
    assert_ne!(winner("experiments"), quick);
    let full = winner("experiments");
    tune(&["--quick"]);
    assert_eq!(winner("experiments"), full);
}

#[test]
fn a_folder_of_another_scale_says_how_to_go_on() {
    let folder = directory("tune_scales");
    let stopped = ["--until", "1ms"];
    run(args(&folder, SMALL, &["--quick"])).ok();
    run(args(&folder, SMALL, &[])).refused(&[
        "out: the tuning there was begun with --quick; expected --quick to go on with it, or --dir",
    ]);
    run(args(&folder, SMALL, &["--quick"])).ok();

    let folder = directory("tune_full_scale");
    run(args(&folder, SMALL, &stopped)).ok();
    run(args(&folder, SMALL, &["--quick"])).refused(&[
        "begun without --quick; expected no --quick to go on with it, or --dir with another folder",
    ]);
    run(args(&folder, SMALL, &["--quick", "--seed", "2"])).refused(&["begun with ", "; and "]);
    fs::write(folder.join("out/experiment.toml"), "my notes").unwrap();
    run(args(&folder, SMALL, &[])).refused(&["experiment.toml: not the specification of a tuning"]);
}
