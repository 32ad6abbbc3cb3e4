//! Where bytes go to: a file is replaced whole or not at all.

use crate::fault::Fault;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` to `path`, so that whoever looks finds the old file or the new, never half.
///
/// They go to a temporary file beside it, which is then given its name. What is
/// there and is no ordinary file (`/dev/null`, a pipe) is written to directly:
/// it must not be replaced.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let fault = |error: io::Error| Fault::io(path.display(), &error);
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fs::write(path, bytes).map_err(fault);
    }
    // A link stays a link: the file it leads to is replaced.
    let target = if old.is_some() { fs::canonicalize(path).map_err(fault)? } else { path.into() };
    let temporary = beside(&target).ok_or_else(|| {
        Fault::input(path.display(), "not the name of a file; expected a file to write to")
    })?;
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        file.write_all(bytes)?;
        if let Some(old) = old {
            fs::set_permissions(&temporary, old.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&temporary, &target)
    })();
    written.map_err(|error| {
        // The fault that is reported is the first one; this is tidying up.
        let _ = fs::remove_file(&temporary);
        fault(error)
    })
}

/// A name for a temporary file in the same directory, this process's own.
fn beside(target: &Path) -> Option<PathBuf> {
    let name = target.file_name()?.to_string_lossy();
    Some(target.with_file_name(format!(".{name}.{}.tmp", std::process::id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_stays_beside_it() {
        let directory = std::env::temp_dir().join(format!("isrever-output-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("file");
        for bytes in [&b"one"[..], b"two"] {
            replace_file(&path, bytes).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
            assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        }
        assert!(replace_file(&directory.join("no/file"), b"").is_err());
        assert!(replace_file(&directory, b"").is_err());
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        fs::remove_dir_all(&directory).unwrap();
    }
}
