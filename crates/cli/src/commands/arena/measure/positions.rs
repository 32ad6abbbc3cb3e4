//! The models that ask about positions: minimax value loss, and search depth.

use super::super::settings;
use super::super::{catalogue, check_agent};
use super::{range, with_reach};
use crate::commands::records;
use crate::error::Error;
use crate::input::Input;
use crate::options::DefaultArgs;
use crate::output::json_line;
use crate::progress::progress_bar;
use isrever_agent::{AgentSpec, Forfeit, Limits, duration};
use isrever_arena::{Mean, random_positions};
use isrever_board::{Game, Move, Rule, Size, Square};
use isrever_reports::measure::{self, Depths, Problem};
use isrever_search::{Answer, Control, Goal, Searcher, Settings};
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;
use std::ops::RangeInclusive;
use std::time::Duration;

/// More empty squares take too long to solve at every node of a tree.
const MOST_EMPTIES: u32 = 20;

/// Where positions come from.
#[derive(clap::Args, Debug)]
struct PositionsArgs {
    /// A file of positions or games instead of random ones
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "empties"])]
    positions: Option<OsString>,

    /// How many random positions
    #[arg(long, default_value_t = 50, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,

    /// Where the random positions come from
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// What is played for
    #[arg(long, default_value_t, value_name = "reversed|normal")]
    rule: Rule,

    /// Width of the board
    #[arg(long, default_value_t, value_name = "S", allow_negative_numbers = true)]
    size: Size,
}

impl PositionsArgs {
    /// The positions, none of them over, with the scores of moves that the file knows.
    fn read(&self, empties: &RangeInclusive<u32>) -> Result<Vec<Problem>, Error> {
        let Some(name) = &self.positions else {
            let count = self.count as usize;
            let games = random_positions(empties.clone(), self.rule, self.size, self.seed, count);
            if games.is_empty() {
                let offence = "no random game has such positions; expected fewer empty squares";
                return Err(Error::input("--empties", offence));
            }
            return Ok(games
                .into_iter()
                .map(|game| Problem { game, scores: Vec::new() })
                .collect());
        };
        let input = Input::read_named(name)?;
        let asked = DefaultArgs { rule: None, size: Some(self.size) };
        let mut problems = Vec::new();
        for (record, number) in records(&input, None, &asked, None)?.zip(1..) {
            let record = record?;
            let game = settings::under(self.rule, &record.game);
            if game.is_over() {
                let offence = format_args!("position {number}: the game is over; expected moves");
                return Err(Error::input(&input.place, offence));
            }
            // Scores are of use if they are for this rule and say all.
            let said = record.scores_rule.unwrap_or(self.rule) == self.rule;
            let moves = game.position().moves();
            let scores: Vec<(Square, i32)> = record
                .scores
                .iter()
                .filter_map(|(mv, score)| Some((mv.and_then(Move::square)?, *score)))
                .filter(|(square, _)| said && moves.contains(square))
                .collect();
            let knows_all = scores.len() == moves.len();
            problems.push(Problem { game, scores: if knows_all { scores } else { Vec::new() } });
        }
        Ok(problems)
    }
}

/// Model 3: how much agents lose against the truth, in trees below solved positions
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever arena measure minimax-loss greedy greedy:by=squares maximax
  isrever arena measure minimax-loss genetic --depth 3 --plies 1 --empties 14..16
  isrever arena measure minimax-loss engine --positions exam.obf --plies 0
