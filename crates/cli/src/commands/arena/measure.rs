//! `isrever arena measure`: measures agents by report 000's performance models and among neighbours.

mod games;
mod neighbours;
mod positions;

use crate::error::Error;
use isrever_arena::Mean;
use std::io::Write;
use std::ops::RangeInclusive;

/// Measure agents by the four performance models of report 000
#[derive(clap::Args, Debug)]
pub(super) struct MeasureArgs {
    #[command(subcommand)]
    command: MeasureCommand,
}

#[derive(clap::Subcommand, Debug)]
enum MeasureCommand {
    RoundRobin(games::RoundRobinArgs),
    WinRate(games::WinRateArgs),
    MinimaxLoss(positions::MinimaxLossArgs),
    SearchDepth(positions::SearchDepthArgs),
    Neighbours(neighbours::NeighboursArgs),
}

/// Measures.
pub(super) fn run(args: &MeasureArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.command {
        MeasureCommand::RoundRobin(args) => games::round_robin(args, out),
        MeasureCommand::WinRate(args) => games::win_rate(args, out),
        MeasureCommand::MinimaxLoss(args) => positions::minimax_loss(args, out),
        MeasureCommand::SearchDepth(args) => positions::search_depth(args, out),
        MeasureCommand::Neighbours(args) => neighbours::run(args, out),
    }
}

/// A mean and its 95 % interval, with so many digits behind the point.
fn with_reach(mean: &Mean, digits: usize) -> String {
    match mean.error.is_finite() {
        true => format!("{:.digits$} ± {:.digits$}", mean.mean, mean.reach()),
        false => format!("{:.digits$} ± ∞", mean.mean),
    }
}

/// A range such as `10..12`.
fn range(text: &str) -> Result<RangeInclusive<u32>, &'static str> {
    let parsed = text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..=b.parse().ok()?));
    parsed
        .filter(|range: &RangeInclusive<u32>| range.start() <= range.end() && *range.end() <= 60)
        .filter(|range| *range.start() > 0)
        .ok_or("not a range; expected A..B with numbers from 1 to 60")
}
