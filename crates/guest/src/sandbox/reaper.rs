//! A subreaper between us and a program that may have children, to end all of them.
//!
//! Engines run outside the sandbox. An engine may be a script that starts the real one, and
//! processes whose parent dies would become init's children, where we cannot find them. So their
//! ancestor is a reaper of ours: the kernel makes it the parent of every orphan below it, and it
//! kills them all as soon as the engine exits, we close the reaper's lifeline, or isrever dies in
//! whatever way.
//!
//! The reaper shares our memory, as a thread does: with a copy, every page that a search writes to
//! would have to be copied first. So it makes system calls and touches nothing but its own stack
//! and one number. It blocks all signals, because the handlers are ours.

use super::child::{Child, Failure, Step};
use super::namespaces::errno;
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

/// More stack than the reaper needs, and the program's process before exec.
const STACK_BYTES: usize = 256 << 10;

/// Added to a signal's number, to tell signals from exit statuses.
const SIGNALLED: i32 = 1 << 16;

/// A running reaper's memory. It must not be dropped before the reaper's process has exited.
pub(crate) struct Reaper {
    /// The reaper ends everything when this end of a pipe closes; `None` once that is done.
    lifeline: Option<OwnedFd>,
    /// How the program exited; -1 while it runs.
    exit: Box<AtomicI32>,
    _stack: Box<[u8]>,
}

impl Reaper {
    /// Makes the reaper kill the program and all its descendants, and then exit.
    pub(crate) fn close_lifeline(&mut self) {
        self.lifeline = None;
    }

    /// How the program exited, known once the reaper has: its status, or the signal.
    pub(crate) fn exit(&self) -> Option<Result<i32, i32>> {
        match self.exit.load(Ordering::Acquire) {
            -1 => None,
            signal if signal >= SIGNALLED => Some(Err(signal - SIGNALLED)),
            status => Some(Ok(status)),
        }
    }
}

/// What a reaper is given. It stays valid until the child's report has come.
struct Task<'a, 'b> {
    child: &'a mut Child<'b>,
    lifeline: OwnedFd,
    exit: *const AtomicI32,
}

/// A reaper's process, its pidfd and its memory.
pub(super) type ReaperProcess = (Pid, OwnedFd, Reaper);

/// Starts a reaper, which clones `child`; returns the reaper's process and the child's report.
#[allow(unsafe_code, reason = "the standard library has no process that shares memory")]
pub(super) fn start(child: &mut Child<'_>) -> (Result<ReaperProcess, Failure>, Option<Failure>) {
    let failed = |error| (Err(Failure { step: Step::Streams, error }), None);
    let (lifeline, held) = match pipe_with(PipeFlags::CLOEXEC) {
        Ok(pipe) => pipe,
        Err(error) => {
            child.await_report();
            return failed(error);
        }
    };
    let mut stack = vec![0_u8; STACK_BYTES].into_boxed_slice();
    let exit = Box::new(AtomicI32::new(-1));
    let mut task = Task { child, lifeline, exit: &raw const *exit };
    let mut pidfd: libc::c_int = -1;
    let flags = libc::CLONE_VM | libc::CLONE_PIDFD | libc::SIGCHLD;
    // SAFETY: the reaper alone uses the stack, which lives until it has exited (see `Reaper`) and is
    // aligned as a stack must be. The reaper uses `task` only before it closes its end of the
    // report pipe, which we wait for below without changing the task. We block all signals during
    // the clone, so that the reaper never runs a handler, and restore our own mask afterwards. The
    // kernel writes one number to `pidfd`.
    let pid = unsafe {
        let mut all = mem::MaybeUninit::<libc::sigset_t>::uninit();
        let mut before = mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        let top = stack.as_mut_ptr().add(STACK_BYTES);
        let top = top.sub(top.addr() % 16);
        let pid =
            libc::clone(reaper_main, top.cast(), flags, (&raw mut task).cast(), &raw mut pidfd);
        let error = errno();
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
        Pid::from_raw(pid.max(0)).ok_or(error)
    };
    let failure = task.child.await_report();
    match pid {
        Ok(pid) => {
            // SAFETY: the kernel has just opened this descriptor for us alone.
            let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
            (Ok((pid, pidfd, Reaper { lifeline: Some(held), exit, _stack: stack })), failure)
        }
        Err(error) => failed(error),
    }
}

/// The reaper's own program.
#[allow(unsafe_code, reason = "clone passes the task by address")]
extern "C" fn reaper_main(task: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `start` keeps the task valid until we close the report pipe, below.
    let task = unsafe { &mut *task.cast::<Task<'_, '_>>() };
    let exit = task.exit;
    let cloned = setsid()
        .and_then(|_| set_child_subreaper(Some(getpid())))
        .map_err(|error| Failure { step: Step::Streams, error })
        .and_then(|()| task.child.clone_process(0));
    let (pid, pidfd) = match cloned {
        Ok(cloned) => cloned,
        Err(failure) => {
            task.child.report(failure);
            return 127;
        }
    };
    let is_watched = dup2_stdin(&task.lifeline).and_then(|()| dup2_stdout(&pidfd)).is_ok();
    mem::forget(pidfd);
    close_from(2);
    // That closed the report pipe: `task` is no longer valid.
    if is_watched {
        await_exit_or_hang_up();
    }
    let status = kill_program(pid);
    // SAFETY: the number belongs to the `Reaper`, which outlives this process.
    unsafe { (*exit).store(status, Ordering::Release) };
    kill_descendants();
    0
}

/// Waits until the program exits or the lifeline closes.
fn await_exit_or_hang_up() {
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

/// Kills the program and its process group, and returns how it exited. It stays a zombie, so that
/// nobody else gets its pid.
fn kill_program(pid: Pid) -> i32 {
    let status = loop {
        // The signals fail harmlessly once it has exited.
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

/// Kills and reaps children until there is none: the kernel makes each one's children ours.
fn kill_descendants() {
    loop {
        let killed = kill_children();
        let options = WaitIdOptions::EXITED;
        let options = if killed > 0 { options } else { options | WaitIdOptions::NOHANG };
        match waitid(WaitId::All, options) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            // No child is left; or the kernel does not list children, and we can find none.
            Ok(None) | Err(_) => return,
        }
    }
}

/// Kills all present children, and returns how many it saw.
fn kill_children() -> usize {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let Ok(file) = rustix::fs::open(c"/proc/thread-self/children", flags, Mode::empty()) else {
        return 0;
    };
    let mut bytes = [0_u8; 4096];
    let count = io::read(&file, &mut bytes).unwrap_or(0);
    let (mut killed, mut number) = (0, 0_i32);
    // A space follows every number; the next call reads a number that the buffer cuts off.
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

/// Registers a function to run when this process exits, whichever thread ends it.
#[allow(unsafe_code, reason = "the standard library has no such function")]
pub(crate) fn at_exit(last: extern "C" fn()) {
    // SAFETY: the function lives as long as the program. If there is no memory to register it,
    // the kernel ends the guests, as it does when this process is killed.
    let _ = unsafe { libc::atexit(last) };
}

/// Closes the reaper's copies of all descriptors from `first` on.
#[allow(unsafe_code, reason = "rustix has no such function")]
fn close_from(first: libc::c_uint) {
    // SAFETY: the reaper has its own descriptor table, and uses none of these.
    let done = unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) };
    if done != 0 {
        // Kernels before 5.9 lack the call.
        for fd in first.cast_signed()..1 << 16 {
            // SAFETY: as above.
            unsafe { io::close(fd) };
        }
    }
}
