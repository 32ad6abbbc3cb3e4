//! Turns findings into files, and files into findings.

use super::dependencies::Dependencies;
use super::figure::Comparison;
use super::findings::{Findings, Picture, Timings};
use super::markdown;
use super::provenance::Provenance;
use super::table::Table;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The files that every folder has.
pub const FOLDER_FILES: [&str; 4] = [SPECIFICATION, RESULTS, PAGE, PROVENANCE];

const SPECIFICATION: &str = "experiment.toml";
const RESULTS: &str = "results.json";
const PAGE: &str = "page.md";
const PROVENANCE: &str = "provenance.json";
const DEPENDENCIES: &str = "dependencies.json";
const TIMINGS: &str = "timings.json";

/// Whether a file is the same bytes whenever, wherever and on however many threads the experiment
/// is run.
pub fn is_repeatable(file: &str) -> bool {
    file != PROVENANCE && !file.starts_with("timings")
}

/// The files of an experiment, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Folder {
    /// Names and bytes.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Why files are no experiment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FolderError {
    /// A file is not there.
    Missing(String),
    /// A file is not what it should be.
    Damaged {
        /// Which one.
        file: String,
        /// What is wrong with it.
        offence: String,
    },
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::Missing(file) => {
                write!(f, "there is no {file}; expected a folder that lab run wrote")
            }
            FolderError::Damaged { file, offence } => {
                write!(f, "{file}: {offence}; expected a file that lab run wrote")
            }
        }
    }
}

impl std::error::Error for FolderError {}

/// `results.json`: findings with the names of their pictures.
#[derive(Serialize, Deserialize)]
struct Results {
    title: String,
    source: String,
    question: String,
    comparisons: Vec<Comparison>,
    meaning: [String; 2],
    notes: Vec<String>,
    tables: Vec<Table>,
    pictures: Vec<Picture>,
}

impl Folder {
    /// The folder of an experiment: what was asked, what was found, and where.
    ///
    /// # Panics
    /// If a table or picture of timings is not called so.
    pub fn new(specification: &str, findings: &Findings, provenance: &Provenance) -> Folder {
        let mut folder = Folder::default();
        folder.add(SPECIFICATION, specification);
        let results = Results {
            title: findings.title.clone(),
            source: findings.source.clone(),
            question: findings.question.clone(),
            comparisons: findings.comparisons.clone(),
            meaning: findings.meaning.clone(),
            notes: findings.notes.clone(),
            tables: findings.tables.clone(),
            pictures: findings.pictures.clone(),
        };
        folder.add(RESULTS, json(&results));
        for table in &findings.tables {
            folder.add(&format!("{}.csv", table.name), table.csv());
        }
        let timed = findings.timings.iter().flat_map(|timings| &timings.pictures);
        for Picture { name, svg, .. } in findings.pictures.iter().chain(timed) {
            folder.add(&format!("{name}.svg"), svg.clone());
        }
        folder.add(PAGE, markdown::page(findings));
        folder.add(PROVENANCE, json(provenance));
        if let Some(timings) = &findings.timings {
            let pictures = timings.pictures.iter().map(|picture| &picture.name);
            for name in timings.tables.iter().map(|table| &table.name).chain(pictures) {
                assert!(!is_repeatable(name), "{name} is of timings, and called so");
            }
            for table in &timings.tables {
                folder.add(&format!("{}.csv", table.name), table.csv());
            }
            folder.add(TIMINGS, json(timings));
            folder.add("timings.md", markdown::timings(&findings.title, timings));
        }
        folder
    }

    /// The folder with what its results depend on.
    #[must_use]
    pub fn with_dependencies(mut self, dependencies: &Dependencies) -> Folder {
        self.add(DEPENDENCIES, json(dependencies));
        self
    }

    fn add(&mut self, name: &str, bytes: impl Into<Vec<u8>>) {
        self.files.insert(name.to_owned(), bytes.into());
    }

