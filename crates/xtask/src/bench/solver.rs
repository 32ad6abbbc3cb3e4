//! The solver's benchmark: its speed, and the worth of each technique.
//!
//! `crates/search/benches/solver.rs` measures and prints an object per solve;
//! here they are added up and put into tables.

use super::Source;
use crate::record::{finish, heading};
use anyhow::Result;
use serde::Deserialize;
use std::fmt::Write;

/// What can be asked for.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Switch each technique off in turn, instead of measuring the speed
    #[arg(long)]
    ablate: bool,
    /// Numbers of FFO positions, 40 to 49 [default: 40 to 44, or 40 and 41 with --ablate]
    #[arg(long, value_delimiter = ',', value_name = "N,N",
          value_parser = clap::value_parser!(u8).range(40..=49))]
    numbers: Vec<u8>,
    /// With --ablate, seconds after which a row is given up
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    limit: u64,
    #[command(flatten)]
    source: Source,
}

/// One solve, as the benchmark prints it.
#[derive(Deserialize)]
struct Solve {
    rule: String,
    number: u8,
    threads: usize,
    /// The technique that was switched off.
    without: Option<String>,
    score: i32,
    is_proved: bool,
    nodes: u64,
    seconds: f64,
    cpu_seconds: f64,
}

/// Several solves together.
#[derive(Default)]
struct Sum {
    nodes: u64,
    seconds: f64,
    cpu_seconds: f64,
    /// Whether one of them was given up.
    is_cut: bool,
}

impl Sum {
    fn of<'a>(solves: impl Iterator<Item = &'a Solve>) -> Sum {
        solves.fold(Sum::default(), |sum, solve| Sum {
            nodes: sum.nodes + solve.nodes,
            seconds: sum.seconds + solve.seconds,
            cpu_seconds: sum.cpu_seconds + solve.cpu_seconds,
            is_cut: sum.is_cut || !solve.is_proved,
        })
    }

    fn speed(&self) -> f64 {
        self.nodes as f64 / self.seconds / 1e6
    }
}

const RULES: [&str; 2] = ["normal", "reversed"];

/// Measures and writes the record.
pub(crate) fn run(options: &Options) -> Result<()> {
    let numbers = match (&options.numbers[..], options.ablate) {
        ([], true) => vec![40, 41],
        ([], false) => (40..=44).collect(),
        (numbers, _) => numbers.to_vec(),
    };
    let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
    let numbers = numbers.join(",");
    let args = match options.ablate {
        true => format!("--ablate --numbers {numbers} --limit {}", options.limit),
        false => format!("--numbers {numbers}"),
    };
    let solves: Vec<Solve> = options.source.rows("solver", &args)?;
    let command = format!("bench solver {args}");
    let machine = options.source.machine.as_deref();
    let (record, name) = if options.ablate {
        let heading =
            heading("The endgame solver: what each technique is worth", &command, machine)?;
        (ablation(heading, &solves, options.limit)?, "solver-ablation")
    } else {
        let heading =
            heading("The endgame solver: speed on one thread and on two", &command, machine)?;
        (speed(heading, &solves)?, "solver-speed")
    };
    finish(&record, name, options.source.dry_run)
}

/// The table of speeds: all positions together, then each.
fn speed(mut record: String, solves: &[Solve]) -> Result<String> {
    writeln!(
        record,
        "- Positions: FFO {} with 256 MiB of table, a new one for each; exact scores\n",
        numbers(solves)
    )?;
    writeln!(
        record,
        "| rule | nodes, one thread | seconds | nodes/s | nodes, two threads | seconds | nodes/s | \
         times as fast |"
    )?;
    writeln!(record, "|---|---|---|---|---|---|---|---|")?;
    for rule in RULES {
        let of =
            |threads| Sum::of(solves.iter().filter(|s| s.rule == rule && s.threads == threads));
        let (one, two) = (of(1), of(2));
        writeln!(
            record,
            "| {rule} | {} | {:.2} |",
            half_row(&one, &two),
            one.seconds / two.seconds
        )?;
    }
    writeln!(record, "\n## Each position\n")?;
    writeln!(
        record,
        "| rule | FFO | score | nodes, one thread | seconds | nodes/s | nodes, two threads | \
         seconds | nodes/s | times as fast |"
    )?;
    writeln!(record, "|---|---|---|---|---|---|---|---|---|---|")?;
    for one in solves.iter().filter(|solve| solve.threads == 1) {
        let is_same = |s: &&Solve| s.threads == 2 && s.rule == one.rule && s.number == one.number;
        let (single, double) = (Sum::of([one].into_iter()), Sum::of(solves.iter().filter(is_same)));
        let ratio = single.seconds / double.seconds;
        let row = half_row(&single, &double);
        writeln!(
            record,
            "| {} | {} | {:+} | {row} | {ratio:.2} |",
            one.rule, one.number, one.score
        )?;
    }
    Ok(record)
}

/// Nodes, seconds and speed of one thread, then of two.
fn half_row(one: &Sum, two: &Sum) -> String {
    [one, two]
        .map(|sum| {
            let nodes = sum.nodes as f64 / 1e6;
            format!("{nodes:.1} M | {:.2} | {:.1} M", sum.seconds, sum.speed())
        })
        .join(" | ")
}

/// The table of techniques: each switched off, against everything switched on.
fn ablation(mut record: String, solves: &[Solve], limit: u64) -> Result<String> {
    writeln!(
        record,
        "- Positions: FFO {} with 256 MiB of table, a new one for each; exact scores, one thread\n",
        numbers(solves)
    )?;
    writeln!(
        record,
        "Each row is one technique switched off; `×` is against all of them switched on in the same \
         run. A row is given up after {limit} seconds.\n"
    )?;
    writeln!(record, "| rule | without | nodes | × | processor seconds | × |")?;
    writeln!(record, "|---|---|---|---|---|---|")?;
    for rule in RULES {
        let mut names: Vec<Option<&str>> = Vec::new();
        let of_rule = || solves.iter().filter(|solve| solve.rule == rule);
        for solve in of_rule() {
            let name = solve.without.as_deref();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let of = |name: Option<&str>| Sum::of(of_rule().filter(|s| s.without.as_deref() == name));
        let all = of(None);
        for name in names {
            let sum = of(name);
            let title = name.unwrap_or("nothing").replace('_', " ");
            if sum.is_cut {
                writeln!(record, "| {rule} | {title} | | | > {limit} | |")?;
                continue;
            }
            let (nodes, times) = (sum.nodes as f64 / 1e6, sum.nodes as f64 / all.nodes as f64);
            let (seconds, slower) = (sum.cpu_seconds, sum.cpu_seconds / all.cpu_seconds);
            writeln!(
                record,
                "| {rule} | {title} | {nodes:.1} M | {times:.2} | {seconds:.2} | {slower:.2} |"
            )?;
        }
    }
    Ok(record)
}

/// The numbers of the positions, in order.
fn numbers(solves: &[Solve]) -> String {
    let mut numbers: Vec<u8> = solves.iter().map(|solve| solve.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}
