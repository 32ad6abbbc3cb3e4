//! `isrever perft`: counts all games of N plies.

mod share;

use crate::error::Error;
use crate::input::Input;
use crate::messages::grouped;
use crate::options::{DefaultArgs, text};
use crate::output::json_line;
use isrever_board::{Isa, Passes, Position, Size};
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;
use std::time::Instant;

/// Count the games of N plies: the test of move generation
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever perft 9                         8x8, from the start
  isrever perft 20 --size 4 --passes free
  isrever perft 10 --threads 8 --json     one object per depth and line")]
pub(crate) struct PerftArgs {
    /// Count up to this depth
    #[arg(value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) depth: u32,

    /// Width of the board, even, 4 to 16 [default: 8, or that of the text]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) size: Option<Size>,

    /// Count from this position: its text, or a file, or - for standard input
    #[arg(long, value_name = "TEXT|FILE|-", allow_hyphen_values = true, value_parser = text())]
    pub(crate) position: Option<OsString>,

    /// A forced pass counts as a ply, or is free
    #[arg(long, default_value_t, value_name = "ply|free")]
    pub(crate) passes: Passes,

    /// Instructions to use [default: the best of this machine]
    #[arg(long, value_name = "scalar|avx2|avx512")]
    pub(crate) isa: Option<Isa>,

    /// Threads to share the work
    #[arg(long, default_value_t = 1, value_name = "T", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,

    /// One object per depth and line
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to count, once it is known to make sense.
struct Job {
    position: Position,
    isa: Isa,
    threads: usize,
}

/// One depth's count, with the keys of `--json`.
#[derive(Serialize)]
struct Row {
    size: u8,
    passes: String,
    depth: u32,
    leaves: u64,
    seconds: f64,
}

/// Counts each depth in turn and says so at once.
pub(crate) fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<(), Error> {
    let job = meaning(args)?;
    if !args.json {
        writeln!(out, "{:>5}  {:>26}  {:>12}  {:>16}", "depth", "leaves", "seconds", "leaves/s")?;
    }
    for depth in 1..=args.depth {
        let row = count(&job, depth, args.passes);
        if args.json {
            json_line(out, &row)?;
        } else {
            let Row { leaves, seconds, .. } = row;
            let speed = grouped(&format!("{:.0}", leaves as f64 / seconds.max(1e-9)));
            let leaves = grouped(&leaves.to_string());
            writeln!(out, "{depth:>5}  {leaves:>26}  {seconds:>12.6}  {speed:>16}")?;
        }
        out.flush()?;
    }
    Ok(())
}

fn count(job: &Job, depth: u32, passes: Passes) -> Row {
    let begin = Instant::now();
    let leaves = share::perft(job.isa, &job.position, depth, passes, job.threads);
    let seconds = begin.elapsed().as_secs_f64();
    let size = job.position.size().width();
    Row { size, passes: passes.to_string(), depth, leaves, seconds }
}

fn meaning(args: &PerftArgs) -> Result<Job, Error> {
    let position = match &args.position {
        None => Position::start(args.size.unwrap_or_default()),
        Some(argument) => {
            let input = Input::read(argument)?;
            // The rule decides nothing here: moves are the same under both.
            let asked = DefaultArgs { rule: None, size: args.size };
            let record = input.record(asked.defaults())?;
            asked.settled(&input.place, record)?.game.position().clone()
        }
    };
    Ok(Job { isa: isa(args.isa, &position)?, position, threads: args.threads.into() })
}

/// The instruction set asked for, if it is there and would be used.
fn isa(asked: Option<Isa>, position: &Position) -> Result<Isa, Error> {
    let Some(isa) = asked else { return Ok(Isa::best()) };
    let place = format!("--isa {isa}");
    if !isa.is_present() {
        let present: Vec<String> = Isa::ALL
            .into_iter()
            .filter(|isa| isa.is_present())
            .map(|isa| isa.to_string())
            .collect();
        let expected = present.join(" or ");
        return Err(Error::input(place, format_args!("not on this machine; expected {expected}")));
    }
    if isa != Isa::Scalar && !position.size().has_bits() {
        let offence = "boards above 8x8 have only plain code; expected scalar";
        return Err(Error::input(place, offence));
    }
    Ok(isa)
}
