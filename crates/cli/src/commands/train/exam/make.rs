//! `isrever train exam make`: solves positions and keeps them as an exam.

use super::super::evaluator;
use super::MakeArgs;
use super::file::{ExamFile, record};
use crate::cluster::{Interruption, run_error};
use crate::error::Error;
use crate::messages::grouped;
use crate::progress::progress_bar;
use isrever_board::Board;
use isrever_board::text::Record;
use isrever_jobs::{Done, Next};
use isrever_lab::exam::{Positions, Question};
use isrever_lab::solving::{Solved, Solving};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Adds each missing position when it is solved, and sorts the file at the end.
pub(super) fn run(args: &MakeArgs, out: &mut dyn Write) -> Result<(), Error> {
    let MakeArgs { count, empties, seed, rule, output, .. } = args;
    let (rule, count) = (*rule, *count);
    let evaluator = evaluator(&args.weights, rule)?;
    let weights = evaluator.weights.expect("a name stands for weights");
    let made = Positions { rule, weights, empties: empties.clone(), seed: *seed };
    args.cluster.reach()?;
    let mut file = ExamFile::open(output)?;
    args.threads.start()?;
    let done = done(&file, &made, count, output)?;
    let begun = done.len() as u64;
    let hash_bytes = (args.hash as usize) << 20;
    let solving = Solving { evaluator, hash_bytes };
    let bar = progress_bar(count, "positions");
    bar.set_position(begun.min(count));
    let mut numbers = done.clone();
    let done: HashSet<u64> = done.into_iter().collect();
    let given = AtomicU64::new(0);
    // The positions that are being solved.
    let boards = Mutex::new(HashMap::new());
    let next = || loop {
        let number = given.fetch_add(1, Relaxed);
        if number >= count {
            return Next::Nothing;
        }
        if !done.contains(&number) {
            let board = made.board(number);
            boards.lock().unwrap_or_else(PoisonError::into_inner).insert(number, board);
            return Next::Job(number, [board.player, board.opponent]);
        }
    };
    // Writes positions in the order they are solved, so that a hard one delays no other.
    let mut take = |Done { number, output, .. }: Done<Solved>| {
        let board = boards.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        let board = board.expect("it was given out");
        file.add(record(&question(board, &output)?, rule))?;
        numbers.push(number);
        bar.inc(1);
        Ok(())
    };
    let crew = args.cluster.crew(args.threads.count(), output, "positions");
    let solve = |stop: &AtomicBool| crew.run_of(Some(count), &solving, &next, &mut take, stop);
    let solved = args.cluster.interruption().during(solve);
    bar.finish_and_clear();
    solved.map_err(run_error)?;
    if (numbers.len() as u64) < count {
        let (solved, output) = (numbers.len(), output.display());
        return Err(Interruption::stopped(format_args!("{solved} positions are in {output}")));
    }
    file.arrange(&numbers)?;
    let positions = grouped(&file.records().len().to_string());
    let added = grouped(&count.saturating_sub(begun).to_string());
    writeln!(out, "{}: {positions} positions ({rule}), {added} of them new", output.display())?;
    Ok(())
}

/// A position with what was found out about it.
fn question(board: Board, solved: &Solved) -> Result<Question, Error> {
    let best = solved.best.as_ref().and_then(|name| name.parse().ok());
    let scores = best.map(|square| (square, solved.score)).into_iter().collect();
    Question::new(board, scores).map_err(|error| Error::Io(format!("a solved position: {error}")))
}

/// The numbers of the file's positions, in its order. Refuses a file of other positions.
fn done(file: &ExamFile, made: &Positions, count: u64, path: &Path) -> Result<Vec<u64>, Error> {
    let records = file.records();
    if records.is_empty() {
        return Ok(Vec::new());
    }
    // A complete file may have more positions than this command asks for.
    let numbers = 0..count.max(records.len() as u64);
    let numbers: HashMap<Board, u64> =
        numbers.into_par_iter().map(|number| (made.board(number), number)).collect();
    let number = |(record, place): (&Record, usize)| {
        let board = record.game.position().board();
        let number = board.and_then(|board| numbers.get(&board).copied());
        let offence = if record.scores_rule != Some(made.rule) {
            format!("its scores are not for the {} rule", made.rule)
        } else if let Some(number) = number {
            return Ok(number);
        } else {
            "not one that these options make".to_owned()
        };
        let offence =
            format!("position {place}: {offence}; expected the same options, or another file");
        Err(Error::input(path.display(), offence))
    };
    records.iter().zip(1..).map(number).collect()
}
