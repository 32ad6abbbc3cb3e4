//! `isrever solve`: endgames, played perfectly.
//!
//! All positions are read and checked before the first is solved. `runner`
//! solves them, `watch` shows progress, `resume_file` is the file from which a
//! killed solve resumes, and `report` prints the answers.

mod report;
mod resume_file;
mod runner;
mod watch;

use crate::error::Error;
use crate::input::Place;
use crate::options::{DefaultArgs, PositionArgs, reading};
use isrever_board::text::Record;
use isrever_board::{Rule, Size};
use isrever_search::Answer;
use report::Report;
pub(super) use report::{names, speed};
use resume_file::ResumeFile;
use runner::Runner;
use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

/// The keys of `solve --json`.
const SOLVED: &str = r#"
With --json, one object per position and line, with the keys
  position, rule    as text; reversed or normal
  score             for the side to move; left out with --wld, which does not find it
  wld               1 the side to move wins, 0 draw, -1 it loses
  exact             true: the score is proved; false with --wld: only wld is
  stopped           only after Ctrl-C, true: nothing is proved; score and wld are the best
                    guess, left out if there is none, and moves those that were solved
  best              a square, pass, or null (game over)
  pv                the best moves of both sides, to the end unless --wld
  nodes, seconds    boards visited; time taken
  moves             with --all-moves: {"f5":6,"d6":-2}, best first, empty where there is
                    no square to play on; with --wld 1, 0 or -1 instead of the score
"#;

/// Play endgames perfectly: the score, the best move and the best line
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever solve --size 4                  the whole 4x4 game
  isrever solve --file ffo.obf --rule normal --threads 8
  isrever solve --position game.ggf --all-moves
  isrever solve - --json --wld < positions.txt
  isrever solve --size 6 --force --threads 8 --hash 1024 --resume 6x6.findings
Of a game its last position is solved. Scores are seen by the side to move: win by 6 means that it
has 6 discs more in the end, or 6 fewer under the reversed rule; empty squares count for the side
with more discs.
Known scores of an OBF file are compared (= known, ≠ known) if they are for the rule that is played;
the file says which they are for by a line such as % rule: normal, or else --rule does.
Positions of one run share what was proved, so the nodes of one depend on those before it.
Ctrl-C stops it: the best so far is shown as not proved, and the exit status is 130. A file of
--resume serves all positions of its size and rule; a solve killed in whatever way loses seconds.
".to_owned() + SOLVED + &reading())]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) positions: PositionArgs,

    /// Only whether it is a win, a draw or a loss: quicker
    #[arg(long)]
    pub(crate) wld: bool,

    /// Every legal move's score, best first
    #[arg(long)]
    pub(crate) all_moves: bool,

    /// Threads to share the work
    #[arg(long, default_value_t = 1, value_name = "T", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,

    /// Memory for what was proved, in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) hash: u32,

    /// Keep what takes long to find in this file, and begin with what is there: a solve that was
    /// killed goes on
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    /// Begin even if there are more than 26 empty squares
    #[arg(long)]
    pub(crate) force: bool,

    /// One object per position and line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) defaults: DefaultArgs,
}

/// With more empty squares, only those who know what they ask for are served.
const MOST_EMPTIES: u32 = 26;

/// A solved position.
struct Solved {
    /// The score for the side to move, with the principal variation.
    answer: Answer,
    /// The same for every legal square, best first; empty unless asked for.
    moves: Vec<Answer>,
    seconds: f64,
}

/// Solves one position after the other, once all of them are known to be solvable.
pub(crate) fn run(args: &SolveArgs, out: &mut dyn Write) -> Result<(), Error> {
    let Some(input) = args.positions.input()? else {
        let start = Record::from(args.defaults.start());
        if let Some(offence) = offence(args, &start) {
            return Err(Error::input(Place::Start, offence));
        }
        check_memory(args)?;
        let kind = kind(&start);
        return solve_all(args, out, 1, kind, std::iter::once(Ok(start)));
    };
    // Read twice and not kept: only one game at a time is held in memory.
    let records = || super::records(&input, None, &args.defaults, None);
    let (mut count, mut first, mut refused) = (0, None, None);
    for record in records()? {
        let record = record?;
        count += 1;
        let first = *first.get_or_insert_with(|| kind(&record));
        let offence = || offence(args, &record).or_else(|| mixture(args, first, &record));
        refused = refused.or_else(|| Some((count, offence()?)));
    }
    match refused {
        Some((number, offence)) if count > 1 => {
            return Err(Error::input(&input.place, format_args!("position {number}: {offence}")));
        }
        Some((_, offence)) => return Err(Error::input(&input.place, offence)),
        None => {}
    }
    check_memory(args)?;
    solve_all(args, out, count, first.expect("at least one record"), records()?)
}

