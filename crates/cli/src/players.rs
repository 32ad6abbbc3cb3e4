//! All agents of the command line: the built-in ones, and programs of other people.

#[cfg(target_os = "linux")]
use crate::error::Error;
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

/// The Python that runs agents: the one that was named, or `$ISREVER_PYTHON`, or the first `python3`
/// with numpy.
#[cfg(target_os = "linux")]
pub(crate) fn interpreter(
    named: Option<&std::ffi::OsStr>,
) -> Result<std::sync::Arc<isrever_guest::Interpreter>, Error> {
    let usual = guest_defaults().python;
    let (from, path) = match (named, &usual) {
        (Some(named), _) => ("--python", Some(std::path::Path::new(named))),
        (None, Some(usual)) => ("$ISREVER_PYTHON", Some(usual.as_path())),
        (None, None) => ("python3", None),
    };
    isrever_guest::Interpreter::find(path).map_err(|error| Error::input(from, error))
}

/// There are none where there is no sandbox for them.
#[cfg(not(target_os = "linux"))]
fn enter_guests(_: &mut Catalogue) {}
