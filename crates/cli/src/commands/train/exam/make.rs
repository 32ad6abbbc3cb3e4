//! `isrever train exam make`: solves positions and keeps them as an exam.

use super::super::named_weights;
use super::MakeArgs;
use super::file::{ExamFile, record};
use crate::error::Error;
use crate::messages::grouped;
use crate::progress::progress_bar;
use isrever_board::text::Record;
use isrever_board::{Board, Size};
use isrever_lab::exam::{Positions, Question};
use isrever_search::{Control, Searcher, Settings};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;

/// Adds each missing position when it is solved, and sorts the file at the end.
pub(super) fn run(args: &MakeArgs, out: &mut dyn Write) -> Result<(), Error> {
    let MakeArgs { count, empties, seed, rule, output, .. } = args;
    let (rule, count) = (*rule, *count);
    let weights = named_weights(&args.weights, rule)?;
    let made = Positions { rule, weights, empties: empties.clone(), seed: *seed };
    let mut file = ExamFile::open(output)?;
    args.threads.start()?;
    let done = done(&file, &made, count, output)?;
    let begun = done.len() as u64;
    let hash_bytes = (args.hash as usize) << 20;
    let settings =
        Settings { hash_bytes, weights: Some(weights), ..Settings::new(rule, Size::EIGHT) };
    let bar = progress_bar(count, "positions");
    bar.set_position(begun.min(count));
    let next = AtomicU64::new(0);
    let mut numbers = done.clone();
    let done: HashSet<u64> = done.into_iter().collect();
    thread::scope(|scope| {
        let (solved, all_solved) = channel();
        for _ in 0..rayon::current_num_threads() {
            let (next, done, made, solved) = (&next, &done, &made, solved.clone());
            scope.spawn(move || {
                let numbers = std::iter::repeat_with(|| next.fetch_add(1, Relaxed));
                for number in numbers.take_while(|&number| number < count) {
                    if done.contains(&number) {
                        continue;
                    }
                    // A new solver each time: which of several best moves it finds must not depend
                    // on the positions it solved before.
                    let mut solver = Searcher::new(settings);
                    let question = Question::solve(made.board(number), &mut solver, Control::NONE);
                    // The receiver is gone if the file cannot be written.
                    if solved.send((number, question.expect("nothing stops it"))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(solved);
        // Writes positions in the order they are solved, so that a hard one delays no other.
        for (number, question) in all_solved {
            file.add(record(&question, rule))?;
            numbers.push(number);
            bar.inc(1);
        }
        Ok::<(), Error>(())
    })?;
    bar.finish_and_clear();
    file.arrange(&numbers)?;
    let positions = grouped(&file.records().len().to_string());
    let added = grouped(&count.saturating_sub(begun).to_string());
    writeln!(out, "{}: {positions} positions ({rule}), {added} of them new", output.display())?;
    Ok(())
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