The tree of each position is grown by --plies and solved. At each node an agent chooses a move, which
loses the discs that the best one would have made more, and may tell a value, which is wrong by half
the difference of its sign and the true one's. The losses of a tree are summed into its root; means
are over roots, with 95 % intervals. Agents look one ply ahead unless --depth or --nodes says
otherwise, so that it is their evaluation that is measured.
With --json one object per agent and line, with the keys measure, agent, roots, nodes, and of each of
summed (discs a root's tree lost), discs (a move lost), mistakes (share of moves that were not best),
value (how wrong values were, 0 to 1; null if none were told) and summed_value (the same accumulated
over a root's tree, as the report credits it to the root) mean and reach.")]
pub(super) struct MinimaxLossArgs {
    /// Who is measured
    #[arg(required = true, num_args = 1.., value_name = "AGENT")]
    agents: Vec<AgentSpec>,

    #[command(flatten)]
    positions: PositionsArgs,

    /// Empty squares of random positions
    #[arg(long, default_value = "10..12", value_name = "A..B", value_parser = range)]
    empties: RangeInclusive<u32>,

    /// How deep trees are
    #[arg(long, default_value_t = 2, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=4))]
    plies: u32,

    /// Plies that agents look ahead [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Boards that agents look at, instead of plies
    #[arg(long, value_name = "N", conflicts_with = "depth", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// One object per agent and line
    #[arg(long)]
    json: bool,
}

/// Model 4: how deep a search comes with the same budget
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever arena measure search-depth maximax maximax:b2=0.2 --nodes 20000
  isrever arena measure search-depth genetic fourstage --time 100ms
Agents that search alike are asked about the same positions; whose evaluation lets it go deeper has
the better one. Differences are from the first agent, position by position, with 95 % intervals.
With --json one object per agent and line, with the keys measure, agent, positions, told (positions
where it told a depth), depth, reach, nodes (mean boards), lead, lead_reach (null for the first, and where
no depth was told).")]
pub(super) struct SearchDepthArgs {
    /// Who is measured
    #[arg(required = true, num_args = 1.., value_name = "AGENT")]
    agents: Vec<AgentSpec>,

    #[command(flatten)]
    positions: PositionsArgs,

    /// Empty squares of random positions
    #[arg(long, default_value = "20..50", value_name = "A..B", value_parser = range)]
    empties: RangeInclusive<u32>,

    /// Boards for each position
    #[arg(long, default_value_t = 10_000, value_name = "N", conflicts_with = "time",
          allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Time for each position instead
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,

    /// One object per agent and line
    #[arg(long)]
    json: bool,
}

/// What is wrong with an agent that fails while it is measured.
fn failed(agent: &AgentSpec, forfeit: &Forfeit) -> Error {
    let offence = format_args!("{forfeit}; expected a legal move in time");
    Error::input(format_args!("agent {agent}"), offence)
}

#[derive(Serialize)]
struct Figure {
    mean: f64,
    reach: f64,
}

impl From<Mean> for Figure {
    fn from(mean: Mean) -> Figure {
        Figure { mean: mean.mean, reach: mean.reach() }
    }
}

#[derive(Serialize)]
struct LossRow<'a> {
    measure: &'static str,
    agent: &'a str,
    roots: usize,
    nodes: usize,
    summed: Figure,
    discs: Figure,
    mistakes: Figure,
    value: Option<Figure>,
    summed_value: Option<Figure>,
}

/// Asks the agents and prints what they lose.
pub(super) fn minimax_loss(args: &MinimaxLossArgs, out: &mut dyn Write) -> Result<(), Error> {
    let catalogue = catalogue();
    let games = (args.positions.rule, args.positions.size);
    args.agents.iter().try_for_each(|agent| check_agent(agent, games, &catalogue, None))?;
    let problems = args.positions.read(&args.empties)?;
    for (problem, number) in problems.iter().zip(1..) {
        let position = problem.game.position();
        let is_known = args.plies == 0 && !problem.scores.is_empty();
        if !position.size().has_bits() || (position.empties() > MOST_EMPTIES && !is_known) {
            let empties = position.empties();
            let offence = format_args!(
                "position {number} has {empties} empty squares on {0}x{0}; expected at most \
                 {MOST_EMPTIES}, and 8x8",
                position.size()
            );
            return Err(Error::input("positions", offence));
        }
    }
    let depth = args.depth.or(args.nodes.is_none().then_some(1));
    let limits = Limits { depth, nodes: args.nodes, ..Limits::default() };
    let settings = Settings::new(args.positions.rule, args.positions.size);
    let mut solver = Searcher::new(Settings { hash_bytes: 16 << 20, ..settings });
    let mut solve = |game: &Game| -> Vec<(Square, i32)> {
        let board = game.position().board().expect("larger boards were refused");
        let answers = solver.search_moves(board, Goal::Exact, Control::NONE);
        answers.iter().filter_map(Answer::scored_square).collect()
    };
    let bar = progress_bar((problems.len() * args.agents.len()) as u64, "positions");
    let width = args.agents.iter().map(|agent| agent.as_str().chars().count()).max().unwrap_or(0);
    for name in &args.agents {
        let mut agent = catalogue.make(name, args.positions.seed).expect("it was checked");
        let losses = measure::minimax_loss(
            &problems,
            args.plies,
            agent.as_mut(),
            &limits,
            &mut solve,
            &mut || bar.inc(1),
        )
        .map_err(|forfeit| failed(name, &forfeit))?;
        let (roots, nodes) = (losses.roots().len(), losses.nodes());
        if args.json {
            let row = LossRow {
                measure: "minimax-loss",
                agent: name.as_str(),
                roots,
                nodes,
                summed: losses.summed().into(),
                discs: losses.discs().into(),
                mistakes: losses.mistakes().into(),
                value: losses.values().map(Figure::from),
                summed_value: losses.summed_values().map(Figure::from),
            };
            bar.suspend(|| json_line(out, &row))?;
            continue;
        }
        let value = losses.values().zip(losses.summed_values()).map_or_else(
            || "tells no values".to_owned(),
            |(value, summed)| {
                let [value, summed] = [with_reach(&value, 3), with_reach(&summed, 1)];
                format!("values wrong by {value}, {summed} a tree")
            },
        );
        bar.suspend(|| {
            writeln!(
                out,
                "{name:width$}  {} discs a move, {} a tree; {} of moves not best; {value} \
                 ({roots} roots, {nodes} nodes)",
                with_reach(&losses.discs(), 3),
                with_reach(&losses.summed(), 1),
                with_reach(&losses.mistakes(), 3),
            )
        })?;
    }
    bar.finish_and_clear();
    Ok(())
}

#[derive(Serialize)]
struct DepthRow<'a> {
    measure: &'static str,
    agent: &'a str,
    positions: usize,
    told: u64,
    depth: Option<f64>,
    reach: Option<f64>,
    nodes: f64,
    lead: Option<f64>,
    lead_reach: Option<f64>,
}

