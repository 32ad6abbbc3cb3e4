//! The Python benchmarks: steps of environments, and the course's class within its limits.
//!
//! `python/benchmark.py` steps one board at a time and thousands at once in one process, one after
//! the other, so that the machine is the same for both; `python/trial.py` lets the course's class
//! play the reports' agents in the sandbox, and watches it from outside. Both write their tables
//! themselves.

use crate::package::{self, Environment};
use crate::record::{self, heading, load};
use crate::shell;
use anyhow::{Context, Result, ensure};
use std::fmt::Write;
use std::process::Stdio;

/// How the course's class is tried.
#[derive(clap::Args)]
pub(crate) struct Course {
    /// Seconds for a move
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Pairs of games against each opponent, on each board
    #[arg(long, default_value_t = 1)]
    pairs: u32,
    /// The widths of the boards
    #[arg(long, value_delimiter = ',', default_values_t = [8, 6])]
    sizes: Vec<u8>,
    /// Only these opponents; the agents of the five reports unless some are named
    opponents: Vec<String>,
    /// Print the record instead of writing it
    #[arg(long)]
    dry_run: bool,
}

impl Course {
    /// Plays the games with a release build of the package, and writes the record.
    pub(super) fn run(&self) -> Result<()> {
        let Course { seconds, pairs, sizes, opponents, dry_run } = self;
        let sizes: Vec<String> = sizes.iter().map(u8::to_string).collect();
        let options = format!(
            "--seconds {seconds} --pairs {pairs} --sizes {} {}",
            sizes.join(","),
            opponents.join(" ")
        );
        let environment = package::released()?;
        let command = format!("bench course {options}");
        let mut text = opening("The course's class", command.trim_end())?;
        let script = format!("python/trial.py {options}");
        writeln!(text, "{}", table(&environment, &script)?)?;
        record::finish(&(text.trim_end().to_owned() + "\n"), "course", *dry_run)
    }
}

/// Measures a release build of the package in a clean virtual environment.
pub(super) fn record() -> Result<String> {
    let environment = package::released()?;
    let mut text = opening("The Python package", "bench python")?;
    writeln!(text, "## Steps per second\n\n{}", table(&environment, "python/benchmark.py")?)?;
    let trial = table(&environment, "python/trial.py --seconds 1")?;
    writeln!(text, "## The course's class\n\n{trial}")?;
    Ok(text.trim_end().to_owned() + "\n")
}

/// The heading of a record, with the Python that was used and how busy the machine was.
fn opening(title: &str, command: &str) -> Result<String> {
    let mut text = heading(title, command, None)?;
    writeln!(text, "- Python: {}", shell::output("python3 --version")?)?;
    writeln!(text, "{}", load())?;
    Ok(text)
}

/// What a script writes, given as one line with its arguments; how far it is, it says meanwhile.
fn table(environment: &Environment, line: &str) -> Result<String> {
    let mut python = environment.python();
    let output =
        python.arg("-P").args(line.split_whitespace()).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "{line} failed with {}", output.status);
    String::from_utf8(output.stdout).with_context(|| format!("{line} writes text"))
}
