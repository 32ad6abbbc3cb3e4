//! Namespaces: processes, users, network and a file tree of the guest's own.
//!
//! The guest is process 1 of its PID namespace. It has no network, no user that
//! exists outside, and its own root: a small tmpfs, in which the interpreter's
//! paths are mounted read-only and one folder is the guest's to write. When the
//! guest ends, the kernel kills all its processes and frees all of this.
//!
//! [`Namespaces::plan`] prepares everything before the guest's process exists;
//! the process itself calls [`Namespaces::set_up`], which allocates nothing,
//! before exec.

use super::landlock::DEVICES;
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

/// The namespaces to create, as flags of `clone`.
pub(crate) const FLAGS: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS;

/// The guest's user id inside. Not 0, so that exec drops all capabilities.
const USER: u32 = 1000;

/// Symbolic links in the root that programs' library paths go through.
const LINKS: [&str; 5] = ["/bin", "/lib", "/lib32", "/lib64", "/libx32"];

/// The maps, folders, mounts and links to set up.
#[derive(Debug)]
pub(crate) struct Namespaces {
    uid_map: CString,
    gid_map: CString,
    /// An existing folder, to mount the new root on.
    new_root: CString,
    /// The folder in it where `pivot_root` puts the old root.
    put_old: CString,
    /// Where that is then, until the new root is complete.
    old: CString,
    /// The guest's own folder.
    pub(crate) work: CString,
    /// Folders to create, outer ones first.
    folders: Vec<CString>,
    /// Empty files to create, to mount files on.
    files: Vec<CString>,
    /// Bind mounts: from, and to.
    binds: Vec<(CString, CString)>,
    /// Symbolic links: target, and path.
    links: Vec<(CString, CString)>,
}

impl Namespaces {
    /// Plans a file tree in which everything beneath `readable` (real paths) can be read.
    pub(crate) fn plan(readable: &[PathBuf]) -> Namespaces {
        let new_root = std::env::temp_dir();
        let devices = DEVICES.iter().map(PathBuf::from).filter(|path| path.exists());
        let paths: Vec<PathBuf> = readable.iter().cloned().chain(devices).collect();
        let (old, work) = (unused("old", &paths), unused("work", &paths));
        let mut plan = Namespaces {
            uid_map: id_map(geteuid().as_raw()),
            gid_map: id_map(getegid().as_raw()),
            new_root: c_path(&new_root),
            put_old: c_path(&new_root.join(old.strip_prefix("/").unwrap_or(&old))),
            old: c_path(&old),
            work: c_path(&work),
            folders: Vec::new(),
            files: Vec::new(),
            binds: Vec::new(),
            links: Vec::new(),
        };
        let mut folders = BTreeSet::new();
        for path in outermost(&paths) {
            let parents = path.ancestors().skip(1).filter(|parent| *parent != Path::new("/"));
            folders.extend(parents.map(Path::to_owned));
            if path.is_dir() {
                folders.insert(path.clone());
            } else {
                plan.files.push(c_path(&path));
            }
            let from = old.join(path.strip_prefix("/").unwrap_or(&path));
            plan.binds.push((c_path(&from), c_path(&path)));
        }
        // The set sorts folders by path: outer ones come first.
        plan.folders = folders.iter().map(|folder| c_path(folder)).collect();
        for link in LINKS.map(Path::new) {
            if let Ok(target) = link.read_link() {
                plan.links.push((c_path(&target), c_path(link)));
            }
        }
        plan
    }

