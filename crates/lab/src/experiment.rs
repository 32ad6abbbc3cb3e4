//! An experiment as a folder that can be checked by running it again.
//!
//! What is here: what was asked ([`Specification`]), what was found
//! ([`Findings`]: figures beside those of a report, tables, pictures, what it
//! means), where and by what it was found ([`Provenance`]), what it rests on
//! ([`Dependencies`]), and how all of that becomes the files of a [`Folder`] and one [`report()`] of many folders. What is
//! not: the experiments themselves (`isrever-experiments`), and the disk: a folder is a
//! list of names and bytes, which others write and read.
//!
//! The same specification gives the same bytes on any machine and any number of
//! threads, but for two kinds of files: `provenance.json`, and those that begin
//! with `timings`. [`is_repeatable`] tells them apart.

mod dependencies;
mod figure;
mod findings;
mod folder;
mod markdown;
mod provenance;
mod report;
mod specification;
mod table;

pub use dependencies::{Change, Dependencies, Reduced, different_files};
pub(crate) use figure::digits;
pub use figure::{Comparison, Figure, Verdict};
pub use findings::{Findings, Picture, Timings};
pub use folder::{FOLDER_FILES, Folder, FolderError, is_repeatable};
pub use provenance::{Provenance, WeightsFile};
pub use report::report;
pub use specification::{Setting, Specification};
pub use table::{Cell, Column, Table};
