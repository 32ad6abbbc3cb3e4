//! The models that play games: round robin, and the win rate against one opponent.

use super::super::settings::{self, GameArgs};
use super::super::table::{forfeit_words, repeat_line};
use super::super::{at_once, catalogue, check_agents};
use crate::commands::stopped_by_ctrl_c;
use crate::error::Error;
use crate::messages::grouped;
use crate::output::json_line;
use crate::progress::progress_bar;
use isrever_agent::Catalogue;
use isrever_arena::{
    Counts, Crew, Entrant, Outcome, Pairing, Plan, Played, Run, RunError, Schedule, Spec, Standings,
};
use isrever_reports::measure::{self, Score, WinRate};
use serde::Serialize;
use std::convert::Infallible;
use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;

/// Model 1: everybody plays everybody with both colours; the score is the sum of utilities
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Example:
  isrever arena measure round-robin maximax depth3 fourstage genetic threestage --nodes 2000
A game won is 1, one lost −1; the score is the sum over all games, with its 95 % interval by how
pairs of games scatter. Perf is the agent's part of all points, a drawn game being half a point:
the report divides by the sum of utilities, which is nought. arena run does the same and keeps the
games.
With --json one object per agent and line, with the keys measure, agent, games, different (games
that are not repeated move by move), score, error (the standard error), low, high (the 95 %
interval), perf, forfeits.")]
pub(super) struct RoundRobinArgs {
    /// Who plays
    #[arg(required = true, num_args = 2.., value_name = "AGENT")]
    agents: Vec<String>,

    /// Pairs of games for each two
    #[arg(long, default_value_t = 10, value_name = "N", allow_negative_numbers = true)]
    pairs: u64,

    /// What games begin with: start, random:PLIES, balanced, or a file of positions or games
    #[arg(long, default_value = "random:8", value_name = "start|random:PLIES|balanced|FILE")]
    openings: String,

    /// One object per agent and line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: GameArgs,
}

/// Model 2: the share of points against one opponent, until it is known well enough
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever arena measure win-rate greedy-invincible:by=squares
  isrever arena measure win-rate greedy-invincible:by=combination --reach 0.01
  isrever arena measure win-rate maximax --against depth3 --nodes 1000 --openings random:6
The report's opponent plays at random and the last twelve squares perfectly, and an evaluation is
measured by a greedy player with the same ending. Games are played in batches of 50 pairs, until
the 95 % interval reaches no further than asked for to either side.
With --json one object with the keys measure, agent, against, the counts (wins, draws, losses,
pairs, discs), games, different (games that are not repeated move by move), score, low, high, narrow
(whether the interval is as narrow as asked for), forfeits, against_forfeits.")]
pub(super) struct WinRateArgs {
    /// Who is measured
    #[arg(value_name = "AGENT")]
    agent: String,

    /// Its opponent
    #[arg(long, default_value = "random-invincible", value_name = "AGENT")]
    against: String,

    /// How far the interval may reach to either side
    #[arg(long, default_value_t = 0.02, value_name = "R", value_parser = reach,
          allow_negative_numbers = true)]
    reach: f64,

    /// The most pairs of games
    #[arg(long, default_value_t = 20_000, value_name = "N", allow_negative_numbers = true)]
    most: u64,

    /// What games begin with: start or random:PLIES
    #[arg(long, default_value = "start", value_name = "start|random:PLIES")]
    openings: String,

    /// One object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: GameArgs,
}

fn reach(text: &str) -> Result<f64, &'static str> {
    let reach = text.parse().ok().filter(|reach| (0.001..=0.5).contains(reach));
    reach.ok_or("not a reach; expected a number from 0.001 to 0.5")
}

/// The plan of games between agents.
fn plan(
    agents: &[&String],
    catalogue: &Catalogue,
    pairs: u64,
    openings: &str,
    game: &GameArgs,
) -> Result<Plan, Error> {
    let entrant = |agent: &&String| Entrant { name: None, agent: (*agent).clone() };
    let spec = Spec {
        players: agents.iter().map(entrant).collect(),
        pairs: Some(pairs),
        openings: Some(openings.to_owned()),
        ..game.spec()
    };
    let plan = settings::settle(&spec, None)?;
    check_agents(&plan, catalogue, None)?;
    Ok(plan)
}

#[derive(Serialize)]
struct ScoreRow<'a> {
    measure: &'static str,
    agent: &'a str,
    games: u64,
    different: u64,
    score: f64,
    error: f64,
    low: f64,
    high: f64,
    perf: f64,
    forfeits: u64,
}

/// This machine cannot run a player.
fn unrunnable(error: RunError<Infallible>) -> Error {
    Error::Io(error.to_string())
}

