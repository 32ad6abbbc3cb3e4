//! Solves FFO positions, or 6×6 from the start, under both rules and prints what each took, an object
//! per line.
//!
//! `cargo xtask bench solver` runs it and makes a record of it. Every solve is
//! checked: against the published score under the normal rule, and under the
//! other against the first answer, which has everything switched on.

#![allow(clippy::print_stdout, reason = "a benchmark talks to whoever started it")]

use clap::Parser;
use isrever_board::text::{Defaults, Format, Record, read};
use isrever_board::{Board, Rule, Size};
use isrever_search::{Control, Goal, ParameterChanges, Pool, Searcher, Settings, Techniques};
use std::collections::HashMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The number of the first position in the file.
const FIRST: usize = 40;

#[derive(Parser)]
struct Args {
    /// Numbers of the positions
    #[arg(long, value_delimiter = ',', default_value = "40")]
    numbers: Vec<usize>,
    /// Solve 6×6 from the start instead
    #[arg(long, conflicts_with = "numbers")]
    six: bool,
    /// Memory of the table, in MiB
    #[arg(long, default_value_t = 256)]
    hash: usize,
    /// Put these values in place of the shipped parameters', such as evaluated=12
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Solve under these rules
    #[arg(long, value_delimiter = ',', default_value = "normal,reversed")]
    rules: Vec<Rule>,
    /// Solve with so many threads
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    threads: Vec<usize>,
    /// Switch each technique off in turn
    #[arg(long)]
    ablate: bool,
    /// Give a technique's positions up after so many seconds
    #[arg(long, default_value_t = 3600)]
    limit: u64,
    /// What cargo adds
    #[arg(long, hide = true)]
    bench: bool,
}

/// What is solved.
struct Problem {
    /// Of the FFO positions; 6 stands for the start of 6×6.
    number: usize,
    board: Board,
    size: Size,
    /// The published score under the normal rule.
    published: Option<i32>,
}

impl Problem {
    fn six() -> Problem {
        // A second player who plays perfectly wins by four discs: J. Feinstein, 1993.
        let (board, size) = (Board::start(Size::SIX), Size::SIX);
        Problem { number: 6, board, size, published: Some(-4) }
    }

    fn ffo(number: usize, record: &Record) -> Problem {
        let board = record.game.position().board().expect("8x8");
        let published = record.scores.iter().map(|(_, score)| *score).max();
        Problem { number, board, size: Size::EIGHT, published }
    }
}

/// How the positions are solved.
#[derive(Clone, Copy)]
struct Row {
    rule: Rule,
    threads: usize,
    techniques: Techniques,
    /// What is switched off.
    without: Option<&'static str>,
}

fn main() {
    let args = Args::parse();
    let text = include_bytes!("../../../testdata/endgames/ffo-40-49.normal.obf");
    let records = read(text, Some(Format::Obf), Defaults::default()).expect("a suite");
    let problems: Vec<Problem> = match args.six {
        true => vec![Problem::six()],
        false => args
            .numbers
            .iter()
            .map(|&number| Problem::ffo(number, &records[number - FIRST]))
            .collect(),
    };
    let changes = changes(&args.set);
    let mut scores = HashMap::new();
    for row in rows(&args) {
        let mut left = Duration::from_secs(args.limit);
        for problem in &problems {
            let Row { rule, threads, techniques, .. } = row;
            let settings = Settings::new(rule, problem.size);
            let settings = Settings {
                pool: Pool::threads(threads),
                techniques,
                hash_bytes: args.hash << 20,
                parameters: changes.applied_to(settings.parameters),
                ..settings
            };
            // Given up, it has used up its time: the others would be given up at once.
            left = left.saturating_sub(solve(row, problem, settings, left, &mut scores));
            if left.is_zero() {
                break;
            }
        }
    }
}

fn rows(args: &Args) -> Vec<Row> {
    let mut rows = Vec::new();
    for &rule in &args.rules {
        let row = Row { rule, threads: 1, techniques: Techniques::ALL, without: None };
        if !args.ablate {
            rows.extend(args.threads.iter().map(|&threads| Row { threads, ..row }));
            continue;
        }
        rows.push(row);
        let off = Techniques::EACH_OFF.into_iter().chain([("everything", Techniques::NONE)]);
        rows.extend(off.map(|(name, techniques)| Row { techniques, without: Some(name), ..row }));
    }
    rows
}

/// The parameters that were set.
fn changes(set: &[String]) -> ParameterChanges {
    let mut changes = ParameterChanges::NONE;
    for text in set {
        let (name, value) = text.split_once('=').expect("a name and a value");
        changes.set(name, value.parse().expect("a whole number")).expect("in the table");
    }
    changes
}

/// Solves one position in at most `limit`; the time it took.
fn solve(
    row: Row,
    problem: &Problem,
    settings: Settings,
    limit: Duration,
    scores: &mut HashMap<(Rule, usize), i32>,
) -> Duration {
    let Row { rule, threads, techniques, without } = row;
    let Problem { number, board, published, .. } = *problem;
    // A new searcher: what one position leaves in the table must not help the next.
    let mut searcher = Searcher::new(settings);
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, ..Control::NONE };
    let (begin, cpu_begin) = (Instant::now(), cpu_time());
    let answer = std::thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        let stop = &stop;
        scope.spawn(move || {
            if is_done.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                stop.store(true, Relaxed);
            }
        });
        let answer = searcher.search(board, Goal::Exact, control);
        drop(done);
        answer
    });
    let seconds = begin.elapsed();
    let cpu = cpu_begin.zip(cpu_time()).map_or(seconds, |(begin, end)| end - begin);
    let (nodes, is_proved, score) = (answer.nodes, answer.is_exact, answer.score());
    let evaluations = answer.counts.evaluations;
    if is_proved {
        if rule == Rule::Normal {
            assert_eq!(Some(score), published, "FFO {number}");
        }
        let first = *scores.entry((rule, number)).or_insert(score);
        assert_eq!(score, first, "FFO {number}, {rule}, {techniques:?}");
    }
    let without = without.map_or("null".to_owned(), |name| format!("\"{name}\""));
    println!(
        "{{\"rule\":\"{rule}\",\"number\":{number},\"threads\":{threads},\"without\":{without},\
         \"score\":{score},\"is_proved\":{is_proved},\"nodes\":{nodes},\
         \"evaluations\":{evaluations},\"seconds\":{},\
         \"cpu_seconds\":{}}}",
        seconds.as_secs_f64(),
        cpu.as_secs_f64()
    );
    seconds
}

/// The processor time of this thread, where the system tells it.
fn cpu_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}
