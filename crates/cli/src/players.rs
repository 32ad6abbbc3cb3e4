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
    isrever_guest::enter(catalogue, guest_defaults());
}

/// Settings of other people's programs that do not set them.
#[cfg(target_os = "linux")]
pub(crate) fn guest_defaults() -> isrever_guest::Defaults {
    let python = std::env::var_os("ISREVER_PYTHON").map(std::path::PathBuf::from);
    isrever_guest::Defaults { python, ..isrever_guest::Defaults::default() }
}

/// There are none where there is no sandbox for them.
#[cfg(not(target_os = "linux"))]
fn enter_guests(_: &mut Catalogue) {}
