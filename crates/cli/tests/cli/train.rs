//! Training: files follow from seeds on any number of threads; wrong ones are refused.

use crate::program::{directory, run};
use isrever_board::Rule;
use isrever_eval::{Shape, Weights};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().expect("the test's paths are UTF-8")
}

/// Plays this many games into `path`.
fn play(path: &Path, games: &str, options: &[&str]) -> String {
    let args = ["train", "selfplay", "--games", games, "-o", text(path)];
    run(args.iter().chain(options)).ok()
}

#[test]
fn games_and_weights_are_the_same_on_any_number_of_threads() {
    let directory = directory("train-threads");
    let mut made = Vec::new();
    for threads in ["1", "2"] {
        let (data, weights) = (directory.join("data"), directory.join("weights"));
        play(&data, "12", &["--threads", threads, "--rule", "normal"]);
        let args = ["train", "fit", "--rule", "normal", "--threads", threads, "--data"];
        run(args.iter().chain(&[text(&data), "-o", text(&weights), "--json"])).ok();
        made.push((fs::read(&data).unwrap(), fs::read(&weights).unwrap()));
    }
    assert!(made[0] == made[1]);
    assert_eq!(Weights::from_bytes(&made[0].1).unwrap().rule(), Rule::Normal);
}

#[test]
fn files_of_parts_make_the_whole() {
    let directory = directory("train-parts");
    let [whole, first, second] = ["whole", "first", "second"].map(|name| directory.join(name));
    play(&whole, "12", &[]);
    play(&first, "5", &[]);
    play(&second, "7", &["--first", "5"]);
    let read = |path: &Path| fs::read(path).unwrap();
    assert!(read(&whole) == [&read(&first)[..], &read(&second)[32..]].concat());
    play(&second, "12", &["--seed", "2"]);
    assert!(read(&whole) != read(&second));
}

#[test]
fn counts_and_reports_fit_together() {
    let directory = directory("train-report");
    for (shape, size, scores) in [(Shape::EIGHT, "8", 17), (Shape::SIX, "6", 11)] {
        counts_and_reports_of(shape, size, scores, &directory.join(size));
    }
}

/// The same on one board, whose scores are counted in so many classes.
fn counts_and_reports_of(shape: &Shape, size: &str, scores: usize, directory: &Path) {
    fs::create_dir_all(directory).unwrap();
    let (data, weights) = (directory.join("data"), directory.join("weights"));
    let options = ["--player", "random", "--size", size, "--solve-from", "10"];
    let said = play(&data, "12", &options);
    let phases = shape.phase_count();
    let info = run(["train", "data", "info", text(&data), "--json"]).ok();
    let info: Value = serde_json::from_str(&info).unwrap();
    let samples = info["samples"].as_u64().unwrap();
    assert!(said.contains(&format!("{samples} samples of 12 games (reversed)")), "{said}");
    assert_eq!(fs::metadata(&data).unwrap().len(), 32 + 18 * samples);
    let sum = |list: &str, key: &str| {
        info[list].as_array().unwrap().iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(sum("phases", "played") + sum("phases", "exact"), samples);
    assert_eq!(sum("phases", "exact"), info["exact"].as_u64().unwrap());
    assert_eq!(sum("scores", "samples"), samples);
    let table = run(["train", "data", "info", text(&data)]).ok();
    assert_eq!(table.lines().count(), 1 + 1 + phases + 1 + scores);

    let report = directory.join("report");
    let args = ["train", "fit", "--size", size, "--data", text(&data), "-o", text(&weights)];
    let lines = run(args.iter().chain(&["--report", text(&report), "--json"])).ok();
    assert_eq!(lines, fs::read_to_string(report.join("report.jsonl")).unwrap());
    assert_eq!(lines.lines().count(), phases);
    assert!(fs::read_to_string(report.join("errors.svg")).unwrap().starts_with("<svg"));
    let table = run(args).ok();
    assert_eq!(table.lines().count(), 2 + phases + 1);
}

#[test]
fn wrong_files_and_numbers_are_refused() {
    let directory = directory("train-refused");
    let [data, wrong, output] = ["data", "wrong", "output"].map(|name| directory.join(name));
    play(&data, "2", &[]);
    let mut bytes = fs::read(&data).unwrap();
    bytes.pop();
    fs::write(&wrong, &bytes).unwrap();
    let fit = |options: &[&str]| {
        let args = ["train", "fit", "-o", text(&output), "--data"];
        run(args.iter().chain(options))
    };
    fit(&[text(&wrong)]).refused(&["wrong: cut short in record"]);
    fit(&[text(&data), "--rule", "normal"]).refused(&["data: samples of the reversed rule"]);
    fit(&[text(&data), "--size", "6"]).refused(&["data: samples of 8x8; expected 6x6"]);
    fit(&[text(&data), "--size", "10"]).refused(&["--size 10", "expected 6 or 8"]);
    fit(&[text(&directory)]).refused(&["a directory"]);
    fit(&[text(&data), "nowhere.dat"]).refused(&["nowhere.dat: no such file"]);
    fit(&[text(&data), "--ridge", "-1"]).refused(&["--ridge -1", "0 to 1e9"]);
    fit(&[text(&data), "--iterations", "0"]).refused(&["--iterations 0"]);
    fit(&[text(&data), "--bogus"]).refused(&["--bogus is not known"]);
    run(["train", "data", "info", text(&data), text(&wrong)]).refused(&["wrong: cut short"]);
    fs::write(&wrong, "XO-- X").unwrap();
    run(["train", "data", "info", text(&wrong)]).refused(&["not a file of samples"]);
    let selfplay = ["train", "selfplay", "-o", text(&output), "--games"];
    run(selfplay.iter().chain(&["-3"])).refused(&["--games -3"]);
    run(selfplay.iter().chain(&["18446744073709551615", "--first", "1"])).refused(&["too large"]);
    run(selfplay.iter().chain(&["1", "--player", "nobody"])).refused(&["--player nobody"]);
    run(selfplay.iter().chain(&["1", "--lambda", "2"])).refused(&["--lambda 2", "from 0 to 1"]);
    assert!(!output.exists());
}