    /// What was found, by the files.
    pub fn findings(&self) -> Result<Findings, FolderError> {
        let results: Results = self.parsed(RESULTS)?;
        let picture = |picture: Picture| {
            let svg = self.text(&format!("{}.svg", picture.name))?.to_owned();
            Ok(Picture { svg, ..picture })
        };
        let timings = match self.files.contains_key(TIMINGS) {
            true => {
                let timings: Timings = self.parsed(TIMINGS)?;
                let pictures = timings.pictures.into_iter().map(picture);
                Some(Timings { pictures: pictures.collect::<Result<_, _>>()?, ..timings })
            }
            false => None,
        };
        Ok(Findings {
            title: results.title,
            source: results.source,
            question: results.question,
            comparisons: results.comparisons,
            meaning: results.meaning,
            notes: results.notes,
            tables: results.tables,
            pictures: results.pictures.into_iter().map(picture).collect::<Result<_, _>>()?,
            timings,
        })
    }

    /// What was asked, by the files.
    pub fn specification(&self) -> Result<&str, FolderError> {
        self.text(SPECIFICATION)
    }

    /// Where it was found, by the files.
    pub fn provenance(&self) -> Result<Provenance, FolderError> {
        self.parsed(PROVENANCE)
    }

    /// What the results depend on, by the files; `None` in folders that do not say.
    pub fn dependencies(&self) -> Result<Option<Dependencies>, FolderError> {
        self.files.contains_key(DEPENDENCIES).then(|| self.parsed(DEPENDENCIES)).transpose()
    }

    fn text(&self, file: &str) -> Result<&str, FolderError> {
        let bytes = self.files.get(file).ok_or_else(|| FolderError::Missing(file.to_owned()))?;
        std::str::from_utf8(bytes).map_err(|_| FolderError::Damaged {
            file: file.to_owned(),
            offence: "not UTF-8".to_owned(),
        })
    }

    fn parsed<T: DeserializeOwned>(&self, file: &str) -> Result<T, FolderError> {
        serde_json::from_str(self.text(file)?).map_err(|error| FolderError::Damaged {
            file: file.to_owned(),
            offence: error.to_string(),
        })
    }
}

/// JSON for people too: one thing a line.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("no map has keys that are not text") + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::Figure;
    use super::*;

    fn findings() -> Findings {
        let mut table = Table::new("means", "Means.", &[("round", 0), ("mean", 2)]);
        table.row([4_u64.into(), 4.0.into()]);
        let timings = Table { name: "timings".to_owned(), ..table.clone() };
        let late = Picture::new("timings", "Seconds by round.", "<svg></svg>".to_owned());
        Findings {
            title: "Breadth".to_owned(),
            source: "report 000, 4.1.1".to_owned(),
            question: "How many moves?".to_owned(),
            comparisons: vec![Comparison::new(
                "mean",
                Figure::exact(8.9, 1),
                Figure::with_reach(8.8, 0.2, 1),
            )],
            meaning: ["It is so.".to_owned(), "It matters.".to_owned()],
            notes: vec!["Passes count as nothing.".to_owned()],
            tables: vec![table],
            pictures: vec![Picture::new("means", "Means by round.", "<svg></svg>".to_owned())],
            timings: Some(Timings {
                tables: vec![timings],
                pictures: vec![late],
                ..Timings::default()
            }),
        }
    }

    #[test]
    fn findings_survive_their_folder_and_only_two_kinds_of_files_may_change() {
        let one = Folder::new("seed = 1\n", &findings(), &Provenance::default());
        assert_eq!(one.findings().unwrap(), findings());
        let late = Provenance { seconds: 3.5, ..Provenance::default() };
        let slow = Findings { timings: Some(Timings::default()), ..findings() };
        let other = Folder::new("seed = 1\n", &slow, &late);
        let changed =
            one.files.iter().filter(|(name, bytes)| other.files.get(*name) != Some(bytes));
        assert!(changed.clone().all(|(name, _)| !is_repeatable(name)));
        assert_eq!(changed.count(), 5, "provenance.json, and timings as CSV, JSON, SVG and a page");
        assert!(FOLDER_FILES.iter().all(|file| one.files.contains_key(*file)));
        assert_eq!(other.provenance().unwrap(), late);
    }

    #[test]
    fn what_is_no_folder_is_refused() {
        let error = Folder::default().findings().unwrap_err().to_string();
        assert!(error.starts_with("there is no results.json; expected"), "{error}");
        let mut folder = Folder::new("", &findings(), &Provenance::default());
        folder.add(RESULTS, "{}");
        let error = folder.findings().unwrap_err().to_string();
        assert!(error.starts_with("results.json: missing field"), "{error}");
    }
}
