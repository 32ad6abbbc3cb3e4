//! `isrever train loop`: weights play games, games make weights, and again.
//!
//! Everything that is done lies in a directory, each piece written whole or not
//! at all: `settings` is what the loop was begun with, `log` what became of
//! each generation, `stages` the work. The same command does what is missing.

mod log;
mod settings;
mod stages;

use super::{ThreadArgs, fit, plies, share};
use crate::cluster::ClusterArgs;
use crate::error::Error;
use crate::plain::plain;
use isrever_agent::duration;
use isrever_board::Rule;
use log::{Log, Row};
use stages::Stages;
use std::fs;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A generation takes the place of the one before it if it is better as likely as this.
const ACCEPTED_FROM: f64 = 0.975;

/// Train generation after generation: games by the last weights, new weights by the games
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train loop --dir reversed --games 20000 --depth 4
  isrever train loop --dir reversed --games 20000 --depth 4 --until 9m   the same, in pieces
Generation 0 is fitted to games of the mobile player, every later one to games that the generation
before it plays by a search of --depth plies, and, from generation 2 on, to those before as well.
It then plays a match against the generation before it, and one against generation 1; if it is not
better with a likelihood of 97.5 %, it is not accepted and the loop ends.
In the directory:
  loop.toml                     what the loop was begun with
  g00/games-0000.dat …          the games of generation 0, a file for each chunk
  g00/weights.bin, report.jsonl its weights, and their errors by phase
  log.jsonl                     one object for each generation
  weights.bin, plot.svg         the last weights accepted; errors and strength
The same command goes on where the last one ended, however it ended; only --generations, --until,
--threads and --cluster may change. The weights are the same on any number of threads, and with
--cluster, where games are played by isrever worker on other machines.")]
pub(super) struct LoopArgs {
    /// Where everything is kept
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,

    /// How many generations, the one by the mobile player included
    #[arg(long, default_value_t = 4, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    generations: u32,

    /// Games of each generation
    #[arg(long, default_value_t = 20_000, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,

    /// Plies of the searches that play the games, and the matches
    #[arg(long, default_value_t = 4, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,

    /// Where the random choices come from: the same seed, the same weights
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// What the players play for
    #[arg(long, default_value_t, value_name = "reversed|normal")]
    rule: Rule,

    /// Games of a chunk: what is lost at most if the loop is killed
    #[arg(long, default_value_t = 500, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    chunk: u64,

    /// Pairs of games in a match
    #[arg(long, default_value_t = 500, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    pairs: u64,

    /// How many moves at the beginning are random: each game draws a number from A to B
    #[arg(long, default_value = "6..40", value_name = "A..B", value_parser = plies)]
    random: RangeInclusive<u32>,

    /// From this many empty squares on both sides play perfectly
    #[arg(long, default_value_t = 14, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=30))]
    solve_from: u32,

    /// How much of a score comes from the game's result, and not from the search that chose the move:
    /// from 1, the result alone, to 0, the search alone
    #[arg(long, default_value_t = 1.0, value_name = "L", allow_negative_numbers = true,
          value_parser = share)]
    lambda: f32,

    /// Leave out the positions of these files, and their images: they are kept for exams
    #[arg(long, num_args = 1.., value_name = "FILE")]
    exclude: Vec<PathBuf>,

    /// Begin no new chunk, fit or match after this much time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    until: Option<Duration>,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Does what is missing, and shows every generation as it is done.
pub(super) fn run(args: &LoopArgs, out: &mut dyn Write) -> Result<(), Error> {
    let begin = Instant::now();
    let is_late = || args.until.is_some_and(|until| begin.elapsed() >= until);
    let excluded = fit::excluded(&args.exclude)?;
    args.cluster.reach()?;
    fs::create_dir_all(&args.dir).map_err(|error| Error::io(args.dir.display(), &error))?;
    settings::settle(args, &excluded)?;
    let mut log = Log::open(&args.dir.join("log.jsonl"))?;
    args.threads.start()?;
    let interruption = args.cluster.interruption();
    let stages = Stages::new(args, &excluded, &is_late, &interruption);
    stages.tidy()?;
    let mut end = None;
    log::show_head(out)?;
    for generation in 0..args.generations {
        if let Some(row) = log.row(generation) {
            log::show(row, out)?;
        } else {
            match stages.generation(generation)? {
                Ok(row) => log.add(row, out)?,
                Err(wait) => {
                    end = Some(wait.to_string());
                    break;
                }
            }
        }
        if log.row(generation).is_some_and(|row| !row.accepted) {
            end = Some(format!("Generation {generation} is not accepted: the loop ends."));
            break;
        }
    }
    finish(args, &stages, log.rows())?;
    if let Some(end) = end {
        writeln!(out, "{end}")?;
    }
    if let Some(last) = log.rows().iter().rev().find(|row| row.accepted) {
        let path = args.dir.join("weights.bin").display().to_string();
        writeln!(out, "{}: the weights of generation {}", plain(&path), last.generation)?;
    }
    Ok(())
}

/// Puts the last weights accepted, and the picture, where they are looked for.
fn finish(args: &LoopArgs, stages: &Stages<'_>, rows: &[Row]) -> Result<(), Error> {
    if let Some(last) = rows.iter().rev().find(|row| row.accepted) {
        stages.publish(last.generation)?;
        stages.draw(rows, &format!("Weights for the {} rule", args.rule))?;
    }
    Ok(())
}
