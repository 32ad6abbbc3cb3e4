//! What became of each generation: `log.jsonl`, a line for each, and a table for people.

use super::super::duel::{Meaning, elo_words};
use crate::error::Error;
use crate::journal::Journal;
use crate::messages::grouped;
use isrever_arena::{Counts, Elo};
use isrever_lab::Errors;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;

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
    journal: Journal,
    rows: Vec<Row>,
}

impl Log {
    /// Reads what there is.
    pub(super) fn open(path: &Path) -> Result<Log, Error> {
        let is_next = |row: &Row, place: usize| row.generation as usize == place;
        let expected = |place| format!("not generation {place}; expected a line by train loop");
        let (journal, rows) = Journal::of_rows(path, "loop", is_next, expected)?;
        Ok(Log { journal, rows })
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
    pub(super) fn add(&mut self, row: Row, out: &mut dyn Write) -> Result<(), Error> {
        self.journal.add(&row)?;
        show(&row, out)?;
        self.rows.push(row);
        Ok(())
    }
}

/// The head of the table.
pub(super) fn show_head(out: &mut dyn Write) -> Result<(), Error> {
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
pub(super) fn show(row: &Row, out: &mut dyn Write) -> Result<(), Error> {
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