/// A mean of something.
fn told(mean: Mean) -> Option<Mean> {
    (mean.count > 0).then_some(mean)
}

/// Asks the agents and prints how deep they came.
pub(super) fn search_depth(args: &SearchDepthArgs, out: &mut dyn Write) -> Result<(), Error> {
    let catalogue = catalogue();
    let games = (args.positions.rule, args.positions.size);
    args.agents.iter().try_for_each(|agent| check_agent(agent, games, &catalogue, None))?;
    let games: Vec<Game> =
        args.positions.read(&args.empties)?.into_iter().map(|problem| problem.game).collect();
    // A forced pass is nothing to think about.
    let games: Vec<Game> = games.into_iter().filter(|game| game.position().has_move()).collect();
    let limits = || match args.time {
        Some(time) => Limits::of_time(time),
        None => Limits::of_nodes(args.nodes),
    };
    let bar = progress_bar((games.len() * args.agents.len()) as u64, "positions");
    let width = args.agents.iter().map(|agent| agent.as_str().chars().count()).max().unwrap_or(0);
    let mut first: Option<Depths> = None;
    for name in &args.agents {
        let mut make = || catalogue.make(name, args.positions.seed).expect("it was checked");
        let depths = measure::search_depth(&games, &mut make, &limits, &mut || bar.inc(1))
            .map_err(|forfeit| failed(name, &forfeit))?;
        let mean = depths.mean();
        let lead = first.as_ref().map(|first| depths.lead(first));
        if args.json {
            let row = DepthRow {
                measure: "search-depth",
                agent: name.as_str(),
                positions: games.len(),
                told: mean.count,
                depth: told(mean).map(|mean| mean.mean),
                reach: told(mean).map(|mean| mean.reach()),
                nodes: depths.mean_nodes(),
                lead: lead.and_then(told).map(|lead| lead.mean),
                lead_reach: lead.and_then(told).map(|lead| lead.reach()),
            };
            bar.suspend(|| json_line(out, &row))?;
        } else {
            let lead = lead.and_then(told).map_or_else(String::new, |lead| {
                format!("; {} deeper than {}", with_reach(&lead, 2), args.agents[0])
            });
            let plies = match mean.count {
                0 => "tells no depth".to_owned(),
                _ => format!("{} plies", with_reach(&mean, 2)),
            };
            bar.suspend(|| {
                writeln!(
                    out,
                    "{name:width$}  {plies} ({} positions, {:.0} boards each){lead}",
                    games.len(),
                    depths.mean_nodes(),
                )
            })?;
        }
        first.get_or_insert(depths);
    }
    bar.finish_and_clear();
    Ok(())
}
