//! What a folder rests on: weights, versions of what is counted, and a run at reduced size.
//!
//! A page is true of the program that wrote it. A folder records what could
//! change its bytes, so that a later program can tell without the hours of a full
//! run whether it would still write the same.

use super::folder::{Folder, is_repeatable};
use super::provenance::WeightsFile;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;

/// What the results of a folder depend on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Dependencies {
    /// The files of weights that its agents play by.
    pub weights: Vec<WeightsFile>,
    /// Versions of the parts of the program whose figures it shows, by name.
    pub versions: BTreeMap<String, u32>,
    /// The same experiment at a reduced size.
    pub reduced: Reduced,
}

/// A run at reduced size, by the program that wrote the folder.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reduced {
    /// Its specification, as TOML.
    pub specification: String,
    /// The SHA-256 of each of its repeatable files, by name.
    pub files: BTreeMap<String, String>,
}

impl Reduced {
    /// The run that `folder` is of.
    pub fn of(specification: &str, folder: &Folder) -> Reduced {
        let kept = folder.files.iter().filter(|(name, _)| is_repeatable(name));
        let files = kept.map(|(name, bytes)| (name.clone(), sha256(bytes))).collect();
        Reduced { specification: specification.to_owned(), files }
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A reason why a folder is stale.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// It was written before dependencies were recorded.
    Unrecorded,
    /// Its weights have other bytes now.
    Weights(String),
    /// It does not rest on these weights, or this part of the program, any more.
    Gone(String),
    /// A part of the program has another version than then.
    Version {
        /// The name of the part.
        part: String,
        /// Its version then.
        then: u32,
        /// Its version now.
        now: u32,
    },
    /// The experiment has other settings at its reduced size, or other settings altogether.
    Settings,
    /// These files differ at the reduced size.
    Reduced(Vec<String>),
    /// These files differ at full size.
    Whole(Vec<String>),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Unrecorded => f.write_str("does not say what it depends on"),
            Change::Weights(file) => write!(f, "{file} has changed"),
            Change::Gone(part) => write!(f, "rested on {part}, and no longer does"),
            Change::Version { part, then, now } => {
                write!(f, "{part}: version {now}, was {then}")
            }
            Change::Settings => f.write_str("the settings have changed"),
            Change::Reduced(files) => {
                write!(f, "differs at reduced size: {}", files.join(", "))
            }
            Change::Whole(files) => write!(f, "differs: {}", files.join(", ")),
        }
    }
}

impl Dependencies {
    /// Why a folder with these dependencies is stale, where the program of today has `now`.
    pub fn changes(&self, now: &Dependencies) -> Vec<Change> {
        let mut changes = Vec::new();
        for weights in now.weights.iter().filter(|weights| !self.weights.contains(weights)) {
            changes.push(Change::Weights(weights.file.clone()));
        }
        for weights in &self.weights {
            if now.weights.iter().all(|other| other.file != weights.file) {
                changes.push(Change::Gone(weights.file.clone()));
            }
        }
        for part in self.versions.keys().filter(|part| !now.versions.contains_key(*part)) {
            changes.push(Change::Gone(part.clone()));
        }
        for (part, &version) in &now.versions {
            let then = self.versions.get(part).copied().unwrap_or(0);
            if then != version {
                changes.push(Change::Version { part: part.clone(), then, now: version });
            }
        }
        if self.reduced.specification != now.reduced.specification {
            changes.push(Change::Settings);
        } else {
            let files = different(&self.reduced.files, &now.reduced.files);
            if !files.is_empty() {
                changes.push(Change::Reduced(files));
            }
        }
        changes
    }
}

/// The repeatable files of `made` that `kept` lacks or has with other bytes.
pub fn different_files(made: &Folder, kept: &Folder) -> Vec<String> {
    let mut files = different(&made.files, &kept.files);
    files.retain(|name| is_repeatable(name) && made.files.contains_key(name));
    files
}

/// The keys whose values differ, in order.
fn different<V: PartialEq>(one: &BTreeMap<String, V>, other: &BTreeMap<String, V>) -> Vec<String> {
    let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
    names.sort();
    names.dedup();
    names.into_iter().filter(|&name| one.get(name) != other.get(name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> Folder {
        let bytes = |&(name, text): &(&str, &str)| (name.to_owned(), text.as_bytes().to_vec());
        Folder { files: files.iter().map(bytes).collect() }
    }

    fn dependencies() -> Dependencies {
        let weights = WeightsFile { file: "w.bin".to_owned(), sha256: "00".to_owned() };
        let run = folder(&[("a.csv", "1"), ("page.md", "x"), ("provenance.json", "here")]);
        Dependencies {
            weights: vec![weights],
            versions: [("arena".to_owned(), 2)].into(),
            reduced: Reduced::of("games = 2", &run),
        }
    }

    #[test]
    fn nothing_changes_with_the_machine() {
        let then = dependencies();
        assert_eq!(then.reduced.files.len(), 2, "the provenance is no dependency");
        assert_eq!(
            then.reduced.files["a.csv"],
            "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
        );
        assert_eq!(then.changes(&dependencies()), []);
    }

    #[test]
    fn every_change_is_named() {
        let then = dependencies();
        let mut now = dependencies();
        now.weights[0].sha256 = "01".to_owned();
        now.versions.insert("arena".to_owned(), 3);
        now.reduced.files.insert("b.csv".to_owned(), "new".to_owned());
        now.reduced.files.remove("a.csv");
        let words: Vec<String> = then.changes(&now).iter().map(Change::to_string).collect();
        assert_eq!(
            words,
            [
                "w.bin has changed",
                "arena: version 3, was 2",
                "differs at reduced size: a.csv, b.csv"
            ]
        );
        now = dependencies();
        now.weights.clear();
        now.versions = [("search".to_owned(), 1)].into();
        let words: Vec<String> = then.changes(&now).iter().map(Change::to_string).collect();
        assert_eq!(
            words,
            [
                "rested on w.bin, and no longer does",
                "rested on arena, and no longer does",
                "search: version 1, was 0"
            ]
        );
        now = dependencies();
        now.reduced.specification = "games = 3".to_owned();
        assert_eq!(then.changes(&now), [Change::Settings]);
    }

    #[test]
    fn only_repeatable_files_are_compared() {
        let made = folder(&[("a.csv", "1"), ("timings.csv", "2"), ("b.csv", "3"), ("c.csv", "4")]);
        let kept = folder(&[("a.csv", "1"), ("timings.csv", "4"), ("c.csv", "3"), ("log", "5")]);
        assert_eq!(different_files(&made, &kept), ["b.csv", "c.csv"]);
    }
}
