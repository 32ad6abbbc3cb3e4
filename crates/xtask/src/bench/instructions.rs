//! The gate of performance: instructions of fixed searches, beside those that were recorded.
//!
//! Callgrind counts and does not measure, so neither a busy machine nor a slow one changes anything;
//! another compiler does, and is named with the counts. It has no AVX-512: what is counted is the
//! AVX2 kernel.

use crate::setup::{self, Need};
use crate::shell;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The counts that were recorded.
const RECORDED: &str = "testdata/instructions.txt";

/// A count that grew by more than this many per cent fails.
const MOST_GROWTH: f64 = 1.0;

const NEEDS: [Need; 1] = [Need { program: "valgrind", package: "valgrind" }];

const RULES: [&str; 2] = ["reversed", "normal"];

/// The workload of `crates/search/benches/instructions.rs` that every other one contains.
const START: &str = "start";

/// The others.
const WORKLOADS: [&str; 2] = ["solve", "midgame"];

/// What can be asked for.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Record the counts instead of comparing them
    #[arg(long)]
    record: bool,
}

/// A workload's cost.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Count {
    rule: String,
    workload: String,
    nodes: u64,
    instructions: u64,
}

/// Counts, and compares or records.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::install(&NEEDS)?;
    let program = build()?;
    let mut counts = Vec::new();
    for rule in RULES {
        let mut add = |workload: &str, nodes, instructions| {
            let (rule, workload) = (rule.to_owned(), workload.to_owned());
            counts.push(Count { rule, workload, nodes, instructions });
        };
        let (nodes, start) = count(&program, START, rule)?;
        add(START, nodes, start);
        for workload in WORKLOADS {
            let (nodes, instructions) = count(&program, workload, rule)?;
            add(workload, nodes, instructions.saturating_sub(start));
        }
    }
    let compiler = shell::output("rustc --version")?;
    if options.record {
        fs::write(RECORDED, written(&counts, &compiler))?;
        println!("written: {RECORDED}");
        return Ok(());
    }
    let recorded = fs::read_to_string(RECORDED).with_context(|| format!("no {RECORDED}"))?;
    let (table, grown) = compared(&counts, &read(&recorded)?)?;
    println!("{table}");
    if !recorded.contains(&compiler) {
        println!("recorded with another compiler than {compiler}: differences may be its own");
    }
    ensure!(
        grown.is_empty(),
        "more than {MOST_GROWTH} % more instructions: {}; if that is meant, \
         cargo xtask bench instructions --record",
        grown.join(", ")
    );
    Ok(())
}

/// The benchmark's program.
fn build() -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Message {
        executable: Option<PathBuf>,
    }
    let mut program = None;
    let line = "cargo bench --no-run --locked --package isrever-search --bench instructions \
                --message-format json";
    shell::each_line(line, |line| {
        if let Ok(Message { executable: Some(path) }) = serde_json::from_str(line) {
            program = Some(path);
        }
        Ok(())
    })?;
    program.context("cargo names no program")
}

/// The nodes of a workload and its instructions, by callgrind's own total.
fn count(program: &Path, workload: &str, rule: &str) -> Result<(u64, u64)> {
    let profile = shell::target_folder()?.join("callgrind-instructions.out");
    let nodes = shell::output(&format!(
        "valgrind --quiet --tool=callgrind --callgrind-out-file={} {} {workload} {rule}",
        profile.display(),
        program.display()
    ))?;
    let nodes = nodes.trim().parse().with_context(|| format!("{nodes:?} for nodes"))?;
    let profile = fs::read_to_string(profile)?;
    let total = profile.lines().find_map(|line| line.strip_prefix("totals: "));
    Ok((nodes, total.context("callgrind wrote no total")?.trim().parse()?))
}

/// The file of recorded counts.
fn written(counts: &[Count], compiler: &str) -> String {
    let mut text = format!(
        "# Instructions of fixed searches with the AVX2 kernel, by callgrind: rule, workload, nodes,\n\
         # instructions. `cargo xtask bench instructions` compares, and with --record writes this.\n\
         # {compiler}\n"
    );
    for Count { rule, workload, nodes, instructions } in counts {
        writeln!(text, "{rule} {workload} {nodes} {instructions}").expect("a string takes all");
    }
    text
}

fn read(text: &str) -> Result<Vec<Count>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let count = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [rule, workload, nodes, instructions] = words[..] else {
            anyhow::bail!("{RECORDED} has the line {line:?}");
        };
        Ok(Count {
            rule: rule.to_owned(),
            workload: workload.to_owned(),
            nodes: nodes.parse()?,
            instructions: instructions.parse()?,
        })
    };
    lines.map(count).collect()
}

/// A table of both, and what has grown too much.
fn compared(now: &[Count], then: &[Count]) -> Result<(String, Vec<String>)> {
    let mut table = String::from(
        "| rule | workload | nodes | change | instructions | change | a node |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let mut grown = Vec::new();
    for count in now {
        let Count { rule, workload, nodes, instructions } = count;
        let same = |old: &&Count| (&old.rule, &old.workload) == (rule, workload);
        let old = then.iter().find(same);
        let old = old.with_context(|| format!("{RECORDED} has no {rule} {workload}"))?;
        let change = percent(*instructions, old.instructions);
        let a_node = *instructions as f64 / *nodes as f64;
        writeln!(
            table,
            "| {rule} | {workload} | {nodes} | {:+.2} % | {:.2} M | {change:+.2} % | {a_node:.0} |",
            percent(*nodes, old.nodes),
            *instructions as f64 / 1e6,
        )?;
        if change > MOST_GROWTH {
            grown.push(format!("{rule} {workload} {change:+.2} %"));
        }
    }
    Ok((table, grown))
}

fn percent(now: u64, then: u64) -> f64 {
    (now as f64 / then as f64 - 1.0) * 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(instructions: u64) -> Vec<Count> {
        let count = |workload: &str| Count {
            rule: "normal".to_owned(),
            workload: workload.to_owned(),
            nodes: 1000,
            instructions,
        };
        WORKLOADS.iter().map(|workload| count(workload)).collect()
    }

    #[test]
    fn what_is_recorded_is_read_again() {
        let text = written(&counts(123_456), "a compiler");
        assert_eq!(read(&text).unwrap(), counts(123_456));
        assert!(read("normal solve 12\n").is_err());
    }

    #[test]
    fn only_growth_beyond_one_per_cent_fails() {
        let fails = |now, then| !compared(&counts(now), &counts(then)).unwrap().1.is_empty();
        assert!(!fails(10_099, 10_000) && !fails(5_000, 10_000));
        assert!(fails(10_101, 10_000));
        let (table, _) = compared(&counts(9_000), &counts(10_000)).unwrap();
        assert!(table.contains("| -10.00 % | 9 |"), "{table}");
        assert!(compared(&counts(1), &[]).is_err());
    }
}
