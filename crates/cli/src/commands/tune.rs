//! `isrever tune`: parameters of agents, found by playing.
//!
//! Everything lies in a folder: what was asked, every generation, what was
//! found. The log is the whole state, so the same command goes on where the
//! last one ended, however it ended.

mod chart;
mod folder;
mod screen;

use super::lab::folders;
use super::stopped_by_ctrl_c;
use super::train::ThreadArgs;
use crate::cluster::ClusterArgs;
use crate::error::Error;
use crate::input::Input;
use crate::journal::Journal;
use crate::messages::grouped;
use crate::output::{json_line, remove_begun};
use crate::plain::plain;
use crate::players::catalogue;
use crate::provenance::{processor_time, provenance};
use folder::{Folder, Rescaled};
use isrever_agent::duration;
use isrever_jobs::Unfinished;
use isrever_lab::tune::{End, Generation, Outcome, Plan, Spec, Spent, Tuning, Watch, findings};
use isrever_web::date::now_ms;
use screen::Screen;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Tune the parameters of an agent by a genetic algorithm
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
Examples:
  isrever tune --agent greedy:by=squares --parameters a1,b1,c1,d1,b2,c2,d2,c3,d3,d4
  isrever tune squares.toml --dir squares      what the file says, kept in the folder squares
  isrever tune squares.toml --quick            the same on a small scale, into trial/
  isrever tune --agent genetic --algorithm binary --objective round-robin
  isrever tune --agent engine --parameters guess_level,foreseen_1 --objective effort
Algorithms: elitist (report 000: parents and children compete), binary (report 003: bits, half of
the population survive), cma-es (covariance matrix adaptation, the default).
Objectives: win-rate (the share of points against one opponent, the default), round-robin (against
the others of the generation), wins (games won of one against each of the others from the start:
report 003), neighbours (the share of slightly changed copies that it beats, less one half),
minimax-loss (discs that a move loses against the truth), effort (what searches by the engine's
parameters cost). Agents look one ply ahead unless depth or nodes is set, and games are decided by
proof when twelve squares are empty.
A file can say more than the options, with the keys {};
docs/guide/formats.md says what they mean. In the folder:
  experiment.toml               what was asked, with all defaults
  log.jsonl                     one object for each generation: every individual, and its fitness
  fitness.svg                   the best and the mean of every generation
  page.md, results.json, *.csv  what was found, on a page and for programs
  winner.json, preset.txt       the winner with its figures; its parameters
The winner is chosen, and then measured, in games that no generation has played.
The same command goes on where the last one ended, however it ended; only --until, --threads and
--cluster may change. The files are the same on any number of threads, here or elsewhere.
With --json one object per generation and line, with the keys generation, games, best, mean; and
at the end one with the keys agent, preset, generations, games, finalists (their fitness), proofs
(against, openings, wins, draws, losses, pairs, discs, score, low, high) and before (the same of the
agent as it was against random, if that was asked).", Spec::KEYS.names().join(", ")))]
pub(crate) struct TuneArgs {
    /// The tuning in TOML; options override it
    #[arg(value_name = "SPEC")]
    spec: Option<PathBuf>,

    /// Where everything is kept [default: the tuning's name in experiments/, or in trial/ with
    /// --quick]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// What the tuning is called [default: tuning]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Whose parameters are tuned
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// Which of them [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    parameters: Option<Vec<String>>,

    /// How: elitist, binary or cma-es
    #[arg(long, value_name = "ALGORITHM")]
    algorithm: Option<String>,

    /// For what: win-rate, round-robin, wins, neighbours, minimax-loss or effort
    #[arg(long, value_name = "OBJECTIVE")]
    objective: Option<String>,

    /// The opponent of win-rate [default: random]
    #[arg(long, value_name = "AGENT")]
    against: Option<String>,

    /// Pairs of games of each individual for win-rate [default: 100]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pairs: Option<u64>,

    /// Individuals of a generation
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    population: Option<usize>,

    /// The most generations [default: 50]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    generations: Option<u32>,

    /// What is played for: reversed or normal [default: reversed]
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,

    /// Plies that agents look ahead [default: 1; for effort, exact scores]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    depth: Option<u32>,

