//! What became of each generation: `log.jsonl`, a line for each, and a table for people.

use super::super::duel::{Meaning, elo_words};
use crate::fault::Fault;
use crate::output::json_line;
use crate::words::grouped;
use isrever_arena::{Counts, Elo};
use isrever_lab::Errors;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// One generation.
#[derive(Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) generation: u32,
    /// Who played its games, and how many.
    pub(super) player: String,
    pub(super) games: u64,
    /// Different boards that the weights were fitted to, and that were held out.
    pub(super) samples: usize,
    pub(super) held_out: usize,
    /// How far the weights are from the scores of those.
    pub(super) errors: Errors,
    /// Its matches, that against the generation before it first.
    pub(super) matches: Vec<Match>,
    /// Whether it takes the place of the generation before it.
    pub(super) accepted: bool,
}

/// A match against an earlier generation.
#[derive(Serialize, Deserialize)]
pub(super) struct Match {
    pub(super) against: u32,
    #[serde(flatten)]
    pub(super) counts: Counts,
    /// For who reads the file; the program asks the counts.
    #[serde(flatten, skip_deserializing)]
    meaning: Meaning,
}

impl Match {
    pub(super) fn new(against: u32, counts: Counts) -> Match {
        Match { against, counts, meaning: Meaning::from(&counts) }
    }
}

/// The file, which nobody else may go on with meanwhile.
pub(super) struct Log {
    path: PathBuf,
    file: File,
    rows: Vec<Row>,
}

impl Log {
    /// Reads what there is. A last line that was not finished is dropped: its writer was killed.
    pub(super) fn open(path: &Path) -> Result<Log, Fault> {
        let fault = |error| Fault::io(path.display(), &error);
        let options = OpenOptions::new().read(true).append(true).create(true).to_owned();
        let mut file = options.open(path).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let offence = "in use by another loop; expected one at a time";
                return Err(Fault::input(path.display(), offence));
            }
            Err(TryLockError::Error(error)) => return Err(fault(error)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fault)?;
        let whole = text.rfind('\n').map_or(0, |last| last + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(fault)?;
            file.seek(SeekFrom::End(0)).map_err(fault)?;
        }
        let mut rows = Vec::new();
        for (line, generation) in text[..whole].lines().zip(0..) {
            let row = serde_json::from_str(line).ok();
            let row = row.filter(|row: &Row| row.generation == generation).ok_or_else(|| {
                let (line, expected) = (generation + 1, "expected a line by train loop");
                let offence = format_args!("line {line}: not generation {generation}; {expected}");
                Fault::input(path.display(), offence)
            })?;
            rows.push(row);
        }
        Ok(Log { path: path.to_owned(), file, rows })
    }

    /// All generations so far.
    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// What became of a generation, if it is done.
    pub(super) fn row(&self, generation: u32) -> Option<&Row> {
        self.rows.get(generation as usize)
    }

    /// Writes down a generation, and shows it.
    pub(super) fn add(&mut self, row: Row, out: &mut dyn Write) -> Result<(), Fault> {
        let mut line = Vec::new();
        json_line(&mut line, &row)?;
        // In one piece: whoever is killed meanwhile leaves a line without an end.
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(|error| Fault::io(self.path.display(), &error))?;
        show(&row, out)?;
        self.rows.push(row);
        Ok(())
    }
}

/// The head of the table.
pub(super) fn show_head(out: &mut dyn Write) -> Result<(), Fault> {
    writeln!(
        out,
        "{:>10}  {:>9}  {:>11}  {:>5}  {:>7}  {:>6}  {:>6}  {:>6}  {:>7}  {:>16}  {:>7}",
        "generation",
        "games by",
        "samples",
        "error",
        "against",
        "won",
        "drawn",
        "lost",
        "Elo",
        "95 %",
        "better",
    )?;
    Ok(out.flush()?)
}

/// A generation in the table: a line for each match, or one if there was none.
pub(super) fn show(row: &Row, out: &mut dyn Write) -> Result<(), Fault> {
    let samples = grouped(&row.samples.to_string());
    write!(out, "{:>10}  {:>9}  {samples:>11}", row.generation, row.player)?;
    write!(out, "  {:>5.2}", row.errors.rmse)?;
    for (number, Match { against, counts, .. }) in row.matches.iter().enumerate() {
        if number > 0 {
            write!(out, "\n{:41}", "")?;
        }
        let Elo { difference, low, high } = counts.elo();
        let interval = format!("{} to {}", elo_words(low), elo_words(high));
        let [won, drawn, lost] =
            [counts.wins, counts.draws, counts.losses].map(|count| grouped(&count.to_string()));
        write!(
            out,
            "  {against:>7}  {won:>6}  {drawn:>6}  {lost:>6}  {:>7}  {interval:>16}  {:>5.1} %",
            elo_words(difference),
            100.0 * counts.superiority(),
        )?;
    }
    writeln!(out)?;
    // Whoever reads through a pipe sees each generation as it is done.
    Ok(out.flush()?)
}
