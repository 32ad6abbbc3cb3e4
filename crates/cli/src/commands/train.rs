//! `isrever train`: evaluations, from games to weights.
//!
//! The arguments of its commands, and what they share; each command has a file.

mod calibrate;
mod curve;
mod duel;
mod exam;
mod fit;
mod generations;
mod info;
mod ladder;
mod openings;
mod positions;
mod selfplay;

use crate::cluster::ClusterArgs;
use crate::commands::cores;
use crate::error::Error;
use crate::weights;
use isrever_board::{Rule, Size};
use isrever_eval::{Shape, Weights};
use isrever_lab::Evaluator;
use isrever_lab::data::{DataError, Reader};
use isrever_lab::selfplay::Player;
use std::fs::File;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// What stands for the weights in the program where a file of weights is asked for.
pub(super) const EMBEDDED: &str = "embedded";

/// Make an evaluation: play games, look at the data, fit weights, compare them
#[derive(clap::Args, Debug)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    command: TrainCommand,
}

#[derive(clap::Subcommand, Debug)]
enum TrainCommand {
    Selfplay(SelfplayArgs),
    Data(DataArgs),
    Fit(FitArgs),
    Duel(duel::DuelArgs),
    Ladder(ladder::LadderArgs),
    Curve(curve::CurveArgs),
    Loop(generations::LoopArgs),
    Calibrate(calibrate::CalibrateArgs),
    Exam(exam::ExamArgs),
    Openings(openings::OpeningsArgs),
}

/// Play games and keep their positions with the scores they led to
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train selfplay --games 5000 -o games.dat
  isrever train selfplay --games 5000 --first 5000 -o more.dat   games 5000 to 9999
  isrever train selfplay --games 5000 --size 6 -o small.dat
  isrever train selfplay --games 5000 --player engine:4 --weights weights.bin -o next.dat
  isrever train selfplay --games 5000 --cluster nats://head:4222 -o games.dat   by isrever worker
A game begins with random moves, goes on with moves of the player, and is played perfectly from the
last squares on; the positions after the random moves are kept. A position's score is that of the
game's end; with --lambda L below 1, going back move by move, L parts of what the next position is
worth and 1 − L of what the search said (random and mobile do not search). Seed and number of a game
say all about it: the same seed gives the same file on any number of threads.")]
struct SelfplayArgs {
    /// How many games
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    games: u64,

    /// Number of the first game
    #[arg(long, default_value_t = 0, value_name = "N", allow_negative_numbers = true)]
    first: u64,

    /// Where the random choices come from: the same seed, the same games
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// What the players play for
    #[arg(long, default_value_t, value_name = "reversed|normal")]
    rule: Rule,

    /// The board
    #[arg(long, default_value_t, value_name = "6|8", value_parser = evaluated_size)]
    size: Size,

    /// Who moves between the random opening and the ending
    #[arg(long, default_value_t = Player::Mobile, value_name = "random|mobile|engine:DEPTH")]
    player: Player,

    /// How many moves at the beginning are random: each game draws a number from A to B [default:
    /// 6..40, on 6×6 2..16]
    #[arg(long, value_name = "A..B", value_parser = plies)]
    random: Option<RangeInclusive<u32>>,

    /// From this many empty squares on both sides play perfectly [default: 14, on 6×6 18]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=30))]
    solve_from: Option<u32>,

    /// How much of a score comes from the game's result, and not from the search of engine:DEPTH that
    /// chose the move: from 1, the result alone, to 0, the search alone
    #[arg(long, default_value_t = 1.0, value_name = "L", allow_negative_numbers = true,
          value_parser = share)]
    lambda: f32,

    /// What engine:DEPTH evaluates positions by [default: the weights in the program]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Write here
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Look at data
#[derive(clap::Args, Debug)]
struct DataArgs {
    #[command(subcommand)]
    command: DataCommand,
}

#[derive(clap::Subcommand, Debug)]
enum DataCommand {
    Info(InfoArgs),
}

/// Count the positions of files by phase, label and score
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train data info games.dat
  isrever train data info *.dat --json    one object per file and line")]
struct InfoArgs {
    /// Files of samples
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// One object per file and line: file, rule, size, samples, exact, phases, scores
    #[arg(long)]
    json: bool,
}

/// Fit weights to positions with scores
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train fit --data games.dat more.dat -o weights.bin
  isrever train fit --data games.dat -o weights.bin --report report
  isrever train fit --data games.dat --exclude exam.obf -o weights.bin
Positions that occur more than once count once. One game in fifty was held out when it was played:
the errors are those on its positions. The result is the same on any number of threads.
With --json, and in report.jsonl, one object per phase and line, with the keys
  phase, samples, held_out, iterations
  before, after     {\"mae\":…,\"rmse\":…} in discs: every position worth nothing; fitted")]
struct FitArgs {
    /// Files of samples
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,

    /// The rule that the samples are of
    #[arg(long, default_value_t, value_name = "reversed|normal")]
    rule: Rule,

