//! `isrever book grow`: searches the positions that a book needs most, one after the other.

mod speed;

use super::journal::{OpenBook, add};
use super::small_size;
use crate::cluster::{ClusterArgs, run_error};
use crate::commands::stopped_by_ctrl_c;
use crate::commands::train::{EMBEDDED, ThreadArgs, named_evaluator};
use crate::error::Error;
use crate::messages::{counted, grouped};
use crate::output::json_line;
use crate::progress::{progress_bar, words};
use crate::provenance::embedded_weights;
use isrever_agent::duration;
use isrever_board::{Rule, Size};
use isrever_book::{Line, Policy};
use isrever_jobs::{Crew, RunError};
use isrever_lab::Evaluator;
use isrever_lab::growth::{Growth, Searches, TakeError};
use speed::Speed;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Search the positions that a book needs most, until it is large enough, or for a time
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever book grow my.book --time 10m
  isrever book grow my.book --positions 30000 --full 6 --nodes 4000000
  isrever book grow six.book --size 6 --full 4 --plies 4 --exact   proved scores
  isrever book grow six.book --size 6 --perfect 19   a proved move against every reply
  isrever book grow my.book --positions 100000 --cluster nats://head:4222   by isrever worker
The next position is the one that costs least: a ply for each move from the start, and more for each
disc that moves on the way lose. Discs of the side that the book is for cost --own plies each, those
of its opponent --other; first and second player are that side in turn. Each search has the same
number of nodes and a table of its own, so that the same command makes the same book on any number of
threads, if nothing interrupts it. What was found is kept at once in FILE.journal; the same command goes
on where it was stopped or killed, and then chooses anew by all that it has found: the book becomes
another one, as good. Ctrl-C writes the book and ends.
At the end it says how fast it was: positions searched per second of a core, and how much of the time
of all threads was spent otherwise, on choosing, writing and waiting.")]
pub(super) struct GrowArgs {
    /// The book; a new one if there is none
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How many positions the book is to have
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=50_000_000))]
    positions: Option<u32>,

    /// How long it may grow
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,

    /// No position further from the start than this
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=60))]
    plies: Option<u32>,

    /// All positions up to this many plies from the start first, however bad the moves are
    #[arg(long, default_value_t = 0, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=20))]
    full: u32,

    /// Nodes of each search
    #[arg(long, default_value_t = 4_000_000, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1_000..))]
    nodes: u64,

    /// Search positions again whose value is that of a shorter search of their own, before new ones
    #[arg(long, conflicts_with_all = ["exact", "perfect"])]
    deepen: bool,

    /// Search each position to the end, and prove its score
    #[arg(long, conflicts_with = "nodes")]
    exact: bool,

    /// Prove the moves of a perfect strategy for either side, as long as so many squares are empty
    #[arg(long, value_name = "EMPTIES", allow_negative_numbers = true,
          conflicts_with_all = ["nodes", "full", "plies"],
          value_parser = clap::value_parser!(u32).range(1..=60))]
    perfect: Option<u32>,

    /// Plies that a disc costs which the side loses that the book is for
    #[arg(long, default_value_t = Policy::default().own, value_name = "X",
          allow_negative_numbers = true, value_parser = weight)]
    own: f64,

    /// Plies that a disc costs which its opponent loses
    #[arg(long, default_value_t = Policy::default().other, value_name = "X",
          allow_negative_numbers = true, value_parser = weight)]
    other: f64,

    /// How many positions are chosen at a time; more for many machines
    #[arg(long, default_value_t = 64, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    group: u32,

    /// What is played for [default: reversed, or as the book says]
    #[arg(long, value_name = "reversed|normal")]
    rule: Option<Rule>,

    /// The board [default: 8, or as the book says]
    #[arg(long, value_name = "4|6|8", allow_negative_numbers = true, value_parser = small_size)]
    size: Option<Size>,

    /// What values positions: a file of weights, or embedded for those in the program
    #[arg(long, default_value = EMBEDDED, value_name = "FILE")]
    weights: PathBuf,

    /// Write what was found about each position as a line of JSON, as book export does
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

fn weight(text: &str) -> Result<f64, &'static str> {
    let weight = text.parse().ok().filter(|weight| (0.0..=1_000.0).contains(weight));
    weight.ok_or("not a number of plies; expected one from 0 to 1000")
}

impl GrowArgs {
    /// What values positions of a book for these games, if it can grow as it is to.
    fn evaluator(&self, rule: Rule, size: Size) -> Result<Evaluator, Error> {
        let most_empties = size.cells() as u32 - 4;
        if let Some(empties) = self.perfect.filter(|&empties| empties > most_empties) {
            let offence = format!(
                "{empties} empty squares on {size}x{size}; expected at most {most_empties}"
            );
            return Err(Error::input("--perfect", offence));
        }
        named_evaluator(&self.weights, rule, size)
    }
}

/// Plies of the shallow search that estimates every move.
const SHALLOW: u32 = 8;

