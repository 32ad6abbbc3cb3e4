//! `cargo xtask club`: tries the battle platform as a course would use it.

mod agents;
mod campus;
mod class;
mod clock;
mod count;
mod people;
mod report;
mod traces;
mod visits;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum What {
    /// Simulate a class: hundreds of members with good, broken and hostile agents, while server and
    /// judges are killed again and again; then count everything anew
    Class(class::Options),
    /// Time agents on the ladder while nobody else is there, while people play against the engine,
    /// and while they play against agents
    Clock(clock::Options),
}

/// Does one of the tasks.
pub(crate) fn run(what: &What) -> Result<()> {
    match what {
        What::Class(options) => class::run(options),
        What::Clock(options) => clock::run(options),
    }
}
