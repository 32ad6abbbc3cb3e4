//! Learning curves: the networks of a run among fixed agents, the same again from the same seed.

use crate::program::{directory, run};
use isrever_board::{Rule, Size};
use isrever_zero::{FloatNetwork, Network, Shape};
use std::fs;
use std::path::Path;

/// A run on 4×4 with networks that have learned nothing, after its second and third generation.
fn make_run(directory: &Path) {
    let shape = Shape::new(Size::FOUR, 1, 16).unwrap();
    for generation in [2, 3] {
        let float = FloatNetwork::random(Rule::Reversed, shape, generation);
        let file = directory.join(format!("network-{generation:04}.bin"));
        fs::write(file, Network::quantize(&float, &[]).to_bytes()).unwrap();
    }
    let line = |generation: u32| {
        format!(
            "{{\"generation\": {generation}, \"games\": 100, \"play_seconds\": 50.0, \
             \"learn_seconds\": 10.0, \"losses\": {{}}}}\n"
        )
    };
    fs::write(directory.join("log.jsonl"), (1..=3).map(line).collect::<String>()).unwrap();
}

#[test]
fn a_run_gets_its_curve() {
    let directory = directory("curve");
    make_run(&directory);
    let dir = directory.to_str().unwrap();
    let options = ["--yardsticks", "random", "greedy", "--pairs", "6", "--opening", "2"];
    let args = ["train", "curve", dir, "--playouts", "4"];
    let said = run(args.iter().chain(&options)).ok();
    assert!(said.contains("generation") && said.contains("greedy"), "{said}");
    let read = |name: &str| fs::read_to_string(directory.join(name)).unwrap();
    let (csv, svg) = (read("curve.csv"), read("curve.svg"));
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows[0], "generation,games,seconds,elo,low,high");
    assert!(rows[1].starts_with("2,200,120,") && rows[2].starts_with("3,300,180,"), "{csv}");
    assert_eq!(rows.len(), 3);
    assert!(svg.starts_with("<svg") && svg.contains("greedy"));
    run(args.iter().chain(&options).chain(&["--threads", "1"])).ok();
    assert_eq!((read("curve.csv"), read("curve.svg")), (csv, svg), "the same on any threads");
}

#[test]
fn what_is_no_run_is_refused_in_a_line() {
    let directory = directory("curve-refused");
    make_run(&directory);
    let dir = directory.to_str().unwrap();
    let curve = |options: &[&str]| run(["train", "curve", dir].iter().chain(options));
    curve(&["--yardsticks", "nobody"]).refused(&["no agent is called"]);
    curve(&["--yardsticks", "zero"]).refused(&["it plays reversed on 8x8"]);
    curve(&["--pairs", "0"]).refused(&["--pairs"]);
    fs::write(directory.join("network-0003.bin"), "nonsense").unwrap();
    curve(&[]).refused(&["network-0003.bin"]);
    fs::write(directory.join("log.jsonl"), "nonsense\n").unwrap();
    curve(&[]).refused(&["log.jsonl:1: no line of a run's log"]);
    fs::write(directory.join("log.jsonl"), "").unwrap();
    curve(&[]).refused(&["no network of a run; expected network-*.bin"]);
}