fn solve_all(
    args: &SolveArgs,
    out: &mut dyn Write,
    count: usize,
    (rule, size): (Rule, Size),
    records: impl Iterator<Item = Result<Record, Error>>,
) -> Result<(), Error> {
    let resume_file =
        args.resume.as_ref().map(|path| ResumeFile::open(path, size, rule)).transpose()?;
    let stop = super::stopped_by_ctrl_c();
    let mut report = Report::new(args, count, out)?;
    let mut runner = Runner::new(args, count, &stop, resume_file);
    let mut solved = 0;
    for record in records {
        let record = record?;
        let found = runner.solve(&record.game);
        runner.watch.aside(|| report.add(&record, &found))?;
        solved += usize::from(found.answer.is_exact);
        runner.resume_file().map_or(Ok(()), ResumeFile::check)?;
        if stop.load(Relaxed) && solved < count {
            return Err(Error::Stopped(format!("stopped: {solved} of {count} solved")));
        }
    }
    drop(runner);
    report.end()
}

/// Stored nodes of a position serve others of the same rule and size.
fn kind(record: &Record) -> (Rule, Size) {
    (record.game.rule(), record.game.size())
}

/// Why a position cannot be solved together with the first one.
fn mixture(args: &SolveArgs, first: (Rule, Size), record: &Record) -> Option<String> {
    let ((rule, size), (first_rule, first_size)) = (kind(record), first);
    (args.resume.is_some() && (rule, size) != first).then(|| {
        format!(
            "{size}x{size} {rule}, but the first is {first_size}x{first_size} {first_rule}; \
             expected one size and one rule with --resume"
        )
    })
}

/// Why a position cannot be solved, or not in a reasonable time.
fn offence(args: &SolveArgs, record: &Record) -> Option<String> {
    let position = record.game.position();
    let (size, empties) = (position.size(), position.empties());
    if !size.has_bits() {
        return Some(format!(
            "the board is {size}x{size}, too large to solve; expected at most 8x8"
        ));
    }
    (empties > MOST_EMPTIES && !args.force && !position.is_over()).then(|| {
        let effort = effort(size, empties);
        format!(
            "{empties} empty squares, and {effort}; expected at most {MOST_EMPTIES}, or --force"
        )
    })
}

/// How long it would take to solve a board with this many empty squares.
fn effort(size: Size, empties: u32) -> String {
    if size == Size::SIX {
        return "a whole 6x6 board takes minutes on one core".to_owned();
    }
    // Measured, and rough: 22 take a second, each further one three times as long.
    let seconds = 3f64.powi(empties.cast_signed() - 22);
    let time = [("minutes", 60.0), ("hours", 3_600.0), ("days", 86_400.0), ("years", 31_557_600.0)]
        .into_iter()
        .rev()
        .find(|(_, unit)| seconds >= 2.0 * unit)
        .map_or(("seconds", seconds), |(name, unit)| (name, seconds / unit));
    let known = "22 take about a second on one core, each further one about 3 times as long";
    match time {
        ("years", years) if years > 1_000.0 => format!("{known}: here, thousands of years"),
        (name, number) => format!("{known}: here, about {number:.0} {name}"),
    }
}

/// Refuses more memory than there is: allocating it would abort the program.
fn check_memory(args: &SolveArgs) -> Result<(), Error> {
    let mut bytes = Vec::<u8>::new();
    let is_there = hash_bytes(args).is_some_and(|hash| bytes.try_reserve_exact(hash).is_ok());
    // Memory that nobody looks at may never be asked for.
    black_box(&bytes);
    if is_there {
        return Ok(());
    }
    let place = format_args!("--hash {}", args.hash);
    Err(Error::input(place, "not so much memory on this machine; expected fewer MiB"))
}

fn hash_bytes(args: &SolveArgs) -> Option<usize> {
    usize::try_from(args.hash).ok()?.checked_mul(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effort_is_told_in_words_for_its_size() {
        for (empties, words) in
            [(27, "about 4 minutes"), (29, "about 36 minutes"), (31, "about 5 hours")]
        {
            assert!(effort(Size::EIGHT, empties).ends_with(words), "{empties}");
        }
        assert!(effort(Size::EIGHT, 60).ends_with("thousands of years"));
        assert!(effort(Size::SIX, 32).contains("minutes on one core"));
    }
}
