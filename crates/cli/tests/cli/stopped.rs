//! Solves that are killed or stopped, and go on.

use crate::program::{command, directory, run};
use isrever_board::Position;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A 6×6 game with 24 empty squares: some seconds, so that there is time to kill it.
const GAME: &str = "c2b4d5e2e3c1b1e4";
const SCORE: i64 = 2;

/// An 8×8 position with 34 empty squares: hours, but something is proved every moment.
const HOPELESS: &str = "-OOOOOO---OOOOOX-OOOO-X--OOXOXXX-OOOX----X--X------------------- X";

fn solve_args(journal: &Path) -> Vec<String> {
    let args = ["solve", GAME, "--size", "6", "--json", "--resume"];
    args.map(str::to_owned).into_iter().chain([journal.display().to_string()]).collect()
}

/// Solves to the end: the nodes it took.
fn nodes(journal: &Path) -> u64 {
    let row: Value = serde_json::from_str(&run(solve_args(journal)).ok()).unwrap();
    assert_eq!((&row["score"], &row["exact"]), (&SCORE.into(), &true.into()));
    row["nodes"].as_u64().unwrap()
}

fn lines(journal: &Path) -> usize {
    fs::read_to_string(journal).map_or(0, |text| text.matches('\n').count())
}

fn signal(name: &str, child: &Child) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("there is a kill").success());
}

