//! The folder of a tuning. Each file is written whole or not at all, but for the log, which grows.

use crate::error::Error;
use crate::output::replace_file;
use isrever_lab::experiment::Folder as Files;
use isrever_lab::tune::{Generation, Outcome, Plan, picture};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use toml::Table;

const SPECIFICATION: &str = "experiment.toml";
/// Written last: who finds it finds all others.
const WINNER: &str = "winner.json";

/// How many different settings a refusal names.
const MOST_DIFFERENCES: usize = 3;

/// The other plan of a tuning that is asked for with or without `--quick`, if there is one.
pub(super) enum Rescaled {
    Quick(Option<Plan>),
    Full(Option<Plan>),
}

/// The settings that were `begun` with other values than are `asked` for now; `None` if what was
/// begun cannot be read.
fn differences(begun: &str, asked: &str) -> Option<String> {
    let (begun, asked): (Table, Table) = (begun.parse().ok()?, asked.parse().ok()?);
    let value = |table: &Table, key: &str| match table.get(key) {
        Some(value) => value.to_string(),
        None => "unset".to_owned(),
    };
    let keys: BTreeSet<&String> = begun.keys().chain(asked.keys()).collect();
    let mut differences: Vec<String> = keys
        .into_iter()
        .filter(|&key| begun.get(key) != asked.get(key))
        .map(|key| format!("{key} = {}, not {}", value(&begun, key), value(&asked, key)))
        .collect();
    let others = differences.len().saturating_sub(MOST_DIFFERENCES);
    differences.truncate(MOST_DIFFERENCES);
    match (differences.len(), others) {
        (0, _) => None,
        (_, 0) => Some(differences.join("; ")),
        (_, others) => Some(format!("{}; and {others} more", differences.join("; "))),
    }
}

/// Where a tuning is kept.
pub(super) struct Folder {
    path: PathBuf,
    asked: String,
}

impl Folder {
    /// Makes the folder and writes down what was asked, or refuses one that was begun otherwise.
    /// `rescaled` is the plan with `--quick` if it is asked for without, and without if with.
    pub(super) fn open(path: &Path, plan: &Plan, rescaled: &Rescaled) -> Result<Folder, Error> {
        let folder = Folder { path: path.to_owned(), asked: plan.text() };
        let file = folder.file(SPECIFICATION);
        match fs::read_to_string(&file) {
            Ok(begun) if begun == folder.asked => Ok(folder),
            Ok(begun) => Err(folder.refuse(&begun, rescaled)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(|error| Error::io(path.display(), &error))?;
                folder.write(SPECIFICATION, folder.asked.clone().into_bytes())?;
                Ok(folder)
            }
            Err(error) => Err(Error::io(file.display(), &error)),
        }
    }

    /// Says how the folder was begun, and how to go on.
    fn refuse(&self, begun: &str, rescaled: &Rescaled) -> Error {
        let (was, to_go_on) = match rescaled {
            Rescaled::Quick(Some(plan)) if plan.text() == begun => {
                ("with --quick".to_owned(), "--quick")
            }
            Rescaled::Full(Some(plan)) if plan.text() == begun => {
                ("without --quick".to_owned(), "no --quick")
            }
            _ => match differences(begun, &self.asked) {
                Some(differences) => (format!("with {differences}"), "the same options"),
                None => {
                    let offence = "not the specification of a tuning; expected another folder";
                    return Error::input(self.file(SPECIFICATION).display(), offence);
                }
            },
        };
        let offence = format_args!(
            "the tuning there was begun {was}; expected {to_go_on} to go on with it, or --dir with \
             another folder to begin a new one"
        );
        Error::input(self.path.display(), offence)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn write(&self, name: &str, bytes: Vec<u8>) -> Result<(), Error> {
        replace_file(&self.file(name), std::iter::once(Ok(bytes)))
    }

    /// Draws the generations so far.
    pub(super) fn draw(&self, plan: &Plan, history: &[Generation]) -> Result<(), Error> {
        let picture = picture(plan, history);
        self.write(&format!("{}.svg", picture.name), picture.svg.into_bytes())
    }

    /// What was found, if the tuning came to its end before.
    pub(super) fn outcome(&self) -> Result<Option<Outcome>, Error> {
        let file = self.file(WINNER);
        match fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|_| {
                let offence = "not the winner of a tuning; expected a file that tune wrote";
                Error::input(file.display(), offence)
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(file.display(), &error)),
        }
    }

    /// Writes down what was found.
    pub(super) fn close(&self, outcome: &Outcome, files: Files) -> Result<(), Error> {
        let mut files = files.files;
        files.insert("preset.txt".to_owned(), format!("{}\n", outcome.preset).into_bytes());
        files.into_iter().try_for_each(|(name, bytes)| self.write(&name, bytes))?;
        let text = serde_json::to_string_pretty(outcome).expect("an outcome is plain data");
        self.write(WINNER, (text + "\n").into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named_with_both_values() {
        let said = |begun, asked| differences(begun, asked);
        assert_eq!(said("a = 1\nb = 2", "a = 1\nb = 3").unwrap(), "b = 2, not 3");
        assert_eq!(said("a = 1", "b = \"x\"").unwrap(), "a = 1, not unset; b = unset, not \"x\"");
        let many = said("a = 1\nb = 1\nc = 1\nd = 1\ne = 1", "").unwrap();
        assert!(many.ends_with("c = 1, not unset; and 2 more"), "{many}");
        assert_eq!(said("my notes", "a = 1"), None);
    }
}
