//! The file of an exam: positions with the scores of their moves as far as they are known.

use super::super::positions;
use crate::error::Error;
use crate::input::Place;
use crate::journal::Journal;
use isrever_board::text::{self, Defaults, Format, Record, Writer};
use isrever_board::{Board, Color, Game, Move, Position, Rule, Size};
use isrever_lab::exam::Question;
use std::path::Path;

const SIZE: Size = Size::EIGHT;

/// A question as a position with known scores, best first, black to move.
pub(super) fn record(question: &Question, rule: Rule) -> Record {
    let scores = question.scores().iter();
    let mut scores: Vec<(Option<Move>, i32)> =
        scores.map(|&(square, score)| (Some(Move::Place(square)), score)).collect();
    // Not in the order in which they were solved.
    scores.sort_by_key(|&(mv, score)| (-score, mv.map(|mv| mv.to_string())));
    let game = Game::from_position(rule, position(question.board()));
    Record { scores, scores_rule: Some(rule), ..Record::from(game) }
}

fn position(board: Board) -> Position {
    Position::from_board(board, SIZE, Color::Black).expect("a question has discs")
}

/// The questions of a file, all of one rule: the one it says, or else `rule`.
pub(super) fn questions(path: &Path, rule: Option<Rule>) -> Result<(Rule, Vec<Question>), Error> {
    let (place, positions) = positions::read(path, rule)?;
    let said = positions.first().and_then(|(_, record)| record.scores_rule.or(rule));
    let Some(said) = said else {
        let offence = "does not say the rule of its scores; expected --rule";
        return Err(Error::input(place, offence));
    };
    let question = |((board, record), number): (&(Board, Record), usize)| {
        if record.scores_rule.or(rule) != Some(said) {
            let offence = format!("scores of another rule; expected the {said} rule");
            return Err(positions::error_at(&place, number, offence));
        }
        read(*board, record, &place, number)
    };
    Ok((said, positions.iter().zip(1..).map(question).collect::<Result<_, _>>()?))
}

fn read(board: Board, record: &Record, place: &Place, number: usize) -> Result<Question, Error> {
    let scores = record.scores.iter().filter_map(|&(mv, score)| match mv {
        Some(Move::Place(square)) => Some((square, score)),
        _ => None,
    });
    Question::new(board, scores.collect())
        .map_err(|error| positions::error_at(place, number, error))
}

/// The open file of an exam, locked.
pub(super) struct ExamFile {
    name: String,
    journal: Journal,
    writer: Writer,
    records: Vec<Record>,
}

impl ExamFile {
    /// Opens or creates the file at `path`, and reads it.
    pub(super) fn open(path: &Path) -> Result<ExamFile, Error> {
        let name = path.display().to_string();
        let (mut journal, records) = Journal::open(path, "exam", |whole, _| {
            let text = std::str::from_utf8(whole).map_err(|_| "not text; expected OBF")?;
            let is_record = |line: &str| !line.trim().is_empty() && !line.trim().starts_with('%');
            if !text.lines().any(is_record) {
                return Ok(Vec::new());
            }
            text::read(whole, Some(Format::Obf), Defaults::default())
                .map_err(|error| error.to_string())
        })?;
        let mut writer = Writer::new(Format::Obf);
        match records.last() {
            // The writer then knows that the file says the rule.
            Some(last) => {
                writer.push(last).map_err(|error| Error::input(&name, error))?;
                writer.take();
            }
            // The rule at most, which the writer will write again.
            None if !journal.is_empty() => journal.replace(b"")?,
            None => {}
        }
        Ok(ExamFile { name, journal, writer, records })
    }

    /// The records of the file.
    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    /// Adds a record.
    pub(super) fn add(&mut self, record: Record) -> Result<(), Error> {
        self.writer.push(&record).map_err(|error| Error::input(&self.name, error))?;
        self.journal.append_durably(&self.writer.take())?;
        self.records.push(record);
        Ok(())
    }

    /// Puts `record` in the place of number `number`.
    pub(super) fn replace(&mut self, number: usize, record: Record) -> Result<(), Error> {
        self.records[number] = record;
        self.rewrite()
    }

    /// Orders the records by `keys`, one for each.
    pub(super) fn arrange(&mut self, keys: &[u64]) -> Result<(), Error> {
        if keys.is_sorted() {
            return Ok(());
        }
        let mut keyed: Vec<(u64, Record)> =
            keys.iter().copied().zip(self.records.drain(..)).collect();
        keyed.sort_by_key(|&(key, _)| key);
        self.records.extend(keyed.into_iter().map(|(_, record)| record));
        self.rewrite()
    }

    /// Replaces the file by one with all records.
    fn rewrite(&mut self) -> Result<(), Error> {
        let mut writer = Writer::new(Format::Obf);
        for record in &self.records {
            writer.push(record).map_err(|error| Error::input(&self.name, error))?;
        }
        self.journal.replace(&writer.take())?;
        self.writer = writer;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_exam_of_the_repository_has_500_different_questions() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/exams/reversed-24-28.obf");
        let (rule, questions) = questions(&path, None).unwrap();
        assert_eq!(rule, Rule::Reversed);
        let boards: HashSet<Board> =
            questions.iter().map(|question| question.board().canonical(SIZE).0).collect();
        assert_eq!((questions.len(), boards.len()), (500, 500));
        for board in boards {
            assert!((24..=28).contains(&board.empties(SIZE).count_ones()), "{board:?}");
        }
    }
}
