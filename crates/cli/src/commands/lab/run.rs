//! `isrever lab run`: experiments, each into a folder of its own.

use super::experiments::{Experiments, experiment, experiment_bar, folder, specification};
use super::folders;
use crate::cluster::{ClusterArgs, Interruption, run_error};
use crate::commands::train::ThreadArgs;
use crate::error::Error;
use crate::output::{check_replaceable, json_line, replace_folder};
use crate::progress::progress_bar;
use isrever_agent::did_you_mean;
use isrever_experiments::{ALL, Experiment};
use isrever_jobs::Crew;
use isrever_lab::experiment::{Comparison, Findings, Folder, FolderError, Specification};
use isrever_lab::tune::Spec;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Far more than a specification has: what is larger is something else.
const MOST_BYTES: u64 = 1 << 20;

/// Run experiments and write a folder for each
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever lab run all                      every experiment at full size
  isrever lab run all --quick              a smoke run of each, into trial/
  isrever lab run nodes --set games=50 --set depth=6
  isrever lab run experiments/breadth/experiment.toml
A folder holds what was asked (experiment.toml), what was found (results.json, CSV, SVG), a page
that puts it beside the report's figures (page.md), and where it was found (provenance.json). The
same specification gives the same bytes on any number of threads, but for provenance.json and files
that begin with timings. With --cluster each experiment runs on a thread of some worker. A folder of
an experiment that is there already is replaced; smoke runs go into another directory, so that they
replace none of a full run.
isrever lab list names the experiments and what can be set.
With --json one object per experiment and line, with the keys experiment, seed, folder, seconds,
meaning (two sentences) and comparisons (a list: what, report, ours, verdict).")]
pub(super) struct RunArgs {
    /// Experiments by name, all, or specifications as TOML
    #[arg(required = true, value_name = "NAME|all|FILE.toml")]
    names: Vec<String>,

    /// A smoke run: a few games of each, to see that everything works
    #[arg(long)]
    quick: bool,

    /// Sets a key of the specification; of every experiment, if there are more
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    assignments: Vec<(String, String)>,

    /// Where the random choices come from: the same seed, the same results [default: 1, or that of
    /// the specification]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Where the folders go [default: experiments, or trial with --quick]
    #[arg(short, long = "out", value_name = "DIRECTORY")]
    out: Option<PathBuf>,

