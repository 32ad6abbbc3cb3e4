//! A piece of work in writing: its kind, its text, and the files that it needs.

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
