//! Writes output: a file or folder is replaced whole or not at all, an object is one line.

use crate::error::Error;
use isrever_lab::experiment::{FOLDER_FILES, Folder};
use serde::Serialize;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes `row` as one line of JSON.
pub(crate) fn json_line(out: &mut dyn Write, row: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(row)?)
}

/// The longest chain of links that is followed, as long as systems follow one.
const MOST_LINKS: usize = 40;

/// Writes `pieces` to `path`, so that whoever looks finds the old file or the new, never half.
///
/// They go to a temporary file beside it, which is then given its name. What is
/// there and is no ordinary file (`/dev/null`, a pipe) is written to directly:
/// it must not be replaced.
pub(crate) fn replace_file(
    path: &Path,
    mut pieces: impl Iterator<Item = Result<Vec<u8>, Error>>,
) -> Result<(), Error> {
    replace_file_by(path, |file| pieces.try_for_each(|piece| file.add(&piece?)))
}

/// The same with what `write` adds piece by piece. If it returns an error, the old file stays.
pub(crate) fn replace_file_by(
    path: &Path,
    write: impl FnOnce(&mut NewFile<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let to_error = |error: io::Error| Error::io(path.display(), &error);
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(to_error(error)),
    };
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let file = OpenOptions::new().write(true).open(path).map_err(to_error)?;
        return NewFile::write(file, path, write).map(drop);
    }
    replace_ordinary(path, old.as_ref(), write, false).map(drop)
}

/// Has `write` make a file at the path that it is given, which then becomes `path`: whole or not at
/// all, and only if nothing is there.
pub(crate) fn new_file(
    path: &Path,
    write: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<(), Error> {
    let to_error = |error: io::Error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Error::input(path.display(), "there already; expected a new file")
        }
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            Error::input(path.display(), "there is no such folder; expected one that is there")
        }
        _ => Error::io(path.display(), &error),
    };
    let temporary = beside(path).ok_or_else(|| {
        Error::input(path.display(), "not the name of a file; expected a file to write to")
    })?;
    if fs::symlink_metadata(path).is_ok() {
        return Err(to_error(ErrorKind::AlreadyExists.into()));
    }
    // An empty path is this directory.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(to_error(ErrorKind::NotFound.into()));
    }
    // A process with the same number may have been killed here.
    let _ = fs::remove_file(&temporary);
    let written = write(&temporary).and_then(|()| {
        let file = OpenOptions::new().write(true).open(&temporary).map_err(to_error)?;
        file.sync_all().map_err(to_error)?;
        match fs::hard_link(&temporary, path) {
            // Some file systems have no links.
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                fs::rename(&temporary, path).map_err(to_error)
            }
            linked => linked.map_err(to_error),
        }
    });
    let _ = fs::remove_file(&temporary);
    written
}

/// A file that is being written.
pub(crate) struct NewFile<'a> {
    out: BufWriter<File>,
    path: &'a Path,
}

impl NewFile<'_> {
    /// Adds some bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes).map_err(|error| Error::io(self.path.display(), &error))
    }

    /// Writes to `file` what `write` adds; errors speak of `path`.
    fn write(
        file: File,
        path: &Path,
        write: impl FnOnce(&mut NewFile<'_>) -> Result<(), Error>,
    ) -> Result<File, Error> {
        let mut new = NewFile { out: BufWriter::new(file), path };
        write(&mut new)?;
        new.out.into_inner().map_err(|error| Error::io(path.display(), &error.into_error()))
    }
}

/// Writes `bytes` to the ordinary file at `path` as [`replace_file`] does, and returns the new file,
/// which is locked before anybody can find it.
pub(crate) fn replace_locked(path: &Path, bytes: &[u8]) -> Result<File, Error> {
    let old = fs::metadata(path).ok();
    replace_ordinary(path, old.as_ref(), |file| file.add(bytes), true)
}

