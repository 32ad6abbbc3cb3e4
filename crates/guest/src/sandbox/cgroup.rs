//! A control group for each guest, where the machine lets us make one.
//!
//! The kernel charges a group for everything that its processes make it allocate: memory, page
//! tables, buffers of pipes and sockets. Where there is a group it is one more limit; nothing
//! depends on it, since few users may make any. Version 2 alone is used, and only below a group that
//! is delegated to us: our own, or its parent if that belongs to our user or is marked as delegated.

use super::limits::{FOLDER_BYTES, THREADS};
use crate::owner::Owner;
use rustix::fs::{Access, access, getxattr};
use rustix::process::{Pid, geteuid};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// What a group may be charged beyond the guest's own memory: its folder, which may be in memory,
/// and buffers within the other limits.
pub(crate) const ALLOWANCE: u64 = FOLDER_BYTES + (16 << 20);

/// How much more the kernel allows: the host should be first, because it knows what to say.
const MARGIN: u64 = 64 << 20;

/// Threads that the kernel allows beyond the guest's, for the same reason.
const MORE_THREADS: u64 = 16;

/// How often to look whether killed processes have ended, and how long to wait between.
const LOOKS: usize = 50;
const MOMENT: Duration = Duration::from_millis(2);

/// What counts of a group's charges beside the kernel's. Not cached files, which the kernel takes
/// back when it likes.
const COUNTED: [&str; 3] = ["anon", "shmem", "sock"];

/// What the kernel has allocated for the group's processes, before Linux 5.18, which has a sum of
/// everything: buffers of pipes and sockets too.
const KERNEL_PARTS: [&str; 3] = ["kernel_stack", "pagetables", "slab_unreclaimable"];

/// The group below which ours are; `None` where there is none.
static HOME: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let home = home()?;
    sweep(&home);
    Some(home)
});

/// A control group with one guest in it, removed when this is dropped by the process that made it.
#[derive(Debug)]
pub(crate) struct Cgroup {
    path: PathBuf,
    owner: Owner,
}

impl Cgroup {
    /// Moves a process into a new group of its own; `None` where that is not possible.
    pub(crate) fn with(pid: Pid) -> Option<Cgroup> {
        Cgroup::below(HOME.as_deref()?, pid)
    }

    fn below(home: &Path, pid: Pid) -> Option<Cgroup> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let owner = Owner::this();
        let path = home.join(owner.name(COUNT.fetch_add(1, Relaxed)));
        fs::create_dir(&path).ok()?;
        let group = Cgroup { path, owner };
        group.set("pids.max", THREADS + MORE_THREADS)?;
        // There may be no swapping.
        group.set("memory.swap.max", 0);
        // A guest outside the sandbox may have several processes: none goes on without the others.
        group.set("memory.oom.group", 1);
        group.set("cgroup.procs", u64::from(pid.as_raw_nonzero().get().unsigned_abs()))?;
        Some(group)
    }

    /// Limits the group to `own` bytes beyond what it is charged now, and some more.
    pub(crate) fn limit(&self, own: u64) {
        if let Some(now) = self.read("memory.current").and_then(|text| text.trim().parse().ok()) {
            let most = own.saturating_add(ALLOWANCE + MARGIN).saturating_add(now);
            self.set("memory.max", most);
        }
    }

    /// The bytes that the group is charged now, without cached files.
    pub(crate) fn charged(&self) -> Option<u64> {
        self.read("memory.stat").map(|stat| sum(&stat))
    }

    /// Whether the kernel has killed the guest because the group was full.
    pub(crate) fn was_full(&self) -> bool {
        let events = self.read("memory.events").unwrap_or_default();
        numbers(&events).any(|(name, number)| name == "oom_kill" && number > 0)
    }

    /// Removes the group with all that is left in it: outside the sandbox a guest may have started
    /// other processes.
    fn remove(&self) -> io::Result<()> {
        for _ in 0..LOOKS {
            match fs::remove_dir(&self.path) {
                // Linux 5.14 ends them, in a moment.
                Err(error) if error.kind() == ErrorKind::ResourceBusy => {
                    self.set("cgroup.kill", 1);
                    thread::sleep(MOMENT);
                }
                removed => return removed,
            }
        }
        fs::remove_dir(&self.path)
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path.join(name)).ok()
    }

    fn set(&self, name: &str, value: u64) -> Option<()> {
        // The files are the kernel's: one that is not there is not made.
        let mut file = File::options().write(true).open(self.path.join(name)).ok()?;
        file.write_all(value.to_string().as_bytes()).ok()
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // A forked process has a copy of this, and its parent goes on using the group.
        if self.owner.is_this() {
            // If this fails, the next process tries again.
            let _ = self.remove();
        }
    }
}

