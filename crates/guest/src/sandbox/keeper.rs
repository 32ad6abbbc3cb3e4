//! Who ends all of a program that may have children: a process of ours between it and us.
//!
//! Engines run without walls. They may be scripts that start the real engine, and those that are
//! left when their parent dies belong to nobody that we know. So a keeper is their parent: the
//! kernel gives it every orphan below it, and it kills them all as soon as the engine ends, the
//! keeper is let go, or isrever is gone, however that came.
//!
//! The keeper shares this process's memory, as a thread does: a copy would make every page that a
//! search writes to be copied. So it calls the kernel and touches nothing but its own stack and
//! one number. All signals are held back from it: handlers are this process's.

use super::launch::{Cradle, Failure, Started, Step};
use super::rooms::errno;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::{FromRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::{self, Errno};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, kill_process_group,
    set_child_subreaper, setsid, waitid,
};
use rustix::stdio::{dup2_stdin, dup2_stdout, stdin, stdout};
use std::sync::atomic::{AtomicI32, Ordering};
use std::{mem, ptr};

/// More than the keeper and, before exec, the program need.
const STACK_BYTES: usize = 256 << 10;

/// The number for a program that was ended by a signal is beyond all statuses.
const SIGNALLED: i32 = 1 << 16;

/// Our hold on a keeper. It must not be dropped before the keeper has gone.
pub(crate) struct Keeper {
    /// The keeper lives as long as this end is open; `None` once it was let go.
    lifeline: Option<OwnedFd>,
    /// How the program ended, as soon as it has; -1 before.
    ending: Box<AtomicI32>,
    _stack: Box<[u8]>,
}

impl Keeper {
    /// Lets the keeper end the program and all that came of it, and then itself.
    pub(crate) fn let_go(&mut self) {
        self.lifeline = None;
    }

    /// How the program ended, once the keeper has gone: its status, or the signal.
    pub(crate) fn ending(&self) -> Option<Result<i32, i32>> {
        match self.ending.load(Ordering::Acquire) {
            -1 => None,
            signal if signal >= SIGNALLED => Some(Err(signal - SIGNALLED)),
            status => Some(Ok(status)),
        }
    }
}

/// What a keeper is told. It is there until the report is.
struct Task<'a, 'b> {
    cradle: &'a mut Cradle<'b>,
    lifeline: OwnedFd,
    ending: *const AtomicI32,
}

/// Starts a keeper, and by it the program; says what the program reports.
#[allow(unsafe_code, reason = "the standard library has no process that shares memory")]
pub(super) fn start(cradle: &mut Cradle<'_>) -> (Result<Started, Failure>, Option<Failure>) {
    let failed = |error| (Err(Failure { step: Step::Streams, error }), None);
    let (lifeline, held) = match pipe_with(PipeFlags::CLOEXEC) {
        Ok(pipe) => pipe,
        Err(error) => {
            cradle.hear();
            return failed(error);
        }
    };
    let mut stack = vec![0_u8; STACK_BYTES].into_boxed_slice();
    let ending = Box::new(AtomicI32::new(-1));
    let mut task = Task { cradle, lifeline, ending: &raw const *ending };
    let mut pidfd: libc::c_int = -1;
    let flags = libc::CLONE_VM | libc::CLONE_PIDFD | libc::SIGCHLD;
    // SAFETY: the stack is the keeper's alone, lives until it has gone (see `Keeper`) and is
    // aligned as a stack is. `task` is used only before the keeper closes its end of the report,
    // which is waited for below, and nothing of it changes meanwhile. Signals are held back while
    // the keeper is made, so that it never runs a handler, and let through again here. The kernel
    // writes one number to `pidfd`.
    let pid = unsafe {
        let mut all = mem::MaybeUninit::<libc::sigset_t>::uninit();
        let mut before = mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        let top = stack.as_mut_ptr().add(STACK_BYTES);
        let top = top.sub(top.addr() % 16);
        let pid = libc::clone(keep, top.cast(), flags, (&raw mut task).cast(), &raw mut pidfd);
        let error = errno();
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
        Pid::from_raw(pid.max(0)).ok_or(error)
    };
    let failure = task.cradle.hear();
    match pid {
        Ok(pid) => {
            // SAFETY: the kernel has just made this descriptor, for us alone.
            let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
            let keeper = Keeper { lifeline: Some(held), ending, _stack: stack };
            (Ok(Started { pid, pidfd, keeper: Some(keeper) }), failure)
        }
        Err(error) => failed(error),
    }
}

