//! How much space is left on the disk.

use std::path::Path;

/// The free bytes of the disk that holds `directory`; `None` if the system does not say.
#[cfg(unix)]
pub(crate) fn free_bytes(directory: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(directory).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Other systems are not asked.
#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}
