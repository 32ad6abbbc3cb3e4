//! The process that something belongs to.
//!
//! A forked process (`multiprocessing` of Python) has a copy of all that its parent had, and drops
//! it in the end, while the parent goes on using it. What is removed, killed or counted for one
//! process alone remembers its owner, and does nothing elsewhere. Folders and control groups have it
//! in their names as well, so that those of a process that was killed are told from others.

use std::path::Path;

/// Names of guests' folders and groups begin so; a process id and a number follow.
const PREFIX: &str = "isrever-guest-";

/// The process that made something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner(u32);

impl Owner {
    /// This process.
    pub(crate) fn this() -> Owner {
        Owner(std::process::id())
    }

    /// Whether this process is the owner, and not one that was forked from it.
    pub(crate) fn is_this(self) -> bool {
        self == Owner::this()
    }

    /// The name of the owner's folder or group number `count`.
    pub(crate) fn name(self, count: u64) -> String {
        format!("{PREFIX}{}-{count}", self.0)
    }

    /// The owner in the name of a guest's folder or group; `None` if it is another name.
    pub(crate) fn of_name(name: &str) -> Option<Owner> {
        let (process, count) = name.strip_prefix(PREFIX)?.split_once('-')?;
        count.parse::<u64>().ok()?;
        process.parse().ok().map(Owner)
    }

    /// Whether a process with its id is running, as far as this one can see.
    pub(crate) fn is_running(self) -> bool {
        Path::new("/proc").join(self.0.to_string()).exists()
    }
}

#[cfg(test)]
pub(crate) use tests::dropped_in_a_fork;

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Pid, WaitOptions, waitpid};

    /// Drops a copy of `thing` in a forked process, and returns the parent's.
    #[expect(unsafe_code, reason = "only the system can fork a process")]
    pub(crate) fn dropped_in_a_fork<T>(thing: T) -> T {
        // SAFETY: the child only drops the thing, which allocates at most, and ends; malloc may be
        // used after a fork.
        match unsafe { libc::fork() } {
            0 => {
                drop(thing);
                // SAFETY: it ends the process and never returns.
                unsafe { libc::_exit(0) }
            }
            child => {
                let child = Pid::from_raw(child).expect("there is a child");
                let (_, status) = waitpid(Some(child), WaitOptions::empty()).unwrap().unwrap();
                assert_eq!(status.exit_status(), Some(0));
                thing
            }
        }
    }

    #[test]
    fn another_process_is_not_the_owner() {
        assert!(Owner::this().is_this());
        let parent = Owner(std::os::unix::process::parent_id());
        assert!(!parent.is_this());
    }

    #[test]
    fn names_tell_their_owner() {
        let own = Owner::this();
        assert_eq!(Owner::of_name(&own.name(7)), Some(own));
        assert!(own.is_running());
        for name in ["isrever-guest-1", "isrever-guest-1-x", "isrever-guest--1", "guest-1-1", ""] {
            assert_eq!(Owner::of_name(name), None, "{name}");
        }
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        let dead = Owner(ended.id());
        ended.wait().unwrap();
        assert!(!dead.is_running());
    }
}
