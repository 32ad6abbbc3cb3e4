//! The file of `--answers`: squares chosen earlier, which need not be chosen again.

use crate::fault::Fault;
use crate::journal::Journal;
use isrever_board::{Size, Square};
use isrever_lab::exam::Question;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Who answered, and how hard they tried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Attempt {
    /// The commit that the program was made of.
    pub(super) program: String,
    pub(super) weights: String,
    pub(super) weights_say: u64,
    pub(super) effort: String,
    pub(super) percent: u8,
    pub(super) search_threads: usize,
    pub(super) at_once: usize,
}

/// A line of the file: an attempt, and the square that it chose in each position.
#[derive(Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    attempt: Attempt,
    answers: Vec<String>,
}

impl Row {
    /// The answers, if they are legal moves of these questions.
    fn squares(&self, questions: &[Question]) -> Option<Vec<Square>> {
        if self.answers.len() != questions.len() {
            return None;
        }
        let is_legal = |question: &Question, square: &Square| {
            question.board().moves(Size::EIGHT) & square.bit() != 0
        };
        let answers = self.answers.iter().zip(questions);
        let legal = answers
            .map(|(name, question)| name.parse().ok().filter(|square| is_legal(question, square)));
        legal.collect()
    }
}

/// The file, if there is one to keep answers in.
pub(super) struct Answers {
    file: Option<(Journal<Row>, Vec<Row>)>,
}

impl Answers {
    /// Reads what there is.
    pub(super) fn open(path: Option<&Path>, questions: &[Question]) -> Result<Answers, Fault> {
        let is_right = |row: &Row, _| row.squares(questions).is_some();
        let expected = |_| format!("expected answers to the {} positions", questions.len());
        let open = |path| Journal::open(path, "exam", is_right, expected);
        Ok(Answers { file: path.map(open).transpose()? })
    }

    /// The answers of an earlier `attempt`, or else those that `take` gives, which are kept.
    pub(super) fn of(
        &mut self,
        attempt: &Attempt,
        questions: &[Question],
        take: impl FnOnce() -> Vec<Square>,
    ) -> Result<Vec<Square>, Fault> {
        let Some((journal, rows)) = &mut self.file else { return Ok(take()) };
        let kept = rows.iter().find(|row| row.attempt == *attempt);
        if let Some(squares) = kept.and_then(|row| row.squares(questions)) {
            return Ok(squares);
        }
        let squares = take();
        let answers = squares.iter().map(Square::to_string).collect();
        let row = Row { attempt: attempt.clone(), answers };
        journal.add(&row)?;
        rows.push(row);
        Ok(squares)
    }
}
