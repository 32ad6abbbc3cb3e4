//! The commands, one file each: what the arguments mean together, then the work.

pub(crate) mod agents;
pub(crate) mod analyze;
pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod best_move;
pub(crate) mod book;
pub(crate) mod club;
pub(crate) mod cluster;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod gtp;
pub(crate) mod lab;
pub(crate) mod man;
pub(crate) mod nboard;
pub(crate) mod perft;
pub(crate) mod play;
mod protocol;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod submit;
pub(crate) mod train;
pub(crate) mod tune;
pub(crate) mod worker;

use crate::error::{Error, STOPPED};
use crate::input::{Input, Place};
use crate::options::DefaultArgs;
use isrever_board::text::{Format, Record};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A flag that the first Ctrl-C sets, or another program that asks this one to end; a second one
/// ends the process.
fn stopped_by_ctrl_c() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Where it cannot be caught, Ctrl-C ends the process at once, as it always did.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Relaxed) {
            std::process::exit(STOPPED.into());
        }
    });
    stop
}

/// How many cores this machine has for us.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The positions and games of `input`, one at a time, checked against what was asked for and
/// taken back to the position after move number `at`.
fn records(
    input: &Input,
    format: Option<Format>,
    asked: &DefaultArgs,
    at: Option<usize>,
) -> Result<impl Iterator<Item = Result<Record, Error>>, Error> {
    let records = input.records(format, asked.defaults())?;
    Ok(records.zip(1..).map(move |(record, number)| {
        let mut record = asked.settled(&input.place, record?)?;
        if let Some(ply) = at {
            stop_at(&mut record, ply, number, &input.place)?;
        }
        Ok(record)
    }))
}

/// Takes game `number` back to the position after move number `ply`.
fn stop_at(record: &mut Record, ply: usize, number: usize, place: &Place) -> Result<(), Error> {
    let moves = record.game.ply();
    if ply > moves {
        let (has, expected) = match moves {
            0 => ("no moves".to_owned(), "0".to_owned()),
            1 => ("1 move".to_owned(), "0 or 1".to_owned()),
            _ => (format!("{moves} moves"), format!("0 to {moves}")),
        };
        let offence = format_args!("game {number} has {has}; expected --at {expected}");
        return Err(Error::input(place, offence));
    }
    if ply < moves {
        // What is known of the end is not known of the way there.
        record.scores.clear();
        record.scores_rule = None;
        record.notes.truncate(ply);
        record.tags.retain(|(name, _)| name != "RE");
    }
    for _ in ply..moves {
        record.game.undo();
    }
    Ok(())
}
