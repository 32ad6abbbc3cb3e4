//! `isrever train ladder`: agents, each against the next.

use super::ThreadArgs;
use super::duel::{Meaning, elo_words};
use crate::error::Error;
use crate::messages::grouped;
use crate::output::json_line;
use crate::progress::progress_bar;
use isrever_agent::{AgentSpec, SpecError};
use isrever_arena::{Counts, Elo};
use isrever_board::{Rule, Size};
use isrever_engine::Level;
use isrever_lab::ladder::Ladder;
use isrever_players::catalogue;
use serde::Serialize;
use std::io::Write;

/// Play agents against each other, each against the next: how much stronger is every step
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train ladder --pairs 400                 all levels of the engine
  isrever train ladder engine:level=4 engine:level=5 --pairs 2000
  isrever train ladder random greedy depth3 maximax:nodes=20000 engine:level=10 --json
The weaker first. Both play every opening twice, once from either side; the Elo difference and its
95 % interval come from how the pairs scatter. The same seed gives the same games on any number of
threads, if the agents are limited by depth or nodes, as levels are.
With --json one object per step and line, with the keys
  weaker, stronger, rule, size, seed
  wins, draws, losses     games, seen by the stronger
  pairs                   how many pairs gave it 0, 0.5, 1, 1.5 and 2 points
  discs                   by how many discs it won, all games together
  score                   its share of the points
  elo, elo_low, elo_high  the difference and its 95 % interval; null where there is no bound
  superiority             the likelihood that it is the better one")]
pub(super) struct LadderArgs {
    /// Agents, the weakest first [default: the engine's levels, 1 to 20]
    #[arg(value_name = "AGENT")]
    agents: Vec<AgentSpec>,

    /// How many openings for each step, each of which makes two games
    #[arg(long, default_value_t = 200, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: u64,

    /// Where the random openings and the agents' choices come from: the same seed, the same games
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// How many moves of an opening are random
    #[arg(long, default_value_t = 8, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(0..=40))]
    opening: u16,

    /// What the players play for
    #[arg(long, default_value_t, value_name = "reversed|normal")]
    rule: Rule,

    /// Width of the board
    #[arg(long, default_value_t, value_name = "S", allow_negative_numbers = true)]
    size: Size,

    /// One object per step and line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,
}

/// A step with the keys of `--json`.
#[derive(Serialize)]
struct Row<'a> {
    weaker: &'a str,
    stronger: &'a str,
    rule: String,
    size: u8,
    seed: u64,
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten)]
    meaning: Meaning,
}

/// Plays step after step, and says how each ended.
pub(super) fn run(args: &LadderArgs, out: &mut dyn Write) -> Result<(), Error> {
    let levels =
        || Level::all().map(|level| AgentSpec::new("engine").with("level", level)).collect();
    let agents: Vec<AgentSpec> =
        if args.agents.is_empty() { levels() } else { args.agents.clone() };
    let catalogue = catalogue();
    let to_error = |error: SpecError| Error::input("AGENT", error);
    for spec in &agents {
        catalogue.make(spec, args.seed).map_err(to_error)?;
    }
    if agents.len() < 2 {
        return Err(Error::input("AGENT", "one agent has no opponent; expected two or more"));
    }
    args.threads.start()?;
    let ladder = Ladder {
        catalogue: &catalogue,
        rule: args.rule,
        size: args.size,
        opening_plies: args.opening.into(),
        seed: args.seed,
    };
    let bar = progress_bar(args.pairs * (agents.len() as u64 - 1), "pairs");
    if !args.json {
        let header = ["weaker", "stronger", "Elo", "95 %", "score", "discs"];
        line(out, header.map(str::to_owned))?;
    }
    for step in agents.windows(2) {
        let specs = [step[1].as_str(), step[0].as_str()];
        let counts =
            ladder.play([&step[1], &step[0]], 0..args.pairs, &|| bar.inc(1)).map_err(to_error)?;
        bar.suspend(|| match args.json {
            true => {
                let (rule, size) = (args.rule.to_string(), args.size.width());
                let [stronger, weaker] = specs;
                let meaning = Meaning::from(&counts);
                let seed = args.seed;
                json_line(out, &Row { weaker, stronger, rule, size, seed, counts, meaning })
                    .map_err(Error::from)
            }
            false => line(out, cells(specs, &counts)),
        })?;
        out.flush()?;
    }
    bar.finish_and_clear();
    let games = grouped(&(2 * args.pairs).to_string());
    if !args.json {
        writeln!(out, "{games} games a step, {}, {size}x{size}", args.rule, size = args.size)?;
    }
    Ok(())
}

fn cells([stronger, weaker]: [&str; 2], counts: &Counts) -> [String; 6] {
    let Elo { difference, low, high } = counts.elo();
    let [difference, low, high] = [difference, low, high].map(elo_words);
    [
        weaker.to_owned(),
        stronger.to_owned(),
        difference,
        format!("{low} to {high}"),
        format!("{:.1} %", 100.0 * counts.score()),
        format!("{:+.2}", counts.mean_discs()),
    ]
}

fn line(out: &mut dyn Write, cells: [String; 6]) -> Result<(), Error> {
    let [weaker, stronger, elo, interval, score, discs] = cells;
    writeln!(
        out,
        "{weaker:<16}  {stronger:<16}  {elo:>5}  {interval:<14}  {score:>7}  {discs:>6}"
    )?;
    Ok(())
}
