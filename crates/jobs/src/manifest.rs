//! A piece of work in writing: its kind, its text, and the files that it needs.

use std::path::PathBuf;

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
    /// How many threads one job keeps busy, on a machine with a core for each.
    pub threads: usize,
    /// Whether outputs depend on how fast the machine is: then it does no more jobs at once than it
    /// has cores for.
    pub is_timed: bool,
}

/// A file that a piece of work needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attachment {
    /// What the manifest's text calls it.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}