    /// Boards that agents visit for a move, instead of a depth
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    nodes: Option<u64>,

    /// Where the random choices come from: the same seed, the same files
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,

    /// A few generations with a few games, to see that it works
    #[arg(long)]
    quick: bool,

    /// Begin no new generation after this much time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    until: Option<Duration>,

    /// One object per generation and line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

impl TuneArgs {
    /// What was typed, and where that is silent what the file says; at full scale.
    fn full_spec(&self) -> Result<Spec, Error> {
        let file = self.spec.as_deref().map(read).transpose()?.unwrap_or_default();
        let typed = Spec {
            name: self.name.clone(),
            agent: self.agent.clone(),
            parameters: self.parameters.clone(),
            algorithm: self.algorithm.clone(),
            objective: self.objective.clone(),
            against: self.against.clone(),
            pairs: self.pairs,
            population: self.population,
            generations: self.generations,
            rule: self.rule.clone(),
            depth: self.depth,
            nodes: self.nodes,
            seed: self.seed,
            ..Spec::default()
        };
        Ok(typed.or(file))
    }
}

fn read(path: &Path) -> Result<Spec, Error> {
    let input = Input::read_named(path.as_os_str())?;
    let to_error = |offence: &dyn std::fmt::Display| Error::input(path.display(), offence);
    let text = std::str::from_utf8(&input.bytes)
        .map_err(|_| to_error(&"not UTF-8; expected a tuning in TOML"))?;
    Spec::read(text).map_err(|error| to_error(&error))
}

/// The folder of a tuning: the one asked for, or one among the experiments or smoke runs.
fn path(args: &TuneArgs, plan: &Plan) -> Result<PathBuf, Error> {
    if let Some(dir) = &args.dir {
        return Ok(dir.clone());
    }
    let name = plan.spec.name.as_deref().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(is_plain) {
        let offence = "not the name of a folder; expected letters, digits and hyphens, or --dir";
        return Err(Error::input(format_args!("name {name:?}"), offence));
    }
    Ok(folders(args.quick).join(name))
}

/// Does what is missing, and shows every generation as it is done.
pub(crate) fn run(args: &TuneArgs, out: &mut dyn Write) -> Result<(), Error> {
    let (began_ms, began) = (now_ms(), Instant::now());
    let catalogue = Arc::new(catalogue());
    let place =
        args.spec.as_ref().map_or("arguments".to_owned(), |path| path.display().to_string());
    let full = args.full_spec()?;
    let settle = |is_quick: bool| match is_quick {
        true => full.clone().quick().settle(&catalogue),
        false => full.settle(&catalogue),
    };
    let plan = settle(args.quick).map_err(|error| Error::input(place, error))?;
    let rescaled = match args.quick {
        true => Rescaled::Full(settle(false).ok()),
        false => Rescaled::Quick(settle(true).ok()),
    };
    let path = path(args, &plan)?;
    args.cluster.reach()?;
    let folder = Folder::open(&path, &plan, &rescaled)?;
    let log = folder.file("log.jsonl");
    let is_next = |row: &Generation, place: usize| row.generation as usize == place;
    let expected = |place| format!("not generation {place}; expected a line by tune");
    let (mut journal, history) = Journal::of_rows(&log, "tuning", is_next, expected)?;
    // The log is locked: what was begun is of one who was killed.
    remove_begun(folder.path())?;
    let crew = args.cluster.crew(args.threads.count(), &log, "tuning");
    let mut tuning = Tuning::new(&plan, Arc::clone(&catalogue), crew, history)
        .map_err(|error| Error::input(log.display(), error))?;
    let earlier_generations = tuning.history().len();
    args.threads.start()?;
    let stop = stopped_by_ctrl_c();
    let screen = Screen::new(&tuning);
    let done = || screen.step();
    let watch = Watch { done: &done, stop: &stop };
    if !args.json {
        screen.print(|| show_head(out))?;
    }
    for generation in tuning.history() {
        screen.print(|| show(generation, args.json, out))?;
    }
    let end = loop {
        if let Some(end) = tuning.end() {
            break end;
        }
        let is_late = args.until.is_some_and(|until| began.elapsed() >= until);
        if is_late {
            screen.close();
            if !args.json {
                writeln!(out, "the time is up: {}", kept(&tuning, &folder))?;
            }
            return Ok(());
        }
        if let Err(unfinished) = tuning.step(&watch).map(drop) {
            screen.close();
            return Err(ended(&unfinished, &kept(&tuning, &folder)));
        }
        let generation = tuning.history().last().expect("it was judged");
        journal.add(generation)?;
        folder.draw(&plan, tuning.history())?;
        screen.print(|| show(generation, args.json, out))?;
        screen.turn(tuning.history());
    };
    let outcome = match folder.outcome()? {
        Some(outcome) => outcome,
        None => {
            let outcome = match tuning.finish(&watch) {
                Ok(outcome) => outcome,
                Err(unfinished) => {
                    screen.close();
                    return Err(ended(&unfinished, &kept(&tuning, &folder)));
                }
            };
            let spent = Spent {
                seconds: rounded(began.elapsed()),
                processor_seconds: processor_time().map(rounded),
                threads: rayon::current_num_threads(),
                earlier_generations,
            };
            let findings = findings(&plan, &catalogue, tuning.history(), &outcome, &spent);
            let provenance = provenance(began_ms, began.elapsed(), spent.threads);
            let mut files = plan.folder(&findings, &provenance);
            // A folder without them says so when it is checked: somebody else's program may fail.
            if let Ok(dependencies) = plan.dependencies(&catalogue, spent.threads) {
                files = files.with_dependencies(&dependencies);
            }
            folder.close(&outcome, files)?;
            outcome
        }
    };
    screen.close();
    match args.json {
        true => json_line(out, &outcome)?,
        false => show_outcome(&outcome, end, &folder, out)?,
    }
    Ok(())
}

/// Seconds, to the thousandth.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).round() / 1e3
}

