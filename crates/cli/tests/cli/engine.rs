//! `move` and `analyze`: the same answers again, refusals, and a machine that is busy.

use crate::program::{command, directory, run, run_with};
use std::process::{Child, Stdio};

/// What `move --json` says, without the seconds.
fn answer(args: &[&str]) -> String {
    let out = run(["move", "--json", "--threads", "1"].iter().chain(args)).ok();
    let (before, _) = out.rsplit_once("\"seconds\"").expect("seconds are told last");
    before.to_owned()
}

#[test]
fn limited_by_what_is_counted_the_same_move_is_found_again() {
    for args in [
        &["f5d6c3", "--level", "5", "--seed", "7"][..],
        &["f5d6c3", "--level", "16"],
        &["f5d6c3", "--depth", "9"],
        &["f5d6c3", "--nodes", "40000"],
    ] {
        assert_eq!(answer(args), answer(args), "{args:?}");
    }
    let moves = |seed: &'static str| answer(&["f5d6c3d3c4", "--level", "1", "--seed", seed]);
    let all: Vec<String> = ["1", "2", "3", "4", "5", "6", "7", "8"].map(moves).to_vec();
    assert!(all.iter().any(|other| *other != all[0]), "a beginner has more than one idea");
}

/// Processes that keep the machine busy until they are dropped.
struct Load(Vec<Child>);

impl Load {
    fn start(count: usize) -> Load {
        let busy = || {
            command(["solve", "--size", "6", "--force", "--hash", "1"])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts")
        };
        Load((0..count).map(|_| busy()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            child.kill().expect("it runs until it is killed");
            child.wait().expect("and ends then");
        }
    }
}

#[test]
fn on_a_busy_machine_a_legal_move_is_found_in_any_time() {
    let load = Load::start(4);
    for limit in [["--time", "1ms"], ["--time", "60ms"], ["--clock", "3s+20ms"]] {
        let input = b"f5d6c3d3c4f4\nf5f6e6f4\n";
        let out = run_with(["move", "--json", "-"].iter().chain(&limit), input).ok();
        assert_eq!(out.lines().count(), 2, "{out}");
        assert!(out.lines().all(|line| line.contains("\"best\":\"")), "{out}");
    }
    drop(load);
}

#[test]
fn what_cannot_be_analysed_is_refused_before_anything_is_written() {
    let path = directory("analyze").join("games.txt");
    std::fs::write(&path, "f5d6c3\n---------------- X\n").unwrap();
    run(["analyze".as_ref(), path.as_os_str()]).refused(&["line 2"]);
    std::fs::write(&path, "XO-------------- O\n").unwrap();
    run(["analyze".as_ref(), path.as_os_str()]).refused(&["game 1 has no moves"]);
    // Beside others a game without moves, forfeited at once, is passed over.
    std::fs::write(&path, "f5d6c3\nXO-------------- O\n").unwrap();
    let words = run(["analyze", path.to_str().unwrap(), "--depth", "1"]).ok();
    assert!(
        words.contains("Number 1 of 2") && words.ends_with("No moves were played.\n"),
        "{words}"
    );
    let rows = run(["analyze", path.to_str().unwrap(), "--depth", "1", "--json"]).ok();
    assert_eq!(rows.lines().count(), 3, "{rows}");
    for (args, words) in [
        (&["f5d6", "--size", "10"][..], &["occupied"][..]),
        (&["f5", "--depth", "0"], &["--depth 0", "1 to 60"]),
        (&["f5", "--time", "5"], &["--time 5", "5s, 250ms or 3m"]),
        (&["f5", "--at", "2"], &["game 1 has 1 move"]),
        (&["nowhere.ggf"], &["no such file"]),
        (&[], &["something is missing"]),
        (&["f5", "--loudly"], &["--loudly"]),
    ] {
        run(["analyze"].iter().chain(args)).refused(words);
    }
    let large = run(["analyze", "e6", "--size", "10"]);
    let is_refused = large.status == Some(2) && large.err.contains("expected");
    assert!(is_refused, "{large:?}");
}

#[test]
fn what_is_wrong_with_limits_and_levels_is_named() {
    for (args, words) in [
        (&["--level", "0"][..], &["--level 0", "1 to 20"][..]),
        (&["--level", "21"], &["--level 21", "1 to 20"]),
        (&["--clock", "3"], &["--clock 3", "3m+2s"]),
        (&["--clock", "3m+x"], &["--clock 3m+x", "3m+2s"]),
        (&["--moves-left", "3"], &["--clock"]),
        (&["--seed", "x"], &["--seed x"]),
    ] {
        run(["move"].iter().chain(args)).refused(words);
    }
    for name in ["nboard", "gtp"] {
        run([name, "--level", "21"]).refused(&["--level 21", "1 to 20"]);
        run([name, "--depth", "0"]).refused(&["--depth 0"]);
    }
    run(["train", "ladder", "random"]).refused(&["one agent has no opponent"]);
    run(["train", "ladder", "random", "nobody"]).refused(&["no agent is called \"nobody\""]);
    run(["play", "--against", "engine:level=99"]).refused(&["level=99", "1 to 20"]);
}

#[test]
fn a_ladder_is_played_and_told() {
    let args = ["train", "ladder", "random", "greedy", "engine:level=4", "--pairs", "4"];
    let options = ["--threads", "1", "--opening", "6"];
    let out = run(args.iter().chain(&options)).ok();
    assert_eq!(out.lines().count(), 4, "{out}");
    assert!(out.ends_with("8 games a step, reversed, 8x8\n"), "{out}");
    let json = run(args.iter().chain(&options).chain(&["--json"])).ok();
    assert_eq!(json.lines().count(), 2);
    for line in json.lines() {
        for key in ["weaker", "stronger", "wins", "elo", "elo_low", "elo_high", "superiority"] {
            assert!(line.contains(&format!("\"{key}\":")), "{key}: {line}");
        }
    }
}

#[test]
fn both_spellings_of_analyze_are_known() {
    let [american, british] =
        ["analyze", "analyse"].map(|name| run([name, "f5d6c3", "--depth", "2"]));
    assert_eq!((american.status, &american.out), (Some(0), &british.out));
}
