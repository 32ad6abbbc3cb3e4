//! Searches whose instructions are counted: one workload, once, and nothing else.
//!
//! `cargo xtask bench instructions` runs it under callgrind, which counts the same number every time
//! however busy the machine is. The workload `start` only prepares what the others need: it unpacks
//! the weights and searches one ply, as a program does that is asked for one move.

#![allow(clippy::print_stdout, reason = "a benchmark talks to whoever started it")]

use clap::{Parser, ValueEnum};
use isrever_board::text::{Defaults, Format, read};
use isrever_board::{Board, Rule, Size};
use isrever_search::{Control, Goal, Searcher, Settings};

/// Small, so that clearing it is not what is counted.
const HASH_BYTES: usize = 4 << 20;

/// Plies of the midgame searches, at 73 % confidence.
const PLIES: u32 = 12;

#[derive(Clone, Copy, ValueEnum)]
enum Workload {
    Start,
    Solve,
    Midgame,
}

#[derive(Parser)]
struct Args {
    workload: Workload,
    rule: Rule,
    /// What cargo adds
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let Args { workload, rule, .. } = Args::parse();
    let (endgames, middles): (&[u8], &[u8]) = match rule {
        Rule::Normal => (
            include_bytes!("../../../testdata/endgames/fourteen.normal.obf"),
            include_bytes!("../../../testdata/midgame/40-empties.normal.txt"),
        ),
        Rule::Reversed => (
            include_bytes!("../../../testdata/endgames/fourteen.reversed.obf"),
            include_bytes!("../../../testdata/midgame/40-empties.reversed.txt"),
        ),
    };
    let settings = Settings { hash_bytes: HASH_BYTES, ..Settings::new(rule, Size::EIGHT) };
    let mut nodes = 0;
    let mut search = |board: Board, goal: Goal| {
        let answer = Searcher::new(settings).search(board, goal, Control::NONE);
        nodes += answer.nodes;
        answer.score()
    };
    // The weights are unpacked before anything is searched, in every workload alike.
    search(Board::start(Size::EIGHT), Goal::Value { depth: 1, confidence: 73 });
    let defaults = Defaults { rule, size: Size::EIGHT };
    let [endgames, middles] = [(endgames, Some(Format::Obf)), (middles, None)]
        .map(|(text, format)| read(text, format, defaults).expect("a suite"));
    let board = |record: &isrever_board::text::Record| record.game.position().board().expect("8x8");
    match workload {
        Workload::Start => {}
        Workload::Solve => {
            for record in &endgames {
                let [(None, score)] = record.scores[..] else { panic!("one score each") };
                assert_eq!(search(board(record), Goal::Exact), score);
            }
        }
        Workload::Midgame => {
            for record in &middles {
                search(board(record), Goal::Value { depth: PLIES, confidence: 73 });
            }
        }
    }
    println!("{nodes}");
}
