//! `isrever train exam make`: positions, solved.

use super::super::{named_weights, progress_bar};
use super::MakeArgs;
use super::sheet::{Sheet, record};
use crate::fault::Fault;
use crate::words::grouped;
use isrever_board::text::Record;
use isrever_board::{Board, Size};
use isrever_lab::exam::{Paper, Question};
use isrever_search::{Control, Searcher, Settings};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;

/// Adds the positions that are missing, as they are solved, and puts them in order in the end.
pub(super) fn run(args: &MakeArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let MakeArgs { count, empties, seed, rule, output, .. } = args;
    let (rule, count) = (*rule, *count);
    let weights = named_weights(&args.weights, rule)?;
    let paper = Paper { rule, weights, empties: empties.clone(), seed: *seed };
    let mut sheet = Sheet::open(output)?;
    args.threads.start()?;
    let done = done(&sheet, &paper, count, output)?;
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
            let (next, done, paper, solved) = (&next, &done, &paper, solved.clone());
            scope.spawn(move || {
                let numbers = std::iter::repeat_with(|| next.fetch_add(1, Relaxed));
                for number in numbers.take_while(|&number| number < count) {
                    if done.contains(&number) {
                        continue;
                    }
                    // A new solver each time: which of several best moves it finds must not depend
                    // on who solved what before.
                    let mut solver = Searcher::new(settings);
                    let question = Question::solve(paper.board(number), &mut solver, Control::NONE);
                    // Nobody listens any more if the file cannot be written.
                    if solved.send((number, question.expect("nobody stops it"))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(solved);
        // A hard one holds nobody up: what is solved is written down.
        for (number, question) in all_solved {
            sheet.add(record(&question, rule))?;
            numbers.push(number);
            bar.inc(1);
        }
        Ok::<(), Fault>(())
    })?;
    bar.finish_and_clear();
    sheet.arrange(&numbers)?;
    let positions = grouped(&sheet.records().len().to_string());
    let added = grouped(&count.saturating_sub(begun).to_string());
    writeln!(out, "{}: {positions} positions ({rule}), {added} of them new", output.display())?;
    Ok(())
}

/// The numbers of the positions that the file has, in its order. Refuses to go on with a file of
/// others.
fn done(sheet: &Sheet, paper: &Paper, count: u64, path: &Path) -> Result<Vec<u64>, Fault> {
    let records = sheet.records();
    if records.is_empty() {
        return Ok(Vec::new());
    }
    // Once complete it is in order, and may be longer than what is asked for now.
    let numbers = 0..count.max(records.len() as u64);
    let made: HashMap<Board, u64> =
        numbers.into_par_iter().map(|number| (paper.board(number), number)).collect();
    let number = |(record, place): (&Record, usize)| {
        let board = record.game.position().board();
        let number = board.and_then(|board| made.get(&board).copied());
        let offence = if record.scores_rule != Some(paper.rule) {
            format!("its scores are not for the {} rule", paper.rule)
        } else if let Some(number) = number {
            return Ok(number);
        } else {
            "not one that these options make".to_owned()
        };
        let offence =
            format!("position {place}: {offence}; expected the same options, or another file");
        Err(Fault::input(path.display(), offence))
    };
    records.iter().zip(1..).map(number).collect()
}
