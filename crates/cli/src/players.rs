//! All agents of the command line: the built-in ones, and programs of other people.

use isrever_agent::Catalogue;

/// All agents by name.
pub(crate) fn catalogue() -> Catalogue {
    let mut catalogue = isrever_players::catalogue();
    enter_guests(&mut catalogue);
    catalogue
}

/// Enters programs of other people. `$ISREVER_PYTHON` names the Python of agents that do not name
/// their own.
#[cfg(target_os = "linux")]
fn enter_guests(catalogue: &mut Catalogue) {
    let python = std::env::var_os("ISREVER_PYTHON").map(std::path::PathBuf::from);
    let defaults = isrever_guest::Defaults { python, ..isrever_guest::Defaults::default() };
    isrever_guest::enter(catalogue, defaults);
}

/// There are none where there is no sandbox for them.
#[cfg(not(target_os = "linux"))]
fn enter_guests(_: &mut Catalogue) {}
