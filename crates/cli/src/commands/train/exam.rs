//! `isrever train exam`: positions with known scores, and how well weights and agents choose in them.

mod answers;
mod file;
mod make;
mod take;

use super::{EMBEDDED, ThreadArgs};
use crate::cluster::ClusterArgs;
use crate::error::Error;
use isrever_agent::{AgentSpec, duration};
use isrever_board::Rule;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Make and take exams: how often is the best move chosen, and what do the others cost
#[derive(clap::Args, Debug)]
pub(super) struct ExamArgs {
    #[command(subcommand)]
    command: ExamCommand,
}

#[derive(clap::Subcommand, Debug)]
enum ExamCommand {
    Make(MakeArgs),
    Take(TakeArgs),
}

/// Solve positions from games, and keep them as an exam
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train exam make --count 200 --empties 18..20 -o exam.obf
The positions come from games by a search of four plies after random openings, one from each, and
have at least two moves to choose from. Each thread solves a position of its own, or with --cluster
each worker of a cluster. The file is OBF with the score of a best move; others follow when somebody
chooses them. Positions are added as they are solved, and in order in the end: the same command goes
on where it was stopped or killed, and with a larger --count it adds more.
Weights that have seen an exam must not take it: isrever train fit --exclude exam.obf leaves its
positions out.")]
struct MakeArgs {
    /// How many positions
    #[arg(long, default_value_t = 100, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    count: u64,

    /// How many squares are empty: each position draws a number from A to B
    #[arg(long, default_value = "24..28", value_name = "A..B", value_parser = empties)]
    empties: RangeInclusive<u32>,

    /// Where the random choices come from: the same seed, the same positions
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// What the players play for
    #[arg(long, default_value_t, value_name = "reversed|normal")]
    rule: Rule,

    /// What the players value positions by: a file of weights, or embedded for those in the program
    #[arg(long, default_value = EMBEDDED, value_name = "FILE")]
    weights: PathBuf,

    /// Memory of each thread for what was proved, in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    hash: u32,

    /// Add to this file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Let weights or agents choose a move in every position of an exam
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train exam take exam.obf                         by one ply
  isrever train exam take exam.obf --depth 1,4,8 --weights new.bin
  isrever train exam take exam.obf --time 0.1s,1s --percent 95
  isrever train exam take exam.obf --time 1s --answers answers.jsonl
  isrever train exam take exam.obf --agent zero:playouts=1 zero:playouts=100 --depth 1
Answers within a time are given one after the other by one thread each, so that they do not disturb
one another, unless --at-once and --search-threads allow more; those by depth are shared among all
threads. So are those of agents, unless their specs set a time; each position is given to a new
agent, which has no other limits than its spec. When all answers are there, chosen moves whose score
the file does not have are solved, by a cluster with --cluster, and written into the file. --answers
keeps what was chosen by each effort: the same command of the same program, stopped or killed while
it solved, goes on with that, here or on another machine.
With --json one object per effort and line, with the keys
  file, rule, program, at_once
  weights, weights_say, effort, percent, search_threads   of weights
  agent, files_say        of an agent: its spec, and a hash of the files that it names
  questions, optimal      positions; how often the choice was as good as any
  loss, loss_squares      the discs that the choices lost, added up; the same, each squared
  optimal_share, optimal_error, mean_loss, loss_error   what that means, with standard errors")]
struct TakeArgs {
    /// The exam: positions with the score of a best move, and of others as far as they are known
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Who takes it: a file of weights, or embedded for those in the program
    #[arg(long, default_value = EMBEDDED, value_name = "FILE")]
    weights: PathBuf,

    /// Agents that take it too, by their specs
    #[arg(long, value_name = "AGENT", num_args = 1..)]
    agent: Vec<AgentSpec>,

    /// Plies to look ahead [default: 1, if there is neither --time nor --agent]
    #[arg(long, value_name = "N,…", value_delimiter = ',', allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Vec<u32>,

    /// Time for each position
    #[arg(long, value_name = "TIME,…", value_delimiter = ',', value_parser = duration)]
    time: Vec<Duration>,

    /// How many answers within a time are looked for at once, on cores of their own
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1024))]
    at_once: usize,

    /// How many threads look for each answer; with more than one, answers differ from run to run
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1024))]
    search_threads: usize,

    /// Keep the answers in this file, and look for none that is there
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,

    /// Memory of each thread that solves a chosen move, in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    hash: u32,

    /// How often, in hundredths, a cut must be right: 49, 73, 87, 95, 98, 99, or 100 for no cuts
    #[arg(long, default_value_t = 100, value_name = "P", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u8).range(1..=100))]
    percent: u8,

    /// The rule of the scores, if the file does not say it
    #[arg(long, value_name = "reversed|normal")]
    rule: Option<Rule>,

    /// One object per effort and line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Does what one of the commands asks for.
pub(super) fn run(args: &ExamArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.command {
        ExamCommand::Make(args) => make::run(args, out),
        ExamCommand::Take(args) => take::run(args, out),
    }
}

fn empties(text: &str) -> Result<RangeInclusive<u32>, &'static str> {
    let parsed = text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..=b.parse().ok()?));
    parsed
        .filter(|empties: &RangeInclusive<u32>| {
            // Fewer squares leave nothing to choose; more take days.
            2 <= *empties.start() && empties.start() <= empties.end() && *empties.end() <= 36
        })
        .ok_or("not a range; expected A..B with numbers from 2 to 36")
}
