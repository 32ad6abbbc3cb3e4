//! `isrever arena`: games between agents, and what they say about them.
//!
//! The commands, and what they share; each command has a file.

mod along;
#[cfg(target_os = "linux")]
mod check;
mod measure;
mod play;
mod settings;
mod show;
mod table;

use crate::book::remark;
use crate::commands::cores;
use crate::error::Error;
use crate::players;
use isrever_agent::{AgentSpec, Catalogue};
use isrever_arena::{Plan, Player, StoreError};
use isrever_board::{Rule, Size};
use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Let agents play each other: tournaments, ratings, measures
#[derive(clap::Args, Debug)]
pub(crate) struct ArenaArgs {
    #[command(subcommand)]
    command: ArenaCommand,
}

#[derive(clap::Subcommand, Debug)]
enum ArenaCommand {
    // It has more options than all others together.
    Run(Box<play::RunArgs>),
    Resume(play::ResumeArgs),
    Show(show::ShowArgs),
    Measure(measure::MeasureArgs),
    #[cfg(target_os = "linux")]
    Check(check::CheckArgs),
}

/// Does what one of the commands asks for.
pub(crate) fn run(args: &ArenaArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.command {
        ArenaCommand::Run(args) => play::run(args, out),
        ArenaCommand::Resume(args) => play::resume(args, out),
        ArenaCommand::Show(args) => show::run(args, out),
        ArenaCommand::Measure(args) => measure::run(args, out),
        #[cfg(target_os = "linux")]
        ArenaCommand::Check(args) => check::run(args, out),
    }
}

/// Who can play here.
fn catalogue() -> Arc<Catalogue> {
    Arc::new(players::catalogue())
}

/// Refuses a tournament with an agent that there is not, by the file that names it, if one does.
fn check_agents(plan: &Plan, catalogue: &Catalogue, file: Option<&Path>) -> Result<(), Error> {
    let check =
        |player: &Player| check_agent(&player.agent, (plan.rule, plan.size), catalogue, file);
    plan.players.iter().try_for_each(check)
}

fn check_agent(
    agent: &AgentSpec,
    (rule, size): (Rule, Size),
    catalogue: &Catalogue,
    file: Option<&Path>,
) -> Result<(), Error> {
    catalogue.check(agent, rule, size).map_err(|error| agent_error(agent, file, error))?;
    remark(catalogue, agent, (rule, size));
    Ok(())
}

/// Says what is wrong with an agent, and in which file it is named, if it is in one.
fn agent_error(agent: &AgentSpec, file: Option<&Path>, error: impl Display) -> Error {
    match file {
        None => Error::input(format_args!("agent {agent}"), error),
        Some(file) => Error::input(file.display(), format_args!("agent {agent}: {error}")),
    }
}

/// How many games to play at once: as many as were asked for, if that leaves each timed agent the
/// cores it needs; else as many as do.
fn at_once(plan: &Plan, catalogue: &Catalogue, asked: Option<usize>) -> Result<usize, Error> {
    let cores = cores();
    let most = plan.most_at_once(catalogue, cores);
    match asked {
        None => Ok(most.unwrap_or(cores)),
        Some(0) => Err(Error::input("concurrency", "0 plays no game; expected at least 1")),
        Some(asked) if most.is_some_and(|most| asked > most) => {
            let (most, threads) = (most.unwrap_or(1), plan.threads(catalogue, cores));
            let offence = format_args!(
                "{asked} games at once on {cores} cores, {threads} threads each, would take time \
                 from running clocks; expected at most {most}, or games limited by --nodes or \
                 --depth"
            );
            Err(Error::input("concurrency", offence))
        }
        Some(asked) => Ok(asked.min(1024)),
    }
}

/// What is wrong with a store.
fn store_error(path: &Path, error: StoreError) -> Error {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Error::input(path.display(), "there is no such folder; expected one that is there");
    }
    match error {
        StoreError::Io(error) => Error::io(path.display(), &error),
        StoreError::Database(error) => {
            Error::io(path.display(), &std::io::Error::other(error.to_string()))
        }
        _ => Error::input(path.display(), error),
    }
}