/// Removes groups that were left behind. The kernel removes none that has a process in it; one that
/// has none yet belongs to a process that is running.
fn sweep(home: &Path) {
    for entry in fs::read_dir(home).into_iter().flatten().flatten() {
        let owner = entry.file_name().to_str().and_then(Owner::of_name);
        if owner.is_some_and(|owner| !owner.is_running()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The group below which we may make others, with limits on memory and on processes.
fn home() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = own_group(&mounts, &groups)?;
    let parent = own.parent().filter(|parent| is_delegated(parent)).map(Path::to_owned);
    [Some(own), parent].into_iter().flatten().find(|group| is_home(group))
}

/// The folder of our own group.
fn own_group(mounts: &str, groups: &str) -> Option<PathBuf> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(3);
        let (root, place) = (fields.next()?, fields.next()?);
        let is_unified = kind.starts_with("cgroup2 ");
        let below = Path::new(own).strip_prefix(root).ok()?;
        is_unified.then(|| Path::new(place).join(below))
    })
}

/// Whether a group that is not ours alone was given to us.
fn is_delegated(group: &Path) -> bool {
    let user = geteuid();
    let is_own = || fs::metadata(group).is_ok_and(|data| data.uid() == user.as_raw());
    // As systemd marks groups.
    let is_marked = || {
        let mut mark = [0; 1];
        getxattr(group, "user.delegate", &mut mark).is_ok() && mark == *b"1"
    };
    (!user.is_root() && is_own()) || is_marked()
}

/// Whether groups below `group` can be made, and have the limits that we need.
fn is_home(group: &Path) -> bool {
    let control = fs::read_to_string(group.join("cgroup.subtree_control")).unwrap_or_default();
    let has = |name| control.split_whitespace().any(|controller| controller == name);
    let is_writable = |path: &Path| access(path, Access::WRITE_OK).is_ok();
    has("memory") && has("pids") && is_writable(group) && is_writable(&group.join("cgroup.procs"))
}

/// The counted charges of a `memory.stat`.
fn sum(stat: &str) -> u64 {
    let sum = |names: &[&str]| -> u64 {
        numbers(stat).filter(|(name, _)| names.contains(name)).map(|(_, number)| number).sum()
    };
    // What can be reclaimed are caches of names and files.
    let whole_kernel = sum(&["kernel"]).saturating_sub(sum(&["slab_reclaimable"]));
    sum(&COUNTED) + whole_kernel.max(sum(&KERNEL_PARTS))
}

