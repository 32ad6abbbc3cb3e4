//! `isrever train curve`: the networks of a run of AlphaZero and fixed agents on one scale.

use super::ThreadArgs;
use super::duel::elo_words;
use super::fit::write;
use crate::error::Error;
use crate::messages::grouped;
use crate::progress::progress_bar;
use isrever_agent::{AgentSpec, Catalogue, SpecError};
use isrever_arena::Rating;
use isrever_board::{Rule, Size};
use isrever_lab::curve::Curve;
use isrever_lab::ladder::Ladder;
use isrever_lab::plot::{Series, series};
use isrever_players::catalogue;
use serde::Deserialize;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Rate the networks of a run of AlphaZero: how strong it is after how much training
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train curve run                      every network that python -m isrever.zero wrote there
  isrever train curve run --playouts 1         what the networks know without a search
  isrever train curve run --yardsticks depth3 engine:level=8 --pairs 50
Each network meets the one before it and every yardstick, and the yardsticks meet their neighbours;
every opening is played twice, once from either side. The ratings of all, on the scale of Elo with
95 % intervals, begin at the first yardstick. The same seed gives the same games.
In the directory:
  curve.csv    generation, games and seconds so far, rating and its interval
  curve.svg    the picture")]
pub(super) struct CurveArgs {
    /// The directory of the run
    dir: PathBuf,

    /// Playouts for a move of a network
    #[arg(long, default_value_t = 64, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    playouts: u64,

    /// Agents that stay what they are, the weakest first
    #[arg(long, value_name = "AGENT", num_args = 1..,
          default_values_t = YARDSTICKS.map(AgentSpec::new))]
    yardsticks: Vec<AgentSpec>,

    /// How many openings for each pairing, each of which makes two games
    #[arg(long, default_value_t = 20, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: u64,

    /// How many moves of an opening are random
    #[arg(long, default_value_t = 8, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(0..=40))]
    opening: u16,

    /// Where the random openings and the agents' choices come from: the same seed, the same games
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    #[command(flatten)]
    threads: ThreadArgs,
}

/// Whom networks meet unless somebody says otherwise.
const YARDSTICKS: [&str; 5] =
    ["greedy", "engine:level=1", "engine:level=5", "engine:level=10", "engine:level=15"];

/// A line of the run's log, as far as it matters here.
#[derive(Deserialize)]
struct Logged {
    generation: u32,
    games: u64,
    play_seconds: f64,
    learn_seconds: f64,
}

/// A network of the run, and what it took to make it.
struct Trained {
    generation: u32,
    games: u64,
    seconds: f64,
    file: PathBuf,
}

/// Plays the matches, and writes and shows the curve.
pub(super) fn run(args: &CurveArgs, out: &mut dyn Write) -> Result<(), Error> {
    let trained = networks(&args.dir)?;
    let catalogue = catalogue();
    let to_error = |error: SpecError| Error::input("AGENT", error);
    let spec = |network: &Trained| {
        let weights = network.file.to_string_lossy();
        AgentSpec::new("zero").with("weights", weights).with("playouts", args.playouts)
    };
    let specs: Vec<AgentSpec> = trained.iter().map(spec).collect();
    let (rule, size) = game(&catalogue, &specs)?;
    for agent in &args.yardsticks {
        catalogue.check(agent, rule, size).map_err(to_error)?;
    }
    args.threads.start()?;
    let curve = Curve {
        ladder: Ladder {
            catalogue: &catalogue,
            rule,
            size,
            opening_plies: args.opening.into(),
            seed: args.seed,
        },
        yardsticks: args.yardsticks.clone(),
        trained: specs,
    };
    let bar = progress_bar(args.pairs * curve.pairings().len() as u64, "pairs");
    let [fixed, ratings] = curve.measure(args.pairs, &|| bar.inc(1)).map_err(to_error)?;
    bar.finish_and_clear();
    write(&args.dir.join("curve.csv"), csv(&trained, &ratings).into_bytes())?;
    let picture = picture(&trained, &ratings, &args.yardsticks, &fixed);
    write(&args.dir.join("curve.svg"), picture.into_bytes())?;
    show(args, &trained, [&fixed, &ratings], out)
}

