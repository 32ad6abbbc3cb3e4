//! The folder of a tuning. Each file is written whole or not at all, but for the log, which grows.

use crate::fault::Fault;
use crate::output::replace_file;
use isrever_lab::plot;
use isrever_lab::tune::{Generation, Outcome, Plan};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const SPECIFICATION: &str = "experiment.toml";
const WINNER: &str = "winner.json";

/// Where a tuning is kept.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder and writes down what was asked, or refuses one where something else was.
    pub(super) fn open(path: &Path, plan: &Plan) -> Result<Folder, Fault> {
        let folder = Folder { path: path.to_owned() };
        let asked = toml::to_string(&plan.spec).expect("a specification is a plain table");
        let file = folder.file(SPECIFICATION);
        match fs::read_to_string(&file) {
            Ok(begun) if begun == asked => Ok(folder),
            Ok(begun) => {
                let begun: Vec<&str> = begun.lines().collect();
                let other = asked.lines().find(|line| !begun.contains(line));
                let other = other.unwrap_or("less than is asked here");
                let offence = format_args!(
                    "begun with something else than {other}; expected the same specification, or \
                     another folder"
                );
                Err(Fault::input(file.display(), offence))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(|error| Fault::io(path.display(), &error))?;
                folder.write(SPECIFICATION, asked.into_bytes())?;
                Ok(folder)
            }
            Err(error) => Err(Fault::io(file.display(), &error)),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn write(&self, name: &str, bytes: Vec<u8>) -> Result<(), Fault> {
        replace_file(&self.file(name), std::iter::once(Ok(bytes)))
    }

    /// Draws the generations so far.
    pub(super) fn draw(&self, plan: &Plan, history: &[Generation]) -> Result<(), Fault> {
        let title = plan.spec.name.as_deref().unwrap_or_default();
        let points = history.iter().map(|each| (each.best, each.mean));
        let svg = plot::tuning(title, plan.objective.label(), &points.collect::<Vec<_>>());
        self.write("fitness.svg", svg.into_bytes())
    }

    /// What was found, if the tuning came to its end before.
    pub(super) fn outcome(&self) -> Result<Option<Outcome>, Fault> {
        let file = self.file(WINNER);
        match fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|_| {
                let offence = "not the winner of a tuning; expected a file that tune wrote";
                Fault::input(file.display(), offence)
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::io(file.display(), &error)),
        }
    }

    /// Writes down what was found.
    pub(super) fn close(&self, outcome: &Outcome) -> Result<(), Fault> {
        self.write("preset.txt", format!("{}\n", outcome.preset).into_bytes())?;
        let text = serde_json::to_string_pretty(outcome).expect("an outcome is plain data");
        self.write(WINNER, (text + "\n").into_bytes())
    }
}
