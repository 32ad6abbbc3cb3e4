//! What a step costs from Python: one board at a time, and thousands at once.
//!
//! Both are measured by `python/benchmark.py` in one process, one after the other, so that the
//! machine is the same for both.

use super::heading;
use crate::{package, shell};
use anyhow::{Context, Result};
use std::fmt::Write;

/// Measures a release build of the package in a clean virtual environment.
pub(super) fn record() -> Result<String> {
    let environment = package::released()?;
    let output = environment.python().args(["-P", "python/benchmark.py"]).output()?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).context("the benchmark writes text")?;
    let mut text = heading("Steps per second from Python", "python", None)?;
    writeln!(text, "- Python: {}", shell::output("python3 --version")?)?;
    writeln!(text, "- Load before it: {}\n", shell::output("cat /proc/loadavg")?)?;
    text.push_str(&table);
    Ok(text)
}
