//! Removes a folder with everything in it, however deep it is and whatever it forbids.
//!
//! Paths may be longer than the kernel takes, and folders deeper than there are descriptors. So
//! everything is removed at the top: a folder's files go, the folders in it move up, and then it is
//! empty. Folders without rights get them back first. The guest is dead, and nobody else may write
//! here.

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, chmodat, openat, renameat, unlinkat};
use rustix::io::{self, Errno};
use std::ffi::{CStr, CString};
use std::path::Path;

/// Removes the folder at `path`.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    let top = open_up(CWD, path)?;
    let mut count = 0_u64;
    loop {
        let names = names(&top)?;
        if names.is_empty() {
            break;
        }
        for name in names {
            if unlinkat(&top, &name, AtFlags::empty()).is_ok() {
                continue;
            }
            let folder = open_up(&top, &*name)?;
            for below in self::names(&folder)? {
                if unlinkat(&folder, &below, AtFlags::empty()).is_err() {
                    open_up(&folder, &*below)?;
                    move_up(&folder, &below, &top, &mut count)?;
                }
            }
            unlinkat(&top, &name, AtFlags::REMOVEDIR)?;
        }
    }
    unlinkat(CWD, path, AtFlags::REMOVEDIR)
}

/// Opens a folder, with all rights for its owner.
fn open_up(parent: impl AsFd, name: impl rustix::path::Arg + Copy) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // The folder itself and no link: this fails on anything else.
    drop(openat(&parent, name, flags | OFlags::PATH, Mode::empty())?);
    chmodat(&parent, name, Mode::RWXU, AtFlags::empty())?;
    openat(&parent, name, flags, Mode::empty())
}

/// The names of everything in a folder.
fn names(folder: &OwnedFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// Moves the folder `name` to the top, under a name that is free there.
fn move_up(folder: &OwnedFd, name: &CStr, top: &OwnedFd, count: &mut u64) -> io::Result<()> {
    loop {
        *count += 1;
        match renameat(folder, name, top, format!(".{count}")) {
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Folder;
    use rustix::fs::mkdirat;
    use std::fs;

    #[test]
    fn deep_folders_without_rights_are_removed() {
        let place = Folder::new().unwrap();
        let path = place.path().join("target");
        fs::create_dir(&path).unwrap();
        fs::create_dir(path.join(".1")).unwrap();
        fs::write(path.join(".1/file"), "x").unwrap();
        fs::write(path.join(".2"), "x").unwrap();
        let name = "x".repeat(200);
        let mut folder = open_up(CWD, &path).unwrap();
        // Longer than any path may be.
        for _ in 0..50 {
            mkdirat(&folder, &name, Mode::RWXU).unwrap();
            mkdirat(&folder, "empty", Mode::RWXU).unwrap();
            folder = open_up(&folder, &name).unwrap();
        }
        mkdirat(&folder, "dark", Mode::empty()).unwrap();
        drop(folder);
        chmodat(CWD, path.join(&name), Mode::empty(), AtFlags::empty()).unwrap();
        std::os::unix::fs::symlink(place.path(), path.join("link")).unwrap();
        remove(&path).unwrap();
        assert!(!path.exists() && place.path().exists());
    }
}
