//! The process that something belongs to.
//!
//! A forked process (`multiprocessing` of Python) has a copy of all that its parent had, and drops
//! it in the end, while the parent goes on using it. What is removed, killed or counted for one
//! process alone remembers its owner, and does nothing elsewhere.

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
}

/// For tests of what remembers its owner.
#[cfg(test)]
pub(crate) mod forked {
    use rustix::process::{Pid, WaitOptions, waitpid};

    /// Drops a copy of `thing` in a forked process, and returns the parent's.
    #[expect(unsafe_code, reason = "only the system can fork a process")]
    pub(crate) fn dropped<T>(thing: T) -> T {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_is_not_the_owner() {
        assert!(Owner::this().is_this());
        let parent = Owner(std::os::unix::process::parent_id());
        assert!(!parent.is_this());
    }
}
