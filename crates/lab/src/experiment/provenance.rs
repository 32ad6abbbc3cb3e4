//! Where and with what an experiment ran: the one file that differs between two runs.

use serde::{Deserialize, Serialize};

/// The manifest of the weights in the program; a test of theirs holds its hashes to their bytes.
const MANIFEST: &str = include_str!("../../../../weights/manifest.toml");

/// What a run was made by, on and with.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The program's version.
    pub version: String,
    /// The commit it was built from, with `+ changes` if the sources had some.
    pub commit: String,
    /// The compiler.
    pub compiler: String,
    /// `release` or `debug`.
    pub profile: String,
    /// The processor.
    pub machine: String,
    /// How many processors there were.
    pub cores: usize,
    /// How many threads worked.
    pub threads: usize,
    /// When it began, in UTC.
    pub began: String,
    /// How long it took.
    pub seconds: f64,
    /// The weights that the program carried.
    pub weights: Vec<WeightsFile>,
}

/// A file of weights.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WeightsFile {
    /// Its name.
    pub file: String,
    /// The SHA-256 of its bytes.
    pub sha256: String,
}

impl WeightsFile {
    /// The files of weights that the program carries.
    pub fn carried() -> Vec<WeightsFile> {
        #[derive(Deserialize)]
        struct Manifest {
            weights: Vec<WeightsFile>,
        }
        let manifest: Manifest =
            toml::from_str(MANIFEST).expect("the manifest has been read by tests");
        manifest.weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_weights_has_its_hash() {
        let carried = WeightsFile::carried();
        assert_eq!(carried.len(), 5);
        assert!(carried.iter().all(|weights| weights.sha256.len() == 64));
    }
}
