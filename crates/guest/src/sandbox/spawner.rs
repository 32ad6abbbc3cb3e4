//! Starts programs, all of them from one thread that lives as long as this process.
//!
//! The kernel sends a child's parent-death signal when the *thread* that cloned it ends. The
//! spawner's thread never ends before this process does; so when this process dies, even by
//! SIGKILL, its guests die with it. Threads do not survive a fork, so a forked process starts a
//! spawner of its own.

use super::child::{Child, Failure, Plan, Step, Streams};
use super::namespaces;
use super::reaper::{self, Reaper};
use crate::owner::Owner;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, waitpid};
use std::sync::{Mutex, PoisonError, mpsc};

/// A program that was started: its process, or that of its reaper.
pub(crate) struct Started {
    pub(crate) pid: Pid,
    /// Refers to this process even after its pid is reused.
    pub(crate) pidfd: OwnedFd,
    pub(crate) reaper: Option<Reaper>,
}

impl Plan {
    /// Starts the program on the spawner's thread.
    pub(crate) fn start(self, streams: Streams) -> Result<Started, Failure> {
        let (answer, answered) = mpsc::channel();
        let sent = spawner().send((self, streams, answer));
        let failure = Failure { step: Step::Streams, error: Errno::AGAIN };
        sent.map_err(|_| failure)?;
        answered.recv().map_err(|_| failure)?
    }
}

type Order = (Plan, Streams, mpsc::Sender<Result<Started, Failure>>);

/// The channel to the spawner's thread, and the process that the thread belongs to.
static SPAWNER: Mutex<Option<(Owner, mpsc::Sender<Order>)>> = Mutex::new(None);

/// The channel to this process's spawner.
fn spawner() -> mpsc::Sender<Order> {
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, orders)) = &*spawner
        && owner.is_this()
    {
        return orders.clone();
    }
    let orders = start_thread();
    // The channel of a parent process may be in any state: it is not touched again.
    std::mem::forget(spawner.replace((Owner::this(), orders.clone())));
    orders
}

/// Starts the thread, and returns the channel to it.
fn start_thread() -> mpsc::Sender<Order> {
    let (orders, received) = mpsc::channel::<Order>();
    let work = move || {
        for (plan, streams, answer) in received {
            // If the caller has gone, its ends of the pipes are closed and the program ends.
            let _ = answer.send(start(plan, &streams));
        }
    };
    // Without a thread the channel closes, and `Plan::start` fails.
    let _ = std::thread::Builder::new().name("spawner".to_owned()).spawn(work);
    orders
}

fn start(mut plan: Plan, streams: &Streams) -> Result<Started, Failure> {
    let (has_reaper, has_namespaces) = (plan.has_reaper, plan.namespaces.is_some());
    let mut child = Child::new(&mut plan, streams)?;
    let (started, failure) = if has_reaper {
        let (started, failure) = reaper::start(&mut child);
        let started =
            started.map(|(pid, pidfd, reaper)| Started { pid, pidfd, reaper: Some(reaper) });
        (started, failure)
    } else {
        let started = child.clone_process(if has_namespaces { namespaces::FLAGS } else { 0 });
        let failure = child.await_report();
        (started.map(|(pid, pidfd)| Started { pid, pidfd, reaper: None }), failure)
    };
    let started = started?;
    let Some(failure) = failure else { return Ok(started) };
    // The child exits after its report; reap it.
    let _ = waitpid(Some(started.pid), WaitOptions::empty());
    Err(failure)
}
