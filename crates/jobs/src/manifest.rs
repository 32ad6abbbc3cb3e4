//! A piece of work in writing: its kind, its text, and the files that it needs.

use serde::Serialize;
use std::path::{Path, PathBuf};

/// A piece of work in writing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// What its jobs do: `game`, `selfplay` and so on.
    pub kind: &'static str,
    /// All that its jobs depend on, as the kind writes it down. Files are named by
    /// [`Attachment::name`].
    pub text: String,
    /// The files that the text names.
    pub attachments: Vec<Attachment>,
    /// How many threads one job keeps busy: a machine begins no more jobs than it has threads for.
    pub threads: usize,
    /// How much memory one job takes beside the program's, in bytes: a machine begins no more jobs
    /// than it has memory for.
    pub memory_bytes: u64,
    /// The slowest core that may do it, in positions a second ([`Origin::speed`](crate::Origin::speed)).
    pub speed: Option<u64>,
}

impl Manifest {
    /// Work without files whose jobs take one thread and little memory.
    pub fn new(kind: &'static str, text: &impl Serialize) -> Manifest {
        let text = serde_json::to_string(text).expect("manifests are plain data");
        Manifest { kind, text, attachments: Vec::new(), threads: 1, memory_bytes: 0, speed: None }
    }
}

/// A file that a piece of work needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attachment {
    /// What the manifest's text calls it.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

impl Attachment {
    /// The file at `path`, the `number`-th of a manifest; `None` if its name is not text.
    pub fn new(number: usize, path: &Path) -> Option<Attachment> {
        let base = path.file_name()?.to_str()?;
        Some(Attachment { name: format!("attached-{number}/{base}"), path: path.to_owned() })
    }
}