fn replace_ordinary(
    path: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut NewFile<'_>) -> Result<(), Error>,
    is_locked: bool,
) -> Result<File, Error> {
    let to_error = |error: io::Error| Error::io(path.display(), &error);
    let target = behind_links(path);
    let temporary = beside(&target).ok_or_else(|| {
        Error::input(path.display(), "not the name of a file; expected a file to write to")
    })?;
    let file =
        OpenOptions::new().write(true).create_new(true).open(&temporary).map_err(to_error)?;
    let written = NewFile::write(file, path, write).and_then(|file| {
        if let Some(old) = old {
            fs::set_permissions(&temporary, old.permissions()).map_err(to_error)?;
        }
        if is_locked {
            // Nobody else knows the file; without locks there is nothing to do.
            let _ = file.try_lock();
        }
        file.sync_all().map_err(to_error)?;
        fs::rename(&temporary, &target).map_err(to_error)?;
        Ok(file)
    });
    if written.is_err() {
        // Tidying up: the error to report is the first one.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Removes the temporary files that a program left in `directory` when it was killed. Only who keeps
/// all others from writing there may do that.
pub(crate) fn remove_begun(directory: &Path) -> Result<(), Error> {
    let to_error = |error: io::Error| Error::io(directory.display(), &error);
    for entry in fs::read_dir(directory).map_err(to_error)? {
        let entry = entry.map_err(to_error)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') && name.ends_with(".tmp") {
            fs::remove_file(entry.path()).map_err(to_error)?;
        }
    }
    Ok(())
}

/// Puts `folder` at `path`, so that whoever looks finds the old folder or the new, never half.
///
/// Only the folder of an experiment, or an empty one, is replaced: what else is
/// there is somebody's, and refused.
pub(crate) fn replace_folder(path: &Path, folder: &Folder) -> Result<(), Error> {
    let to_error = |error: io::Error| Error::io(path.display(), &error);
    check_replaceable(path)?;
    let temporary = beside(path).ok_or_else(|| {
        Error::input(path.display(), "not the name of a folder; expected a folder to write to")
    })?;
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(to_error)?;
    }
    let old = temporary.with_extension("old");
    let written = fs::create_dir(&temporary).map_err(to_error).and_then(|()| {
        for (name, bytes) in &folder.files {
            let file = File::create(temporary.join(name)).map_err(to_error)?;
            let file = NewFile::write(file, path, |file| file.add(bytes))?;
            file.sync_all().map_err(to_error)?;
        }
        if path.exists() {
            fs::rename(path, &old).map_err(to_error)?;
        }
        fs::rename(&temporary, path).map_err(to_error)
    });
    // Tidying up: the error to report is the first one.
    let _ = fs::remove_dir_all(&temporary);
    if written.is_err() && !path.exists() {
        let _ = fs::rename(&old, path);
    }
    let _ = fs::remove_dir_all(&old);
    written
}

/// Refuses to replace what is neither absent, nor empty, nor the folder of an experiment.
pub(crate) fn check_replaceable(path: &Path) -> Result<(), Error> {
    let to_error = |error: io::Error| Error::io(path.display(), &error);
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(to_error(error)),
        Ok(there) if there.is_dir() => {}
        Ok(_) => return Err(Error::input(path.display(), "a file; expected a folder to write to")),
    }
    let is_empty = fs::read_dir(path).map_err(to_error)?.next().is_none();
    if is_empty || FOLDER_FILES.iter().all(|file| path.join(file).is_file()) {
        return Ok(());
    }
    let offence = "holds something else than an experiment; expected a new, an empty or an \
                   experiment's folder";
    Err(Error::input(path.display(), offence))
}

/// The file that `path` leads to, there or not: a link stays a link, and its target is written.
fn behind_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        // A link is read from the directory it lies in, unless it says the whole way.
        target = target.with_file_name(next);
    }
    target
}

