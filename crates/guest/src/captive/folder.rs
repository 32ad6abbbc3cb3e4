//! A folder of a guest's own, on a disk, for machines without namespaces.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most files that are looked at; more of them are too many.
const MOST_FILES: usize = 1_000;

/// A folder that is gone when this is dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// An empty folder that nobody else may look into.
    pub(crate) fn new() -> io::Result<Folder> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let place = fs::canonicalize(std::env::temp_dir())?;
        loop {
            let (process, count) = (std::process::id(), COUNT.fetch_add(1, Relaxed));
            let path = place.join(format!("isrever-guest-{process}-{count}"));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Folder { path }),
                // Left behind by a process of the same number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What its files take; more than anything allowed if they are too many to count.
    pub(crate) fn bytes(&self) -> u64 {
        let (mut bytes, mut count) = (0, 0);
        let mut folders = vec![self.path.clone()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            for entry in entries.flatten() {
                count += 1;
                if count > MOST_FILES {
                    return u64::MAX;
                }
                match entry.metadata() {
                    Ok(data) if data.is_dir() => folders.push(entry.path()),
                    Ok(data) => bytes += data.len(),
                    Err(_) => {}
                }
            }
        }
        bytes
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is an empty folder's worth of litter, and nobody to tell.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_counted_and_goes() {
        let folder = Folder::new().unwrap();
        let path = folder.path().to_owned();
        fs::create_dir(path.join("below")).unwrap();
        fs::write(path.join("below/file"), [0; 100]).unwrap();
        assert_eq!(folder.bytes(), 100);
        for number in 0..=MOST_FILES {
            fs::write(path.join(number.to_string()), []).unwrap();
        }
        assert_eq!(folder.bytes(), u64::MAX);
        assert_ne!(Folder::new().unwrap().path(), path);
        drop(folder);
        assert!(!path.exists());
    }
}
