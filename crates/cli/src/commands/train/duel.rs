//! `isrever train duel`: two sets of weights play against each other.

use super::{ThreadArgs, named_weights, positions};
use crate::error::Error;
use crate::messages::grouped;
use crate::output::json_line;
use crate::progress::progress_bar;
use isrever_arena::{Counts, Elo};
use isrever_board::text::Record;
use isrever_board::{Board, Rule};
use isrever_lab::Effort;
use isrever_lab::duel::Duel;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Play two sets of weights against each other: which is better, and how sure is it
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train duel new.bin old.bin --pairs 500
  isrever train duel new.bin embedded --depth 6
  isrever train duel new.bin embedded --nodes 10000 --openings xot.txt --json
Both play every opening twice, once from either side. The Elo difference and the likelihood that the
first is better come from how the pairs scatter. The same seed gives the same games on any number of
threads.
With --json one object with the keys
  first, second, rule, effort, seed
  wins, draws, losses     games, seen by the first
  pairs                   how many pairs gave it 0, 0.5, 1, 1.5 and 2 points
  discs                   by how many discs it won, all games together
  score                   its share of the points
  elo, elo_low, elo_high  the difference and its 95 % interval; null where there is no bound
  superiority             the likelihood that it is the better one")]
pub(super) struct DuelArgs {
    /// The first file of weights, or embedded for those in the program
    #[arg(value_name = "FIRST")]
    first: PathBuf,

    /// The second
    #[arg(value_name = "SECOND")]
    second: PathBuf,

    /// Plies that both look ahead
    #[arg(long, default_value_t = 4, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,

    /// Boards that both look at before each move, at least, instead of a number of plies
    #[arg(long, value_name = "N", conflicts_with = "depth", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// How many openings, each of which makes two games
    #[arg(long, default_value_t = 200, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: u64,

    /// Where the random openings come from: the same seed, the same games
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// Positions to begin with, played in turn, instead of random ones
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// What the players play for
    #[arg(long, default_value_t, value_name = "reversed|normal")]
    rule: Rule,

    /// One object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,
}

/// A match with the keys of `--json`.
#[derive(Serialize)]
struct Row {
    first: String,
    second: String,
    rule: String,
    effort: String,
    seed: u64,
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten)]
    meaning: Meaning,
}

/// What counts mean, with the keys of `--json`. Infinite numbers become null.
#[derive(Default, Serialize)]
pub(super) struct Meaning {
    score: f64,
    elo: f64,
    elo_low: f64,
    elo_high: f64,
    superiority: f64,
}

impl From<&Counts> for Meaning {
    fn from(counts: &Counts) -> Meaning {
        let Elo { difference, low, high } = counts.elo();
        let (score, superiority) = (counts.score(), counts.superiority());
        Meaning { score, elo: difference, elo_low: low, elo_high: high, superiority }
    }
}

/// Plays the match and says how it ended.
pub(super) fn run(args: &DuelArgs, out: &mut dyn Write) -> Result<(), Error> {
    let weights = [named_weights(&args.first, args.rule)?, named_weights(&args.second, args.rule)?];
    let effort = args.nodes.map_or(Effort::Depth(args.depth), Effort::Nodes);
    let openings = args.openings.as_deref().map(openings).transpose()?.unwrap_or_default();
    args.threads.start()?;
    let bar = progress_bar(args.pairs, "pairs");
    let duel = Duel { openings, ..Duel::new(args.rule, weights, effort, args.seed) };
    let counts = duel.play(0..args.pairs, &|| bar.inc(1));
    bar.finish_and_clear();
    let [first, second] = [&args.first, &args.second].map(|name| name.display().to_string());
    if args.json {
        let (rule, effort) = (args.rule.to_string(), effort.to_string());
        let meaning = Meaning::from(&counts);
        json_line(out, &Row { first, second, rule, effort, seed: args.seed, counts, meaning })?;
        return Ok(());
    }
    let pairs = grouped(&args.pairs.to_string());
    writeln!(out, "{first} against {second}: {pairs} pairs of games ({}), {effort}", args.rule)?;
    show(&counts, out)
}

/// The positions of a file, none of them over.
fn openings(path: &Path) -> Result<Vec<Board>, Error> {
    let (place, positions) = positions::read(path, None)?;
    let is_over = |(_, record): &(Board, Record)| record.game.position().is_over();
    if let Some(over) = positions.iter().position(is_over) {
        let offence = "the game is over; expected moves to play";
        return Err(positions::error_at(&place, over + 1, offence));
    }
    Ok(positions.into_iter().map(|(board, _)| board).collect())
}

fn show(counts: &Counts, out: &mut dyn Write) -> Result<(), Error> {
    let number = |number: u64| grouped(&number.to_string());
    let Counts { wins, draws, losses, pairs, .. } = *counts;
    let (percent, discs) = (100.0 * counts.score(), counts.mean_discs());
    let [won, drawn, lost] = [wins, draws, losses].map(number);
    writeln!(
        out,
        "{won} won, {drawn} drawn, {lost} lost: {percent:.1} %, {discs:+.2} discs a game"
    )?;
    writeln!(out, "Pairs with 0, ½, 1, 1½, 2 points: {}", pairs.map(number).join(", "))?;
    let Elo { difference, low, high } = counts.elo();
    let [difference, low, high] = [difference, low, high].map(elo_words);
    let likelihood = 100.0 * counts.superiority();
    writeln!(out, "Elo {difference}, {low} to {high} (95 %); better with {likelihood:.1} %")?;
    Ok(())
}

/// A difference in strength with its sign.
pub(super) fn elo_words(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        _ if elo < 0.0 => format!("−{:.0}", elo.abs()),
        _ => format!("+{elo:.0}"),
    }
}
