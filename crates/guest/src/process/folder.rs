//! A guest's own folder on a disk, for machines without namespaces.
//!
//! A guest may do to its folder what it likes: dig deep, forbid to look, keep files open that have
//! no name any more. All of it is measured ([`Folder::bytes`]), and all of it goes when the folder
//! is dropped, or, if this process was killed first, when the next one starts
//! ([`sweep_abandoned`]). A lock tells folders in use from those left behind.

mod removal;

use crate::owner::Owner;
use removal::remove;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::io::Errno;
use rustix::process::{Pid, geteuid};
use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most files and folders that a guest may have in its folder.
const MOST_FILES: usize = 1_000;

/// How often to measure again when a folder was moved meanwhile.
const ATTEMPTS: usize = 3;

/// A folder that is removed when this is dropped by the process that made it.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    owner: Owner,
    /// Locked for as long as the folder is in use.
    _lock: Option<File>,
}

impl Folder {
    /// Creates an empty folder that no other user may read.
    pub(crate) fn new() -> io::Result<Folder> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let place = fs::canonicalize(std::env::temp_dir())?;
        loop {
            let owner = Owner::this();
            let path = place.join(owner.name(COUNT.fetch_add(1, Relaxed)));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {}
                // A killed process with the same pid left it behind.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            }
            // Another process may just have found it and taken it for abandoned.
            match claim(&path) {
                Ok(Some(lock)) => return Ok(Folder { path, owner, _lock: Some(lock) }),
                Ok(None) => {}
                // Some file systems lock no folders; our process id protects it all the same.
                Err(_) => return Ok(Folder { path, owner, _lock: None }),
            }
        }
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes of all its files, and of those without a name that process `user` still uses;
    /// `u64::MAX` if that cannot be told, or if there are more than [`MOST_FILES`].
    pub(crate) fn bytes(&self, user: Option<Pid>) -> u64 {
        let nameless = user.map_or(Some(0), |user| self.nameless_bytes(user));
        let sum = |named: u64, nameless| named.saturating_add(nameless);
        self.named_bytes().zip(nameless).map_or(u64::MAX, |(named, nameless)| sum(named, nameless))
    }

    /// The bytes of all files in it.
    fn named_bytes(&self) -> Option<u64> {
        for _ in 0..ATTEMPTS {
            let mut tree = Tree { bytes: 0, count: 0, folders: vec![self.path.clone()] };
            match tree.walk() {
                Ok(()) => return Some(tree.bytes),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(_) => return None,
            }
        }
        None
    }

    /// The bytes of files that were in it and have no name any more, as long as `user` has them
    /// open; `None` if one is only mapped, because the kernel does not tell its size.
    fn nameless_bytes(&self, user: Pid) -> Option<u64> {
        let process = PathBuf::from(format!("/proc/{}", user.as_raw_nonzero()));
        let (mut bytes, mut seen) = (0_u64, BTreeSet::new());
        // A process that has exited uses nothing.
        for entry in fs::read_dir(process.join("fd")).into_iter().flatten().flatten() {
            let Ok(data) = fs::metadata(entry.path()) else { continue };
            // A path that is too long to be told is no library's.
            let is_within =
                fs::read_link(entry.path()).map_or(true, |path| path.starts_with(&self.path));
            if data.is_file() && data.nlink() == 0 && is_within && seen.insert(data.ino()) {
                bytes = bytes.saturating_add(occupied(&data));
            }
        }
        let maps = fs::read(process.join("maps")).unwrap_or_default();
        let folder = self.path.as_os_str().as_bytes();
        let is_open =
            |line: &[u8]| nameless_inode(line, folder).is_none_or(|inode| seen.contains(&inode));
        maps.split(|&byte| byte == b'\n').all(is_open).then_some(bytes)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A forked process has a copy of this, and its parent goes on using the folder.
        if self.owner.is_this() {
            // If this fails, the next process tries again.
            let _ = remove(&self.path);
        }
    }
}

/// A walk through a folder.
struct Tree {
    bytes: u64,
    count: usize,
    /// Folders still to be read.
    folders: Vec<PathBuf>,
}

