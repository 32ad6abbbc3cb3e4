//! Measurements, written as dated records: what they have in common.

mod arena;
mod board;
mod midgame;
mod solver;

use crate::shell;
use anyhow::Result;
use clap::Subcommand;
use std::fmt::Write;
use std::fs;

/// What is measured.
#[derive(Subcommand)]
pub(crate) enum What {
    /// Moves, flips, perft and random games on every kernel of this machine
    Board {
        /// Print the record instead of writing it
        #[arg(long)]
        dry_run: bool,
    },
    /// What a game in the arena costs beside its agents
    Arena {
        /// Print the record instead of writing it
        #[arg(long)]
        dry_run: bool,
    },
    /// The midgame search: how deep in five seconds, how much faster with more threads
    Midgame(midgame::Options),
    /// The endgame solver on FFO positions, under both rules
    Solver(solver::Options),
}

/// Measures and writes the record, or prints it if that is asked for.
pub(crate) fn run(what: &What) -> Result<()> {
    match what {
        What::Board { dry_run } => finish(&board::record()?, "board", *dry_run),
        What::Arena { dry_run } => arena::run(*dry_run),
        What::Midgame(options) => midgame::run(options),
        What::Solver(options) => solver::run(options),
    }
}

/// When, on what and of what the record speaks; on this machine if no other is named.
pub(crate) fn heading(title: &str, command: &str, machine: Option<&str>) -> Result<String> {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown");
    let dirty = if shell::output("git status --porcelain")?.is_empty() { "" } else { " + changes" };
    let mut text = String::new();
    writeln!(text, "# {title}\n")?;
    writeln!(text, "- Command: `cargo xtask bench {command}`")?;
    writeln!(text, "- Date: {}", shell::output("date -u +%F")?)?;
    writeln!(text, "- Commit: {}{dirty}", shell::output("git rev-parse --short HEAD")?)?;
    writeln!(text, "- Compiler: {}", shell::output("rustc --version")?)?;
    let model = model.trim_start_matches([' ', '\t', ':']);
    writeln!(text, "- Machine: {}", machine.unwrap_or(model))?;
    Ok(text)
}

/// Writes the record to its dated file, or prints it.
fn finish(record: &str, name: &str, dry_run: bool) -> Result<()> {
    if dry_run {
        println!("\n{record}");
        return Ok(());
    }
    let path = format!("docs/records/{}-{name}.md", shell::output("date -u +%F")?);
    fs::write(&path, record)?;
    println!("\nwritten: {path}");
    Ok(())
}
