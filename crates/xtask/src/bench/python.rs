//! What a step costs from Python, and what the course's class does within the course's limits.
//!
//! `python/benchmark.py` steps one board at a time and thousands at once in one process, one after
//! the other, so that the machine is the same for both; `python/trial.py` lets the course's class
//! play the reports' agents in the sandbox. Both write their tables themselves.

use crate::package::{self, Environment};
use crate::record::{heading, load};
use crate::shell;
use anyhow::{Context, Result, ensure};
use std::fmt::Write;

/// Measures a release build of the package in a clean virtual environment.
pub(super) fn record() -> Result<String> {
    let environment = package::released()?;
    let mut text = heading("The Python package", "bench python", None)?;
    writeln!(text, "- Python: {}", shell::output("python3 --version")?)?;
    writeln!(text, "{}", load())?;
    writeln!(text, "## Steps per second\n\n{}", table(&environment, "python/benchmark.py")?)?;
    writeln!(text, "## The course's class\n\n{}", table(&environment, "python/trial.py")?)?;
    Ok(text.trim_end().to_owned() + "\n")
}

/// What a script writes.
fn table(environment: &Environment, script: &str) -> Result<String> {
    let output = environment.python().args(["-P", script]).output()?;
    ensure!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).with_context(|| format!("{script} writes text"))
}