/// The lines of a file with a name and a number in each.
fn numbers(text: &str) -> impl Iterator<Item = (&str, u64)> {
    text.lines().filter_map(|line| {
        let (name, number) = line.split_once(' ')?;
        Some((name, number.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::owner::dropped_in_a_fork;

    #[test]
    fn our_own_group_is_found_where_it_is_mounted() {
        let version_1 = "30 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        let unified = "32 23 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
        let groups = "4:memory:/x\n0::/user.slice/a.scope\n";
        let found = own_group(&format!("{version_1}{unified}"), groups);
        assert_eq!(found, Some(PathBuf::from("/sys/fs/cgroup/user.slice/a.scope")));
        let bound = "32 23 0:28 /user.slice /groups rw - cgroup2 cgroup2 rw\n";
        assert_eq!(own_group(bound, groups), Some(PathBuf::from("/groups/a.scope")));
        assert_eq!(own_group(version_1, groups), None);
        assert_eq!(own_group(unified, "4:memory:/x\n"), None);
    }

    #[test]
    fn cached_files_are_no_charge() {
        let stat = "anon 4096\nfile 1000000\nshmem 10\nsock 3\nkernel_stack 1\npagetables 2\n\
                    slab_reclaimable 500\nslab_unreclaimable 4\nodd\n";
        assert_eq!(sum(stat), 4096 + 10 + 3 + 1 + 2 + 4);
    }

    #[test]
    fn buffers_of_pipes_are_a_charge_where_the_kernel_tells_them() {
        // As Linux 6.1 tells it of an agent that keeps data in pipes, in KiB.
        let stat = "anon 21476\nfile 4\nkernel 30444\nkernel_stack 16\npagetables 128\nsock 0\n\
                    shmem 4\nslab_reclaimable 24\nslab_unreclaimable 543\n";
        assert_eq!(sum(stat), 21_476 + 4 + 30_444 - 24);
    }

    /// A folder with the files of a group in it.
    fn pretended() -> crate::process::Folder {
        let folder = crate::process::Folder::new().unwrap();
        for (name, text) in [
            ("cgroup.subtree_control", "cpu memory pids\n"),
            ("cgroup.procs", ""),
            ("memory.current", "1000\n"),
            ("memory.max", ""),
            ("memory.stat", "anon 5\nfile 7\n"),
            ("memory.events", "low 0\noom 1\noom_kill 1\n"),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn a_group_is_limited_and_read_by_its_files() {
        let home = pretended();
        assert!(is_home(home.path()));
        let group = Cgroup { path: home.path().to_owned(), owner: Owner::this() };
        group.limit(100 << 20);
        let most = (100 << 20) + ALLOWANCE + MARGIN + 1000;
        assert_eq!(group.read("memory.max"), Some(most.to_string()));
        assert_eq!((group.charged(), group.was_full()), (Some(5), true));
        // The files keep the folder from being removed, as processes keep a group.
        drop(group);
        assert!(home.path().exists());
        fs::write(home.path().join("cgroup.subtree_control"), "memory\n").unwrap();
        assert!(!is_home(home.path()));
    }

    #[test]
    fn a_forked_process_leaves_the_group_to_its_parent() {
        let home = pretended();
        let path = home.path().join("group");
        fs::create_dir(&path).unwrap();
        // Like a group whose process has just ended, it has nothing in it and can be removed.
        let group = dropped_in_a_fork(Cgroup { path: path.clone(), owner: Owner::this() });
        assert!(path.exists(), "the child has removed its parent's group");
        drop(group);
        assert!(!path.exists());
    }

    #[test]
    fn groups_left_behind_are_swept_and_no_others() {
        let home = pretended();
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        let dead = ended.id();
        ended.wait().unwrap();
        let names = [format!("isrever-guest-{dead}-0"), format!("isrever-guest-{dead}-1")];
        let [left, used] = names.map(|name| home.path().join(name));
        // A process that runs has just made one, and moves its guest there next.
        let [new, other] = [Owner::this().name(0), "other".to_owned()];
        let [new, other] = [new, other].map(|name| home.path().join(name));
        for path in [&left, &used, &new, &other] {
            fs::create_dir(path).unwrap();
        }
        fs::write(used.join("process"), "").unwrap();
        sweep(home.path());
        let are_there = [left, used, new, other].map(|path| path.exists());
        assert_eq!(are_there, [false, true, true, true]);
    }

    #[test]
    fn a_group_counts_its_process_and_goes_when_it_has_ended() {
        let Some(home) = HOME.as_deref() else {
            // A machine without delegated groups: a plain folder is no home, and none is made.
            assert!(!is_home(&std::env::temp_dir()));
            assert!(Cgroup::with(rustix::process::getpid()).is_none());
            return;
        };
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let group = Cgroup::below(home, Pid::from_child(&child)).expect("this is a home");
        group.limit(1 << 20);
        let path = group.path.clone();
        let (charged, was_full) = (group.charged(), group.was_full());
        let members = group.read("cgroup.procs");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(members, Some(format!("{}\n", child.id())));
        assert!(charged.is_some() && !was_full);
        drop(group);
        assert!(!path.exists());
        // What is still there is ended.
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        drop(Cgroup::below(home, Pid::from_child(&child)).expect("this is a home"));
        assert_eq!(child.wait().unwrap().code(), None);
    }
}
