//! The wall of namespaces: a guest in rooms of its own.
//!
//! It is process number 1 among its own processes, has no network, no user that
//! means anything outside, and a file tree of its own: a small file system in
//! memory, in which the interpreter's places are mounted for reading and
//! `/work` is the guest's. When it ends, the kernel ends and forgets all of it.
//!
//! Rooms are planned before the guest's process exists, and built by it before
//! it becomes the guest: nothing in [`Rooms::build`] allocates.

use super::files::DEVICES;
use rustix::fs::{CWD, Mode, OFlags, mkdir, open, rmdir, symlink};
use rustix::io::{self, write};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    unmount,
};
use rustix::process::{chdir, getegid, geteuid, pivot_root};
use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Where the guest's own folder is.
pub(crate) const WORK: &CStr = c"/work";

/// Where the old file tree is while the new one is made.
const OLD: &CStr = c"/old";

/// The kinds of namespaces, as `clone` takes them.
pub(crate) const FLAGS: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS;

/// A number that is nobody's: a user other than 0, so that becoming the guest loses all rights.
const USER: u32 = 1000;

/// Links at the top of the tree that programs are linked against.
const LINKS: [&str; 5] = ["/bin", "/lib", "/lib32", "/lib64", "/libx32"];

/// What to build.
#[derive(Debug)]
pub(crate) struct Rooms {
    users: CString,
    groups: CString,
    /// A folder that is there, to mount the new tree on.
    foot: CString,
    /// The same with the place of the old tree in it.
    foot_old: CString,
    /// Folders to make, outer ones first.
    folders: Vec<CString>,
    /// Empty files to make, to mount files on.
    files: Vec<CString>,
    /// What to mount, and where.
    binds: Vec<(CString, CString)>,
    /// Links to make: what they say, and where.
    links: Vec<(CString, CString)>,
}

impl Rooms {
    /// Rooms in which everything beneath `readable` (real paths) can be read.
    pub(crate) fn plan(readable: &[PathBuf]) -> Rooms {
        let foot = std::env::temp_dir();
        let devices = DEVICES.iter().map(PathBuf::from).filter(|path| path.exists());
        let places: Vec<PathBuf> = readable.iter().cloned().chain(devices).collect();
        let mut rooms = Rooms {
            users: line(geteuid().as_raw()),
            groups: line(getegid().as_raw()),
            foot: text(&foot),
            foot_old: text(&foot.join("old")),
            folders: Vec::new(),
            files: Vec::new(),
            binds: Vec::new(),
            links: Vec::new(),
        };
        let mut folders = BTreeSet::new();
        for place in outermost(&places) {
            let parents = place.ancestors().skip(1).filter(|parent| *parent != Path::new("/"));
            folders.extend(parents.map(Path::to_owned));
            if place.is_dir() {
                folders.insert(place.clone());
            } else {
                rooms.files.push(text(&place));
            }
            let old = Path::new("/old").join(place.strip_prefix("/").unwrap_or(&place));
            rooms.binds.push((text(&old), text(&place)));
        }
        // In order of their paths, outer folders come before what is in them.
        rooms.folders = folders.iter().map(|folder| text(folder)).collect();
        for link in LINKS.map(Path::new) {
            if let Ok(target) = link.read_link() {
                rooms.links.push((text(&target), text(link)));
            }
        }
        rooms
    }

    /// Builds the rooms around this process, which has just entered new namespaces.
    pub(crate) fn build(&self) -> io::Result<()> {
        put(c"/proc/self/setgroups", b"deny")?;
        put(c"/proc/self/uid_map", self.users.as_bytes())?;
        put(c"/proc/self/gid_map", self.groups.as_bytes())?;
        // What is mounted here is not to be seen outside.
        mount_change(c"/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        let own = MountFlags::NOSUID | MountFlags::NODEV;
        mount(c"tmpfs", &*self.foot, c"tmpfs", own, c"size=1m,nr_inodes=1024,mode=755")?;
        mkdir(&*self.foot_old, Mode::from_raw_mode(0o755))?;
        pivot_root(&*self.foot, &*self.foot_old)?;
        chdir(c"/")?;
        for folder in &self.folders {
            mkdir(&**folder, Mode::from_raw_mode(0o755))?;
        }
        for file in &self.files {
            let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
            drop(open(&**file, flags, Mode::from_raw_mode(0o644))?);
        }
        for (from, to) in &self.binds {
            mount_bind_recursive(&**from, &**to)?;
        }
        for (target, link) in &self.links {
            // A place of that name may have been mounted; then no link is needed.
            match symlink(&**target, &**link) {
                Err(error) if error != io::Errno::EXIST => return Err(error),
                _ => {}
            }
        }
        mkdir(WORK, Mode::from_raw_mode(0o755))?;
        unmount(OLD, UnmountFlags::DETACH)?;
        rmdir(OLD)?;
        read_only(c"/")?;
        mount(c"tmpfs", WORK, c"tmpfs", own, c"size=16m,nr_inodes=1024,mode=700")
    }
}

/// Makes everything mounted beneath `path` read-only, without touching any other property.
#[allow(unsafe_code, reason = "rustix has no such function")]
fn read_only(path: &CStr) -> io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let beneath = libc::AT_RECURSIVE;
    // SAFETY: the kernel reads a text that ends in a zero byte, and a structure of the size that
    // is given; both outlive the call.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            beneath,
            &raw const attributes,
            size_of_val(&attributes),
        )
    };
    if done == 0 { Ok(()) } else { Err(errno()) }
}

/// What the last call of the C library failed with.
pub(super) fn errno() -> io::Errno {
    io::Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(io::Errno::IO)
}

/// Writes to a file of the kernel's.
fn put(path: &CStr, bytes: &[u8]) -> io::Result<()> {
    let file = rustix::fs::openat(CWD, path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    write(&file, bytes).map(drop)
}

/// A map of one number: the guest's to `outside`.
fn line(outside: u32) -> CString {
    CString::new(format!("{USER} {outside} 1")).expect("digits have no zero byte")
}

/// A path for the kernel.
///
/// # Panics
/// If there is a zero byte in it, which no path that exists has.
pub(super) fn text(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).expect("paths have no zero byte")
}

/// Those of `places` that lie in no other.
fn outermost(places: &[PathBuf]) -> Vec<PathBuf> {
    let mut outer: Vec<PathBuf> = Vec::new();
    let sorted: BTreeSet<&PathBuf> = places.iter().collect();
    for place in sorted {
        if !outer.iter().any(|other| place.starts_with(other)) {
            outer.push(place.clone());
        }
    }
    outer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_another_place_is_not_mounted_twice() {
        let places = ["/usr/lib/python3", "/usr/lib", "/usr/lib64", "/usr/lib"].map(PathBuf::from);
        assert_eq!(outermost(&places), ["/usr/lib", "/usr/lib64"].map(PathBuf::from));
    }

    #[test]
    fn folders_are_planned_from_the_outside_in() {
        let rooms = Rooms::plan(&[PathBuf::from("/usr/lib")]);
        let place = |path: &CStr| rooms.folders.iter().position(|folder| **folder == *path);
        assert!(place(c"/usr").unwrap() < place(c"/usr/lib").unwrap());
        assert_eq!(place(c"/dev"), Some(0));
        assert!(rooms.files.contains(&c"/dev/null".to_owned()));
        assert!(rooms.binds.contains(&(c"/old/usr/lib".to_owned(), c"/usr/lib".to_owned())));
    }
}
