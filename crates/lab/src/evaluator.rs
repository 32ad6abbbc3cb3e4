//! What a search values positions by, here and on other machines: a rule, a board, weights.

use isrever_board::{Rule, Size};
use isrever_eval::Weights;
use isrever_jobs::Attachment;
use isrever_search::Settings;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Reads a file of weights.
pub type Load<'a> = dyn Fn(&Path) -> Result<&'static Weights, String> + 'a;

/// Finds the files of a manifest by their names.
pub type Find<'a> = dyn Fn(&str) -> Option<PathBuf> + 'a;

/// What a search values positions by.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// What is played for.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The weights, if there are any.
    pub weights: Option<&'static Weights>,
    /// The file of the weights, unless they are those in the program.
    pub file: Option<PathBuf>,
}

/// The same as a manifest says it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SentEvaluator {
    rule: String,
    size: u8,
    weights: SentWeights,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SentWeights {
    /// There are none.
    None,
    /// Those in the program.
    Embedded,
    /// Those of a file, by its name.
    File(String),
}

impl Evaluator {
    /// The weights in the program.
    pub fn embedded(rule: Rule, size: Size) -> Evaluator {
        Evaluator { rule, size, weights: Weights::embedded(rule, size), file: None }
    }

    /// The settings of a search with so much memory.
    pub(crate) fn settings(&self, hash_bytes: usize) -> Settings {
        let weights = self.weights;
        Settings { hash_bytes, weights, ..Settings::new(self.rule, self.size) }
    }

    /// As a manifest says it, and the file that goes with it.
    pub(crate) fn send(&self) -> Result<(SentEvaluator, Option<Attachment>), String> {
        let (weights, file) = match (&self.file, self.weights) {
            (_, None) => (SentWeights::None, None),
            (None, Some(_)) => (SentWeights::Embedded, None),
            (Some(path), Some(_)) => {
                let unnamed = || format!("{}: not text; expected a name that is", path.display());
                let file = Attachment::new(1, path).ok_or_else(unnamed)?;
                (SentWeights::File(file.name.clone()), Some(file))
            }
        };
        let (rule, size) = (self.rule.to_string(), self.size.width());
        Ok((SentEvaluator { rule, size, weights }, file))
    }

    /// What a manifest says.
    pub(crate) fn receive(
        sent: &SentEvaluator,
        find: &Find<'_>,
        load: &Load<'_>,
    ) -> Result<Evaluator, String> {
        let rule: Rule = sent.rule.parse()?;
        let size = Size::new(sent.size.into()).map_err(|why| why.to_string())?;
        match &sent.weights {
            SentWeights::None => Ok(Evaluator { rule, size, weights: None, file: None }),
            SentWeights::Embedded => Ok(Evaluator::embedded(rule, size)),
            SentWeights::File(name) => {
                let file = find(name).ok_or("a file is missing")?;
                Ok(Evaluator { rule, size, weights: Some(load(&file)?), file: Some(file) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_arrive_as_they_were_sent() {
        let embedded = Evaluator::embedded(Rule::Normal, Size::EIGHT);
        let weights = embedded.weights;
        let path = Path::new("some/weights.bin");
        for (weights, file) in [(None, None), (weights, None), (weights, Some(path))] {
            let file = file.map(Path::to_owned);
            let evaluator = Evaluator { weights, file: file.clone(), ..embedded };
            let (sent, attached) = evaluator.send().unwrap();
            assert_eq!(attached.as_ref().map(|attached| &attached.path), file.as_ref());
            let find = |name: &str| {
                let attached = attached.as_ref().filter(|attached| attached.name == name)?;
                Some(attached.path.clone())
            };
            let load = |found: &Path| {
                assert_eq!(found, path);
                Ok(weights.unwrap())
            };
            let received = Evaluator::receive(&sent, &find, &load).unwrap();
            assert_eq!((received.rule, received.size), (Rule::Normal, Size::EIGHT));
            assert_eq!((received.weights.is_some(), received.file), (weights.is_some(), file));
        }
        let weights = SentWeights::File("attached-1/weights.bin".to_owned());
        let lost = SentEvaluator { rule: "normal".to_owned(), size: 8, weights };
        let error = Evaluator::receive(&lost, &|_| None, &|_| unreachable!()).unwrap_err();
        assert_eq!(error, "a file is missing");
        let odd = SentEvaluator { size: 7, ..lost };
        assert!(Evaluator::receive(&odd, &|_| None, &|_| unreachable!()).is_err());
    }
}
