//! `isrever solve`: endgames, played perfectly.
//!
//! All positions are read and checked before the first is solved; how an
//! answer is shown is in `report`.

mod report;

use crate::args::SolveArgs;
use crate::fault::Fault;
use crate::input::{Input, Place};
use isrever_board::text::Record;
use isrever_board::{Game, Rule, Size, Square};
use isrever_engine::{Control, Goal, Settings, Solution, Solver};
use report::Report;
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

/// With more empty squares, only those who know what they ask for are served.
const MOST_EMPTIES: u32 = 26;

/// What is known of one position in the end.
struct Answer {
    /// The score for the side to move, with the best line.
    solution: Solution,
    /// The same for every legal square, best first; empty unless asked for.
    moves: Vec<(Square, Solution)>,
    seconds: f64,
}

/// Solves one position after the other, once all of them are known to be solvable.
pub(crate) fn run(args: &SolveArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let argument = args.text.as_ref().or(args.position.as_ref());
    let input = match (argument, &args.file) {
        (Some(argument), _) => Input::read(argument)?,
        (None, Some(name)) => Input::read_named(name)?,
        (None, None) => {
            let start = Record::from(args.defaults.start());
            if let Some(offence) = offence(args, &start) {
                return Err(Fault::input(Place::Start, offence));
            }
            check_memory(args)?;
            return solve_all(args, out, 1, std::iter::once(Ok(start)));
        }
    };
    // Read twice and not kept: only one game at a time is held in memory.
    let records = || super::records(&input, None, &args.defaults, None);
    let (mut count, mut refused) = (0, None);
    for record in records()? {
        let record = record?;
        count += 1;
        refused = refused.or_else(|| Some((count, offence(args, &record)?)));
    }
    match refused {
        Some((number, offence)) if count > 1 => {
            return Err(Fault::input(&input.place, format_args!("position {number}: {offence}")));
        }
        Some((_, offence)) => return Err(Fault::input(&input.place, offence)),
        None => {}
    }
    check_memory(args)?;
    solve_all(args, out, count, records()?)
}

fn solve_all(
    args: &SolveArgs,
    out: &mut dyn Write,
    count: usize,
    records: impl Iterator<Item = Result<Record, Fault>>,
) -> Result<(), Fault> {
    let mut desk = Desk { args, solver: None };
    let mut report = Report::new(args, count, out)?;
    for record in records {
        let record = record?;
        report.begin();
        let answer = desk.answer(&record.game);
        report.add(&record, &answer)?;
    }
    report.end()
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
        return "a whole 6x6 board takes minutes on many cores".to_owned();
    }
    // Measured, and rough: 22 take 2 seconds, each further one four times as long.
    let seconds = 2.0 * 4f64.powi(empties.cast_signed() - 22);
    let time = [("minutes", 60.0), ("hours", 3_600.0), ("days", 86_400.0), ("years", 31_557_600.0)]
        .into_iter()
        .rev()
        .find(|(_, unit)| seconds >= 2.0 * unit)
        .map_or(("seconds", seconds), |(name, unit)| (name, seconds / unit));
    let known = "22 take about 2 seconds on one core, each further one about 4 times as long";
    match time {
        ("years", years) if years > 1_000.0 => format!("{known}: here, thousands of years"),
        (name, number) => format!("{known}: here, about {number:.0} {name}"),
    }
}

/// Refuses more memory than there is: the solver could only give up without a word.
fn check_memory(args: &SolveArgs) -> Result<(), Fault> {
    let mut bytes = Vec::<u8>::new();
    let is_there = hash_bytes(args).is_some_and(|hash| bytes.try_reserve_exact(hash).is_ok());
    // Memory that nobody looks at may never be asked for.
    black_box(&bytes);
    if is_there {
        return Ok(());
    }
    let place = format_args!("--hash {}", args.hash);
    Err(Fault::input(place, "not so much memory on this machine; expected fewer MiB"))
}

fn hash_bytes(args: &SolveArgs) -> Option<usize> {
    usize::try_from(args.hash).ok()?.checked_mul(1 << 20)
}

/// Where positions are solved.
struct Desk<'a> {
    args: &'a SolveArgs,
    /// What was proved under a rule on a board of a size is not true of others.
    solver: Option<(Rule, Size, Solver)>,
}

impl Desk<'_> {
    /// Solves the last position of `game`.
    fn answer(&mut self, game: &Game) -> Answer {
        let (rule, position) = (game.rule(), game.position());
        if position.is_over() {
            let score = position.score(rule, position.turn());
            let solution =
                Solution { score, is_proved: true, line: Vec::new(), passes: 0, nodes: 0 };
            return Answer { solution, moves: Vec::new(), seconds: 0.0 };
        }
        let goal = if self.args.wld { Goal::Wld } else { Goal::Exact };
        let all_moves = self.args.all_moves && position.has_move();
        let board = position.board().expect("larger boards were refused");
        // The clock runs for the search alone: to lay out its memory takes longer than many do.
        let solver = self.solver(rule, position.size());
        let begin = Instant::now();
        let (solution, moves) = if all_moves {
            let moves = solver.solve_moves(board, goal, Control::NONE);
            let nodes = moves.iter().map(|(_, solution)| solution.nodes).sum();
            (Solution { nodes, ..moves[0].1.clone() }, moves)
        } else {
            (solver.solve(board, goal, Control::NONE), Vec::new())
        };
        Answer { solution, moves, seconds: begin.elapsed().as_secs_f64() }
    }

    /// The solver for such positions: the last one, unless they are of another kind.
    fn solver(&mut self, rule: Rule, size: Size) -> &mut Solver {
        if self.solver.as_ref().is_some_and(|(r, s, _)| (*r, *s) != (rule, size)) {
            // Its memory goes back before there is another.
            self.solver = None;
        }
        let (_, _, solver) = self.solver.get_or_insert_with(|| {
            let threads = self.args.threads.into();
            let hash_bytes = hash_bytes(self.args).expect("checked before");
            let settings = Settings { threads, hash_bytes, ..Settings::new(rule, size) };
            (rule, size, Solver::new(settings))
        });
        solver
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effort_is_told_in_words_for_its_size() {
        for (empties, words) in
            [(27, "about 34 minutes"), (29, "about 9 hours"), (31, "about 6 days")]
        {
            assert!(effort(Size::EIGHT, empties).ends_with(words), "{empties}");
        }
        assert!(effort(Size::EIGHT, 60).ends_with("thousands of years"));
        assert!(effort(Size::SIX, 32).contains("minutes on many cores"));
    }
}
