//! The board's benchmark: moves, flips, perft and random games.
//!
//! Times come from criterion, all kernels in one run, so the ratios hold on a
//! noisy machine. Instructions come from callgrind, which counts and does not
//! measure: the same binary always gives the same number. Callgrind has no
//! AVX-512, so it counts the other kernels only.

use crate::record::heading;
use crate::shell;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The benchmark groups, and what one element of each is.
const GROUPS: [(&str, &str); 5] = [
    ("moves", "board"),
    ("flips", "move"),
    ("flips-chained", "move"),
    ("perft-11", "leaf"),
    ("random-games", "game"),
];

/// The instruction sets, plainest first: the first is the baseline of the ratios.
const ISAS: [&str; 3] = ["scalar", "avx2", "avx512"];

/// Runs everything; the record.
pub(super) fn record() -> Result<String> {
    let home = shell::target_folder()?.join("criterion");
    // Results of an earlier run must not pass for today's.
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    let mut bench = shell::command("cargo bench --package isrever-board --bench board");
    shell::run(bench.env("CRITERION_HOME", &home))?;

    let title = "The board: speed of moves, flips, perft and random games";
    let mut record = heading(title, "bench board", None)?;
    times(&mut record, &home)?;
    instructions(&mut record)?;
    Ok(record)
}

/// The table of times, with the ratio of each kernel to the plain one.
fn times(record: &mut String, home: &Path) -> Result<()> {
    writeln!(record, "\n## Time\n")?;
    writeln!(record, "Medians with 95 % intervals; one thread, all kernels in one run.\n")?;
    writeln!(record, "| benchmark | kernel | whole run | per element | elements/s | × scalar |")?;
    writeln!(record, "|---|---|---|---|---|---|")?;
    for (group, element) in GROUPS {
        let mut baseline = None;
        for isa in ISAS {
            let folder = home.join(group).join(isa).join("new");
            if !folder.exists() {
                ensure!(isa != ISAS[0], "no result of {group}/{isa} under {}", home.display());
                writeln!(record, "| {group} | {isa} | not on this machine | | | |")?;
                continue;
            }
            let median = &json(&folder.join("estimates.json"))?["median"];
            let elements =
                number(&json(&folder.join("benchmark.json"))?["throughput"]["Elements"])?;
            let interval = &median["confidence_interval"];
            let (low, high) =
                (number(&interval["lower_bound"])?, number(&interval["upper_bound"])?);
            let ns = number(&median["point_estimate"])?;
            let baseline = *baseline.get_or_insert(ns);
            writeln!(
                record,
                "| {group} | {isa} | {} ({} to {}) | {} a {element} | {:.2} M | {:.2} |",
                time(ns),
                time(low),
                time(high),
                time(ns / elements),
                elements / ns * 1e3,
                baseline / ns,
            )?;
        }
    }
    Ok(())
}

/// Instructions that perft needs for each board it plays, counted by callgrind.
fn instructions(record: &mut String) -> Result<()> {
    writeln!(record, "\n## Instructions\n")?;
    if shell::output("valgrind --version").is_err() {
        writeln!(
            record,
            "Not counted: valgrind is not installed (Debian: `apt-get install valgrind`)."
        )?;
        return Ok(());
    }
    writeln!(
        record,
        "`valgrind --tool=callgrind isrever perft N --isa KERNEL`, N = 9 less N = 8, which leaves \
         perft 9 alone; divided by the boards that it plays and looks for moves on (depths 1 to 8).\n"
    )?;
    writeln!(record, "| kernel | instructions of perft 9 | a board |")?;
    writeln!(record, "|---|---|---|")?;
    shell::run(&mut shell::command("cargo build --quiet --release --package isrever"))?;
    const BOARDS: u64 = 4 + 12 + 56 + 244 + 1396 + 8200 + 55092 + 390216;
    for isa in &ISAS[..2] {
        let perft_9 = callgrind(9, isa)? - callgrind(8, isa)?;
        writeln!(record, "| {isa} | {perft_9} | {:.1} |", perft_9 as f64 / BOARDS as f64)?;
    }
    Ok(())
}

/// Instructions of `isrever perft` up to `depth`, by callgrind's own total.
fn callgrind(depth: u32, isa: &str) -> Result<u64> {
    let target = shell::target_folder()?;
    let profile = target.join("callgrind.out");
    shell::output(&format!(
        "valgrind --quiet --tool=callgrind --callgrind-out-file={} \
         {}/release/isrever perft {depth} --isa {isa} --json",
        profile.display(),
        target.display()
    ))?;
    let profile = fs::read_to_string(profile)?;
    let total = profile.lines().find_map(|line| line.strip_prefix("totals: "));
    Ok(total.context("callgrind wrote no total")?.trim().parse()?)
}

fn json(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("no {}", path.display()))?;
    Ok(serde_json::from_str(&text)?)
}

fn number(value: &Value) -> Result<f64> {
    value.as_f64().with_context(|| format!("criterion wrote {value} for a number"))
}

/// A time in nanoseconds, in the unit that suits it.
fn time(ns: f64) -> String {
    match ns {
        1e9.. => format!("{:.2} s", ns / 1e9),
        1e6.. => format!("{:.2} ms", ns / 1e6),
        1e3.. => format!("{:.2} µs", ns / 1e3),
        _ => format!("{ns:.2} ns"),
    }
}
