//! `isrever lab report`: folders of experiments, joined into one page.

use super::FOLDERS;
use super::directory::read;
use crate::error::Error;
use crate::output::replace_file;
use isrever_lab::experiment::report;
use std::io::Write;
use std::path::PathBuf;

/// Join the folders of experiments into one self-contained HTML page
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever lab report                       experiments/ into experiments/report.html
  isrever lab report trial                 those of lab run all --quick into trial/report.html
The page has all figures, tables and pictures in it: no script, nothing fetched, light or dark as
the reader's screen is.")]
pub(super) struct ReportArgs {
    /// The directory with the folders
    #[arg(default_value = FOLDERS, value_name = "DIRECTORY")]
    folders: PathBuf,

    /// Where the page goes [default: report.html in the directory]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Reads the folders and writes the page.
pub(super) fn run(args: &ReportArgs, out: &mut dyn Write) -> Result<(), Error> {
    let directory = &args.folders;
    let folders = read(directory)?;
    let page = report(&folders)
        .map_err(|(name, error)| Error::input(directory.join(name).display(), error))?;
    let path = args.output.clone().unwrap_or_else(|| directory.join("report.html"));
    replace_file(&path, std::iter::once(Ok(page.into_bytes())))?;
    writeln!(out, "{} experiments: {}", folders.len(), path.display())?;
    Ok(())
}
