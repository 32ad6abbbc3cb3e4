//! Everybody who can play: the engine's catalogue, and programs of other people.

use isrever_agent::Catalogue;
use isrever_guest::Defaults;
use std::path::PathBuf;

/// All agents by name. `$ISREVER_PYTHON` names the Python of those that do not name their own.
pub(crate) fn catalogue() -> Catalogue {
    let mut catalogue = isrever_engine::catalogue();
    let python = std::env::var_os("ISREVER_PYTHON").map(PathBuf::from);
    isrever_guest::enter(&mut catalogue, Defaults { python, ..Defaults::default() });
    catalogue
}
