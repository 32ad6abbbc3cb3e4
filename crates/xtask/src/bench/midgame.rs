//! The midgame benchmark: depth in five seconds, and the gain of more threads.
//!
//! `crates/search/benches/midgame.rs` measures and prints an object per search;
//! here they are put into tables.

use super::Source;
use crate::record::{finish, heading};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fmt::Write;

/// The time that the depth is told for, in seconds.
const TIME: f64 = 5.0;

/// What can be asked for.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Plies
    #[arg(long, default_value_t = 24, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=38))]
    depth: u32,
    /// Numbers of threads, the first for comparison
    #[arg(long, value_delimiter = ',', default_value = "1,2", value_name = "N,N")]
    threads: Vec<usize>,
    /// How often each search is made anew; the fastest counts
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    #[command(flatten)]
    source: Source,
}

/// One search, as the benchmark prints it.
#[derive(Deserialize)]
struct Search {
    rule: String,
    number: usize,
    threads: usize,
    runs: usize,
    depth: u32,
    percent: u8,
    value: i32,
    nodes: u64,
    /// Boards looked at besides, for the order of moves alone.
    ordered: u64,
    /// After how many seconds each ply was done.
    plies: Vec<f64>,
}

impl Search {
    fn seconds(&self) -> f64 {
        *self.plies.last().expect("there is a ply")
    }

    /// The plies done in time, and whether there might have been more.
    fn depth_in_time(&self) -> String {
        let done = self.plies.iter().filter(|&&seconds| seconds <= TIME).count();
        let more = if done == self.plies.len() { "≥ " } else { "" };
        format!("{more}{done}")
    }
}

/// Measures and writes the record.
pub(crate) fn run(options: &Options) -> Result<()> {
    let threads: Vec<String> = options.threads.iter().map(usize::to_string).collect();
    let Options { depth, runs, .. } = options;
    let args = format!("--depth {depth} --threads {} --runs {runs}", threads.join(","));
    let searches: Vec<Search> = options.source.rows("midgame", &args)?;
    let title = "The midgame search: depth in five seconds, and more threads";
    let heading =
        heading(title, &format!("bench midgame {args}"), options.source.machine.as_deref())?;
    finish(&record(heading, &searches)?, "midgame-speed", options.source.dry_run)
}

fn record(mut record: String, searches: &[Search]) -> Result<String> {
    let Search { depth, percent, runs, threads: base, .. } = searches[0];
    writeln!(
        record,
        "- Positions: `testdata/midgame`, 40 empty squares; {depth} plies by iterative deepening, \
         cuts right in {percent} of 100 cases, 256 MiB of table, a new one for each"
    )?;
    let times = match runs {
        1 => "of one search each".to_owned(),
        _ => format!("of the fastest of {runs} searches each: others share the machine"),
    };
    writeln!(record, "- Times: {times}")?;
    writeln!(
        record,
        "- Nodes: boards visited; those that are looked at for the order of moves alone are not \
         among them. Edax counts them too (`COUNT_NODES` in its `stats.h`), so what is told of it \
         compares with the column that adds them, as far as counts of two programs do\n"
    )?;
    writeln!(
        record,
        "| rule | position | threads | plies in {TIME} s | value | nodes to {depth} plies | \
         seconds | nodes/s | times the nodes/s | times as fast |"
    )?;
    writeln!(record, "|---|---|---|---|---|---|---|---|---|---|")?;
    for search in searches {
        let is_base = |other: &&Search| {
            (&other.rule, other.number, other.threads) == (&search.rule, search.number, base)
        };
        let one = searches.iter().find(is_base).context("the first number of threads")?;
        let speed = |search: &Search| search.nodes as f64 / search.seconds() / 1e6;
        writeln!(
            record,
            "| {} | {} | {} | {} | {:+} | {:.1} M | {:.2} | {:.1} M | {:.2} | {:.2} |",
            search.rule,
            search.number,
            search.threads,
            search.depth_in_time(),
            search.value,
            search.nodes as f64 / 1e6,
            search.seconds(),
            speed(search),
            speed(search) / speed(one),
            one.seconds() / search.seconds()
        )?;
    }
    writeln!(record, "\n## All positions together\n")?;
    writeln!(
        record,
        "| rule | threads | nodes | seconds | nodes/s | with those ordered | times the nodes/s | \
         times as fast |"
    )?;
    writeln!(record, "|---|---|---|---|---|---|---|---|")?;
    let mut rows: Vec<(&str, usize)> = Vec::new();
    for search in searches {
        if !rows.contains(&(&search.rule, search.threads)) {
            rows.push((&search.rule, search.threads));
        }
    }
    let sum = |rule: &str, threads: usize| {
        let of_row = searches.iter().filter(|s| s.rule == rule && s.threads == threads);
        of_row.fold([0.0; 3], |[nodes, ordered, seconds], search| {
            let [more, looked_at] = [search.nodes, search.ordered].map(|count| count as f64 / 1e6);
            [nodes + more, ordered + looked_at, seconds + search.seconds()]
        })
    };
    for (rule, threads) in rows {
        let ([one_nodes, _, one_seconds], [nodes, ordered, seconds]) =
            (sum(rule, base), sum(rule, threads));
        let (one_speed, speed) = (one_nodes / one_seconds, nodes / seconds);
        writeln!(
            record,
            "| {rule} | {threads} | {nodes:.1} M | {seconds:.2} | {speed:.1} M | {:.1} M | {:.2} | \
             {:.2} |",
            (nodes + ordered) / seconds,
            speed / one_speed,
            one_seconds / seconds
        )?;
    }
    Ok(record)
}
