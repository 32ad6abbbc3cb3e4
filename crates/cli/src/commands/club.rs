//! `isrever club`: what the owner of a battle platform does beside the web board.
//!
//! The commands, and what they share; each command has a file.

mod files;
#[cfg(target_os = "linux")]
mod judge;
mod link;

use crate::error::Error;
use isrever_club::{Club, ClubError, OpenError, Work};
use isrever_cluster::Unopened;
use isrever_jobs::AnyWork;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// What the jobs of a club are called among those of a cluster.
#[cfg(target_os = "linux")]
pub(crate) const KIND: &str = isrever_judge::Judging::KIND;
#[cfg(not(target_os = "linux"))]
pub(crate) const KIND: &str = "club";

/// Look after a club: judges, invitations, back-ups, proofs
#[derive(clap::Args, Debug)]
pub(crate) struct ClubArgs {
    #[command(subcommand)]
    command: ClubCommand,
}

#[derive(clap::Subcommand, Debug)]
enum ClubCommand {
    #[cfg(target_os = "linux")]
    Judge(judge::JudgeArgs),
    Link(link::LinkArgs),
    BackUp(files::BackUpArgs),
    Prove(files::ProveArgs),
}

/// Does what one of the commands asks for.
pub(crate) fn run(args: &ClubArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.command {
        #[cfg(target_os = "linux")]
        ClubCommand::Judge(args) => judge::run(args),
        ClubCommand::Link(args) => link::run(args, out),
        ClubCommand::BackUp(args) => files::back_up(args, out),
        ClubCommand::Prove(args) => files::prove(args, out),
    }
}

/// Opens the club of a directory, which must have one.
fn open(directory: &Path) -> Result<Club, Error> {
    if !Club::is_in(directory) {
        let offence = "there is no club; expected the directory of isrever serve --club";
        return Err(Error::input(directory.display(), offence));
    }
    open_at(directory.display(), directory)
}

/// Opens the club of a directory, or makes it; errors speak of `place`.
pub(crate) fn open_at(place: impl Display, directory: &Path) -> Result<Club, Error> {
    Club::open(directory, Work::default()).map_err(|error| match error {
        OpenError::Io(error) => {
            Error::input(place, format_args!("{error}; expected a directory to write to"))
        }
        OpenError::Foreign | OpenError::Newer => Error::input(place, error),
        OpenError::Database(error) => Error::io(place, &io::Error::other(error)),
    })
}

/// What is wrong with a club whose file could be opened.
pub(crate) fn failed(place: impl Display, error: ClubError) -> Error {
    Error::io(place, &io::Error::other(error))
}

/// Where somebody who has a code joins a club, behind the address of the page.
pub(crate) fn join_path(code: &str) -> String {
    format!("#/club/join/{code}")
}

/// Opens the jobs of a club at a worker.
#[cfg(target_os = "linux")]
pub(crate) fn open_jobs(text: &str) -> Result<Arc<dyn AnyWork>, Unopened> {
    let unfit = |error: Error| Unopened::Unfit(error.line().unwrap_or_default().to_owned());
    let python = judge::python(None).map_err(unfit)?;
    let catalogue = Arc::new(isrever_players::catalogue());
    Ok(Arc::new(isrever_judge::Judging::read(text, catalogue, python)?))
}

/// The sandbox of its agents is Linux's.
#[cfg(not(target_os = "linux"))]
pub(crate) fn open_jobs(_text: &str) -> Result<Arc<dyn AnyWork>, Unopened> {
    Err(Unopened::Unfit("agents of a club need Linux".to_owned()))
}
