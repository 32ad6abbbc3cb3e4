//! Landlock rules: which files a guest can open.
//!
//! A guest may read beneath the paths that the interpreter needs, and write in
//! its own folder and to `/dev/null`. The rules also refuse TCP ports and, from
//! Linux 6.12 on, signals and abstract sockets to processes outside.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::io::Errno;
use std::error::Error;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

/// The newest Landlock interface that we ask for; an older kernel enforces what it knows.
const ABI_ASKED: ABI = ABI::V6;

/// The rules of one guest.
pub(crate) type Rules = RulesetCreated;

/// Devices that most programs expect. Not `/dev/zero`: mapped, it is shared memory.
pub(crate) const DEVICES: [&str; 4] = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];

/// The rules for a guest that may read beneath `readable`, or `None` where the kernel has no
/// Landlock.
pub(crate) fn rules(readable: &[PathBuf]) -> io::Result<Option<RulesetCreated>> {
    let mut ruleset = create().map_err(|error| io_error(&error))?;
    for path in readable {
        ruleset = allow(ruleset, path, AccessFs::from_read(ABI_ASKED))?;
    }
    for path in DEVICES {
        ruleset = allow(ruleset, Path::new(path), AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    // A ruleset without a descriptor enforces nothing.
    let descriptor: Option<OwnedFd> = ruleset.try_clone()?.into();
    Ok(descriptor.map(|_| ruleset))
}

fn create() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .handle_access(AccessFs::from_all(ABI_ASKED))?
        .handle_access(AccessNet::from_all(ABI_ASKED))?
        .scope(Scope::from_all(ABI_ASKED))?
        .create()
}

/// Adds a path to the rules; a path that does not exist needs none.
fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> io::Result<RulesetCreated> {
    let parent = match PathFd::new(path).map_err(|error| io_error(&error)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ruleset),
        parent => parent?,
    };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI_ASKED) };
    ruleset.add_rule(PathBeneath::new(parent, access)).map_err(|error| io_error(&error))
}

/// The kernel's error behind one of the library's.
fn io_error(error: &(dyn Error + 'static)) -> io::Error {
    errno(error).map_or_else(|| io::Error::other(error.to_string()), io::Error::from)
}

/// The same as a number, if there is one. Allocates nothing.
pub(crate) fn errno(error: &(dyn Error + 'static)) -> Option<Errno> {
    let mut error = Some(error);
    while let Some(one) = error {
        if let Some(errno) = one.downcast_ref().and_then(Errno::from_io_error) {
            return Some(errno);
        }
        error = one.source();
    }
    None
}

/// Adds the guest's own folder. Allocates nothing, because it runs between clone and exec.
pub(crate) fn allow_all(
    ruleset: RulesetCreated,
    folder: impl AsFd,
) -> Result<RulesetCreated, RulesetError> {
    let everything = AccessFs::from_all(ABI_ASKED)
        & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::MakeFifo);
    ruleset.add_rule(PathBeneath::new(folder, everything))
}
