//! `isrever train exam make`: positions, solved.

use super::super::{named_weights, progress_bar};
use super::MakeArgs;
use super::sheet::{Sheet, record};
use crate::fault::Fault;
use crate::words::grouped;
use isrever_board::Size;
use isrever_engine::{Control, Settings, Solver};
use isrever_lab::exam::{Paper, Question};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;

/// Adds the positions that are missing, in their order.
pub(super) fn run(args: &MakeArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let MakeArgs { count, empties, seed, rule, output, .. } = args;
    let (rule, count) = (*rule, *count);
    let weights = named_weights(&args.weights, rule)?;
    let paper = Paper { rule, weights, empties: empties.clone(), seed: *seed };
    let mut sheet = Sheet::open(output)?;
    args.threads.start()?;
    check(&sheet, &paper, output)?;
    let begun = sheet.records().len() as u64;
    let hash_bytes = (args.hash as usize) << 20;
    let settings =
        Settings { hash_bytes, weights: Some(weights), ..Settings::new(rule, Size::EIGHT) };
    let bar = progress_bar(count, "positions");
    bar.set_position(begun.min(count));
    let next = AtomicU64::new(begun);
    thread::scope(|scope| {
        let (solved, all_solved) = channel();
        for _ in 0..rayon::current_num_threads() {
            let (next, paper, solved) = (&next, &paper, solved.clone());
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= count {
                        break;
                    }
                    // A new solver each time: which of several best moves it finds must not depend
                    // on who solved what before.
                    let mut solver = Solver::new(settings);
                    let question = Question::solve(paper.board(number), &mut solver, Control::NONE);
                    // Nobody listens any more if the file cannot be written.
                    if solved.send((number, question.expect("nobody stops it"))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(solved);
        let mut waiting = BTreeMap::new();
        for (number, question) in all_solved {
            waiting.insert(number, question);
            while let Some(question) = waiting.remove(&(sheet.records().len() as u64)) {
                sheet.add(record(&question, rule))?;
                bar.inc(1);
            }
        }
        Ok::<(), Fault>(())
    })?;
    bar.finish_and_clear();
    let positions = grouped(&sheet.records().len().to_string());
    let added = grouped(&count.saturating_sub(begun).to_string());
    writeln!(out, "{}: {positions} positions ({rule}), {added} of them new", output.display())?;
    Ok(())
}

/// Refuses to go on with a file of other positions.
fn check(sheet: &Sheet, paper: &Paper, path: &Path) -> Result<(), Fault> {
    let offence = sheet.records().par_iter().enumerate().find_map_first(|(number, record)| {
        let board = record.game.position().board();
        let offence = if record.scores_rule != Some(paper.rule) {
            format!("its scores are not for the {} rule", paper.rule)
        } else if board != Some(paper.board(number as u64)) {
            "not the one that these options make".to_owned()
        } else {
            return None;
        };
        let number = number + 1;
        Some(format!("position {number}: {offence}; expected the same options, or another file"))
    });
    offence.map_or(Ok(()), |offence| Err(Fault::input(path.display(), offence)))
}