    /// One object per experiment and line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

fn assignment(text: &str) -> Result<(String, String), &'static str> {
    let (key, value) = text.split_once('=').ok_or("no setting; expected KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

impl RunArgs {
    /// The directory of the folders.
    fn directory(&self) -> &Path {
        self.out.as_deref().unwrap_or(folders(self.quick))
    }
}

/// An experiment as `--json` tells it.
#[derive(Serialize)]
struct Row<'a> {
    experiment: &'a str,
    seed: u64,
    folder: String,
    seconds: f64,
    meaning: &'a [String; 2],
    comparisons: Vec<&'a Comparison>,
}

/// Runs what was asked for, after all of it was understood.
pub(super) fn run(args: &RunArgs, out: &mut dyn Write) -> Result<(), Error> {
    let mut planned: Vec<(&'static Experiment, Specification)> = Vec::new();
    for name in &args.names {
        for (experiment, specification) in asked(name, args)? {
            if planned.iter().any(|(other, _)| other.slug == experiment.slug) {
                let offence = "asked for twice; expected each experiment once";
                return Err(Error::input(experiment.slug, offence));
            }
            check_replaceable(&args.directory().join(experiment.slug))?;
            planned.push((experiment, specification));
        }
    }
    let count = planned.len() as u64;
    args.cluster.reach()?;
    let crew = args.cluster.crew(1, args.directory(), "experiments");
    let is_here = matches!(crew, Crew::Here(_));
    // Here one experiment after another has all threads; elsewhere each has one, and only whole
    // ones can be seen.
    let (threads, bar) = match is_here {
        true => (args.threads.count(), experiment_bar()),
        false => (1, progress_bar(count, "experiments")),
    };
    let experiments = Experiments { planned, threads, bar: bar.clone() };
    let mut take = |place: u64, files: BTreeMap<String, String>| {
        if !is_here {
            bar.inc(1);
        }
        bar.suspend(|| keep(args, &experiments.planned[place as usize], folder(files), out))
    };
    let run = |stop: &AtomicBool| {
        crew.in_order(&experiments, 0..count, |number| number as usize, &mut take, stop)
    };
    let ran = args.cluster.interruption().during(run);
    bar.finish_and_clear();
    match ran.map_err(run_error)? {
        true => Ok(()),
        false => {
            Err(Interruption::stopped("the cluster keeps the experiments that it has finished"))
        }
    }
}

/// The experiments that a name means, with what is asked of them.
fn asked(name: &str, args: &RunArgs) -> Result<Vec<(&'static Experiment, Specification)>, Error> {
    let mut asked: Vec<(&'static Experiment, Specification)> = if name == "all" {
        ALL.iter().map(|experiment| (experiment, experiment.specification(args.quick))).collect()
    } else if let Some(experiment) = Experiment::by_slug(name) {
        vec![(experiment, experiment.specification(args.quick))]
    } else if Path::new(name).extension().is_some_and(|extension| extension == "toml") {
        if args.quick {
            let offence = "says itself how much is run; expected no --quick beside it";
            return Err(Error::input(name, offence));
        }
        let specification = read(name)?;
        vec![(experiment(&specification), specification)]
    } else {
        let known: Vec<&str> = ALL.iter().map(|experiment| experiment.slug).collect();
        let (meant, known) = (did_you_mean(name, known.iter().copied()), known.join(", "));
        let offence = format!("no such experiment{meant}; expected all, {known}, or a file .toml");
        return Err(Error::input(format_args!("{name:?}"), offence));
    };
    for (experiment, specification) in &mut asked {
        specification.seed = args.seed.unwrap_or(specification.seed);
        for (key, value) in &args.assignments {
            specification.assign(key, value).map_err(|error| {
                Error::input(format_args!("--set {key}={value} for {}", experiment.slug), error)
            })?;
        }
    }
    Ok(asked)
}

/// Reads a specification.
fn read(path: &str) -> Result<Specification, Error> {
    let to_error = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => Error::input(path, "no such file; expected a specification"),
        ErrorKind::InvalidData => Error::input(path, "not UTF-8; expected TOML"),
        _ => Error::io(path, &error),
    };
    let length = fs::metadata(path).map_err(to_error)?.len();
    if length > MOST_BYTES {
        let offence = format!("{length} bytes; expected a specification of at most {MOST_BYTES}");
        return Err(Error::input(path, offence));
    }
    let text = fs::read_to_string(path).map_err(to_error)?;
    specification(&text).map_err(|error| {
        match Spec::read(&text).is_ok_and(|spec| spec.agent.is_some()) {
            true => Error::input(path, format_args!("a tuning; expected isrever tune {path}")),
            false => Error::input(path, error),
        }
    })
}

/// Writes the folder of an experiment, and says what it found.
fn keep(
    args: &RunArgs,
    (experiment, specification): &(&'static Experiment, Specification),
    folder: Folder,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let path = args.directory().join(experiment.slug);
    replace_folder(&path, &folder)?;
    let damaged = |error: FolderError| Error::input(path.display(), error);
    let findings = folder.findings().map_err(damaged)?;
    let seconds = folder.provenance().map_err(damaged)?.seconds;
    if args.json {
        let row = Row {
            experiment: experiment.slug,
            seed: specification.seed,
            folder: path.display().to_string(),
            seconds,
            meaning: &findings.meaning,
            comparisons: comparisons(&findings).collect(),
        };
        json_line(out, &row)?;
    } else {
        writeln!(out, "{} ({}), {seconds:.1} s", findings.title, findings.source)?;
        for Comparison { what, report, ours, verdict } in comparisons(&findings) {
            let verdict = verdict.to_string();
            let verdict = if verdict.is_empty() { verdict } else { format!(", {verdict}") };
            writeln!(out, "  {what}: {ours} (report: {report}{verdict})")?;
        }
        writeln!(out, "  {} {}", findings.meaning[0], findings.meaning[1])?;
        writeln!(out, "  written: {}", path.display())?;
    }
    out.flush()?;
    Ok(())
}

/// All figures, those measured with a clock too.
fn comparisons(findings: &Findings) -> impl Iterator<Item = &Comparison> {
    let timed = findings.timings.iter().flat_map(|timings| &timings.comparisons);
    findings.comparisons.iter().chain(timed)
}
