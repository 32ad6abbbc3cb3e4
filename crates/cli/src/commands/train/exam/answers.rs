//! The file of `--answers`: squares chosen earlier, which need not be chosen again.

use crate::error::Error;
use crate::journal::Journal;
use isrever_board::{Size, Square};
use isrever_lab::exam::Question;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What answered, and with how much effort.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Attempt {
    /// The commit of the program.
    pub(super) program: String,
    #[serde(flatten)]
    pub(super) by: By,
    pub(super) at_once: usize,
}

/// Who answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum By {
    /// A search by weights.
    Weights {
        weights: String,
        weights_say: u64,
        effort: String,
        percent: u8,
        search_threads: usize,
    },
    /// An agent of the catalogue.
    Agent {
        agent: String,
        /// A hash of the files that it names.
        files_say: u64,
    },
}

impl Attempt {
    /// What the table calls it.
    pub(super) fn name(&self) -> &str {
        match &self.by {
            By::Weights { effort, .. } => effort,
            By::Agent { agent, .. } => agent,
        }
    }
}

/// A line of the file: an attempt, and its choice in each position.
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

/// The open file, if the user named one.
pub(super) struct Answers {
    file: Option<(Journal, Vec<Row>)>,
}

impl Answers {
    /// Opens or creates the file.
    pub(super) fn open(path: Option<&Path>, questions: &[Question]) -> Result<Answers, Error> {
        let is_right = |row: &Row, _| row.squares(questions).is_some();
        let expected = |_| format!("expected answers to the {} positions", questions.len());
        let open = |path| Journal::of_rows(path, "exam", is_right, expected);
        Ok(Answers { file: path.map(open).transpose()? })
    }

    /// The answers of an earlier equal `attempt`; else asks `take` for them and keeps them.
    pub(super) fn of(
        &mut self,
        attempt: &Attempt,
        questions: &[Question],
        take: impl FnOnce() -> Result<Vec<Square>, Error>,
    ) -> Result<Vec<Square>, Error> {
        let Some((journal, rows)) = &mut self.file else { return take() };
        let kept = rows.iter().find(|row| row.attempt == *attempt);
        if let Some(squares) = kept.and_then(|row| row.squares(questions)) {
            return Ok(squares);
        }
        let squares = take()?;
        let answers = squares.iter().map(Square::to_string).collect();
        let row = Row { attempt: attempt.clone(), answers };
        journal.add(&row)?;
        rows.push(row);
        Ok(squares)
    }
}
