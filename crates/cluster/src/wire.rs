//! What goes over the wire beside jobs and outputs: manifests, digests.

use isrever_jobs::Manifest;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// A piece of work as it is sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    /// The version of the program that sent it.
    pub version: String,
    /// What its jobs do.
    pub kind: String,
    /// All that its jobs depend on.
    pub text: String,
    /// The files that the text names.
    pub files: Vec<SentFile>,
    /// How many threads one job keeps busy.
    pub threads: usize,
    /// How much memory one job takes, in bytes.
    pub memory_bytes: u64,
}

/// A file of a piece of work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentFile {
    /// What the text calls it.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) digest: String,
}

impl Sent {
    /// A manifest, and the digests of its files.
    pub(crate) fn new(version: &str, manifest: &Manifest, files: Vec<SentFile>) -> Sent {
        Sent {
            version: version.to_owned(),
            kind: manifest.kind.to_owned(),
            text: manifest.text.clone(),
            files,
            threads: manifest.threads,
            memory_bytes: manifest.memory_bytes,
        }
    }
}

/// The digest of some bytes: SHA-256 in hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
