//! `isrever arena`: agents of other people.

mod check;

use crate::fault::Fault;
use std::io::Write;

/// Test agents of other people
#[derive(clap::Args, Debug)]
pub(crate) struct ArenaArgs {
    #[command(subcommand)]
    command: ArenaCommand,
}

#[derive(clap::Subcommand, Debug)]
enum ArenaCommand {
    Check(check::CheckArgs),
}

/// Does what the subcommand says.
pub(crate) fn run(args: &ArenaArgs, out: &mut dyn Write) -> Result<(), Fault> {
    match &args.command {
        ArenaCommand::Check(args) => check::run(args, out),
    }
}