impl Tree {
    /// Adds up everything; fails if a folder cannot be read, or was moved meanwhile.
    fn walk(&mut self) -> io::Result<()> {
        while let Some(folder) = self.folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                self.count += 1;
                if self.count > MOST_FILES {
                    return Err(ErrorKind::QuotaExceeded.into());
                }
                match entry.metadata() {
                    Ok(data) if data.is_dir() => {
                        // Nobody makes such a folder but to keep us from looking or cleaning up.
                        if data.mode() & 0o700 != 0o700 {
                            return Err(ErrorKind::PermissionDenied.into());
                        }
                        self.folders.push(entry.path());
                    }
                    Ok(data) => self.bytes = self.bytes.saturating_add(occupied(&data)),
                    // A file may have been removed since.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }
}

/// What a file takes: its length or its blocks, whichever is more.
fn occupied(data: &Metadata) -> u64 {
    data.len().max(data.blocks().saturating_mul(512))
}

/// The inode in a line of `/proc/PID/maps`, if it maps a file of `folder` that has no name any more.
fn nameless_inode(line: &[u8], folder: &[u8]) -> Option<u64> {
    let line = line.strip_suffix(b" (deleted)")?;
    let path = line.iter().position(|&byte| byte == b'/')?;
    let (numbers, path) = line.split_at(path);
    let inode = str::from_utf8(numbers).ok()?.split_whitespace().next_back()?.parse().ok()?;
    path.starts_with(folder).then_some(inode)
}

/// Locks a folder; `None` if another process has locked it, or removed it.
fn claim(path: &Path) -> io::Result<Option<File>> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let lock = match open(path, flags, Mode::empty()) {
        Ok(lock) => File::from(lock),
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let is_there = match fs::symlink_metadata(path) {
        Ok(data) => data.ino() == lock.metadata()?.ino(),
        Err(_) => false,
    };
    Ok(is_there.then_some(lock))
}

/// Removes the folders of processes that were killed before they could do so; once in a process.
pub(crate) fn sweep_abandoned() {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| {
        if let Ok(place) = fs::canonicalize(std::env::temp_dir()) {
            sweep(&place);
        }
    });
}

/// Removes guests' folders of ours in `place` that no running process has: neither one whose id is
/// in the folder's name, nor one that holds its lock, which may be in another container.
fn sweep(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(owner) = name.to_str().and_then(Owner::of_name) else { continue };
        let is_ours = |data: Metadata| data.is_dir() && data.uid() == geteuid().as_raw();
        if owner.is_running() || !entry.metadata().is_ok_and(is_ours) {
            continue;
        }
        if let Ok(Some(_lock)) = claim(&entry.path()) {
            // What cannot be removed now may be another time.
            let _ = remove(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::owner::dropped_in_a_fork;
    use std::io::Write;
    use std::os::fd::AsRawFd;

    #[test]
    fn a_folder_is_measured_and_removed() {
        let folder = Folder::new().unwrap();
        let path = folder.path().to_owned();
        fs::create_dir(path.join("below")).unwrap();
        fs::write(path.join("below/file"), [1; 100_000]).unwrap();
        assert!((100_000..200_000).contains(&folder.bytes(None)));
        for number in 0..=MOST_FILES {
            fs::write(path.join(number.to_string()), []).unwrap();
        }
        assert_eq!(folder.bytes(None), u64::MAX);
        assert_ne!(Folder::new().unwrap().path(), path);
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn a_forked_process_leaves_the_folder_to_its_parent() {
        let folder = dropped_in_a_fork(Folder::new().unwrap());
        let path = folder.path().to_owned();
        assert!(path.exists(), "the child has removed its parent's folder");
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn files_without_names_count_as_long_as_they_are_used() {
        let folder = Folder::new().unwrap();
        let own = Some(rustix::process::getpid());
        let path = folder.path().join("file");
        let mut file = File::create_new(&path).unwrap();
        file.write_all(&[1; 100_000]).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(file.as_raw_fd() > 2);
        assert!((100_000..200_000).contains(&folder.bytes(own)));
        assert_eq!(folder.bytes(None), 0);
        drop(file);
        assert_eq!(folder.bytes(own), 0);
    }

    #[test]
    fn mapped_files_without_names_are_recognised() {
        let line = b"7f00-7f01 r--s 00000000 fe:00 4711   /tmp/isrever-guest-1-0/a b (deleted)";
        assert_eq!(nameless_inode(line, b"/tmp/isrever-guest-1-0"), Some(4711));
        assert_eq!(nameless_inode(line, b"/tmp/isrever-guest-2-0"), None);
        let library = b"7f00-7f01 r-xp 00000000 fe:00 4711   /usr/lib/libm.so.6";
        assert_eq!(nameless_inode(library, b"/usr/lib"), None);
        assert_eq!(nameless_inode(b"7f00-7f01 rw-p 00000000 00:00 0", b"/"), None);
    }

    #[test]
    fn folders_that_cannot_be_read_count_as_full() {
        let folder = Folder::new().unwrap();
        DirBuilder::new().mode(0o300).create(folder.path().join("dark")).unwrap();
        assert_eq!(folder.bytes(None), u64::MAX);
    }

    #[test]
    fn abandoned_folders_are_swept_and_no_others() {
        let place = Folder::new().unwrap();
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        let dead = ended.id();
        ended.wait().unwrap();
        let running = std::process::id();
        let names = [
            format!("isrever-guest-{dead}-0"),
            format!("isrever-guest-{dead}-1"),
            format!("isrever-guest-{running}-0"),
            format!("isrever-guest-{dead}-x"),
            "somebody".to_owned(),
        ];
        let paths = names.map(|name| place.path().join(name));
        for path in &paths {
            fs::create_dir(path).unwrap();
            fs::write(path.join("file"), "x").unwrap();
        }
        std::os::unix::fs::symlink(&paths[4], place.path().join(format!("isrever-guest-{dead}-2")))
            .unwrap();
        // As a process in another container would, whose id means nothing here.
        let lock = claim(&paths[1]).unwrap();
        sweep(place.path());
        let are_there = paths.each_ref().map(|path| path.join("file").exists());
        assert_eq!(are_there, [false, true, true, true, true]);
        drop(lock);
        sweep(place.path());
        assert!(!paths[0].exists() && !paths[1].exists());
    }
}
