//! `isrever train openings`: balanced positions to begin matches from.

use super::fit::write;
use super::{EMBEDDED, ThreadArgs, evaluator};
use crate::cluster::{ClusterArgs, Interruption};
use crate::error::Error;
use crate::messages::grouped;
use crate::progress::progress_bar;
use isrever_board::Rule;
use isrever_jobs::Unfinished;
use isrever_lab::openings::{Values, Wanted};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Find openings that leave neither side ahead, to begin matches from
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train openings --count 600 -o openings.txt
  isrever train openings --plies 6 --count 50 --depth 12 --rule normal -o six.txt
All positions after so many moves are listed, one of each eight images, and valued in an order drawn
from the seed, until enough of them are found. Written are their moves, an opening per line.")]
pub(super) struct OpeningsArgs {
    /// Moves from the start
    #[arg(long, default_value_t = 8, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=10))]
    plies: u32,

    /// How many openings
    #[arg(long, default_value_t = 600, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,

    /// The most discs that either side may be ahead by
    #[arg(long, default_value_t = 2, value_name = "DISCS", allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(0..=64))]
    most: i32,

    /// Plies of the search that values them
    #[arg(long, default_value_t = 20, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,

    /// How often, in hundredths, its cuts must be right: 49, 73, 87, 95, 98, 99, or 100 for no cuts
    #[arg(long, default_value_t = 87, value_name = "P", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u8).range(1..=100))]
    percent: u8,

    /// What values positions: a file of weights, or embedded for those in the program
    #[arg(long, default_value = EMBEDDED, value_name = "FILE")]
    weights: PathBuf,

    /// Where the order comes from: the same seed, the same openings
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// What is played for
    #[arg(long, default_value_t, value_name = "reversed|normal")]
    rule: Rule,

    /// Write here
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Finds them, writes them, and says how many there are.
pub(super) fn run(args: &OpeningsArgs, out: &mut dyn Write) -> Result<(), Error> {
    let OpeningsArgs { plies, count, most, depth, percent, seed, rule, .. } = *args;
    let values = Values { evaluator: evaluator(&args.weights, rule)?, most, depth, percent };
    let wanted = Wanted { values, plies, count: count as usize, seed };
    args.cluster.reach()?;
    let crew = args.cluster.crew(args.threads.count(), &args.output, "openings");
    let bar = progress_bar(count.into(), "openings");
    let find =
        |stop: &AtomicBool| wanted.find(&crew, &mut |found| bar.set_position(found as u64), stop);
    let found = args.cluster.interruption().during(find);
    bar.finish_and_clear();
    let found = found.map_err(|unfinished| match unfinished {
        // Nothing is written until all is there.
        Unfinished::Stopped => {
            Interruption::stopped("the cluster keeps the values that it has found")
        }
        Unfinished::Failed(why) => Error::Io(why),
    })?;
    let mut text = String::new();
    for opening in &found {
        for square in &opening.moves {
            write!(text, "{square}").expect("strings take everything");
        }
        text.push('\n');
    }
    write(&args.output, text.into_bytes())?;
    let mean = found.iter().map(|opening| f64::from(opening.value)).sum::<f64>()
        / found.len().max(1) as f64;
    writeln!(
        out,
        "{}: {} openings of {plies} moves ({rule}), at most {most} discs ahead by {depth} plies at \
         {percent} %, {mean:+.2} on average",
        args.output.display(),
        grouped(&found.len().to_string()),
    )?;
    Ok(())
}
