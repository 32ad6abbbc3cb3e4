//! The file of an exam: read, added to, and rewritten as more becomes known.

use super::super::positions;
use crate::fault::Fault;
use crate::input::Place;
use isrever_board::text::{self, Defaults, Format, Record, Writer};
use isrever_board::{Board, Color, Game, Move, Position, Rule, Size};
use isrever_lab::exam::Question;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const SIZE: Size = Size::EIGHT;

/// A question as a position with known scores, best first, black to move.
pub(super) fn record(question: &Question, rule: Rule) -> Record {
    let scores = question.scores().iter();
    let mut scores: Vec<(Option<Move>, i32)> =
        scores.map(|&(square, score)| (Some(Move::Place(square)), score)).collect();
    // Not in the order in which they became known.
    scores.sort_by_key(|&(mv, score)| (-score, mv.map(|mv| mv.to_string())));
    let game = Game::from_position(rule, position(question.board()));
    Record { scores, scores_rule: Some(rule), ..Record::from(game) }
}

fn position(board: Board) -> Position {
    Position::from_board(board, SIZE, Color::Black).expect("a question has discs")
}

/// The questions of a file, all of one rule: the one it says, or else `rule`.
pub(super) fn questions(path: &Path, rule: Option<Rule>) -> Result<(Rule, Vec<Question>), Fault> {
    let (place, positions) = positions::read(path, rule)?;
    let said = positions.first().and_then(|(_, record)| record.scores_rule.or(rule));
    let Some(said) = said else {
        let offence = "does not say the rule of its scores; expected --rule";
        return Err(Fault::input(place, offence));
    };
    let question = |((board, record), number): (&(Board, Record), usize)| {
        if record.scores_rule.or(rule) != Some(said) {
            let offence = format!("scores of another rule; expected the {said} rule");
            return Err(positions::fault(&place, number, offence));
        }
        read(*board, record, &place, number)
    };
    Ok((said, positions.iter().zip(1..).map(question).collect::<Result<_, _>>()?))
}

fn read(board: Board, record: &Record, place: &Place, number: usize) -> Result<Question, Fault> {
    let scores = record.scores.iter().filter_map(|&(mv, score)| match mv {
        Some(Move::Place(square)) => Some((square, score)),
        _ => None,
    });
    Question::new(board, scores.collect()).map_err(|error| positions::fault(place, number, error))
}

/// The file, to which nobody else may add meanwhile.
pub(super) struct Sheet {
    path: PathBuf,
    name: String,
    /// As it was opened, and locked: nobody else gets past that while we live, even when another
    /// file has taken its place.
    _locked: File,
    file: File,
    writer: Writer,
    records: Vec<Record>,
}

impl Sheet {
    /// Reads what there is. A last line that was not finished is dropped: its writer was killed.
    pub(super) fn open(path: &Path) -> Result<Sheet, Fault> {
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
        let locked = file.try_clone().map_err(fault)?;
        Ok(Sheet { path: path.to_owned(), name, _locked: locked, file, writer, records })
    }

    /// What it holds.
    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    /// Adds a line.
    pub(super) fn add(&mut self, record: Record) -> Result<(), Fault> {
        self.writer.push(&record).map_err(|error| Fault::input(&self.name, error))?;
        // In one piece: whoever is killed meanwhile leaves a line without an end.
        let written = self.file.write_all(&self.writer.take());
        let written = written.and_then(|()| self.file.sync_data());
        written.map_err(|error| Fault::io(&self.name, &error))?;
        self.records.push(record);
        Ok(())
    }

    /// Puts `record` in the place of number `number`.
    pub(super) fn replace(&mut self, number: usize, record: Record) -> Result<(), Fault> {
        self.records[number] = record;
        self.rewrite()
    }

    /// Orders the records by `keys`, one for each.
    pub(super) fn arrange(&mut self, keys: &[u64]) -> Result<(), Fault> {
        if keys.is_sorted() {
            return Ok(());
        }
        let mut keyed: Vec<(u64, Record)> =
            keys.iter().copied().zip(self.records.drain(..)).collect();
        keyed.sort_by_key(|&(key, _)| key);
        self.records.extend(keyed.into_iter().map(|(_, record)| record));
        self.rewrite()
    }

    /// Writes all of it anew. Who is killed meanwhile leaves the file as it was.
    fn rewrite(&mut self) -> Result<(), Fault> {
        let fault = |error: io::Error| Fault::io(&self.name, &error);
        let mut writer = Writer::new(Format::Obf);
        for record in &self.records {
            writer.push(record).map_err(|error| Fault::input(&self.name, error))?;
        }
        let beside = self.path.with_extension("new");
        let mut file = File::create(&beside).map_err(fault)?;
        file.write_all(&writer.take()).and_then(|()| file.sync_data()).map_err(fault)?;
        fs::rename(&beside, &self.path).map_err(fault)?;
        (self.file, self.writer) = (file, writer);
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