/// The networks of a run, the earliest first.
fn networks(dir: &Path) -> Result<Vec<Trained>, Error> {
    let log = dir.join("log.jsonl");
    let place = log.display();
    let text = fs::read_to_string(&log).map_err(|error| Error::io(&place, &error))?;
    let mut found = Vec::new();
    let (mut games, mut seconds) = (0, 0.0);
    for (number, line) in text.lines().enumerate() {
        let logged: Logged = serde_json::from_str(line).map_err(|_| {
            let offence = "no line of a run's log; expected one by python -m isrever.zero";
            Error::input(format_args!("{place}:{}", number + 1), offence)
        })?;
        games += logged.games;
        seconds += logged.play_seconds + logged.learn_seconds;
        let file = dir.join(format!("network-{:04}.bin", logged.generation));
        if file.exists() {
            found.push(Trained { generation: logged.generation, games, seconds, file });
        }
    }
    match found.is_empty() {
        true => Err(Error::input(dir.display(), "no network of a run; expected network-*.bin")),
        false => Ok(found),
    }
}

/// The game that all these networks play.
fn game(catalogue: &Catalogue, networks: &[AgentSpec]) -> Result<(Rule, Size), Error> {
    let mut only = None;
    for spec in networks {
        let needs = catalogue.needs(spec).map_err(|error| Error::input("DIR", error))?;
        let own = needs.only.expect("a network plays one game");
        if only.is_some_and(|other| other != own) {
            return Err(Error::input("DIR", "networks of two games; expected those of one run"));
        }
        only = Some(own);
    }
    Ok(only.expect("there is a network"))
}

/// How far an interval reaches, if it ends.
fn reach(rating: &Rating) -> f64 {
    (rating.high - rating.elo).min(rating.elo - rating.low)
}

fn csv(trained: &[Trained], ratings: &[Rating]) -> String {
    let mut text = "generation,games,seconds,elo,low,high\n".to_owned();
    for (network, rating) in trained.iter().zip(ratings) {
        let Trained { generation, games, seconds, .. } = network;
        let Rating { elo, low, high } = rating;
        writeln!(text, "{generation},{games},{seconds:.0},{elo:.0},{low:.0},{high:.0}")
            .expect("a text takes all");
    }
    text
}

fn picture(
    trained: &[Trained],
    ratings: &[Rating],
    yardsticks: &[AgentSpec],
    fixed: &[Rating],
) -> String {
    let last = trained.last().map_or(0.0, |network| network.seconds / 60.0);
    let points = trained.iter().zip(ratings);
    let points =
        points.map(|(network, rating)| (network.seconds / 60.0, rating.elo, reach(rating)));
    let mut all = vec![Series::line("networks", points.collect())];
    all.extend(yardsticks.iter().zip(fixed).map(|(agent, rating)| {
        Series::line(agent.as_str(), vec![(0.0, rating.elo, 0.0), (last, rating.elo, 0.0)])
    }));
    let axes = ["minutes of games and learning", "Elo above the first yardstick"];
    series("Strength by training time, 95 % intervals as a band", axes, &all)
}

fn show(
    args: &CurveArgs,
    trained: &[Trained],
    [fixed, ratings]: [&[Rating]; 2],
    out: &mut dyn Write,
) -> Result<(), Error> {
    writeln!(out, "{:>10}  {:>9}  {:>8}  {:>5}  95 %", "generation", "games", "minutes", "Elo")?;
    let interval = |rating: &Rating| {
        let [elo, low, high] = [rating.elo, rating.low, rating.high].map(elo_words);
        format!("{elo:>5}  {low} to {high}")
    };
    for (network, rating) in trained.iter().zip(ratings) {
        let Trained { generation, games, seconds, .. } = network;
        let (games, minutes) = (grouped(&games.to_string()), seconds / 60.0);
        writeln!(out, "{generation:>10}  {games:>9}  {minutes:>8.1}  {}", interval(rating))?;
    }
    for (agent, rating) in args.yardsticks.iter().zip(fixed) {
        writeln!(out, "{:>31}  {}", agent.as_str(), interval(rating))?;
    }
    writeln!(out, "{} playouts a move, {} games a pairing", args.playouts, 2 * args.pairs)?;
    let place = args.dir.join("curve.svg");
    writeln!(out, "The picture is {}, the numbers are in curve.csv beside it.", place.display())?;
    Ok(())
}
