//! Searches positions of the middle game and prints what each took, an object per line.
//!
//! `cargo xtask bench midgame` runs it and makes a record of it. Every position
//! is searched to the same depth by one thread and by more; on the way there the
//! time of each ply is noted, and so it is known how deep a given time leads.

#![allow(clippy::print_stdout, reason = "a benchmark talks to whoever started it")]

use clap::Parser;
use isrever_board::text::{Defaults, read};
use isrever_board::{Board, Rule, Size};
use isrever_search::{Control, Goal, Pool, Progress, Searcher, Settings};
use std::sync::Mutex;
use std::time::Instant;

const SUITES: [(Rule, &str); 2] = [
    (Rule::Reversed, include_str!("../../../testdata/midgame/40-empties.reversed.txt")),
    (Rule::Normal, include_str!("../../../testdata/midgame/40-empties.normal.txt")),
];

const HASH_BYTES: usize = 256 << 20;

#[derive(Parser)]
struct Args {
    /// Plies
    #[arg(long, default_value_t = 24)]
    depth: u32,
    /// In how many of 100 cases a cut must be right
    #[arg(long, default_value_t = 73)]
    percent: u8,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    threads: Vec<usize>,
    /// How often each search is made anew; the fastest counts
    #[arg(long, default_value_t = 1)]
    runs: usize,
    /// What cargo adds
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let args = Args::parse();
    for (rule, suite) in SUITES {
        let defaults = Defaults { rule, size: Size::EIGHT };
        let lines = suite.lines().filter(|line| !line.starts_with('#'));
        for (line, number) in lines.zip(1..) {
            let records = read(line.as_bytes(), None, defaults).expect("a position");
            let board = records[0].game.position().board().expect("8x8");
            // By turns, so that quick and slow moments of the machine are shared out.
            let mut runs = Vec::new();
            for _ in 0..args.runs {
                runs.extend(args.threads.iter().map(|&n| (n, search(&args, rule, n, board))));
            }
            for &threads in &args.threads {
                let searches = runs.iter().filter(|run| run.0 == threads).map(|run| &run.1);
                let fastest = searches.min_by(|a, b| a.seconds().total_cmp(&b.seconds()));
                fastest.expect("at least one run").print(&args, rule, threads, number);
            }
        }
    }
}

/// What one search took.
struct Search {
    value: i32,
    nodes: u64,
    /// Boards evaluated only to order moves.
    ordered: u64,
    /// After how many seconds each ply was done.
    plies: Vec<f64>,
}

impl Search {
    fn seconds(&self) -> f64 {
        *self.plies.last().expect("there is a ply")
    }

    fn print(&self, args: &Args, rule: Rule, threads: usize, number: usize) {
        let Search { value, nodes, ordered, plies } = self;
        let Args { depth, percent, runs, .. } = args;
        println!(
            "{{\"rule\":\"{rule}\",\"number\":{number},\"threads\":{threads},\"runs\":{runs},\
             \"depth\":{depth},\"percent\":{percent},\"value\":{value},\"nodes\":{nodes},\
             \"ordered\":{ordered},\"plies\":{plies:?}}}"
        );
    }
}

/// Searches one position.
fn search(args: &Args, rule: Rule, threads: usize, board: Board) -> Search {
    let settings = Settings {
        pool: Pool::threads(threads),
        hash_bytes: HASH_BYTES,
        ..Settings::new(rule, Size::EIGHT)
    };
    // A new searcher: what one position leaves in the table must not help the next.
    let mut searcher = Searcher::new(settings);
    let plies = Mutex::new(Vec::new());
    let begin = Instant::now();
    let progress = |progress: Progress| {
        // Progress comes when an iteration begins: the one before it, a ply less deep, is done.
        if progress.iteration > 1 && progress.guess.is_some() {
            plies.lock().expect("no holder panics").push(begin.elapsed().as_secs_f64());
        }
    };
    let control = Control { progress: &progress, ..Control::NONE };
    let goal = Goal::Value { depth: args.depth, confidence: args.percent };
    let answer = searcher.search(board, goal, control);
    let seconds = begin.elapsed().as_secs_f64();
    let mut plies = plies.into_inner().expect("no holder panics");
    plies.push(seconds);
    let depth = args.depth;
    assert_eq!((answer.depth, plies.len()), (depth, depth as usize), "an iteration for each ply");
    Search {
        value: answer.score(),
        nodes: answer.nodes,
        ordered: answer.counts.ordering_nodes,
        plies,
    }
}
