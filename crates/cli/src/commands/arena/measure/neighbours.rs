//! Report 000's neighbour killing value: how many slightly changed copies an agent beats.

use super::super::catalogue;
use super::with_reach;
use crate::commands::stopped_by_ctrl_c;
use crate::commands::train::ThreadArgs;
use crate::error::Error;
use crate::output::json_line;
use crate::progress::progress_bar;
use isrever_jobs::Unfinished;
use isrever_lab::tune::{Plan, Spec, Watch};
use serde::Serialize;
use std::io::Write;

/// The share of its slightly changed copies that an agent beats, less one half
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever arena measure neighbours greedy:by=combination
  isrever arena measure neighbours greedy:by=combination,preset=tuned-combination --neighbours 4000
Report 000 tunes its combination by the neighbour killing value, of which 0.50 is the best possible
and 0.40 its best (4.2.4), and does not define it. Here neighbours are the agent with all its
numbers changed by chance; one is beaten if it makes less than half of the points in two games from
an opening, colours swapped, and one that makes half counts half. Nought is as good as its
neighbours, one half better than every one. isrever tune --objective neighbours searches by it.
With --json one object per agent and line, with the keys measure, agent, neighbours, radius, value,
reach (of the 95 % interval to either side).")]
pub(super) struct NeighboursArgs {
    /// Who is measured; it needs parameters
    #[arg(required = true, num_args = 1.., value_name = "AGENT")]
    agents: Vec<String>,

    /// How many neighbours it has
    #[arg(long, default_value_t = 1_000, value_name = "N", allow_negative_numbers = true)]
    neighbours: u64,

    /// How far they are: the deviation of each number, as a part of its range
    #[arg(long, default_value_t = 0.1, value_name = "R", allow_negative_numbers = true)]
    radius: f64,

    /// Which parameters are changed [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    parameters: Option<Vec<String>>,

    /// Plies that both look ahead
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    depth: u32,

    /// Width of the board
    #[arg(long, default_value_t = 8, value_name = "N", allow_negative_numbers = true)]
    size: usize,

    /// Where the random choices come from
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// One object per agent and line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Serialize)]
struct Row<'a> {
    measure: &'static str,
    agent: &'a str,
    neighbours: u64,
    radius: f64,
    value: f64,
    reach: f64,
}

impl NeighboursArgs {
    /// The games of one agent, as those of a tuning by the same objective.
    fn spec(&self, agent: &str) -> Spec {
        Spec {
            agent: Some(agent.to_owned()),
            parameters: self.parameters.clone(),
            objective: Some("neighbours".to_owned()),
            neighbours: Some(self.neighbours),
            radius: Some(self.radius),
            depth: Some(self.depth),
            size: Some(self.size),
            seed: Some(self.seed),
            ..Spec::default()
        }
    }
}

/// Measures the agents, after all of them were understood.
pub(super) fn run(args: &NeighboursArgs, out: &mut dyn Write) -> Result<(), Error> {
    let catalogue = catalogue();
    let settle = |agent: &String| {
        let settled = args.spec(agent).settle(&catalogue);
        settled.map_err(|error| Error::input(format_args!("agent {agent}"), error))
    };
    let plans = args.agents.iter().map(settle).collect::<Result<Vec<Plan>, Error>>()?;
    let bar = progress_bar(args.neighbours * plans.len() as u64, "neighbours");
    let stop = stopped_by_ctrl_c();
    let done = || bar.inc(1);
    let watch = Watch { done: &done, stop: &stop };
    let width = args.agents.iter().map(|agent| agent.chars().count()).max().unwrap_or(0);
    for (agent, plan) in args.agents.iter().zip(&plans) {
        let value = plan.neighbour_killing(&catalogue, args.threads.count(), &watch);
        let value = value.map_err(|unfinished| match unfinished {
            Unfinished::Stopped => Error::Stopped("stopped: nothing is measured".to_owned()),
            Unfinished::Failed(why) => Error::Io(why),
        })?;
        let value = value.expect("neighbours are the plan's objective");
        if args.json {
            let row = Row {
                measure: "neighbours",
                agent,
                neighbours: args.neighbours,
                radius: args.radius,
                value: value.mean,
                reach: value.reach(),
            };
            bar.suspend(|| json_line(out, &row))?;
            continue;
        }
        bar.suspend(|| {
            let (told, count) = (with_reach(&value, 3), value.count);
            writeln!(out, "{agent:width$}  {told} of at most 0.5 ({count} neighbours)")
        })?;
    }
    bar.finish_and_clear();
    Ok(())
}
