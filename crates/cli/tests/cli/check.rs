//! `isrever arena check`: files that pass, files that fail, and guests whose host is killed.

use crate::program::{Answer, agent, command, directory, run, wait_until};
use std::fs;
use std::path::Path;
use std::process::Stdio;

fn check(file: &Path, options: &[&str]) -> Answer {
    let args = ["arena".as_ref(), "check".as_ref(), file.as_os_str()];
    run(args.into_iter().chain(options.iter().map(AsRef::as_ref)))
}

#[test]
fn a_good_agent_passes_and_every_board_is_drawn() {
    let out = check(&agent("simple.py"), &["--ascii"]).ok();
    let head = out.lines().next().unwrap();
    let (_, versions) = head.split_once("simple.py by Python ").expect(head);
    assert!(versions.contains(", numpy ") && versions.contains("numba"), "{head}");
    assert!(out.contains("1. start: the start, black to move: passed"), "{out}");
    assert!(out.contains("expected: (2, 3) = d3, (3, 2) = c4, (4, 5) = f5, (5, 4) = e6"), "{out}");
    assert!(out.contains("White O, expected: an empty list"), "{out}");
    assert!(out.contains("\n17 of 17 cases passed.\nSandbox: limits, seccomp, landlock"), "{out}");
    assert_eq!(out.matches(" a  b  c  d  e  f  g  h").count(), 17);
}

#[test]
fn programs_read_one_object_per_case_and_a_last_one_for_all() {
    for (rule, size) in [("normal", "6"), ("reversed", "10")] {
        let out = check(&agent("vectors.py"), &["--json", "--size", size, "--rule", rule]).ok();
        let rows: Vec<serde_json::Value> =
            out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (total, cases) = rows.split_last().unwrap();
        assert!(cases.len() >= 12);
        assert_eq!((&total["passed"], &total["failed"]), (&cases.len().into(), &0.into()));
        assert!(total["sandbox"].as_array().unwrap().contains(&"seccomp".into()), "{total}");
        let versions = ["python", "numpy", "numba"].map(|key| total.get(key).is_some());
        assert_eq!(versions, [true; 3], "{total}");
        for case in cases {
            assert_eq!(case["passed"], true, "{case}");
            assert_eq!(case["rule"], rule);
            let is_game = case["case"].as_str().unwrap().starts_with("game-");
            assert_eq!(case["list"].is_null(), is_game, "{case}");
        }
    }
}

#[test]
fn a_bad_agent_fails_with_status_3_and_says_where() {
    let directory = directory("bad_agents");
    let file = directory.join("ai.py");
    let plain = fs::read_to_string(agent("simple.py")).unwrap();
    for (lines, words) in [
        (plain.replace("self.candidate_list.clear()", "pass"), "in the list and not legal"),
        (plain.replace("import random", "import os, random"), "imports os"),
        ("raise ValueError('no luck')".to_owned(), "crashed: ValueError: no luck (line 1"),
        ("raise ValueError('no luck')".to_owned(), "\n    Traceback (most recent call last):\n"),
        ("print('hello')\nx".to_owned(), "\n    printed: hello\n"),
    ] {
        fs::write(&file, lines).unwrap();
        let answer = check(&file, &["--failed", "--size", "4"]);
        assert_eq!(answer.status, Some(3), "{}", answer.err);
        assert!(answer.out.contains(words), "{}", answer.out);
        assert!(answer.out.contains("FAILED"), "{}", answer.out);
        assert!(answer.err.contains("cases passed; expected all to pass"), "{}", answer.err);
        assert_eq!(answer.err.lines().count(), 1);
    }
}

#[test]
fn games_in_which_the_time_ran_out_are_drawn_among_what_failed() {
    let file = directory("late_games").join("ai.py");
    let plain = fs::read_to_string(agent("simple.py")).unwrap();
    // It decides at once, and at the beginning of games it thinks to the end.
    let thinks = "        while (chessboard != 0).sum() < 9: pass";
    fs::write(&file, format!("{}\n{thinks}\n", plain.trim_end())).unwrap();
    let options = ["--failed", "--size", "6", "--time", "300ms", "--clock", "cpu"];
    let out = check(&file, &options).ok();
    let late = out.lines().filter(|line| line.contains("    the time ran out ")).count();
    assert_eq!((late, out.matches(" a  b  c  d  e  f").count()), (2, 2), "{out}");
}

