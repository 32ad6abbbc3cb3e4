//! `cargo xtask compatibility`: checks that the program answers as it did before.
//!
//! Runs every command of the corpus in `testdata/compatibility/commands/` and compares the answers
//! with those in `recorded/` beside it, or with those of another program. An area is one file of
//! commands. It runs in a scratch folder of its own under `target/compatibility/`; the folder stays
//! after the run, so that files can be compared there.

mod area;
mod corpus;
mod diff;
mod files;
mod mask;
mod transcript;
mod web;

use crate::shell;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;
use transcript::Transcript;

#[derive(clap::Args, Default)]
pub(crate) struct Options {
    /// The program to check, instead of a development build of it
    #[arg(long, value_name = "PROGRAM")]
    binary: Option<PathBuf>,

    /// Compare with the answers of this program instead of the recorded ones
    #[arg(long, value_name = "PROGRAM", conflicts_with = "record")]
    against: Option<PathBuf>,

    /// Record the answers instead of comparing them
    #[arg(long)]
    record: bool,

    /// Only these areas, such as solve or web
    #[arg(long, value_name = "AREA")]
    only: Vec<String>,

    /// Run so many areas at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// One file of commands for each area.
const COMMANDS: &str = "testdata/compatibility/commands";
/// The answers to them, under the same names.
const RECORDED: &str = "testdata/compatibility/recorded";

/// Checks a development build against the recordings.
pub(crate) fn test() -> Result<()> {
    run(&Options::default())
}

/// Runs the corpus and says what is different; an error if anything is.
pub(crate) fn run(options: &Options) -> Result<()> {
    let program = match &options.binary {
        Some(program) => std::path::absolute(program)?,
        None => shell::development()?,
    };
    let against = options.against.as_deref().map(std::path::absolute).transpose()?;
    let areas = areas(&options.only)?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = options.jobs.unwrap_or(cores).clamp(1, areas.len());
    let (next, started) = (AtomicUsize::new(0), Instant::now());
    let work = || -> Result<usize> {
        let mut different = 0;
        while let Some(area) = areas.get(next.fetch_add(1, Relaxed)) {
            different += check(area, &program, against.as_deref(), options.record)
                .with_context(|| format!("the area {area} cannot be run"))?;
        }
        Ok(different)
    };
    let different = thread::scope(|scope| -> Result<usize> {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker returns errors")).sum()
    })?;
    println!("{} areas in {:.0} s", areas.len(), started.elapsed().as_secs_f64());
    ensure!(different == 0, "{different} answers are different");
    Ok(())
}

/// Runs one area, and compares or records its answers: how many are different.
fn check(area: &str, program: &Path, against: Option<&Path>, record: bool) -> Result<usize> {
    let steps = corpus::read(&fs::read_to_string(file(COMMANDS, area))?)?;
    let started = Instant::now();
    let scratch = shell::target_folder()?.join("compatibility");
    let new = area::run(&steps, program, &scratch.join("new").join(area))?;
    let seconds = started.elapsed().as_secs_f64();
    if record {
        let failed = new.answers.iter().find(|answer| answer.text.starts_with(area::FAILED));
        if let Some(answer) = failed {
            bail!("{}: {}", answer.step, answer.text);
        }
        fs::create_dir_all(RECORDED)?;
        fs::write(file(RECORDED, area), new.text())?;
        println!("{area}: {} answers recorded in {seconds:.1} s", new.answers.len());
        return Ok(0);
    }
    let old = match against {
        Some(against) => area::run(&steps, against, &scratch.join("old").join(area))?,
        None => {
            let path = file(RECORDED, area);
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}; --record writes it", path.display()))?;
            Transcript::read(&text)?
        }
    };
    let differences = diff::differences(&old, &new);
    let verdict = match differences.len() {
        0 => "the same".to_owned(),
        count => format!("{count} DIFFERENT"),
    };
    let count = new.answers.len();
    // One write, so that areas that run at the same time do not mix their lines.
    println!("{}{area}: {count} answers in {seconds:.1} s, {verdict}", differences.concat());
    Ok(differences.len())
}

/// The names of the areas, or of those that were asked for.
fn areas(only: &[String]) -> Result<Vec<String>> {
    let mut areas = Vec::new();
    for entry in fs::read_dir(COMMANDS).with_context(|| format!("cannot read {COMMANDS}"))? {
        let path = entry?.path();
        let name = path.file_stem().context("a file has a name")?.to_string_lossy();
        areas.push(name.into_owned());
    }
    areas.sort();
    for name in only {
        ensure!(areas.contains(name), "no area {name}; expected one of {}", areas.join(", "));
    }
    areas.retain(|area| only.is_empty() || only.contains(area));
    Ok(areas)
}

fn file(folder: &str, area: &str) -> PathBuf {
    Path::new(folder).join(format!("{area}.txt"))
}