/// Plays a round robin and prints the scores.
pub(super) fn round_robin(args: &RoundRobinArgs, out: &mut dyn Write) -> Result<(), Error> {
    let agents: Vec<&String> = args.agents.iter().collect();
    let catalogue = catalogue();
    let plan = plan(&agents, &catalogue, args.pairs, &args.openings, &args.game)?;
    let at_once = at_once(&plan, &catalogue, args.game.concurrency)?;
    let openings = settings::openings(&plan)?;
    let mut standings = Standings::new(plan.players.len());
    let schedule = Schedule::new(&plan);
    let bar = progress_bar(schedule.most_games(), "games");
    let stop = stopped_by_ctrl_c();
    let mut tell = |_: &isrever_arena::News<'_>| bar.inc(1);
    let mut run = Run { catalogue, crew: Crew::Here(at_once), stop, tell: &mut tell };
    let keep = |pairing: &Pairing, played: &Played| {
        standings.add(&Outcome::of(pairing, played));
        Ok::<(), Infallible>(())
    };
    let is_over = run.play_all(&plan, openings, schedule, keep);
    bar.finish_and_clear();
    let is_over = is_over.map_err(unrunnable)?;
    if !is_over {
        return Err(Error::Stopped("stopped: nothing is measured".to_owned()));
    }
    let scores = measure::scores(&standings);
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].sum.mean.total_cmp(&scores[a].sum.mean));
    let width = plan.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
    let others = |player: usize| (0..scores.len()).filter(move |&other| other != player);
    for player in order {
        let (Score { sum, interval: [low, high], perf }, agent) =
            (scores[player], plan.players[player].name.as_str());
        if args.json {
            let row = ScoreRow {
                measure: "round-robin",
                agent,
                games: sum.count,
                different: others(player)
                    .map(|other| standings.different_between(player, other))
                    .sum(),
                score: sum.mean,
                error: sum.error,
                low,
                high,
                perf,
                forfeits: standings.forfeits(player),
            };
            json_line(out, &row)?;
        } else {
            writeln!(
                out,
                "{agent:width$}  {:>5} ({low:.0} to {high:.0}, 95 %), Perf {perf:.3}, in {} games{}",
                sum.mean,
                sum.count,
                forfeit_words(&standings, player),
            )?;
        }
    }
    if !args.json {
        writeln!(out, "{}", repeat_line(&standings))?;
    }
    Ok(())
}

#[derive(Serialize)]
struct RateRow<'a> {
    measure: &'static str,
    agent: &'a str,
    against: &'a str,
    #[serde(flatten)]
    counts: Counts,
    games: u64,
    different: u64,
    score: f64,
    low: f64,
    high: f64,
    narrow: bool,
    forfeits: u64,
    against_forfeits: u64,
}

/// Plays until the share is known well enough, and prints it.
pub(super) fn win_rate(args: &WinRateArgs, out: &mut dyn Write) -> Result<(), Error> {
    let (agents, catalogue) = ([&args.agent, &args.against], catalogue());
    let plan = plan(&agents, &catalogue, args.most, &args.openings, &args.game)?;
    if let isrever_arena::Openings::File(_) = plan.openings {
        let offence = "a file would be played through and repeated; expected start or random:PLIES";
        return Err(Error::input("--openings", offence));
    }
    let at_once = at_once(&plan, &catalogue, args.game.concurrency)?;
    let bar = progress_bar(2 * args.most, "games");
    let stop = stopped_by_ctrl_c();
    let mut tell = |_: &isrever_arena::News<'_>| bar.inc(1);
    let mut run = Run { catalogue, crew: Crew::Here(at_once), stop, tell: &mut tell };
    let rate = measure::win_rate(&plan, args.reach, &mut run);
    let is_stopped = run.stop.load(Relaxed);
    bar.finish_and_clear();
    let WinRate { counts, interval: [low, high], is_narrow, standings } =
        rate.map_err(unrunnable)?;
    let Counts { wins, draws, losses, .. } = counts;
    if args.json {
        let row = RateRow {
            measure: "win-rate",
            agent: &args.agent,
            against: &args.against,
            counts,
            games: counts.games(),
            different: standings.different(),
            score: counts.score(),
            low,
            high,
            narrow: is_narrow,
            forfeits: standings.forfeits(0),
            against_forfeits: standings.forfeits(1),
        };
        json_line(out, &row)?;
    } else {
        let games = grouped(&counts.games().to_string());
        writeln!(
            out,
            "{} against {}: {:.2} % of the points, {:.2} to {:.2} (95 %), in {games} games: \
             {wins} won, {draws} drawn, {losses} lost{}",
            args.agent,
            args.against,
            100.0 * counts.score(),
            100.0 * low,
            100.0 * high,
            forfeit_words(&standings, 0),
        )?;
        if standings.forfeits(1) > 0 {
            writeln!(out, "{}{}", args.against, forfeit_words(&standings, 1))?;
        }
        writeln!(out, "{}", repeat_line(&standings))?;
    }
    match is_stopped {
        true => Err(Error::Stopped("stopped: the interval is as wide as it is".to_owned())),
        false => Ok(()),
    }
}
