//! `isrever bench`: prints the search's signature and speed.

use super::solve::speed;
use crate::error::Error;
use crate::messages::grouped;
use crate::output::json_line;
use indicatif::ProgressBar;
use isrever_search::{bench, bench_len};
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// Search fixed positions: one number that changes only when the search does
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever bench
  isrever bench --json                    one object
The signature is the number of boards visited by fixed searches on one thread. It is the same on
every machine; a change of the code that moves it changes what the engine plays.
With --json, one object with the keys signature, nodes and seconds.")]
pub(crate) struct BenchArgs {
    /// One object
    #[arg(long)]
    pub(crate) json: bool,
}

/// How fast one core of this machine is: positions a second of the fixed searches.
pub(crate) fn core_speed() -> f64 {
    let begin = Instant::now();
    let nodes = bench(|_| {});
    nodes as f64 / begin.elapsed().as_secs_f64()
}

#[derive(Serialize)]
struct Row {
    signature: String,
    nodes: u64,
    seconds: f64,
}

/// Runs the searches and shows what they come to.
pub(crate) fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Error> {
    let bar = ProgressBar::new(bench_len() as u64);
    let begin = Instant::now();
    let nodes = bench(|_| bar.inc(1));
    let seconds = begin.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let signature = nodes.to_string();
    if args.json {
        return Ok(json_line(out, &Row { signature, nodes, seconds })?);
    }
    let (nodes, speed) = (grouped(&signature), speed(nodes, seconds));
    Ok(writeln!(
        out,
        "signature {signature}: {nodes} nodes in {seconds:.3} seconds, {speed} nodes/s"
    )?)
}