    /// Sets up the new namespaces from within: the calling process was cloned with [`FLAGS`].
    pub(crate) fn set_up(&self) -> io::Result<()> {
        write_file(c"/proc/self/setgroups", b"deny")?;
        write_file(c"/proc/self/uid_map", self.uid_map.as_bytes())?;
        write_file(c"/proc/self/gid_map", self.gid_map.as_bytes())?;
        // Keeps the mounts below from showing outside.
        mount_change(c"/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        let own = MountFlags::NOSUID | MountFlags::NODEV;
        mount(c"tmpfs", &*self.new_root, c"tmpfs", own, c"size=1m,nr_inodes=1024,mode=755")?;
        mkdir(&*self.put_old, Mode::from_raw_mode(0o755))?;
        pivot_root(&*self.new_root, &*self.put_old)?;
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
            // A folder of that name may be mounted already; then no link is needed.
            match symlink(&**target, &**link) {
                Err(error) if error != io::Errno::EXIST => return Err(error),
                _ => {}
            }
        }
        mkdir(&*self.work, Mode::from_raw_mode(0o755))?;
        unmount(&*self.old, UnmountFlags::DETACH)?;
        rmdir(&*self.old)?;
        read_only(c"/")?;
        mount(c"tmpfs", &*self.work, c"tmpfs", own, c"size=16m,nr_inodes=1024,mode=700")
    }
}

/// Makes all mounts beneath `path` read-only, and changes no other property.
#[allow(unsafe_code, reason = "rustix has no such function")]
fn read_only(path: &CStr) -> io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let beneath = libc::AT_RECURSIVE;
    // SAFETY: the kernel reads a string that ends in a zero byte, and a structure of the given
    // size; both outlive the call.
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

/// The error of the C library's last call.
pub(super) fn errno() -> io::Errno {
    io::Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(io::Errno::IO)
}

/// Writes `bytes` to a file of `/proc`.
fn write_file(path: &CStr, bytes: &[u8]) -> io::Result<()> {
    let file = rustix::fs::openat(CWD, path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    write(&file, bytes).map(drop)
}

/// Maps one id, the guest's, to `outside`.
fn id_map(outside: u32) -> CString {
    CString::new(format!("{USER} {outside} 1")).expect("digits have no zero byte")
}

/// A path for the kernel.
///
/// # Panics
/// If it contains a zero byte, which no existing path does.
pub(super) fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).expect("paths have no zero byte")
}

/// A folder of the root whose name begins with `name`, and that holds none of `paths`.
fn unused(name: &str, paths: &[PathBuf]) -> PathBuf {
    let names = (0..).map(|number| match number {
        0 => format!("/{name}"),
        _ => format!("/{name}-{number}"),
    });
    let mut folders = names.map(PathBuf::from);
    let is_unused = |folder: &PathBuf| !paths.iter().any(|path| path.starts_with(folder));
    folders.find(is_unused).expect("there is no end of names")
}

/// Those of `paths` that lie beneath no other.
fn outermost(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut outer: Vec<PathBuf> = Vec::new();
    let sorted: BTreeSet<&PathBuf> = paths.iter().collect();
    for path in sorted {
        if !outer.iter().any(|other| path.starts_with(other)) {
            outer.push(path.clone());
        }
    }
    outer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_paths_are_mounted_once() {
        let paths = ["/usr/lib/python3", "/usr/lib", "/usr/lib64", "/usr/lib"].map(PathBuf::from);
        assert_eq!(outermost(&paths), ["/usr/lib", "/usr/lib64"].map(PathBuf::from));
    }

    #[test]
    fn an_interpreter_may_be_anywhere() {
        let paths = ["/work/venv", "/old/python", "/old-1"].map(PathBuf::from);
        let plan = Namespaces::plan(&paths);
        assert_eq!((&*plan.work, &*plan.old), (c"/work-1", c"/old-2"));
        assert_eq!(unused("work", &[PathBuf::from("/workshop")]), Path::new("/work"));
    }

    #[test]
    fn outer_folders_are_created_first() {
        let plan = Namespaces::plan(&[PathBuf::from("/usr/lib")]);
        let place = |path: &CStr| plan.folders.iter().position(|folder| **folder == *path);
        assert!(place(c"/usr").unwrap() < place(c"/usr/lib").unwrap());
        assert_eq!(place(c"/dev"), Some(0));
        assert!(plan.files.contains(&c"/dev/null".to_owned()));
        assert!(plan.binds.contains(&(c"/old/usr/lib".to_owned(), c"/usr/lib".to_owned())));
    }
}
