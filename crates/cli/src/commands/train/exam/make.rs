//! `isrever train exam make`: positions, every move solved.

use super::super::{named_weights, progress_bar};
use super::MakeArgs;
use crate::fault::Fault;
use crate::words::grouped;
use isrever_board::text::{self, Defaults, Format, Record, Writer};
use isrever_board::{Board, Color, Game, Move, Position, Rule, Size};
use isrever_engine::{Control, Settings, Solver};
use isrever_lab::exam::{Paper, Question};
use rayon::prelude::*;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

const SIZE: Size = Size::EIGHT;

/// Adds the positions that are missing, one by one.
pub(super) fn run(args: &MakeArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let MakeArgs { count, empties, seed, rule, output, .. } = args;
    let (rule, count) = (*rule, *count);
    let weights = named_weights(&args.weights, rule)?;
    let paper = Paper { rule, weights, empties: empties.clone(), seed: *seed };
    let mut sheet = Sheet::open(output)?;
    args.threads.start()?;
    check(&sheet, &paper, output)?;
    let begun = sheet.records.len() as u64;
    let mut solver = Solver::new(Settings {
        threads: rayon::current_num_threads(),
        hash_bytes: (args.hash as usize) << 20,
        weights: Some(weights),
        ..Settings::new(rule, SIZE)
    });
    let bar = progress_bar(count, "positions");
    bar.set_position(begun.min(count));
    for number in begun..count {
        let question = Question::solve(paper.board(number), &mut solver, Control::NONE);
        sheet.add(record(&question.expect("nobody stops it"), rule))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let positions = grouped(&sheet.records.len().to_string());
    let added = grouped(&count.saturating_sub(begun).to_string());
    writeln!(out, "{}: {positions} positions ({rule}), {added} of them new", output.display())?;
    Ok(())
}

/// Refuses to go on with a file of other positions.
fn check(sheet: &Sheet, paper: &Paper, path: &Path) -> Result<(), Fault> {
    let offence = sheet.records.par_iter().enumerate().find_map_first(|(number, record)| {
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

/// A question as a position with known scores, black to move.
fn record(question: &Question, rule: Rule) -> Record {
    let position = position(question.board());
    let scores = question.scores().iter();
    let mut scores: Vec<(Option<Move>, i32)> =
        scores.map(|&(square, score)| (Some(Move::Place(square)), score)).collect();
    scores.sort_by_key(|&(_, score)| -score);
    let game = Game::from_position(rule, position);
    Record { scores, scores_rule: Some(rule), ..Record::from(game) }
}

fn position(board: Board) -> Position {
    Position::from_board(board, SIZE, Color::Black).expect("a question has discs")
}

/// The file, to which nobody else may add meanwhile.
struct Sheet {
    name: String,
    file: File,
    writer: Writer,
    records: Vec<Record>,
}

impl Sheet {
    /// Reads what there is. A last line that was not finished is dropped: its writer was killed.
    fn open(path: &Path) -> Result<Sheet, Fault> {
        let name = path.display().to_string();
        let fault = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => {
                Fault::input(&name, "no such directory; expected one to write to")
            }
            io::ErrorKind::IsADirectory => Fault::input(&name, "a directory; expected a file"),
            io::ErrorKind::InvalidData => Fault::input(&name, "not text; expected OBF"),
            _ => Fault::io(&name, &error),
        };
        let options = OpenOptions::new().read(true).append(true).create(true).to_owned();
        let mut file = options.open(path).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let offence = "in use by another exam; expected one at a time";
                return Err(Fault::input(&name, offence));
            }
            Err(TryLockError::Error(error)) => return Err(fault(error)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fault)?;
        let mut whole = text.rfind('\n').map_or(0, |last| last + 1);
        let is_said = |line: &str| !line.trim().is_empty() && !line.trim().starts_with('%');
        let mut records = Vec::new();
        if text[..whole].lines().any(is_said) {
            let bytes = &text.as_bytes()[..whole];
            let read = text::read(bytes, Some(Format::Obf), Defaults::default());
            records = read.map_err(|error| Fault::input(&name, error))?;
        } else {
            // At most the rule, which is said again.
            whole = 0;
        }
        if whole < text.len() {
            file.set_len(whole as u64).map_err(fault)?;
            file.seek(SeekFrom::End(0)).map_err(fault)?;
        }
        // Having written the last record, it need not say the rule again.
        let mut writer = Writer::new(Format::Obf);
        if let Some(last) = records.last() {
            writer.push(last).map_err(|error| Fault::input(&name, error))?;
            writer.take();
        }
        Ok(Sheet { name, file, writer, records })
    }

    fn add(&mut self, record: Record) -> Result<(), Fault> {
        self.writer.push(&record).map_err(|error| Fault::input(&self.name, error))?;
        // In one piece: whoever is killed meanwhile leaves a line without an end.
        let written = self.file.write_all(&self.writer.take());
        let written = written.and_then(|()| self.file.sync_data());
        written.map_err(|error| Fault::io(&self.name, &error))?;
        self.records.push(record);
        Ok(())
    }
}
