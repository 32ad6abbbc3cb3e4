//! What holds a program, and ends it: once, from whichever thread comes first.
//!
//! Threads may still wait for their programs when this process ends. So all
//! tethers are known, and end when it does.

use crate::sandbox::keeper::{Keeper, at_exit};
use crate::sandbox::launch::Started;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_send_signal, waitid,
};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::time::Duration;

/// The programs that run, and whether new ones may.
static LIVE: Mutex<Live> = Mutex::new(Live { tethers: Vec::new(), is_closed: false });

struct Live {
    tethers: Vec<Weak<Tether>>,
    is_closed: bool,
}

/// Ends every program, and those that are still to come. For the end of this process.
extern "C" fn end_all() {
    let tethers = {
        let mut live = locked(&LIVE);
        live.is_closed = true;
        std::mem::take(&mut live.tethers)
    };
    for tether in tethers.iter().filter_map(Weak::upgrade) {
        tether.end();
    }
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Status(i32),
    Signal(i32),
    /// It closed its pipe and stayed; we ended it.
    Ended,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Status(status) => write!(f, "it ended with status {status}"),
            Ending::Signal(signal) => write!(f, "it was ended by signal {signal}"),
            Ending::Ended => f.write_str("it closed the pipe to us"),
        }
    }
}

/// A hold on a program.
pub(crate) struct Tether {
    pid: Pid,
    pidfd: OwnedFd,
    state: Mutex<State>,
}

struct State {
    keeper: Option<Keeper>,
    ending: Option<Ending>,
}

impl Tether {
    pub(crate) fn new(started: Started) -> Arc<Tether> {
        let Started { pid, pidfd, keeper } = started;
        let state = Mutex::new(State { keeper, ending: None });
        let tether = Arc::new(Tether { pid, pidfd, state });
        static AT_EXIT: Once = Once::new();
        AT_EXIT.call_once(|| at_exit(end_all));
        let is_closed = {
            let mut live = locked(&LIVE);
            live.tethers.retain(|tether| tether.strong_count() > 0);
            live.tethers.push(Arc::downgrade(&tether));
            live.is_closed
        };
        if is_closed {
            tether.end();
        }
        tether
    }

    /// The process: the program's, or its keeper's.
    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// Sends a signal to the process.
    pub(crate) fn signal(&self, signal: Signal) {
        // One that has ended needs none.
        let _ = pidfd_send_signal(&self.pidfd, signal);
    }

    /// Whether the process ends by itself within `moment`, which is less than a second.
    pub(crate) fn has_gone(&self, moment: Duration) -> bool {
        let mut fds = [PollFd::new(&self.pidfd, PollFlags::IN)];
        let moment = Timespec { tv_sec: 0, tv_nsec: moment.subsec_nanos().into() };
        poll(&mut fds, Some(&moment)).is_ok_and(|ready| ready > 0)
    }

    /// Kills whatever is left of the program, and reaps it.
    pub(crate) fn end(&self) -> Ending {
        let mut state = locked(&self.state);
        if let Some(ending) = state.ending {
            return ending;
        }
        let ending = match &mut state.keeper {
            Some(keeper) => {
                keeper.let_go();
                let ending = self.await_end(WaitIdOptions::EXITED);
                match keeper.ending() {
                    Some(Ok(status)) => Ending::Status(status),
                    Some(Err(signal)) => Ending::Signal(signal),
                    None => ending,
                }
            }
            None => {
                // Until it is reaped its number, and that of its group, is no other's.
                let kill = || {
                    let _ = kill_process_group(self.pid, Signal::KILL);
                    self.signal(Signal::KILL);
                };
                kill();
                self.await_end(WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
                // Whoever was born while the group was killed has no parent to be born of now.
                kill();
                self.await_end(WaitIdOptions::EXITED)
            }
        };
        state.ending = Some(ending);
        ending
    }

    /// Waits for the end of a process that was killed.
    fn await_end(&self, options: WaitIdOptions) -> Ending {
        loop {
            match waitid(WaitId::PidFd(self.pidfd.as_fd()), options) {
                Ok(Some(status)) => {
                    return match (status.exit_status(), status.terminating_signal()) {
                        (Some(status), _) => Ending::Status(status),
                        (None, signal) => Ending::Signal(signal.unwrap_or(0)),
                    };
                }
                Err(Errno::INTR) => {}
                Ok(None) | Err(_) => return Ending::Ended,
            }
        }
    }
}

/// What is guarded is whole at every moment, whoever panicked.
fn locked<T>(guarded: &Mutex<T>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}