/// Why a tuning ended early, and what is kept of it.
fn ended(unfinished: &Unfinished, kept: &str) -> Error {
    match unfinished {
        Unfinished::Stopped => Error::Stopped(format!("stopped: {kept}")),
        Unfinished::Failed(why) => Error::Io(format!("{why}; {kept}")),
    }
}

/// What there is of a tuning that is not over.
fn kept(tuning: &Tuning<'_>, folder: &Folder) -> String {
    let generations = tuning.history().len();
    let path = plain(&folder.path().display().to_string());
    format!("{generations} generations are kept in {path}; the same command goes on")
}

#[derive(Serialize)]
struct Row {
    generation: u32,
    games: u64,
    best: f64,
    mean: f64,
}

fn show_head(out: &mut dyn Write) -> Result<(), Error> {
    writeln!(out, "{:>10}  {:>12}  {:>8}  {:>8}", "generation", "games", "best", "mean")?;
    Ok(out.flush()?)
}

fn show(each: &Generation, is_json: bool, out: &mut dyn Write) -> Result<(), Error> {
    let Generation { generation, games, best, mean, .. } = *each;
    if is_json {
        json_line(out, &Row { generation, games, best, mean })?;
    } else {
        let games = grouped(&games.to_string());
        writeln!(out, "{generation:>10}  {games:>12}  {best:>8.4}  {mean:>8.4}")?;
    }
    // Whoever reads through a pipe sees each generation as it is done.
    Ok(out.flush()?)
}

fn show_outcome(
    outcome: &Outcome,
    end: End,
    folder: &Folder,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let why = match end {
        End::Generations => "all generations are done",
        End::Target => "the target is reached",
        End::Patience => "no generation was better for as long as was waited",
    };
    let (games, agent) = (grouped(&outcome.games.to_string()), &outcome.agent);
    writeln!(out, "{why}; {games} games in all")?;
    writeln!(out, "winner: {agent}")?;
    for proof in &outcome.proofs {
        writeln!(
            out,
            "against {}: {:.2} % of the points, {:.2} to {:.2} (95 %), in {} games",
            plain(&proof.against),
            100.0 * proof.score,
            100.0 * proof.low,
            100.0 * proof.high,
            grouped(&proof.counts.games().to_string()),
        )?;
    }
    writeln!(out, "{}", plain(&folder.path().display().to_string()))?;
    Ok(())
}
