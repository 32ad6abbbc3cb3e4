//! Files that agents need, such as weights: each is read once, however many games use it.
//!
//! What was read stays until the program ends. A file that has changed since, by
//! its time or length, is read again.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use std::{fmt, fs};

/// A file in the state in which it was read.
#[derive(PartialEq, Eq, Hash)]
struct Version {
    path: PathBuf,
    modified: SystemTime,
    length: u64,
}

/// Why a file cannot be used.
#[derive(Debug)]
pub enum LoadError<E> {
    /// There is no such file.
    Missing,
    /// It is a directory.
    Directory,
    /// It cannot be read.
    Io(io::Error),
    /// It holds something else.
    Format(E),
}

impl<E: fmt::Display> fmt::Display for LoadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Missing => f.write_str("no such file; expected a file"),
            LoadError::Directory => f.write_str("a directory; expected a file"),
            LoadError::Io(error) => write!(f, "{error}; expected a file that can be read"),
            LoadError::Format(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for LoadError<E> {}

impl<E> From<io::Error> for LoadError<E> {
    fn from(error: io::Error) -> LoadError<E> {
        match error.kind() {
            io::ErrorKind::NotFound => LoadError::Missing,
            _ => LoadError::Io(error),
        }
    }
}

/// The files of one kind that the program has read.
pub struct LoadedFiles<T: 'static> {
    files: Mutex<Option<HashMap<Version, &'static T>>>,
    most_bytes: u64,
}

impl<T> LoadedFiles<T> {
    /// None yet. No file of this kind has more bytes than `most_bytes`; the rest of a longer one is
    /// not read.
    pub const fn new(most_bytes: u64) -> LoadedFiles<T> {
        LoadedFiles { files: Mutex::new(None), most_bytes }
    }

    /// What `parse` makes of a file, once for each state of it. It stays until the program ends.
    ///
    /// # Errors
    /// If there is no such file, or `parse` refuses it.
    pub fn load<E>(
        &self,
        path: &Path,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<&'static T, LoadError<E>> {
        self.open(path, |path| {
            let mut bytes = Vec::new();
            File::open(path)?.take(self.most_bytes).read_to_end(&mut bytes)?;
            parse(&bytes).map_err(LoadError::Format)
        })
    }

    /// The same, where `open` reads the file itself, however long it is.
    ///
    /// # Errors
    /// If there is no such file, or `open` refuses it.
    pub fn open<E>(
        &self,
        path: &Path,
        open: impl FnOnce(&Path) -> Result<T, LoadError<E>>,
    ) -> Result<&'static T, LoadError<E>> {
        let path = path.canonicalize()?;
        let metadata = fs::metadata(&path)?;
        if metadata.is_dir() {
            return Err(LoadError::Directory);
        }
        let read = || Ok(&*Box::leak(Box::new(open(&path)?)));
        let Some(version) = version(&path, &metadata) else { return read() };
        // Whoever wants the same file waits until it is read.
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let files = files.get_or_insert_default();
        if let Some(known) = files.get(&version) {
            return Ok(known);
        }
        let parsed = read()?;
        files.insert(version, parsed);
        Ok(parsed)
    }
}

/// The version of a plain file; a pipe has none and is read anew.
fn version(path: &Path, metadata: &Metadata) -> Option<Version> {
    let modified = metadata.modified().ok().filter(|_| metadata.is_file())?;
    Some(Version { path: path.to_owned(), modified, length: metadata.len() })
}
