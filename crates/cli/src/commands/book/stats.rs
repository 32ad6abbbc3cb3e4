//! `isrever book stats`: how large a book is, how deep, and what it took.

mod plots;

use super::open;
use crate::error::Error;
use crate::messages::{counted, grouped, size as bytes};
use crate::output::json_line;
use isrever_book::{Book, Entry};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Count the positions of a book by their distance from the start, and what they took
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever book stats my.book
  isrever book stats my.book --json
  isrever book stats my.book --plot pictures
With --plot four pictures in the folder, by the distance from the start:
  positions.svg             how many there are, how many lead no further, how many are proved
  depths.svg                the depth of their searches, and the length of their lines in the book
  values.svg                their values, for the side to move
  confidences.svg           how sure their searches are
With --json one object, with the keys rule, size, positions, bytes, nodes, proved, recipe and plies: a
list with an object for each distance from the start, with the keys
  ply, positions, proved    the distance; how many there are; how many have a proved score
  leaves                    positions no move of which leads to another one of the book
  value                     the mean of their values, for the side to move
  depth                     the mean depth of their searches")]
pub(super) struct StatsArgs {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// One object
    #[arg(long)]
    json: bool,

    /// Draw pictures into this folder too
    #[arg(long, value_name = "FOLDER")]
    plot: Option<PathBuf>,
}

/// What is counted.
#[derive(Serialize)]
struct Stats {
    rule: String,
    size: u8,
    positions: u64,
    bytes: u64,
    nodes: u64,
    proved: u64,
    recipe: Vec<String>,
    plies: Vec<Ply>,
}

/// The positions at one distance from the start.
#[derive(Serialize, Default, Clone)]
struct Ply {
    ply: usize,
    positions: u64,
    leaves: u64,
    proved: u64,
    value: f64,
    depth: f64,
}

impl Stats {
    fn new(book: &Book, bytes: u64) -> Stats {
        let mut plies = vec![Ply::default(); 65];
        let (mut nodes, mut proved) = (0, 0);
        for entry in book.entries() {
            let (finding, worth) = (&entry.finding, entry.worth);
            let ply = &mut plies[ply(book, &entry) as usize];
            let is_proved = worth.lower == worth.upper;
            ply.positions += 1;
            ply.leaves += u64::from(worth.plies == 0);
            ply.proved += u64::from(is_proved);
            ply.value += f64::from(worth.value);
            ply.depth += f64::from(finding.depth);
            nodes += finding.nodes;
            proved += u64::from(is_proved);
        }
        for (number, ply) in plies.iter_mut().enumerate() {
            let count = ply.positions.max(1) as f64;
            *ply = Ply {
                ply: number,
                value: ply.value / count,
                depth: ply.depth / count,
                ..ply.clone()
            };
        }
        plies.retain(|ply| ply.positions > 0);
        Stats {
            rule: book.rule().to_string(),
            size: book.size().width(),
            positions: book.len() as u64,
            bytes,
            nodes,
            proved,
            recipe: book.recipe().lines().map(str::to_owned).collect(),
            plies,
        }
    }
}

/// How many plies a position is from the start.
fn ply(book: &Book, entry: &Entry) -> u32 {
    let empties = entry.finding.board.empties(book.size()).count_ones();
    (book.size().cells() as u32 - 4).saturating_sub(empties)
}

/// Counts, and says it.
pub(super) fn run(args: &StatsArgs, out: &mut dyn Write) -> Result<(), Error> {
    let book = open(&args.file)?;
    let stats = Stats::new(&book, book.bytes().len() as u64);
    if let Some(folder) = &args.plot {
        if folder.exists() && !folder.is_dir() {
            return Err(Error::input(folder.display(), "a file; expected a directory"));
        }
        plots::write(&book, folder)?;
    }
    if args.json {
        return Ok(json_line(out, &stats)?);
    }
    let (rule, width) = (&stats.rule, stats.size);
    let count = counted(stats.positions, "position");
    writeln!(
        out,
        "{}: {count} ({rule}, {width}x{width}), {}",
        args.file.display(),
        bytes(stats.bytes)
    )?;
    writeln!(
        out,
        "{} nodes, {} proved",
        grouped(&stats.nodes.to_string()),
        grouped(&stats.proved.to_string())
    )?;
    for line in &stats.recipe {
        writeln!(out, "made by: {line}")?;
    }
    writeln!(out, "\n ply  positions    leaves    proved  mean value  mean depth")?;
    for ply in &stats.plies {
        let [positions, leaves, proved] =
            [ply.positions, ply.leaves, ply.proved].map(|count| grouped(&count.to_string()));
        writeln!(
            out,
            "{:>4}  {positions:>9}  {leaves:>8}  {proved:>8}  {:>10}  {:>10.1}",
            ply.ply,
            format!("{:+.1}", ply.value).replace('-', "−"),
            ply.depth,
        )?;
    }
    Ok(())
}
