//! `isrever arena`: agents of other people.

#[cfg(target_os = "linux")]
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
    #[cfg(target_os = "linux")]
    Check(check::CheckArgs),
}

/// Does what the subcommand says.
pub(crate) fn run(args: &ArenaArgs, out: &mut dyn Write) -> Result<(), Fault> {
    match args.command {
        #[cfg(target_os = "linux")]
        ArenaCommand::Check(ref args) => check::run(args, out),
    }
}