/// A keeper's life.
#[allow(unsafe_code, reason = "it is given the address of its task")]
extern "C" fn keep(task: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `start` gives a task that stays until the reporter is closed, below.
    let task = unsafe { &mut *task.cast::<Task<'_, '_>>() };
    let ending = task.ending;
    let born = setsid()
        .and_then(|_| set_child_subreaper(Some(getpid())))
        .map_err(|error| Failure { step: Step::Streams, error })
        .and_then(|()| task.cradle.beget(0));
    let (pid, pidfd) = match born {
        Ok(born) => born,
        Err(failure) => {
            task.cradle.tell(failure);
            return 127;
        }
    };
    let is_held = dup2_stdin(&task.lifeline).and_then(|()| dup2_stdout(&pidfd)).is_ok();
    mem::forget(pidfd);
    close_from(2);
    // From here on `task` is gone.
    if is_held {
        await_end();
    }
    let ended = end(pid);
    // SAFETY: the number belongs to the `Keeper`, which stays until this process has gone.
    unsafe { (*ending).store(ended, Ordering::Release) };
    sweep();
    0
}

/// Waits until the program has ended or the line is let go.
fn await_end() {
    let (lifeline, program) = (stdin(), stdout());
    loop {
        let mut fds = [PollFd::new(&lifeline, PollFlags::IN), PollFd::new(&program, PollFlags::IN)];
        match poll(&mut fds, None) {
            Ok(ready) if ready > 0 => return,
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Ends the program and its group, and says how it ended. It stays in the kernel's table, so that
/// its number is no other's.
fn end(pid: Pid) -> i32 {
    let status = loop {
        // One that has ended needs no signal.
        let _ = kill_process_group(pid, Signal::KILL);
        let _ = kill_process(pid, Signal::KILL);
        match waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
            Ok(Some(status)) => break status,
            Err(Errno::INTR) | Ok(None) => {}
            Err(_) => return SIGNALLED,
        }
    };
    let _ = kill_process_group(pid, Signal::KILL);
    match (status.exit_status(), status.terminating_signal()) {
        (Some(status), _) => status,
        (None, signal) => SIGNALLED + signal.unwrap_or(0),
    }
}

/// Kills and reaps every child until there is none: those of the dead are ours in turn.
fn sweep() {
    loop {
        let killed = kill_children();
        let options = WaitIdOptions::EXITED;
        let options = if killed > 0 { options } else { options | WaitIdOptions::NOHANG };
        match waitid(WaitId::All, options) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            // Nobody is left; or, where the kernel does not list children, nobody can be found.
            Ok(None) | Err(_) => return,
        }
    }
}

/// Kills the children that there are now, and says how many it has seen.
fn kill_children() -> usize {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let Ok(file) = rustix::fs::open(c"/proc/thread-self/children", flags, Mode::empty()) else {
        return 0;
    };
    let mut bytes = [0_u8; 4096];
    let count = io::read(&file, &mut bytes).unwrap_or(0);
    let (mut killed, mut number) = (0, 0_i32);
    // Every number is followed by a space; one that is cut off is read the next time.
    for &byte in &bytes[..count] {
        if byte.is_ascii_digit() {
            number = number.wrapping_mul(10).wrapping_add(i32::from(byte - b'0'));
            continue;
        }
        if let Some(pid) = Pid::from_raw(number) {
            let _ = kill_process(pid, Signal::KILL);
            killed += 1;
        }
        number = 0;
    }
    killed
}

/// Has `last` called when this process ends by itself, whichever thread ends it.
#[allow(unsafe_code, reason = "the standard library has no such function")]
pub(crate) fn at_exit(last: extern "C" fn()) {
    // SAFETY: the function is there as long as the program. Without memory for one more entry
    // it is not called, and the kernel ends guests as it does when this process is killed.
    let _ = unsafe { libc::atexit(last) };
}

/// Closes every descriptor from `first` on; they are copies of this process's.
#[allow(unsafe_code, reason = "rustix has no such function")]
fn close_from(first: libc::c_uint) {
    // SAFETY: the keeper has a table of its own, and uses none of these.
    let done = unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) };
    if done != 0 {
        // Kernels before 5.9 do not know it.
        for fd in first.cast_signed()..1 << 16 {
            // SAFETY: as above.
            unsafe { io::close(fd) };
        }
    }
}
