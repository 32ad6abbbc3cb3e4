//! `isrever lab`: the experiments of the reports, and one page of them all.
//!
//! The arguments of its commands, and what they share; each command has a file.

mod check;
mod directory;
mod experiments;
mod list;
mod report;
mod run;

pub(crate) use experiments::{Experiments, KIND};

use crate::error::Error;
use std::io::Write;
use std::path::Path;

/// Where folders of experiments lie unless somebody says otherwise.
const FOLDERS: &str = "experiments";

/// Where folders of smoke runs lie: a few games must not take the place of many.
const QUICK_FOLDERS: &str = "trial";

/// The directory of the folders of experiments and tunings, with `--quick` or without.
pub(super) fn folders(is_quick: bool) -> &'static Path {
    Path::new(if is_quick { QUICK_FOLDERS } else { FOLDERS })
}

/// Run the experiments of five student reports again, each by one name
#[derive(clap::Args, Debug)]
pub(crate) struct LabArgs {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(clap::Subcommand, Debug)]
enum LabCommand {
    Run(run::RunArgs),
    Report(report::ReportArgs),
    List(list::ListArgs),
    Check(check::CheckArgs),
}

/// Does what one of the commands asks for.
pub(crate) fn run(args: &LabArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.command {
        LabCommand::Run(args) => run::run(args, out),
        LabCommand::Report(args) => report::run(args, out),
        LabCommand::List(args) => list::run(args, out),
        LabCommand::Check(args) => check::run(args, out),
    }
}
