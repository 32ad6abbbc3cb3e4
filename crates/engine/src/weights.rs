//! Weights from files, each file read once however many games use it.
//!
//! Loaded weights stay until the program ends. A file that has changed since,
//! by its time or length, is read again.

use isrever_eval::{Weights, WeightsError};
use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use std::{fmt, fs};

/// No file of weights is longer.
const MOST_BYTES: u64 = 64 << 20;

/// A file in the state in which it was read.
#[derive(PartialEq, Eq, Hash)]
struct Version {
    path: PathBuf,
    modified: SystemTime,
    length: u64,
}

static LOADED: Mutex<Option<HashMap<Version, &'static Weights>>> = Mutex::new(None);

/// Why a file gives no weights.
#[derive(Debug)]
pub enum LoadError {
    /// There is no such file.
    Missing,
    /// It is a directory.
    Directory,
    /// It cannot be read.
    Io(io::Error),
    /// It holds something else.
    Format(WeightsError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Missing => f.write_str("no such file; expected a file"),
            LoadError::Directory => f.write_str("a directory; expected a file"),
            LoadError::Io(error) => write!(f, "{error}; expected a file that can be read"),
            // These say what they expect.
            LoadError::Format(
                error @ (WeightsError::Version(_) | WeightsError::Rule(_) | WeightsError::Size(_)),
            ) => error.fmt(f),
            LoadError::Format(error) => write!(f, "{error}; expected a file that train fit wrote"),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> LoadError {
        match error.kind() {
            io::ErrorKind::NotFound => LoadError::Missing,
            _ => LoadError::Io(error),
        }
    }
}

/// The weights in a file that `train fit` wrote. They stay until the program ends.
///
/// # Errors
/// If there is no such file, or it holds something else.
pub fn load_weights(path: &Path) -> Result<&'static Weights, LoadError> {
    let path = path.canonicalize()?;
    let metadata = fs::metadata(&path)?;
    if metadata.is_dir() {
        return Err(LoadError::Directory);
    }
    let Some(version) = version(&path, &metadata) else { return read(&path) };
    // Whoever wants the same file waits until it is read.
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = loaded.get_or_insert_default();
    if let Some(weights) = loaded.get(&version) {
        return Ok(weights);
    }
    let weights = read(&path)?;
    loaded.insert(version, weights);
    Ok(weights)
}

/// The version of a plain file; a pipe has none and is read anew.
fn version(path: &Path, metadata: &Metadata) -> Option<Version> {
    let modified = metadata.modified().ok().filter(|_| metadata.is_file())?;
    Some(Version { path: path.to_owned(), modified, length: metadata.len() })
}

fn read(path: &Path) -> Result<&'static Weights, LoadError> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    let weights = Weights::from_bytes(&bytes).map_err(LoadError::Format)?;
    Ok(Box::leak(Box::new(weights)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights").join(name)
    }

    #[test]
    fn a_file_is_read_once_by_whatever_path() {
        let first = load_weights(&shipped("reversed-6x6.bin")).unwrap();
        let again = load_weights(&shipped("../weights/reversed-6x6.bin")).unwrap();
        assert!(std::ptr::eq(first, again));
        let other = load_weights(&shipped("normal-6x6.bin")).unwrap();
        assert_ne!(first.rule(), other.rule());
    }

    #[test]
    fn a_file_that_has_changed_is_read_again() {
        let path = std::env::temp_dir().join(format!("isrever-weights-{}", std::process::id()));
        fs::copy(shipped("reversed-6x6.bin"), &path).unwrap();
        let first = load_weights(&path).unwrap();
        fs::copy(shipped("normal-6x6.bin"), &path).unwrap();
        let second = load_weights(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_ne!(first.rule(), second.rule());
    }

    #[test]
    fn other_files_are_refused() {
        for (path, words) in [
            (shipped("nowhere.bin"), "no such file; expected a file"),
            (shipped(""), "a directory; expected a file"),
            (shipped("manifest.toml"), "not a file of weights; expected a file that train fit"),
        ] {
            let said = load_weights(&path).unwrap_err().to_string();
            assert!(said.starts_with(words), "{said}");
        }
    }
}
