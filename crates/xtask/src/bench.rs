//! What is measured by `cargo bench`, each part written as a dated record.

mod arena;
mod board;
mod midgame;
mod python;
mod solver;

use crate::record;
use anyhow::Result;
use clap::Subcommand;

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
        What::Python { dry_run } => record::finish(&python::record()?, "python", *dry_run),
        What::Arena { dry_run } => arena::run(*dry_run),
        What::Midgame(options) => midgame::run(options),
        What::Solver(options) => solver::run(options),
    }
}
