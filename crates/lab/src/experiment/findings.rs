//! The findings of an experiment, before they become files.

use super::figure::Comparison;
use super::table::Table;
use serde::{Deserialize, Serialize};

/// A picture of results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Picture {
    /// What its file is called, without `.svg`.
    pub name: String,
    /// What it shows, a sentence.
    pub caption: String,
    /// The picture; it has a file of its own.
    #[serde(skip)]
    pub svg: String,
}

impl Picture {
    /// A picture with its name and caption.
    pub fn new(name: &str, caption: impl Into<String>, svg: String) -> Picture {
        Picture { name: name.to_owned(), caption: caption.into(), svg }
    }
}

/// What an experiment found. All of it follows from the specification, but for the timings.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// What the experiment is called.
    pub title: String,
    /// Which part of which report it goes back to.
    pub source: String,
    /// What was done.
    pub question: String,
    /// Our figures beside the report's.
    pub comparisons: Vec<Comparison>,
    /// What it means, in two sentences.
    pub meaning: [String; 2],
    /// Definitions, and why figures differ.
    pub notes: Vec<String>,
    /// All results.
    pub tables: Vec<Table>,
    /// Pictures of them, with error bars.
    pub pictures: Vec<Picture>,
    /// What depends on the machine, if anything does.
    pub timings: Option<Timings>,
}

/// What was measured with a clock.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Timings {
    /// Our figures beside the report's.
    pub comparisons: Vec<Comparison>,
    /// How to read them.
    pub notes: Vec<String>,
    /// All of it; the names of tables begin with `timings`.
    pub tables: Vec<Table>,
    /// Pictures of it, whose names begin so too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
}
