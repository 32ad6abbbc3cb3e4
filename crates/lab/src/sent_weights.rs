//! Weights on their way to another machine: those in a program, or a file.

use isrever_board::{Rule, Size};
use isrever_eval::Weights;
use isrever_jobs::Attachment;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Reads a file of weights.
pub type Load<'a> = dyn Fn(&Path) -> Result<&'static Weights, String> + 'a;

/// Finds the files of a manifest by their names.
pub type Find<'a> = dyn Fn(&str) -> Option<PathBuf> + 'a;

/// Weights, and the file that they are from unless they are those in the program.
#[derive(Clone, Debug)]
pub struct NamedWeights {
    /// The weights; `None` is a search without any.
    pub weights: Option<&'static Weights>,
    /// Their file.
    pub file: Option<PathBuf>,
}

/// What a manifest says of weights.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SentWeights {
    /// There are none.
    None,
    /// Those in the program.
    Embedded,
    /// Those of a file, by its name.
    File(String),
}

impl NamedWeights {
    /// As a manifest says it, and the file that goes with it.
    pub(crate) fn send(&self) -> Result<(SentWeights, Option<Attachment>), String> {
        match (&self.file, self.weights) {
            (_, None) => Ok((SentWeights::None, None)),
            (None, Some(_)) => Ok((SentWeights::Embedded, None)),
            (Some(path), Some(_)) => {
                let unnamed = || format!("{}: not text; expected a name that is", path.display());
                let file = Attachment::new(1, path).ok_or_else(unnamed)?;
                Ok((SentWeights::File(file.name.clone()), Some(file)))
            }
        }
    }

    /// What a manifest says, for a rule and a board.
    pub(crate) fn receive(
        sent: &SentWeights,
        (rule, size): (Rule, Size),
        find: &Find<'_>,
        load: &Load<'_>,
    ) -> Result<NamedWeights, String> {
        Ok(match sent {
            SentWeights::None => NamedWeights { weights: None, file: None },
            SentWeights::Embedded => {
                NamedWeights { weights: Weights::embedded(rule, size), file: None }
            }
            SentWeights::File(name) => {
                let file = find(name).ok_or("a file is missing")?;
                NamedWeights { weights: Some(load(&file)?), file: Some(file) }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_arrive_as_they_were_sent() {
        let game = (Rule::Normal, Size::EIGHT);
        let weights = Weights::embedded(game.0, game.1);
        let path = Path::new("some/weights.bin");
        for (weights, file) in [(None, None), (weights, None), (weights, Some(path))] {
            let named = NamedWeights { weights, file: file.map(Path::to_owned) };
            let (sent, attached) = named.send().unwrap();
            assert_eq!(attached.as_ref().map(|attached| attached.path.as_path()), file);
            let find = |name: &str| {
                let attached = attached.as_ref().filter(|attached| attached.name == name)?;
                Some(attached.path.clone())
            };
            let load = |found: &Path| {
                assert_eq!(Some(found), file);
                Ok(weights.unwrap())
            };
            let received = NamedWeights::receive(&sent, game, &find, &load).unwrap();
            assert_eq!(
                (received.weights.is_some(), &received.file),
                (weights.is_some(), &named.file)
            );
        }
        let lost = SentWeights::File("attached-1/weights.bin".to_owned());
        let error = NamedWeights::receive(&lost, game, &|_| None, &|_| unreachable!());
        assert_eq!(error.unwrap_err(), "a file is missing");
    }
}
