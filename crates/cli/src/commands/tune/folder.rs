//! The folder of a tuning. Each file is written whole or not at all, but for the log, which grows.

use crate::error::Error;
use crate::output::replace_file;
use isrever_lab::experiment::{Findings, Folder as Files, Provenance};
use isrever_lab::tune::{Generation, Outcome, Plan, picture};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const SPECIFICATION: &str = "experiment.toml";
const PAGE: &str = "page.md";
/// Written last: who finds it finds all others.
const WINNER: &str = "winner.json";

/// Where a tuning is kept.
pub(super) struct Folder {
    path: PathBuf,
    asked: String,
}

impl Folder {
    /// Makes the folder and writes down what was asked, or refuses one where something else was.
    pub(super) fn open(path: &Path, plan: &Plan) -> Result<Folder, Error> {
        let asked = toml::to_string(&plan.spec).expect("a specification is a plain table");
        let folder = Folder { path: path.to_owned(), asked };
        let file = folder.file(SPECIFICATION);
        match fs::read_to_string(&file) {
            Ok(begun) if begun == folder.asked => Ok(folder),
            Ok(begun) => Err(folder.refuse(&begun)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(|error| Error::io(path.display(), &error))?;
                folder.write(SPECIFICATION, folder.asked.clone().into_bytes())?;
                Ok(folder)
            }
            Err(error) => Err(Error::io(file.display(), &error)),
        }
    }

    /// Says what is asked here and was not where the folder was begun.
    fn refuse(&self, begun: &str) -> Error {
        let begun: Vec<&str> = begun.lines().collect();
        let other = self.asked.lines().find(|line| !begun.contains(line));
        let other = other.unwrap_or("less than was asked there");
        let offence = format_args!(
            "begun with something else than {other}; expected the same specification, or another \
             folder"
        );
        Error::input(self.file(SPECIFICATION).display(), offence)
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
    pub(super) fn close(
        &self,
        outcome: &Outcome,
        findings: &Findings,
        provenance: &Provenance,
    ) -> Result<(), Error> {
        let mut files = Files::new(&self.asked, findings, provenance).files;
        if let Some(page) = files.get_mut(PAGE) {
            // Experiments are run again by another command than tunings.
            let text = String::from_utf8_lossy(page);
            let again = "isrever tune experiment.toml --dir again";
            *page = text.replace("isrever lab run experiment.toml", again).into_bytes();
        }
        files.insert("preset.txt".to_owned(), format!("{}\n", outcome.preset).into_bytes());
        files.into_iter().try_for_each(|(name, bytes)| self.write(&name, bytes))?;
        let text = serde_json::to_string_pretty(outcome).expect("an outcome is plain data");
        self.write(WINNER, (text + "\n").into_bytes())
    }
}
