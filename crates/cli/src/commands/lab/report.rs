//! `isrever lab report`: folders of experiments, joined into one page.

use super::FOLDERS;
use crate::error::Error;
use crate::output::replace_file;
use isrever_experiments::ALL;
use isrever_lab::experiment::{FOLDER_FILES, Folder, report};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What is read of one folder at most: it is far more than one has.
const MOST_BYTES: u64 = 64 << 20;

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
    let entries = fs::read_dir(directory).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Error::input(
            directory.display(),
            "no such directory; expected one with folders that lab run wrote",
        ),
        _ => Error::io(directory.display(), &error),
    })?;
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| Error::io(directory.display(), &error))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if let Some(name) = name
            && FOLDER_FILES.iter().all(|file| path.join(file).is_file())
        {
            let folder = read(&path).map_err(|error| Error::io(path.display(), &error))?;
            folders.push((name, folder));
        }
    }
    if folders.is_empty() {
        let offence = "no experiments; expected folders that lab run wrote";
        return Err(Error::input(directory.display(), offence));
    }
    // In the order of the list; what is not in it comes last, by name.
    let place = |name: &str| ALL.iter().position(|experiment| experiment.slug == name);
    folders.sort_by_cached_key(|(name, _)| (place(name).unwrap_or(ALL.len()), name.clone()));
    let page = report(&folders)
        .map_err(|(name, error)| Error::input(directory.join(name).display(), error))?;
    let path = args.output.clone().unwrap_or_else(|| directory.join("report.html"));
    replace_file(&path, std::iter::once(Ok(page.into_bytes())))?;
    writeln!(out, "{} experiments: {}", folders.len(), path.display())?;
    Ok(())
}

/// The files of a folder.
fn read(path: &Path) -> io::Result<Folder> {
    let mut folder = Folder::default();
    let mut bytes = 0;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if !entry.file_type()?.is_file() {
            continue;
        }
        bytes += entry.metadata()?.len();
        if bytes > MOST_BYTES {
            return Err(io::Error::other(format!("more than {MOST_BYTES} bytes")));
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        folder.files.insert(name, fs::read(entry.path())?);
    }
    Ok(folder)
}
