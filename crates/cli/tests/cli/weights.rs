//! Files of weights: matches between them, and what else takes one.

use crate::program::{directory, run};
use isrever_board::Rule;
use isrever_eval::{Shape, Weights};
use serde_json::Value;
use std::fs;

/// A file that the repository carries; it holds the embedded weights.
fn shipped(name: &str) -> String {
    format!("{}/../../weights/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Weights for which all positions are worth the same.
fn blank(shape: &Shape) -> Vec<u8> {
    let phases = vec![vec![0_i16; shape.class_count()]; shape.phase_count()];
    Weights::linear(Rule::Reversed, shape, &phases).to_bytes()
}

/// The rows of a tournament on 6×6.
fn rows(arguments: &[&str]) -> Vec<Value> {
    let usual = ["--size", "6", "--pairs", "3", "--depth", "2", "--concurrency", "2", "--json"];
    let text = run(["arena", "run"].iter().chain(arguments).chain(&usual)).ok();
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// The moves of both games of each pair.
fn pairs(rows: &[Value]) -> Vec<[String; 2]> {
    let mut games: Vec<&Value> = rows.iter().filter(|row| row["kind"] == "game").collect();
    games.sort_by_key(|game| game["game"].as_u64());
    assert!(games.iter().all(|game| game["reason"] == "over"), "{games:?}");
    let moves = |game: &Value| game["moves"].as_str().unwrap().to_owned();
    games.chunks(2).map(|pair| [moves(pair[0]), moves(pair[1])]).collect()
}

#[test]
fn a_match_between_weights_is_an_ordinary_match() {
    let folder = directory("weights_match");
    let db = folder.join("cup.db").display().to_string();
    let same = format!("engine:weights={}", shipped("reversed-6x6.bin"));
    let played = rows(&["--players", "engine", &same, "--db", &db]);
    let pairs = pairs(&played);
    assert_eq!(pairs.len(), 3);
    assert!(pairs.iter().all(|[one, other]| one == other), "the same weights play the same");

    // A file beside the tournament's is found from anywhere.
    fs::write(folder.join("blank.bin"), blank(Shape::SIX)).unwrap();
    let cup = folder.join("cup.toml");
    fs::write(&cup, r#"players = ["engine", "engine:weights=blank.bin"]"#).unwrap();
    let played = rows(&[cup.to_str().unwrap(), "--db", &db]);
    assert!(self::pairs(&played).iter().any(|[one, other]| one != other));
    let absolute = format!("engine:weights={}", folder.join("blank.bin").display());
    assert!(played.iter().any(|row| row["agent"] == absolute.as_str()), "{absolute}");
}

#[test]
fn moves_are_found_by_other_weights() {
    let file = directory("weights_move").join("blank.bin");
    fs::write(&file, blank(Shape::EIGHT)).unwrap();
    let answer = |weights: Option<&str>| -> Value {
        let weights = weights.map(|file| ["--weights", file]);
        let arguments = ["move", "f5d6c3", "--depth", "4", "--json"];
        let text = run(arguments.iter().chain(weights.iter().flatten())).ok();
        let mut answer: Value = serde_json::from_str(&text).unwrap();
        answer["seconds"] = Value::Null;
        answer
    };
    let plain = answer(None);
    assert_eq!(answer(Some(&shipped("reversed.bin"))), plain);
    let blank = answer(file.to_str());
    assert_eq!(blank["value"], 0);
    assert_ne!(blank["nodes"], plain["nodes"]);
}

#[test]
fn wrong_files_are_refused_before_anything_happens() {
    let [manifest, normal, six] = ["manifest.toml", "normal.bin", "reversed-6x6.bin"].map(shipped);
    let against = |file: &str| format!("engine:weights={file}");
    run(["play", "--against", &against("no.bin")])
        .refused(&["--against: engine: weights=no.bin: no such file; expected a file"]);
    run(["play", "--against", &against(&manifest)])
        .refused(&["not a file of weights; expected a file that train fit wrote"]);
    run(["play", "--against", &against(&normal)])
        .refused(&["--against: engine: it plays normal on 8x8; expected such games"]);
    run(["arena", "run", "--players", "random", &against(&six), "--db", "no/where.db"])
        .refused(&["agent engine:weights=", "it plays reversed on 6x6; expected such games"]);
    run(["move", "--weights", &normal])
        .refused(&["weights for the normal rule; expected the reversed rule"]);
    run(["move", "--weights", &six]).refused(&["weights for 6x6; expected 8x8"]);
    run(["move", "--weights", "no.bin"]).refused(&["no.bin: no such file"]);
}

#[test]
fn agents_are_listed_with_their_kinds_and_keys() {
    let text = run(["agents", "--json"]).ok();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap();
    assert_eq!(
        (&row("engine")["kind"], &row("engine")["memory_mib"]),
        (&"engine".into(), &64.into())
    );
    assert!(row("engine")["keys"].as_array().unwrap().contains(&"weights".into()));
    assert_eq!(
        (&row("depth3")["kind"], &row("random")["timed"]),
        (&"report".into(), &false.into())
    );
    assert!(row("depth3")["parameters"].as_array().unwrap().contains(&"b2".into()));
}
