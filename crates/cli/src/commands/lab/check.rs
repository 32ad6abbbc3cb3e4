//! `isrever lab check`: which folders of experiments this program would write otherwise.

use super::FOLDERS;
use super::directory::read;
use super::experiments::{Bar, experiment, experiment_bar, specification, thread_clock};
use crate::commands::train::ThreadArgs;
use crate::error::Error;
use crate::output::json_line;
use crate::players::catalogue;
use indicatif::ProgressBar;
use isrever_agent::Catalogue;
use isrever_experiments::Context;
use isrever_jobs::Unfinished;
use isrever_lab::experiment::{
    Change, Dependencies, Folder, Provenance, Specification, different_files,
};
use isrever_lab::tune::{Plan, RerunError, Spec};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tell which folders of experiments are stale
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever lab check                        the folders in experiments/
  isrever lab check --only circle --only winners
  isrever lab check --whole                run everything again and compare all bytes: hours
A folder says in dependencies.json what its results rest on: the hashes of weights, versions of what
is counted and of the agents that play, and a run at reduced size, file by file. This program makes
the reduced run again, which takes seconds, and names what has changed. Tunings are checked as
experiments are. The exit status is 3 if a folder is stale.
With --json one object per folder and line, with the keys folder, stale, changes (a list of texts).")]
pub(super) struct CheckArgs {
    /// The directory with the folders
    #[arg(default_value = FOLDERS, value_name = "DIRECTORY")]
    folders: PathBuf,

    /// Only this folder; may be given more than once
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,

    /// Run every experiment again in full
    #[arg(long)]
    whole: bool,

    /// One object per folder and line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Serialize)]
struct Row<'a> {
    folder: &'a str,
    stale: bool,
    changes: Vec<String>,
}

/// Checks the folders, one after another.
pub(super) fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<(), Error> {
    let mut folders = read(&args.folders)?;
    if let Some(name) = args.only.iter().find(|name| !folders.iter().any(|(one, _)| one == *name)) {
        let known: Vec<&str> = folders.iter().map(|(name, _)| name.as_str()).collect();
        let offence = format!("no such folder; expected {}", known.join(", "));
        return Err(Error::input(format_args!("--only {name}"), offence));
    }
    folders.retain(|(name, _)| args.only.is_empty() || args.only.contains(name));
    let check = Check::new(args)?;
    let mut stale = 0;
    for (name, folder) in &folders {
        check.bar.set_message(name.clone());
        let changes = check.changes(&args.folders.join(name), folder)?;
        stale += usize::from(!changes.is_empty());
        check.bar.suspend(|| show(name, &changes, args.json, out))?;
    }
    check.bar.finish_and_clear();
    match stale {
        0 => Ok(()),
        stale => {
            let offence = format!("{stale} of {} folders are stale", folders.len());
            Err(Error::failed(args.folders.display(), offence))
        }
    }
}

fn show(name: &str, changes: &[Change], is_json: bool, out: &mut dyn Write) -> Result<(), Error> {
    let changes: Vec<String> = changes.iter().map(Change::to_string).collect();
    if is_json {
        json_line(out, &Row { folder: name, stale: !changes.is_empty(), changes })?;
    } else if changes.is_empty() {
        writeln!(out, "{name:<18} up to date")?;
    } else {
        writeln!(out, "{name:<18} stale: {}", changes.join("; "))?;
    }
    Ok(out.flush()?)
}

/// What a folder was asked for.
enum Asked {
    Experiment(Specification),
    Tuning(Box<Plan>),
}

struct Check {
    catalogue: Arc<Catalogue>,
    pool: ThreadPool,
    threads: usize,
    is_whole: bool,
    bar: ProgressBar,
}

impl Check {
    fn new(args: &CheckArgs) -> Result<Check, Error> {
        let threads = args.threads.count();
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::io("threads", &io::Error::other(error)))?;
        let (catalogue, is_whole) = (Arc::new(catalogue()), args.whole);
        Ok(Check { catalogue, pool, threads, is_whole, bar: experiment_bar() })
    }

    /// Why the folder at `path` is stale; nothing if it is not.
    fn changes(&self, path: &Path, folder: &Folder) -> Result<Vec<Change>, Error> {
        let damaged = |error: &dyn std::fmt::Display| Error::input(path.display(), error);
        let text = folder.specification().map_err(|error| damaged(&error))?;
        let asked = match (specification(text), Spec::read(text)) {
            (Ok(specification), _) => Asked::Experiment(specification),
            (_, Ok(spec)) if spec.agent.is_some() => {
                let plan = spec.settle(&self.catalogue).map_err(|error| damaged(&error))?;
                Asked::Tuning(Box::new(plan))
            }
            (Err(error), _) => return Err(damaged(&error)),
        };
        let unplayed = |error: RerunError| match error {
            RerunError::Spec(error) => damaged(&error),
            RerunError::Games(Unfinished::Failed(why)) => Error::Io(why),
            RerunError::Games(Unfinished::Stopped) => Error::Stopped("stopped".to_owned()),
        };
        let mut changes = match folder.dependencies().map_err(|error| damaged(&error))? {
            None => vec![Change::Unrecorded],
            Some(then) => then.changes(&self.dependencies(&asked).map_err(unplayed)?),
        };
        if self.is_whole {
            let made = self.rerun(&asked).map_err(unplayed)?;
            let files = different_files(&made, folder);
            if !files.is_empty() {
                changes.push(Change::Whole(files));
            }
        }
        Ok(changes)
    }

    fn dependencies(&self, asked: &Asked) -> Result<Dependencies, RerunError> {
        match asked {
            Asked::Experiment(specification) => Ok(self.in_context(specification, |context| {
                experiment(specification).dependencies(context)
            })),
            Asked::Tuning(plan) => plan.dependencies(&self.catalogue, self.threads),
        }
    }

    fn rerun(&self, asked: &Asked) -> Result<Folder, RerunError> {
        match asked {
            Asked::Experiment(specification) => {
                let findings = self
                    .in_context(specification, |context| experiment(specification).run(context));
                Ok(Folder::new(&specification.text(), &findings, &Provenance::default()))
            }
            Asked::Tuning(plan) => plan.rerun(&self.catalogue, self.threads),
        }
    }

    fn in_context<R: Send>(
        &self,
        specification: &Specification,
        run: impl FnOnce(&Context<'_>) -> R + Send,
    ) -> R {
        let (progress, clock, threads) = (&Bar(&self.bar), &thread_clock(), self.threads);
        let context = Context { specification, threads, progress, clock };
        self.pool.install(|| run(&context))
    }
}
