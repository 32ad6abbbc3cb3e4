//! What other machines do for a tuning.

use super::matchups::{Matchups, MatchupsText};
use super::objective::{Trees, TreesText};
use isrever_agent::Catalogue;
use isrever_jobs::AnyWork;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// What manifests of tunings say they are.
pub const KIND: &str = "tune";

/// A manifest's text.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Text {
    /// Games between individuals.
    Matchups(MatchupsText),
    /// Positions to solve.
    Trees(TreesText),
}

/// Opens the work of a manifest's text; `find` says where a file is that it names.
pub fn open(
    text: &str,
    catalogue: Arc<Catalogue>,
    find: &dyn Fn(&str) -> Option<PathBuf>,
) -> Result<Arc<dyn AnyWork>, String> {
    let refused = |what: String| format!("not jobs of a tuning: {what}");
    match serde_json::from_str(text).map_err(|why| refused(why.to_string()))? {
        Text::Matchups(text) => {
            Ok(Arc::new(Matchups::read(text, catalogue, find).map_err(refused)?))
        }
        Text::Trees(text) => Ok(Arc::new(Trees::read(text).map_err(refused)?)),
    }
}
