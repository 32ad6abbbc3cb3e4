//! `cargo xtask bench`: runs the benchmarks and writes dated records.

mod arena;
mod board;
mod instructions;
mod midgame;
mod python;
mod solver;

use crate::{record, shell};
use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::PathBuf;

/// Where the rows of a benchmark come from, and where its record goes.
#[derive(clap::Args)]
struct Source {
    /// Read what the benchmark printed elsewhere instead of running it
    #[arg(long, value_name = "FILE", requires = "machine")]
    from: Option<PathBuf>,
    /// With --from, the machine it ran on
    #[arg(long, value_name = "WORDS")]
    machine: Option<String>,
    /// Print the record instead of writing it
    #[arg(long)]
    dry_run: bool,
}

impl Source {
    /// What benchmark `name` of the search prints when it is given `args`, an object per line.
    fn rows<T: DeserializeOwned>(&self, name: &str, args: &str) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        let mut take = |line: &str| {
            let row = serde_json::from_str(line);
            rows.push(row.with_context(|| format!("the benchmark wrote {line:?}"))?);
            Ok(())
        };
        match &self.from {
            Some(file) => fs::read_to_string(file)?.lines().try_for_each(take)?,
            None => {
                let command =
                    format!("cargo bench --package isrever-search --bench {name} -- {args}");
                shell::each_line(&command, |line| {
                    println!("{line}");
                    take(line)
                })?;
            }
        }
        ensure!(!rows.is_empty(), "the benchmark wrote nothing");
        Ok(rows)
    }
}

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
    /// Instructions of fixed searches, compared with those recorded: fails if they grew
    Instructions(instructions::Options),
    /// The midgame search: how deep in five seconds, how much faster with more threads
    Midgame(midgame::Options),
    /// The course's class against the agents of the reports, by the course's own limits
    Course(python::Course),
    /// Steps per second of the Python package
    Python {
        /// Print the record instead of writing it
        #[arg(long)]
        dry_run: bool,
    },
    /// The endgame solver on FFO positions, under both rules
    Solver(solver::Options),
}

/// Measures and writes the record, or prints it if that is asked for.
pub(crate) fn run(what: &What) -> Result<()> {
    match what {
        What::Board { dry_run } => record::finish(&board::record()?, "board", *dry_run),
        What::Course(options) => options.run(),
        What::Python { dry_run } => record::finish(&python::record()?, "python", *dry_run),
        What::Arena { dry_run } => arena::run(*dry_run),
        What::Instructions(options) => instructions::run(options),
        What::Midgame(options) => midgame::run(options),
        What::Solver(options) => solver::run(options),
    }
}
