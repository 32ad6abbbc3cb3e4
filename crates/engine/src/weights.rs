//! Weights from files, each file read once however many games use it.

use isrever_agent::LoadedFiles;
use isrever_eval::{Weights, WeightsError};
use std::fmt;
use std::path::Path;

/// The files that were read; none is longer than 64 MiB.
static LOADED: LoadedFiles<Weights> = LoadedFiles::new(64 << 20);

/// Why a file gives no weights.
pub type LoadError = isrever_agent::LoadError<NoWeights>;

/// Bytes that are no weights.
#[derive(Debug)]
pub struct NoWeights(WeightsError);

impl fmt::Display for NoWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            // These say what they expect.
            error @ (WeightsError::Version(_) | WeightsError::Rule(_) | WeightsError::Size(_)) => {
                error.fmt(f)
            }
            error => write!(f, "{error}; expected a file that train fit wrote"),
        }
    }
}

/// The weights in a file that `train fit` wrote. They stay until the program ends.
///
/// # Errors
/// If there is no such file, or it holds something else.
pub fn load_weights(path: &Path) -> Result<&'static Weights, LoadError> {
    LOADED.load(path, |bytes| Weights::from_bytes(bytes).map_err(NoWeights))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

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
