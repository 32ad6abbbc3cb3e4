//! Where and with what an experiment ran: the one file that differs between two runs.

use serde::{Deserialize, Serialize};

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
