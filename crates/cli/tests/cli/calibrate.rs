//! How far deep searches stray from shallow ones, measured.

use crate::program::{directory, run};
use isrever_board::Rule;
use isrever_eval::{Shape, Weights};
use serde_json::Value;
use std::fs;

#[test]
fn tables_and_formulas_are_written() {
    let folder = directory("calibrate");
    let (json, csv) = (folder.join("one.json"), folder.join("two.csv"));
    let calibrate = |file: &std::path::Path, threads: &str| {
        let file = file.to_str().unwrap();
        let args = ["train", "calibrate", "--positions", "150", "--depth", "4", "--solve-from"];
        run(args.iter().chain(&["12", "--threads", threads, "-o", file])).ok()
    };
    let words = calibrate(&json, "1");
    let document: Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    let rows = document["rows"].as_array().unwrap();
    assert!(words.contains(&format!("{} rows of 150 positions (reversed)", rows.len())), "{words}");
    for row in rows {
        let number = |key: &str| row[key].as_f64().unwrap();
        assert!(number("empties_from") <= number("empties"));
        assert!(number("empties") <= number("empties_to"));
        assert!(row["deep"].is_null() || number("shallow") < number("deep"));
        // scatter² = mean² + deviation² (n − 1) / n
        let n = number("count");
        let squares = number("mean").powi(2) + number("deviation").powi(2) * (n - 1.0) / n;
        assert!((squares.sqrt() - number("scatter")).abs() < 1e-9, "{row}");
    }
    let factors = document["midgame"]["factors"].as_array().unwrap();
    assert!(words.contains(&format!("exp({:.4} ", factors[0].as_f64().unwrap())), "{words}");
    assert!(document["midgame"]["residuals"]["rms"].as_f64().unwrap() < 1.0);
    assert!(fs::read_to_string(folder.join("one.svg")).unwrap().contains("limited depth"));

    // The same on other threads, as lines.
    let other = calibrate(&csv, "2");
    assert_eq!(
        other.lines().skip(1).collect::<Vec<_>>(),
        words.lines().skip(1).collect::<Vec<_>>()
    );
    let text = fs::read_to_string(&csv).unwrap();
    assert_eq!(text.lines().count(), rows.len() + 1);
    assert_eq!(text.lines().next().unwrap().split(',').count(), 9);
    assert!(text.lines().all(|line| line.split(',').count() == 9));
    assert!(fs::read(folder.join("two.svg")).unwrap() == fs::read(folder.join("one.svg")).unwrap());
}

#[test]
fn too_little_to_tell_is_told() {
    let file = directory("calibrate_little").join("x.json");
    let args = ["train", "calibrate", "--positions", "1", "--depth", "1", "--solve-from", "0"];
    let words = run(args.iter().chain(&["-o", file.to_str().unwrap()])).ok();
    assert_eq!(words.matches("nobody knows").count(), 2, "{words}");
    let document: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert!(document["midgame"].is_null() && document["ending"].is_null());
}

#[test]
fn what_cannot_be_measured_is_refused() {
    for (args, words) in [
        (["-o", "x.txt"], "--output x.txt: neither .json nor .csv"),
        (["--depth", "0"], "--depth 0"),
        (["--positions", "0"], "--positions 0"),
        (["--solve-from", "31"], "0 to 30"),
    ] {
        let output = if args[0] == "-o" { &[][..] } else { &["-o", "x.json"] };
        run(["train", "calibrate"].iter().chain(&args).chain(output)).refused(&[words]);
    }
    let args = ["train", "calibrate", "--weights", "nowhere.bin", "-o", "x.json"];
    run(args).refused(&["nowhere.bin: no such file"]);
}

#[test]
fn only_a_network_is_calibrated_and_only_by_what_was_measured() {
    let folder = directory("calibrated");
    let [linear, json, out] = ["linear.bin", "x.json", "out.bin"].map(|name| folder.join(name));
    let shape = Shape::EIGHT;
    let phases = vec![vec![0_i16; shape.class_count()]; shape.phase_count()];
    fs::write(&linear, Weights::linear(Rule::Reversed, shape, &phases).to_bytes()).unwrap();
    let calibrate = |weights: &str| {
        let args = ["train", "calibrate", "--positions", "1", "--depth", "1", "--solve-from", "0"];
        let files = ["-o", json.to_str().unwrap(), "--calibrated", out.to_str().unwrap()];
        run(args.iter().chain(&files).chain(&["--weights", weights]))
    };
    calibrate(linear.to_str().unwrap()).refused(&["linear weights; expected a network"]);
    assert!(!json.exists());
    let few = calibrate("embedded");
    assert_eq!(few.status, Some(2));
    assert!(few.err.contains("--calibrated: too few positions or depths to tell"), "{}", few.err);
    assert!(!out.exists());
}
