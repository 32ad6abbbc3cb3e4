//! Matches between weights.

use crate::program::{directory, run};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Weights fitted to a few games: they know something, but not much.
fn weak_weights(folder: &std::path::Path) -> PathBuf {
    let (data, weights) = (folder.join("games.dat"), folder.join("weak.bin"));
    let (data_name, weights_name) = (data.to_str().unwrap(), weights.to_str().unwrap());
    run(["train", "selfplay", "--games", "4", "--solve-from", "6", "-o", data_name]).ok();
    run(["train", "fit", "--data", data_name, "-o", weights_name]).ok();
    weights
}

#[test]
fn a_match_is_counted_and_its_meaning_told() {
    let weak = weak_weights(&directory("duel"));
    let weak = weak.to_str().unwrap();
    let duel = |args: &[&str]| {
        let duel = ["train", "duel", "embedded", weak, "--depth", "1", "--pairs", "12"];
        run(duel.iter().chain(args)).ok()
    };
    let json = duel(&["--json", "--threads", "1"]);
    assert_eq!(json, duel(&["--json", "--threads", "2"]));
    let row: Value = serde_json::from_str(&json).unwrap();
    let number = |key: &str| row[key].as_u64().unwrap();
    assert_eq!(number("wins") + number("draws") + number("losses"), 24);
    let pairs: Vec<u64> =
        row["pairs"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect();
    assert_eq!(pairs.iter().sum::<u64>(), 12);
    let points = 2 * number("wins") + number("draws");
    assert_eq!((0..5).zip(&pairs).map(|(points, pairs)| points * pairs).sum::<u64>(), points);
    assert!((row["score"].as_f64().unwrap() - points as f64 / 48.0).abs() < 1e-9);
    assert!(row["superiority"].as_f64().unwrap() > 0.9, "{json}");
    assert_eq!((&row["effort"], &row["rule"]), (&"depth 1".into(), &"reversed".into()));

    let words = duel(&[]);
    assert!(words.contains("12 pairs of games (reversed), depth 1"), "{words}");
    assert!(words.contains(&format!("{} won, ", number("wins"))), "{words}");
    assert_ne!(duel(&["--json", "--seed", "2"]), json);
}

#[test]
fn openings_may_be_handed_in() {
    let folder = directory("duel_openings");
    let file = folder.join("openings.txt");
    fs::write(&file, "f5d6c3d3c4\nf5f6e6f4g5\n").unwrap();
    let name = file.to_str().unwrap();
    let duel = |pairs: &str| -> Value {
        let args = ["train", "duel", "embedded", "embedded", "--nodes", "20", "--json"];
        let more = ["--pairs", pairs, "--openings", name, "--rule", "normal"];
        serde_json::from_str(&run(args.iter().chain(&more)).ok()).unwrap()
    };
    let row = duel("4");
    // Equals: each pair is one point, and the openings come round again.
    assert_eq!((&row["pairs"], &row["effort"]), (&vec![0, 0, 4, 0, 0].into(), &"20 nodes".into()));
    assert_eq!((&row["elo"], &row["superiority"]), (&0.0.into(), &0.5.into()));

    for (text, words) in [
        ("f5\n----- -\n", "line 2"),
        ("XO-------------- X\n", "position 1: not an 8x8 board"),
        (&format!("XX{} O\n", "-".repeat(62)), "position 1: the game is over"),
    ] {
        fs::write(&file, text).unwrap();
        run(["train", "duel", "embedded", "embedded", "--openings", name])
            .refused(&["openings.txt", words]);
    }
}

#[test]
fn what_is_no_match_is_refused() {
    let weak = weak_weights(&directory("duel_refused"));
    let weak = weak.to_str().unwrap();
    let cases: &[(&[&str], &[&str])] = &[
        (&["embedded"], &["SECOND"]),
        (&["embedded", "nowhere.bin"], &["nowhere.bin: no such file"]),
        (&["src", "embedded"], &["src: a directory"]),
        (&["Cargo.toml", "embedded"], &["Cargo.toml: not a file of weights"]),
        (&["embedded", weak, "--rule", "normal"], &["weights for the reversed rule"]),
        (&["embedded", weak, "--depth", "0"], &["--depth 0", "1 to 20"]),
        (&["embedded", weak, "--pairs", "0"], &["--pairs 0"]),
        (&["embedded", weak, "--nodes", "9", "--depth", "2"], &["--nodes", "--depth"]),
    ];
    for (args, words) in cases {
        run(["train", "duel"].iter().chain(*args)).refused(words);
    }
}
