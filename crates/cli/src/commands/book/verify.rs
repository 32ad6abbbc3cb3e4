//! `isrever book verify`: searches a sample of a book's positions again, longer, and compares.

use super::open;
use crate::cluster::{ClusterArgs, run_error};
use crate::commands::stopped_by_ctrl_c;
use crate::commands::train::{EMBEDDED, ThreadArgs, named_evaluator};
use crate::error::Error;
use crate::messages::{counted, grouped};
use crate::output::json_line;
use crate::progress::progress_bar;
use isrever_agent::Rng;
use isrever_book::{Entry, Line};
use isrever_lab::growth::Searches;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Search a sample of a book's positions again, longer, and tell what changes: how sure its values are
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever book verify my.book --nodes 50000000
  isrever book verify my.book --count 20 --nodes 1000000 --json
Says how often the longer search prefers the same move, and how far its value is from the one that the
book has for the position: by its own search, and by all positions after it. With --json one object
per position and line, with the keys position, value, best (of the book), searched, searched_best (of
its own search there), longer, longer_best, depth, selectivity, nodes (of the search now).")]
pub(super) struct VerifyArgs {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How many positions
    #[arg(long, default_value_t = 100, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,

    /// Nodes of each search
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1_000..))]
    nodes: u64,

    /// Which positions: the same seed, the same sample
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// What values positions: a file of weights, or embedded for those in the program
    #[arg(long, default_value = EMBEDDED, value_name = "FILE")]
    weights: PathBuf,

    /// One object per position and line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// A position that was searched again.
#[derive(Serialize)]
struct Row {
    position: String,
    value: i8,
    best: String,
    searched: i8,
    searched_best: String,
    longer: i8,
    longer_best: String,
    depth: u8,
    selectivity: u8,
    nodes: u64,
}

impl Row {
    fn new(entry: &Entry, again: Line) -> Row {
        let (finding, worth) = (&entry.finding, entry.worth);
        Row {
            position: again.position,
            value: worth.value,
            best: worth.best.to_string(),
            searched: finding.value,
            searched_best: finding.best.to_string(),
            longer: again.value,
            longer_best: again.best,
            depth: again.depth,
            selectivity: again.selectivity,
            nodes: again.nodes,
        }
    }
}

/// Searches, compares, and says what has changed.
pub(super) fn run(args: &VerifyArgs, out: &mut dyn Write) -> Result<(), Error> {
    args.cluster.reach()?;
    let book = open(&args.file)?;
    let mut sample: Vec<Entry> = book.entries().collect();
    Rng::new(args.seed).shuffle(&mut sample);
    sample.truncate(args.count as usize);
    let evaluator = named_evaluator(&args.weights, book.rule(), book.size())?;
    let searches = Searches { evaluator, nodes: Some(args.nodes), shallow: 1 };
    let part = format!("verify {} {}", args.seed, sample.len());
    let crew = args.cluster.crew(args.threads.count(), &args.file, &part);
    let stop = stopped_by_ctrl_c();
    let bar = progress_bar(sample.len() as u64, "positions");
    let mut rows = Vec::new();
    let job = |number: u64| {
        let board = sample[number as usize].finding.board;
        [board.player, board.opponent]
    };
    let mut take = |number: u64, line: Line| {
        bar.inc(1);
        let row = Row::new(&sample[number as usize], line);
        if args.json {
            json_line(out, &row)?;
            out.flush()?;
        }
        rows.push(row);
        Ok(())
    };
    let done = crew.in_order(&searches, 0..sample.len() as u64, job, &mut take, &stop);
    bar.finish_and_clear();
    if !done.map_err(run_error)? {
        return Err(Error::Stopped(format!("stopped after {} positions", rows.len())));
    }
    if args.json {
        return Ok(());
    }
    let count = counted(rows.len() as u64, "position");
    writeln!(out, "{count}, {} nodes each", grouped(&args.nodes.to_string()))?;
    let by_own = |row: &Row| (row.searched, row.searched_best == row.longer_best);
    let by_book = |row: &Row| (row.value, row.best == row.longer_best);
    writeln!(out, "against their own searches: {}", Change::of(&rows, &by_own).words())?;
    writeln!(out, "against the book's values:  {}", Change::of(&rows, &by_book).words())?;
    Ok(())
}

/// How far values are from those of longer searches.
struct Change {
    count: usize,
    same: usize,
    mean: f64,
    absolute: f64,
    square: f64,
    most: i32,
}

impl Change {
    /// Of rows for which `known` has the value that was known, and whether the move stays.
    fn of(rows: &[Row], known: &dyn Fn(&Row) -> (i8, bool)) -> Change {
        let differences: Vec<f64> =
            rows.iter().map(|row| f64::from(row.longer) - f64::from(known(row).0)).collect();
        let mean = |map: &dyn Fn(f64) -> f64| {
            differences.iter().map(|&by| map(by)).sum::<f64>() / differences.len().max(1) as f64
        };
        let most = rows.iter().map(|row| (i32::from(row.longer) - i32::from(known(row).0)).abs());
        Change {
            count: rows.len(),
            same: rows.iter().filter(|row| known(row).1).count(),
            mean: mean(&|by| by),
            absolute: mean(&f64::abs),
            square: mean(&|by| by * by).sqrt(),
            most: most.max().unwrap_or(0),
        }
    }

    fn words(&self) -> String {
        format!(
            "the same move in {} of {}; values changed by {:+.2} discs on average, {:.2} either \
             way, root mean square {:.2}, most {}",
            self.same, self.count, self.mean, self.absolute, self.square, self.most
        )
        .replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted() {
        let row = |searched, longer, longer_best: &str| Row {
            position: String::new(),
            value: 0,
            best: "a1".to_owned(),
            searched,
            searched_best: "b1".to_owned(),
            longer,
            longer_best: longer_best.to_owned(),
            depth: 1,
            selectivity: 73,
            nodes: 1,
        };
        let rows = [row(1, 4, "b1"), row(2, -2, "a1"), row(0, 0, "c1"), row(5, 6, "b1")];
        let change = Change::of(&rows, &|row| (row.searched, row.searched_best == row.longer_best));
        assert_eq!((change.count, change.same, change.most), (4, 2, 4));
        assert_eq!((change.mean, change.absolute), (0.0, 2.0));
        assert!((change.square - f64::sqrt(26.0 / 4.0)).abs() < 1e-12);
        let words = "the same move in 2 of 4; values changed by +0.00 discs on average, 2.00 either \
                     way, root mean square 2.55, most 4";
        assert_eq!(change.words(), words);
    }
}
