//! Landlock rules: which files a guest can open.
//!
//! A guest may read beneath the paths that the interpreter needs, and write in
//! its own folder and to `/dev/null`. The rules also refuse TCP ports and, from
//! Linux 6.12 on, signals and abstract sockets to processes outside.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

/// The newest Landlock interface that we ask for; an older kernel enforces what it knows.
const ABI_ASKED: ABI = ABI::V6;

/// The rules of one guest.
pub(crate) type Rules = RulesetCreated;

/// Devices that most programs expect.
pub(crate) const DEVICES: [&str; 5] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The rules for a guest that may read beneath `readable`, or `None` where the kernel has no
/// Landlock.
pub(crate) fn rules(readable: &[PathBuf]) -> Result<Option<RulesetCreated>, RulesetError> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(ABI_ASKED))?
        .handle_access(AccessNet::from_all(ABI_ASKED))?
        .scope(Scope::from_all(ABI_ASKED))?
        .create()?;
    let mut ruleset = ruleset;
    for path in readable {
        ruleset = allow(ruleset, path, AccessFs::from_read(ABI_ASKED))?;
    }
    for path in DEVICES {
        ruleset = allow(ruleset, Path::new(path), AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    // A ruleset without a descriptor enforces nothing.
    let descriptor: Option<OwnedFd> = match ruleset.try_clone() {
        Ok(copy) => copy.into(),
        Err(_) => None,
    };
    Ok(descriptor.map(|_| ruleset))
}

/// Adds a path to the rules; a path that does not exist needs none.
fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(parent) = PathFd::new(path) else { return Ok(ruleset) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI_ASKED) };
    ruleset.add_rule(PathBeneath::new(parent, access))
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
