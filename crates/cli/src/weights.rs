//! Files of weights that the user names.

use crate::error::Error;
use isrever_board::{Rule, Size};
use isrever_engine::{LoadError, load_weights};
use isrever_eval::Weights;
use std::path::Path;

/// Reads a file of weights; they stay as long as the program runs.
pub(crate) fn load(path: &Path) -> Result<&'static Weights, Error> {
    load_weights(path).map_err(|error| match error {
        LoadError::Io(error) => Error::io(path.display(), &error),
        error => Error::input(path.display(), error),
    })
}

/// Refuses the weights of `path` for games of another rule or size than theirs.
pub(crate) fn check(path: &Path, weights: &Weights, rule: Rule, size: Size) -> Result<(), Error> {
    let (own, width) = (weights.rule(), weights.shape().size());
    if own != rule {
        let offence = format!("weights for the {own} rule; expected the {rule} rule");
        return Err(Error::input(path.display(), offence));
    }
    if width != size {
        let offence = format!("weights for {width}x{width}; expected {size}x{size}");
        return Err(Error::input(path.display(), offence));
    }
    Ok(())
}