#[test]
fn the_factor_is_the_speed_of_a_core_here_over_the_reference() {
    let good = agent("simple.py");
    let options = ["--size", "4", "--time", "3s", "--reference", "1000"];
    let out = check(&good, &[&options[..], &["--json"]].concat()).ok();
    let total: serde_json::Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    let [speed, factor] = ["speed", "factor"].map(|key| total[key].as_f64().unwrap());
    // The speed is told as a whole number.
    assert!(speed > 0.0 && (factor - speed / 1000.0).abs() < 0.001, "{total}");

    let out = check(&good, &options).ok();
    let line = out.lines().last().unwrap();
    let said = line.strip_prefix("A core of this machine does ").unwrap();
    let (speed, said) = said.split_once(" nodes/s, ").unwrap();
    let (factor, said) =
        said.split_once(" times the reference: what takes 3.0 s here takes ").unwrap();
    let there = said.strip_suffix(" s there.").unwrap();
    let speed: String = speed.chars().filter(char::is_ascii_digit).collect();
    let [speed, factor, there] = [&speed, factor, there].map(|text| text.parse::<f64>().unwrap());
    assert!((factor - speed / 1000.0).abs() < 0.01, "{line}");
    assert!((there - 3.0 * factor).abs() < 0.1, "{line}");

    let out = check(&good, &["--size", "4"]).ok();
    assert!(!out.contains("the reference"), "nobody has asked: {out}");
    check(&good, &["--reference", "0"]).refused(&["--reference", "0"]);
}

#[test]
fn what_is_no_agent_is_refused() {
    let directory = directory("no_agents");
    let large = directory.join("large.py");
    fs::write(&large, vec![b'#'; 2 << 20]).unwrap();
    check(Path::new("no/such/ai.py"), &[]).refused(&["no/such/ai.py: no such file"]);
    check(&directory, &[]).refused(&["not a file"]);
    check(&large, &[]).refused(&["at most 1 MiB"]);
    let good = agent("simple.py");
    check(&good, &["--python", "/no/python"]).refused(&["--python", "cannot be started"]);
    check(&good, &["--python", "/bin/true"]).refused(&["--python", "does not answer as Python"]);
    check(&good, &["--sandbox", "none"]).refused(&["--sandbox none", "auto, full, weak or off"]);
    check(&good, &["--memory", "0"]).refused(&["--memory 0", "from 1"]);
    check(&good, &["--time", "5"]).refused(&["--time 5", "such as 5s"]);
    check(&good, &["--size", "7"]).refused(&["--size 7"]);
    let spec = format!("python:{},cpu=1", good.display());
    run(["play", "--against", &spec]).refused(&["--against", "python has no key \"cpu\""]);
    run(["play", "--against", "python:no.py"]).refused(&["--against", "no.py: no such file"]);
    run(["play", "--against", "gtp:"]).refused(&["--against", "no program"]);
}

#[test]
fn an_agent_of_the_course_plays_in_the_terminal() {
    let against = format!("python:{},time=60s", agent("simple.py").display());
    let answer = crate::program::run_with(["play", "--against", &against, "--size", "6"], b"c2\n");
    let out = answer.ok();
    assert!(out.contains(&format!("{} plays ", against.replace(",time=60s", ""))), "{out}");
}

#[test]
fn an_agent_that_fails_has_lost_the_game() {
    let directory = directory("lost");
    let file = directory.join("ai.py");
    fs::write(&file, "raise ValueError('no luck')").unwrap();
    let against = format!("python:{}", file.display());
    let answer = crate::program::run_with(["play", "--against", &against, "--size", "6"], b"c2\n");
    let out = answer.ok();
    let lost = format!("You won: {against} crashed: ValueError: no luck (line 1 in <module>).");
    assert!(out.contains(&lost), "{out}");
    assert!(out.trim_end().ends_with(" c2"), "{out}");
}

/// The guests of a process that has, or had, this number.
fn guests(host: u32) -> usize {
    let mark = format!("guest-of-{host}");
    let lines = fs::read_dir("/proc").unwrap().flatten();
    let lines = lines.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(&mark)).count()
}

#[test]
fn guests_end_with_their_host_however_it_ends() {
    let directory = directory("orphans");
    let file = directory.join("ai.py");
    // One that holds the interpreter, and one that sleeps.
    for body in ["sum(range(10**13))", "time.sleep(10**6)"] {
        let lines = "import time\nclass AI(object):\n    def __init__(self, a, b, c): ";
        fs::write(&file, format!("{lines}{body}\n")).unwrap();
        let mut host = command(["arena", "check", "--time", "600s"])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_until(|| guests(host.id()) == 1);
        host.kill().unwrap();
        host.wait().unwrap();
        wait_until(|| guests(host.id()) == 0);
    }
}
