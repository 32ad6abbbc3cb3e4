//! A handle to a started program, which kills and reaps it exactly once.
//!
//! Threads may still wait for their programs when this process exits. So all
//! handles are registered, and kill their programs at exit. A forked process has
//! copies of its parent's handles, and leaves those programs alone.

use crate::owner::Owner;
use crate::sandbox::reaper::{Reaper, at_exit};
use crate::sandbox::spawner::Started;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_send_signal, waitid,
};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::time::Duration;

/// All handles in use, and whether this process is exiting.
static LIVE: Mutex<Live> = Mutex::new(Live { handles: Vec::new(), is_exiting: false });

struct Live {
    handles: Vec<Weak<ProcessHandle>>,
    is_exiting: bool,
}

/// Kills every program, and makes [`ProcessHandle::new`] kill those to come. Runs at exit.
extern "C" fn kill_all() {
    let handles = {
        let mut live = locked(&LIVE);
        live.is_exiting = true;
        std::mem::take(&mut live.handles)
    };
    for handle in handles.iter().filter_map(Weak::upgrade) {
        handle.kill();
    }
}

/// How a program exited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Status(i32),
    Signal(i32),
    /// It closed its pipe and went on; we killed it.
    Killed,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Status(status) => write!(f, "it ended with status {status}"),
            Exit::Signal(signal) => write!(f, "it was ended by signal {signal}"),
            Exit::Killed => f.write_str("it closed the pipe to us"),
        }
    }
}

/// A handle to a program's process: its pidfd, and how it exited.
pub(crate) struct ProcessHandle {
    pid: Pid,
    pidfd: OwnedFd,
    owner: Owner,
    state: Mutex<State>,
}

struct State {
    reaper: Option<Reaper>,
    exit: Option<Exit>,
}

impl ProcessHandle {
    pub(crate) fn new(started: Started) -> Arc<ProcessHandle> {
        let Started { pid, pidfd, reaper } = started;
        let state = Mutex::new(State { reaper, exit: None });
        let owner = Owner::this();
        let handle = Arc::new(ProcessHandle { pid, pidfd, owner, state });
        static AT_EXIT: Once = Once::new();
        AT_EXIT.call_once(|| at_exit(kill_all));
        let is_exiting = {
            let mut live = locked(&LIVE);
            live.handles.retain(|handle| handle.strong_count() > 0);
            live.handles.push(Arc::downgrade(&handle));
            live.is_exiting
        };
        if is_exiting {
            handle.kill();
        }
        handle
    }

    /// The id of the program's process, or of its reaper's.
    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// Whether this process started it, and not one that this was forked from.
    pub(crate) fn is_ours(&self) -> bool {
        self.owner.is_this()
    }

    /// Sends a signal to the process.
    pub(crate) fn signal(&self, signal: Signal) {
        // It fails harmlessly once the process has exited.
        let _ = pidfd_send_signal(&self.pidfd, signal);
    }

    /// Whether the process exits by itself within `time`, which is less than a second.
    pub(crate) fn exits_within(&self, time: Duration) -> bool {
        let mut fds = [PollFd::new(&self.pidfd, PollFlags::IN)];
        let time = Timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() };
        poll(&mut fds, Some(&time)).is_ok_and(|ready| ready > 0)
    }

    /// Kills whatever is left of the program, and reaps it. Later calls return the same.
    pub(crate) fn kill(&self) -> Exit {
        if !self.is_ours() {
            return Exit::Killed;
        }
        let mut state = locked(&self.state);
        if let Some(exit) = state.exit {
            return exit;
        }
        let exit = match &mut state.reaper {
            Some(reaper) => {
                reaper.close_lifeline();
                let exit = self.await_exit(WaitIdOptions::EXITED);
                match reaper.exit() {
                    Some(Ok(status)) => Exit::Status(status),
                    Some(Err(signal)) => Exit::Signal(signal),
                    None => exit,
                }
            }
            None => {
                // Until we reap it, the kernel gives its pid and group id to nobody else.
                let kill = || {
                    let _ = kill_process_group(self.pid, Signal::KILL);
                    self.signal(Signal::KILL);
                };
                kill();
                self.await_exit(WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
                // The group may have grown during the first kill; its parent is dead now.
                kill();
                self.await_exit(WaitIdOptions::EXITED)
            }
        };
        state.exit = Some(exit);
        exit
    }

    /// Waits for a killed process to exit.
    fn await_exit(&self, options: WaitIdOptions) -> Exit {
        loop {
            match waitid(WaitId::PidFd(self.pidfd.as_fd()), options) {
                Ok(Some(status)) => {
                    return match (status.exit_status(), status.terminating_signal()) {
                        (Some(status), _) => Exit::Status(status),
                        (None, signal) => Exit::Signal(signal.unwrap_or(0)),
                    };
                }
                Err(Errno::INTR) => {}
                Ok(None) | Err(_) => return Exit::Killed,
            }
        }
    }
}

/// Ignores poisoning: the guarded values are consistent at every moment.
fn locked<T>(guarded: &Mutex<T>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}