/// A name for a temporary file in the same directory, this process's own.
fn beside(target: &Path) -> Option<PathBuf> {
    let name = target.file_name()?.to_string_lossy();
    Some(target.with_file_name(format!(".{name}.{}.tmp", std::process::id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty directory of the test called `name`.
    fn directory(name: &str) -> PathBuf {
        let name = format!("isrever-output-{name}-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
        replace_file(path, bytes.iter().map(|&byte| Ok(vec![byte])))
    }

    #[test]
    fn a_file_is_replaced_and_nothing_stays_beside_it() {
        let directory = directory("replaced");
        let path = directory.join("file");
        for bytes in [&b"one"[..], b"two"] {
            replace(&path, bytes).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
            assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        }
        let late = || Error::input("late", "wrong; expected right");
        let pieces = [Ok(b"three".to_vec()), Err(late())];
        assert!(replace_file(&path, pieces.into_iter()).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(replace(&directory.join("no/file"), b"").is_err());
        assert!(replace(&directory, b"").is_err());
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn a_new_file_is_there_whole_or_not_at_all_and_replaces_nothing() {
        let directory = directory("new");
        let path = directory.join("file");
        let late = |half: &Path| {
            fs::write(half, b"half").unwrap();
            Err(Error::input("late", "wrong; expected right"))
        };
        assert!(new_file(&path, late).is_err());
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
        let write = |text: &'static [u8]| {
            move |new: &Path| {
                fs::write(new, text).unwrap();
                Ok(())
            }
        };
        new_file(&path, write(b"one")).unwrap();
        assert!(matches!(new_file(&path, write(b"two")), Err(Error::Input(_))));
        let overtaken = directory.join("overtaken");
        let race = |new: &Path| {
            fs::write(&overtaken, b"first").unwrap();
            write(b"second")(new)
        };
        assert!(matches!(new_file(&overtaken, race), Err(Error::Input(_))));
        assert_eq!(fs::read(&overtaken).unwrap(), b"first");
        assert!(matches!(new_file(&path.join("below"), write(b"")), Err(Error::Input(_))));
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 2);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn a_folder_is_replaced_whole_and_what_is_somebody_s_is_not() {
        let directory = directory("folder");
        let path = directory.join("deep/breadth");
        let mut folder = Folder::default();
        for file in FOLDER_FILES {
            folder.files.insert(file.to_owned(), b"one".to_vec());
        }
        folder.files.insert("old.csv".to_owned(), Vec::new());
        replace_folder(&path, &folder).unwrap();
        folder.files.remove("old.csv");
        replace_folder(&path, &folder).unwrap();
        let names = |path: &Path| {
            let entries = fs::read_dir(path).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        assert_eq!(names(&path), folder.files.keys().cloned().collect::<Vec<String>>());
        assert_eq!(names(&directory.join("deep")), ["breadth"]);
        let somebody_s = directory.join("deep");
        assert!(matches!(replace_folder(&somebody_s, &folder), Err(Error::Input(_))));
        assert!(matches!(replace_folder(&path.join("page.md"), &folder), Err(Error::Input(_))));
        assert_eq!(names(&somebody_s), ["breadth"]);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn links_stay_links_whether_they_lead_to_a_file_or_not_yet() {
        use std::os::unix::fs::symlink;
        let directory = directory("links");
        fs::create_dir_all(directory.join("below")).unwrap();
        let (first, second) = (directory.join("first"), directory.join("below/second"));
        symlink("below/second", &first).unwrap();
        symlink("../target", &second).unwrap();
        for bytes in [&b"new"[..], b"old"] {
            replace(&first, bytes).unwrap();
            assert!(first.is_symlink() && second.is_symlink());
            assert_eq!(fs::read(directory.join("target")).unwrap(), bytes);
            assert_eq!(fs::read_dir(&directory).unwrap().count(), 3);
            assert_eq!(fs::read_dir(directory.join("below")).unwrap().count(), 1);
        }
        let circle = directory.join("circle");
        symlink("circle", &circle).unwrap();
        assert!(replace(&circle, b"").is_err() && circle.is_symlink());
        fs::remove_dir_all(&directory).unwrap();
    }
}
