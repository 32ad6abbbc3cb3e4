//! `isrever man`: manual pages of the program and its commands.

use crate::error::Error;
use clap::Command;
use clap_mangen::{Man, generate_to};
use std::io::Write;
use std::path::PathBuf;

/// Write the manual page, or those of all commands into a folder
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever man | man -l -                  reads the page of the program
  isrever man ~/.local/share/man/man1     installs all pages: man isrever-solve")]
pub(crate) struct ManArgs {
    /// Write isrever.1, isrever-play.1 and so on into this folder
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Writes the pages of `program`.
pub(crate) fn run(args: &ManArgs, program: Command, out: &mut dyn Write) -> Result<(), Error> {
    match &args.folder {
        None => Ok(Man::new(program).render(out)?),
        Some(folder) => {
            let pages = std::fs::create_dir_all(folder).and_then(|()| generate_to(program, folder));
            pages.map_err(|error| Error::io(folder.display(), &error))
        }
    }
}
