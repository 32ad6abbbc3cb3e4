//! Reads directories of experiments' folders.

use crate::error::Error;
use isrever_experiments::ALL;
use isrever_lab::experiment::{FOLDER_FILES, Folder};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// What is read of one folder at most: it is far more than one has.
const MOST_BYTES: u64 = 64 << 20;

/// The folders in a directory by name: in the order of the experiments' list; what is not in it comes
/// last.
pub(super) fn read(directory: &Path) -> Result<Vec<(String, Folder)>, Error> {
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
            let folder = folder(&path).map_err(|error| Error::io(path.display(), &error))?;
            folders.push((name, folder));
        }
    }
    if folders.is_empty() {
        let offence = "no experiments; expected folders that lab run wrote";
        return Err(Error::input(directory.display(), offence));
    }
    let place = |name: &str| ALL.iter().position(|experiment| experiment.slug == name);
    folders.sort_by_cached_key(|(name, _)| (place(name).unwrap_or(ALL.len()), name.clone()));
    Ok(folders)
}

/// The files of a folder.
fn folder(path: &Path) -> io::Result<Folder> {
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