#[test]
#[cfg(unix)]
fn a_killed_solve_goes_on_where_it_was() {
    let folder = directory("killed_solve");
    let (fresh, journal) = (folder.join("fresh"), folder.join("killed"));
    let fresh_nodes = nodes(&fresh);
    let enough = lines(&fresh) * 7 / 8;
    assert!(enough > 100, "{enough} lines are too few to tell");

    let mut child = command(solve_args(&journal)).stdout(Stdio::piped()).spawn().unwrap();
    while lines(&journal) < enough {
        assert!(child.try_wait().unwrap().is_none(), "it ends too early to be killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    let left = fs::read(&journal).unwrap();

    let resumed_nodes = nodes(&journal);
    assert!(resumed_nodes * 3 < fresh_nodes * 2, "{resumed_nodes} against {fresh_nodes}");
    let after = fs::read(&journal).unwrap();
    assert!(after.len() > left.len());
    let whole = left.iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    assert!(after.starts_with(&left[..whole]), "what was there stays");
    // With all of it there is little left to do.
    let again_nodes = nodes(&journal);
    assert!(again_nodes * 3 < fresh_nodes, "{again_nodes} against {fresh_nodes}");

    // The last line, torn: it is dropped without a word, and the file is whole again.
    fs::write(&journal, &after[..after.len() - 20]).unwrap();
    nodes(&journal);
    let mended = fs::read(&journal).unwrap();
    let whole = after[..after.len() - 20].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    assert!(mended.starts_with(&after[..whole]) && mended.ends_with(b"\n"));

    damage_is_refused(&folder, &after);
}

/// Any other damage is named, and nothing is changed or said; nor is a file of another kind taken.
fn damage_is_refused(folder: &Path, whole: &[u8]) {
    let journal = folder.join("damaged");
    let refused = |args: &[&str], contents: &[u8], words: &[&str]| {
        fs::write(&journal, contents).unwrap();
        let options = ["solve", "--resume", journal.to_str().unwrap()];
        run(options.iter().chain(args)).refused(&[&[journal.to_str().unwrap()], words].concat());
        assert_eq!(fs::read(&journal).unwrap(), contents);
    };
    let asked = [GAME, "--size", "6"];
    let mut damaged = whole.to_vec();
    let third = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 9;
    damaged[third] ^= 1;
    refused(&asked, &damaged, &["line 3: damaged"]);
    refused(&asked, b"my notes\n", &["line 1: not a file of findings"]);
    refused(&asked, b"my notes, unfinished", &["line 1: not a file of findings"]);
    refused(&asked, b"isrever findings 2, 6x6, reversed\n", &["line 1: version 2", "expected 1"]);
    let words = ["line 1: findings for 6x6 reversed; expected 6x6 normal"];
    refused(&[GAME, "--size", "6", "--rule", "normal"], whole, &words);
    let words = ["line 1: findings for 6x6 reversed; expected 4x4 reversed"];
    refused(&["--size", "4"], whole, &words);
}

#[test]
fn a_file_that_cannot_be_kept_is_refused() {
    let folder = directory("refused_journals");
    let name = folder.to_str().unwrap();
    run(["solve", "--size", "4", "--resume", name]).refused(&[name, "not an ordinary file"]);
    let nowhere = folder.join("no/where");
    let nowhere = nowhere.to_str().unwrap();
    run(["solve", "--size", "4", "--resume", nowhere]).refused(&[nowhere, "no such directory"]);
    let journal = folder.join("mixed");
    let boards = "XO-------------- X\nXO---------------------------------- X\n";
    run(["solve", boards, "--force", "--resume", journal.to_str().unwrap()])
        .refused(&["position 2: 6x6 reversed, but the first is 4x4", "one size and one rule"]);
    assert!(!journal.exists());
    let file = fs::File::create(&journal).unwrap();
    file.lock().unwrap();
    run(["solve", "--size", "4", "--resume", journal.to_str().unwrap()])
        .refused(&["in use by another solve"]);
}

#[test]
fn one_file_serves_many_positions() {
    let journal = directory("many_positions").join("findings");
    let boards = "XO-------------- X\n-----OX--XO----- X\nXO-------------- O\n";
    for _ in 0..2 {
        let answers = run(["solve", "--json", boards, "--resume", journal.to_str().unwrap()]).ok();
        let rows = answers.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        assert_eq!(
            rows.map(|row| row["score"].as_i64().unwrap()).collect::<Vec<_>>(),
            [-16, 4, 16]
        );
        assert_eq!(fs::read_to_string(&journal).unwrap(), "isrever findings 1, 4x4, reversed\n");
    }
}

/// The status and the words of a solve of an easy and a hopeless position that is stopped by Ctrl-C
/// once it is at work on the second.
#[cfg(unix)]
fn interrupted(options: &[&str]) -> (Option<i32>, String, String) {
    let journal = directory("interrupted_solve").join("findings");
    let boards = format!("{:-<64} X\n{HOPELESS}\n", "XO");
    let args = ["solve", "--force", &boards, "--resume", journal.to_str().unwrap()];
    let mut command = command(args.iter().chain(options));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while lines(&journal) < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ends too early to be stopped");
        std::thread::yield_now();
    }
    signal("-INT", &child);
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), out, err)
}

#[test]
#[cfg(unix)]
fn ctrl_c_shows_the_best_so_far_and_says_that_it_is_not_proved() {
    for options in [&[][..], &["--threads", "2"], &["--all-moves"]] {
        let (status, out, err) = interrupted(options);
        assert_eq!((status, err.as_str()), (Some(130), "isrever: stopped: 1 of 2 solved\n"));
        let row = out.lines().find(|line| line.starts_with("     2  ")).expect(&out);
        assert!(row.ends_with("not proved"), "{out}");
        assert!(!out.contains("2 positions"), "{out}");
    }
    for options in [&["--json"][..], &["--json", "--wld"], &["--json", "--all-moves"]] {
        let (status, out, _) = interrupted(options);
        let rows: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!((status, rows.len(), rows[0].get("stopped")), (Some(130), 2, None));
        assert_eq!((&rows[1]["stopped"], &rows[1]["exact"]), (&true.into(), &false.into()));
        let best = rows[1]["best"].as_str().unwrap();
        let moves = HOPELESS.parse::<Position>().unwrap().moves();
        assert!(moves.iter().any(|square| square.to_string() == best), "{out}");
    }
}
