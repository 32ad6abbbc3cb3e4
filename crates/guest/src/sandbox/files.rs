//! The wall of Landlock: which files a guest can open.
//!
//! Reading is allowed beneath the places that the interpreter needs, writing in
//! the guest's own folder and to `/dev/null`. TCP ports, and from Linux 6.12 on
//! signals and sockets to anybody outside, are refused on the way.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

/// What is asked of the kernel; an older one gives what it has.
const ASKED: ABI = ABI::V6;

/// Devices that programs take for granted.
pub(crate) const DEVICES: [&str; 5] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The rules for a guest that may read beneath `readable`, or `None` where the kernel has no
/// Landlock.
pub(crate) fn rules(readable: &[PathBuf]) -> Result<Option<RulesetCreated>, RulesetError> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(ASKED))?
        .handle_access(AccessNet::from_all(ASKED))?
        .scope(Scope::from_all(ASKED))?
        .create()?;
    let mut ruleset = ruleset;
    for path in readable {
        ruleset = allow(ruleset, path, AccessFs::from_read(ASKED))?;
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

/// One more place; one that is not there needs no permission.
fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(place) = PathFd::new(path) else { return Ok(ruleset) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(ASKED) };
    ruleset.add_rule(PathBeneath::new(place, access))
}

/// One more place, the guest's own folder. Allocates nothing: it is called between clone and exec.
pub(crate) fn allow_all(
    ruleset: RulesetCreated,
    folder: impl AsFd,
) -> Result<RulesetCreated, RulesetError> {
    let everything = AccessFs::from_all(ASKED)
        & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::MakeFifo);
    ruleset.add_rule(PathBeneath::new(folder, everything))
}
