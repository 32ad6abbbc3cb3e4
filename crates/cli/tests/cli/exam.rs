//! Exams: made, resumed, taken, and kept out of fits.

use crate::program::{command, directory, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;

fn make(file: &Path, more: &[&str]) -> Vec<String> {
    let file = file.to_str().unwrap();
    let args = ["train", "exam", "make", "--empties", "7..9", "--hash", "1", "-o", file];
    args.iter().chain(more).map(|&arg| arg.to_owned()).collect()
}

fn take(file: &Path, more: &[&str]) -> Vec<Value> {
    let args = ["train", "exam", "take", file.to_str().unwrap(), "--json"];
    let lines = run(args.iter().chain(more)).ok();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_exam_has_the_solver_s_scores_and_is_marked_by_them() {
    let file = directory("exam").join("exam.obf");
    let said = run(make(&file, &["--count", "6", "--threads", "1"])).ok();
    assert!(said.ends_with("exam.obf: 6 positions (reversed), 6 of them new\n"), "{said}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("% rule: reversed\n"), "{text}");
    assert_eq!(text.lines().count(), 7);

    // The scores are what solve finds, and the file survives being read and written.
    let name = file.to_str().unwrap();
    let solved = run(["solve", "--file", name, "--all-moves", "--json"]).ok();
    let shown = run(["show", name, "--json"]).ok();
    for (solved, shown) in solved.lines().zip(shown.lines()) {
        let [solved, shown] =
            [solved, shown].map(|row| serde_json::from_str::<Value>(row).unwrap());
        let scores = shown["scores"].as_array().unwrap();
        assert_eq!((scores.len(), &scores[0]["score"]), (1, &solved["score"]));
        assert_eq!(solved["moves"][scores[0]["move"].as_str().unwrap()], solved["score"]);
    }
    assert_eq!(run(["convert", name, "--to", "obf"]).ok(), text);
    let alone = file.with_file_name("alone.obf");
    run(make(&alone, &["--count", "6", "--threads", "2"])).ok();
    assert_eq!(fs::read_to_string(&alone).unwrap(), text);

    let rows = take(&file, &["--depth", "1,60", "--threads", "2"]);
    assert_eq!(rows, take(&file, &["--depth", "1,60", "--threads", "1"]));
    assert_eq!((&rows[0]["effort"], &rows[1]["effort"]), (&"depth 1".into(), &"depth 60".into()));
    // Who sees to the end makes no mistake, in whatever time it is done.
    let timed = take(&file, &["--time", "1h", "--percent", "100"]);
    for row in [&rows[1], &timed[0]] {
        assert_eq!(
            (&row["questions"], &row["optimal"], &row["loss"]),
            (&6.into(), &6.into(), &0.into())
        );
        assert_eq!((&row["optimal_share"], &row["loss_error"]), (&1.0.into(), &0.0.into()));
    }
    // Whatever was chosen has a score by now, and the right one.
    let shown = run(["show", name, "--json"]).ok();
    let mut known = 0;
    for (solved, shown) in solved.lines().zip(shown.lines()) {
        let [solved, shown] =
            [solved, shown].map(|row| serde_json::from_str::<Value>(row).unwrap());
        for score in shown["scores"].as_array().unwrap() {
            assert_eq!(solved["moves"][score["move"].as_str().unwrap()], score["score"]);
            known += 1;
        }
    }
    assert!(known > 6, "somebody who looks one ply ahead chooses like the solver");
    let both =
        run(["train", "exam", "take", name, "--time", "1h", "--at-once", "2", "--json"]).ok();
    assert!(both.contains("\"optimal\":6"), "{both}");
    // Who is stopped at once still answers.
    let hasty = take(&file, &["--time", "0.000001ms"]);
    assert_eq!((&hasty[0]["questions"], &hasty[0]["rule"]), (&6.into(), &"reversed".into()));
    let table = run(["train", "exam", "take", name]).ok();
    assert!(
        table.contains("6 positions (reversed), weights embedded") && table.contains("depth 1")
    );
}

#[test]
fn answers_are_kept_and_marked_without_being_given_again() {
    let folder = directory("exam_answers");
    let [exam, kept] = ["exam.obf", "answers.jsonl"].map(|name| folder.join(name));
    run(make(&exam, &["--count", "6"])).ok();
    let kept_name = kept.to_str().unwrap();
    let efforts = ["--depth", "1,60", "--answers", kept_name];
    let marks = take(&exam, &efforts);
    let lines = fs::read_to_string(&kept).unwrap();
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[1]["effort"], &rows[1]["search_threads"]), (&"depth 60".into(), &1.into()));

    // What is there is taken as it is: the answers of one ply under the name of the other.
    let swapped = lines.replace("depth 60", "depth 0").replace("depth 1\"", "depth 60\"");
    fs::write(&kept, &swapped).unwrap();
    let again = take(&exam, &["--depth", "60", "--answers", kept_name]);
    assert_eq!(
        (&again[0]["optimal"], &again[0]["loss"]),
        (&marks[0]["optimal"], &marks[0]["loss"])
    );
    assert_eq!(fs::read_to_string(&kept).unwrap(), swapped);

    // Another effort is looked for and added; so is one by more threads, which sees as much.
    let both = take(&exam, &["--depth", "60", "--search-threads", "2", "--answers", kept_name]);
    assert_eq!((&both[0]["optimal"], &both[0]["search_threads"]), (&6.into(), &2.into()));
    assert_eq!(fs::read_to_string(&kept).unwrap().lines().count(), 3);

    let take = ["train", "exam", "take", exam.to_str().unwrap(), "--answers", kept_name];
    let refused = ["answers.jsonl", "line 1: expected answers to the 6 positions"];
    for wrong in [lines.replacen("[\"", "[\"a1\",\"", 1), "nonsense\n".to_owned()] {
        fs::write(&kept, wrong).unwrap();
        run(take).refused(&refused);
    }
}

#[test]
fn agents_take_an_exam_beside_weights() {
    let folder = directory("exam_agents");
    let [exam, kept] = ["exam.obf", "answers.jsonl"].map(|name| folder.join(name));
    run(make(&exam, &["--count", "4"])).ok();
    let kept_name = kept.to_str().unwrap();
    let agents = ["--agent", "engine:depth=60", "zero:playouts=1", "greedy"];
    let both = [&agents[..], &["--depth", "1", "--answers", kept_name]].concat();
    let rows = take(&exam, &both);
    assert_eq!(rows.len(), 4);
    let plain = take(&exam, &["--depth", "1"]);
    assert_eq!((&rows[0], &rows[0]["agent"]), (&plain[0], &Value::Null), "weights are as before");
    for (row, agent) in rows[1..].iter().zip(&agents[1..]) {
        assert_eq!((&row["agent"], &row["questions"]), (&(*agent).into(), &4.into()), "{row}");
        assert!(row["files_say"].is_u64() && row["weights"].is_null(), "{row}");
    }
    // Both prove endings as short as these.
    assert_eq!((&rows[1]["loss"], &rows[2]["loss"]), (&0.into(), &0.into()));
    assert_eq!(take(&exam, &both), rows);
    assert_eq!(
        fs::read_to_string(&kept).unwrap().lines().count(),
        4,
        "nothing is looked for again"
    );

    let name = exam.to_str().unwrap();
    let table = run(["train", "exam", "take", name].iter().chain(&agents)).ok();
    assert!(table.contains("4 positions (reversed)\n") && !table.contains("depth 1"), "{table}");
    assert!(
        table.contains("\nengine:depth=60  ") && table.contains("\n         greedy  "),
        "{table}"
    );
    for (agent, words) in [
        ("nobody", "no agent is called \"nobody\""),
        ("zero:playouts=0", "playouts=0"),
        ("zero:weights=no.bin", "no such file"),
    ] {
        run(["train", "exam", "take", name, "--agent", agent]).refused(&["--agent", words]);
    }
}

#[test]
#[cfg(unix)]
fn a_killed_exam_goes_on() {
    let folder = directory("exam_killed");
    let (whole, killed) = (folder.join("whole.obf"), folder.join("killed.obf"));
    run(make(&whole, &["--count", "12"])).ok();
    let mut child = command(make(&killed, &["--count", "1000000", "--threads", "1"]))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while fs::read_to_string(&killed).map_or(0, |text| text.lines().count()) < 4 {
        assert!(child.try_wait().unwrap().is_none(), "it ends too early to be killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What there is, as if one had taken longer than the next, and half a line.
    let text = fs::read_to_string(&killed).unwrap();
    let mut lines: Vec<&str> = text.lines().take(4).collect();
    lines.swap(1, 3);
    fs::write(&killed, lines.join("\n") + "\n---OX").unwrap();
    let said = run(make(&killed, &["--count", "12"])).ok();
    assert!(said.ends_with("12 positions (reversed), 9 of them new\n"), "{said}");
    assert_eq!(fs::read_to_string(&killed).unwrap(), fs::read_to_string(&whole).unwrap());
    // Nothing but the rule, or nothing at all.
    for beginning in ["% rule: reversed\n", "% rule: rev", ""] {
        fs::write(&killed, beginning).unwrap();
        run(make(&killed, &["--count", "12"])).ok();
        assert_eq!(fs::read_to_string(&killed).unwrap(), fs::read_to_string(&whole).unwrap());
    }

    let before = fs::read(&whole).unwrap();
    let expected = "expected the same options, or another file";
    run(make(&whole, &["--seed", "2"])).refused(&["position 1: not one that", expected]);
    run(make(&whole, &["--rule", "normal"])).refused(&["not for the normal rule", expected]);
    assert!(fs::read(&whole).unwrap() == before);
}

#[test]
fn positions_of_an_exam_are_left_out_of_a_fit() {
    let folder = directory("exam_excluded");
    let [data, some, weights, dir] =
        ["games.dat", "some.txt", "weights.bin", "loop"].map(|name| folder.join(name));
    let [data, some, weights, dir] =
        [&data, &some, &weights, &dir].map(|path| path.to_str().unwrap());
    // The start position is in every game without a random opening, and there once after merging.
    let args = ["--games", "3", "--random", "0..0", "--solve-from", "4", "-o", data];
    run(["train", "selfplay"].iter().chain(&args)).ok();
    fs::write(some, "---------------------------OX------XO--------------------------- X\n")
        .unwrap();
    let samples = |more: &[&str]| -> i64 {
        let args = ["train", "fit", "--json", "--iterations", "1", "--data", data, "-o", weights];
        let lines = run(args.iter().chain(more)).ok();
        let rows = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|row| row["samples"].as_i64().unwrap() + row["held_out"].as_i64().unwrap()).sum()
    };
    assert_eq!(samples(&["--exclude", some]), samples(&[]) - 1);

    let small = |more: &[&str]| {
        let args = ["train", "loop", "--dir", dir, "--games", "3", "--solve-from", "4"];
        run(args.iter().chain(&["--random", "0..0", "--generations", "1"]).chain(more))
    };
    small(&["--exclude", some]).ok();
    let log = fs::read_to_string(Path::new(dir).join("log.jsonl")).unwrap();
    let row: Value = serde_json::from_str(&log).unwrap();
    let count = row["samples"].as_i64().unwrap() + row["held_out"].as_i64().unwrap();
    assert!(count < samples(&[]), "{count}");
    small(&[]).refused(&["--exclude", "0 positions", "begun with 1 positions"]);
}

#[test]
fn what_is_no_exam_is_refused() {
    let folder = directory("exam_refused");
    let file = folder.join("exam.obf");
    let start = "---------------------------OX------XO--------------------------- X";
    let cases = [
        (format!("% rule: normal\n{start};\n"), "position 1: no move has a score"),
        (format!("% rule: normal\n{start}; a1:+0;\n"), "a1"),
        (format!("{start}; d3:+0; c4:+0; f5:+0; e6:+0;\n"), "does not say the rule"),
        ("% rule: normal\nXO-------------- X; c1:+16;\n".to_owned(), "not an 8x8 board"),
        (format!("% rule: normal\nXX{} O; -64;\n", "-".repeat(62)), "position 1: no legal move"),
        ("% rule: normal\nnothing\n".to_owned(), "line 2"),
    ];
    let name = file.to_str().unwrap();
    for (text, words) in cases {
        fs::write(&file, text).unwrap();
        run(["train", "exam", "take", name]).refused(&["exam.obf", words]);
    }
    fs::write(&file, "nonsense\n").unwrap();
    run(make(&file, &[])).refused(&["exam.obf", "line 1"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "nonsense\n");
    run(make(&folder.join("no/where.obf"), &[])).refused(&["where.obf", "no such directory"]);
    run(make(&folder, &[])).refused(&["not an ordinary file"]);
    for (args, words) in [
        (["make", "--empties", "9..7"], "2 to 36"),
        (["make", "--count", "0"], "--count 0"),
        (["take", "nowhere.obf", "--depth=0"], "--depth 0"),
        (["take", "nowhere.obf", "--time=1"], "expected one such as 5s"),
        (["take", "nowhere.obf", "--percent=101"], "1 to 100"),
        (["take", "nowhere.obf", "--at-once=0"], "--at-once 0"),
        (["take", "nowhere.obf", "--search-threads=0"], "--search-threads 0"),
        (["take", "nowhere.obf", "--json"], "nowhere.obf: no such file"),
    ] {
        let output = if args[0] == "make" { &["-o", name][..] } else { &[] };
        run(["train", "exam"].iter().chain(&args).chain(output)).refused(&[words]);
    }
}
