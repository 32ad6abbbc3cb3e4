//! `cargo xtask fuzz`: fuzzes every reader with cargo-fuzz.
//!
//! The same invariants run as property tests in `cargo xtask test`; this hunts
//! longer and deeper. It needs a nightly toolchain and a C++ compiler, so it is
//! a command of its own.

use crate::{setup, shell};
use anyhow::{Result, ensure};
use std::fs;
use std::path::Path;

/// Fuzzes every target, or one, for `seconds` each.
pub(crate) fn run(seconds: u32, only: Option<&str>) -> Result<()> {
    let cargo_fuzz = setup::cargo_tool("cargo-fuzz", "0.13.2")?;
    let path = cargo_fuzz.display();
    let targets = shell::output(&format!("{path} list"))?;
    if let Some(only) = only {
        let expected = targets.replace('\n', ", ");
        ensure!(targets.lines().any(|t| t == only), "no target {only}; expected {expected}");
    }
    for target in targets.lines().filter(|&target| only.is_none_or(|only| only == target)) {
        println!("\n== {target}: {seconds} s");
        // What is found goes to the corpus of the target; the samples are where it starts from, and
        // files of its own where the format is no text.
        fs::create_dir_all(format!("fuzz/corpus/{target}"))?;
        let seeds = format!("fuzz/seeds/{target}");
        let seeds = if Path::new(&seeds).is_dir() { seeds } else { String::new() };
        let line = format!(
            "{path} run {target} fuzz/corpus/{target} testdata/formats {seeds} -- \
             -max_total_time={seconds} -timeout=10"
        );
        shell::run(shell::command(&line).env("RUSTUP_TOOLCHAIN", "nightly"))?;
    }
    Ok(())
}
