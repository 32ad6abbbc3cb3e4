//! The answers to the steps of an area, as text.
//!
//! Each answer begins with a line `$ STEP`. Lines of standard error begin with `! `, those of
//! files that the step wrote with `| `.

use anyhow::{Context, Result, ensure};

/// The answers of an area, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Transcript {
    pub(super) answers: Vec<Answer>,
}

/// The answer to one step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    /// The step as the corpus has it.
    pub(super) step: String,
    pub(super) text: String,
}

const MARK: &str = "$ ";

impl Transcript {
    /// The transcript as it is recorded.
    pub(super) fn text(&self) -> String {
        let answers = self.answers.iter();
        answers.map(|answer| format!("{MARK}{}\n{}", answer.step, answer.text)).collect()
    }

    /// Reads what was recorded.
    pub(super) fn read(text: &str) -> Result<Transcript> {
        let mut answers: Vec<Answer> = Vec::new();
        for line in text.split_inclusive('\n') {
            if let Some(step) = line.strip_prefix(MARK) {
                let step = step.trim_end_matches('\n').to_owned();
                answers.push(Answer { step, text: String::new() });
            } else {
                let answer = answers.last_mut();
                answer.with_context(|| format!("no step before {line:?}"))?.text += line;
            }
        }
        Ok(Transcript { answers })
    }

    /// Adds an answer; its text ends with a whole line.
    pub(super) fn push(&mut self, step: String, mut text: String) -> Result<()> {
        ensure!(!text.lines().any(|line| line.starts_with(MARK)), "{step}: looks like a step");
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        self.answers.push(Answer { step, text });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_read_as_it_was_written() {
        let mut transcript = Transcript::default();
        transcript.push("isrever a".to_owned(), "one\n\n! two".to_owned()).unwrap();
        transcript.push("isrever b".to_owned(), String::new()).unwrap();
        assert_eq!(transcript.text(), "$ isrever a\none\n\n! two\n$ isrever b\n");
        assert_eq!(Transcript::read(&transcript.text()).unwrap(), transcript);
        assert!(Transcript::read("lost\n").is_err());
        assert!(transcript.push("isrever c".to_owned(), "$ isrever d\n".to_owned()).is_err());
    }
}