    /// The board that the samples are of
    #[arg(long, default_value_t, value_name = "6|8", value_parser = evaluated_size)]
    size: Size,

    /// Leave out the positions of these files, and their images: they are kept for exams
    #[arg(long, num_args = 1.., value_name = "FILE")]
    exclude: Vec<PathBuf>,

    /// Write the weights here
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Write report.jsonl and errors.svg into this directory
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,

    /// How strongly weights are drawn to zero: one that was seen so many times is halved
    #[arg(long, default_value_t = isrever_lab::FitOptions::default().ridge, value_name = "R",
          value_parser = ridge, allow_negative_numbers = true)]
    ridge: f64,

    /// The most steps for a phase
    #[arg(long, default_value_t = isrever_lab::FitOptions::default().iterations, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=10_000), allow_negative_numbers = true)]
    iterations: u32,

    /// One object per phase and line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,
}

/// How much of the machine is used.
#[derive(clap::Args, Debug)]
pub(super) struct ThreadArgs {
    /// Threads to share the work [default: one for each processor]
    #[arg(long, value_name = "T", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    /// How many threads that are.
    pub(super) fn count(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }

    /// Starts the threads, once and for the whole program.
    pub(super) fn start(&self) -> Result<(), Error> {
        let threads = self.threads.map_or(0, usize::from);
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()
            .map_err(|error| Error::io("threads", &io::Error::other(error)))
    }
}

/// Does what one of the commands asks for.
pub(crate) fn run(args: &TrainArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.command {
        TrainCommand::Selfplay(args) => selfplay::run(args, out),
        TrainCommand::Data(DataArgs { command: DataCommand::Info(args) }) => info::run(args, out),
        TrainCommand::Fit(args) => fit::run(args, out),
        TrainCommand::Duel(args) => duel::run(args, out),
        TrainCommand::Ladder(args) => ladder::run(args, out),
        TrainCommand::Curve(args) => curve::run(args, out),
        TrainCommand::Loop(args) => generations::run(args, out),
        TrainCommand::Calibrate(args) => calibrate::run(args, out),
        TrainCommand::Openings(args) => openings::run(args, out),
        TrainCommand::Exam(args) => exam::run(args, out),
    }
}

fn ridge(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(ridge) if (0.0..=1e9).contains(&ridge) => Ok(ridge),
        _ => Err("not a strength; expected a number from 0 to 1e9"),
    }
}

fn evaluated_size(text: &str) -> Result<Size, &'static str> {
    let size = text.parse().ok().filter(|&size| Shape::of(size).is_some());
    size.ok_or("not a size with patterns; expected 6 or 8")
}

fn plies(text: &str) -> Result<RangeInclusive<u32>, &'static str> {
    let parsed = text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..=b.parse().ok()?));
    parsed
        .filter(|plies: &RangeInclusive<u32>| plies.start() <= plies.end() && *plies.end() <= 60)
        .ok_or("not a range; expected A..B with numbers from 0 to 60")
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, &'static str> {
    let parsed = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    parsed.ok_or("not a share; expected a number from 0 to 1")
}

/// Opens a file.
fn open_file(path: &Path) -> Result<File, Error> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::input(path.display(), "no such file; expected a file"),
        _ => Error::io(path.display(), &error),
    })?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Error::input(path.display(), "a directory; expected a file"));
    }
    Ok(file)
}

/// Opens a file of samples.
fn open(path: &Path) -> Result<Reader<File>, Error> {
    Reader::new(open_file(path)?).map_err(|error| data_error(path, &error))
}

/// Reads weights for `rule` and `size`; they stay as long as the program runs.
fn load_weights(path: &Path, rule: Rule, size: Size) -> Result<&'static Weights, Error> {
    let weights = weights::load(path)?;
    weights::check(path, weights, rule, size)?;
    Ok(weights)
}

/// The weights for 8×8 of a file, or, if it is called `embedded`, those in the program.
fn named_weights(name: &Path, rule: Rule) -> Result<&'static Weights, Error> {
    match Weights::embedded(rule, Size::EIGHT).filter(|_| name == Path::new(EMBEDDED)) {
        Some(weights) => Ok(weights),
        None => load_weights(name, rule, Size::EIGHT),
    }
}

/// The same for other machines too.
fn evaluator(name: &Path, rule: Rule) -> Result<Evaluator, Error> {
    named_evaluator(name, rule, Size::EIGHT)
}

/// The same for a board of any size; 4×4 has no weights in the program.
pub(super) fn named_evaluator(name: &Path, rule: Rule, size: Size) -> Result<Evaluator, Error> {
    if name == Path::new(EMBEDDED) {
        return Ok(Evaluator::embedded(rule, size));
    }
    let weights = Some(load_weights(name, rule, size)?);
    Ok(Evaluator { rule, size, weights, file: Some(name.to_owned()) })
}

/// What is wrong with a file of samples.
fn data_error(path: &Path, error: &DataError) -> Error {
    match error {
        DataError::Io(error) => Error::io(path.display(), error),
        _ => Error::input(path.display(), error),
    }
}