/// Lets the book grow, and says how far it came.
pub(super) fn run(args: &GrowArgs, out: &mut dyn Write) -> Result<(), Error> {
    let is_endless = args.plies.is_none() && args.perfect.is_none();
    if args.positions.is_none() && args.time.is_none() && is_endless {
        let offence = "nothing says how far the book is to grow; \
                       expected --positions, --time, --plies or --perfect";
        return Err(Error::input("book grow", offence));
    }
    args.cluster.reach()?;
    let mut book = OpenBook::open(&args.file, args.rule, args.size)?;
    let (rule, size) = (book.graph.rule(), book.graph.size());
    let evaluator = match args.evaluator(rule, size) {
        Ok(evaluator) => evaluator,
        Err(error) => {
            book.leave()?;
            return Err(error);
        }
    };
    let is_proof = args.exact || args.perfect.is_some();
    let nodes = (!is_proof).then_some(args.nodes);
    let effort = nodes.map_or_else(
        || "proved".to_owned(),
        |nodes| format!("{} nodes a position", grouped(&nodes.to_string())),
    );
    let weights = match evaluator.file {
        Some(ref file) => file.display().to_string(),
        None => embedded_weights(rule, size),
    };
    let positions = match args.perfect {
        Some(empties) => format!("perfect {empties}"),
        None => format!("own {}, other {}, full {}", args.own, args.other, args.full),
    };
    let version = env!("CARGO_PKG_VERSION");
    let recipe = format!("{effort}, weights {weights}, {positions}; isrever {version}");
    let growth = Growth {
        searches: Searches { evaluator, nodes, shallow: SHALLOW },
        policy: Policy {
            own: args.own,
            other: args.other,
            full: args.full,
            most_plies: args.plies.unwrap_or(60),
            strategy: args.perfect,
            deepen: nodes.filter(|_| args.deepen),
        },
        group: args.group as usize,
        most: args.positions.map_or(usize::MAX, |positions| positions as usize),
    };
    // The jobs follow from these: a run goes on only with the same.
    let part = format!("book {} {:?} {}", book.graph.len(), growth.policy, args.group);
    let crew = args.cluster.crew(args.threads.count(), &args.file, &part);
    let stop = stopped_by_ctrl_c();
    let before = book.graph.len();
    let bar = progress_bar(args.positions.map_or(0, u64::from), "positions");
    bar.set_position(before as u64);
    let begun = Instant::now();
    // Whoever waits for the end of the time is told when there is no need to.
    let (done, ended) = mpsc::channel::<()>();
    let clock = args.time.map(|time| {
        let stop = Arc::clone(&stop);
        std::thread::spawn(move || {
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Relaxed);
            }
        })
    });
    let (graph, journal) = book.parts();
    let mut searched = 0;
    let mut take = |line: &Line| {
        bar.inc(1);
        searched += 1;
        add(journal, line)?;
        if args.json {
            json_line(out, line)?;
            out.flush()?;
        }
        Ok(())
    };
    let grown = growth.run(graph, &crew, &|| begun.elapsed(), &mut take, &stop);
    if searched > 0 || book.is_resumed {
        book.note(&recipe);
    }
    let is_out_of_time = args.time.is_some_and(|time| begun.elapsed() >= time);
    drop(done);
    if let Some(clock) = clock {
        clock.join().expect("the clock does not panic");
    }
    bar.finish_and_clear();
    let is_stopped = stop.load(Relaxed) && !is_out_of_time;
    let inside = match grown {
        // What was found before is kept.
        Err(RunError::Take(TakeError::Taken(error))) => return Err(error),
        Err(RunError::Take(TakeError::Wrong(wrong))) => {
            book.save()?;
            return Err(Error::Io(format!("a worker sent {wrong}")));
        }
        Err(RunError::Machine(why)) => return Err(run_error(RunError::Machine(why))),
        Err(RunError::Remote(error)) => return Err(run_error(RunError::Remote(error))),
        Ok(inside) => inside,
    };
    let graph = book.save()?;
    let (now, took) = (graph.len(), begun.elapsed());
    let threads = match crew {
        Crew::Here(threads) => Some(threads),
        Crew::Elsewhere(_) => None,
    };
    let speed = Speed { searched, took, inside, threads };
    let is_short = args.positions.is_some_and(|positions| now < positions as usize);
    let is_all = is_short && !is_stopped && !is_out_of_time;
    let rest = if is_all { "; nothing is left to search within these limits" } else { "" };
    let said = format!(
        "{}: {} ({rule}, {size}x{size}), {} of them new in {}{speed}{rest}",
        args.file.display(),
        counted(now as u64, "position"),
        grouped(&(now - before).to_string()),
        words(took),
    );
    match is_stopped {
        true => Err(Error::Stopped(format!("stopped: {said}; the same command goes on"))),
        false if args.json => Ok(()),
        false => Ok(writeln!(out, "{said}")?),
    }
}
