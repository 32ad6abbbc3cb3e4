//! What a program's process does between clone and exec.
//!
//! The child is then a copy of a process whose other threads are gone, with their locks held for
//! ever. It may make system calls, but must neither allocate nor lock. So a [`Plan`] prepares
//! everything beforehand. A child that fails reports the step and the error through a pipe that
//! exec closes.

use super::Layer;
use super::landlock::{self, Rules};
use super::limits::ResourceLimits;
use super::namespaces::{Namespaces, c_path, errno};
use ::landlock::RulesetError;
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::{self, Errno};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, chdir, setsid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use rustix::thread::{CapabilitySet, CapabilitySets};
use seccompiler::BpfProgram;
use std::ffi::{CStr, CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

/// How to start a program, with everything allocated that its process will need.
pub(crate) struct Plan {
    program: CString,
    arguments: Vec<CString>,
    /// `None` passes our own environment on.
    environment: Option<Vec<CString>>,
    /// The working directory; `None` keeps ours. Namespaces come with one of their own.
    pub(crate) folder: Option<CString>,
    pub(crate) limits: Option<ResourceLimits>,
    pub(crate) namespaces: Option<Namespaces>,
    pub(crate) landlock: Option<Rules>,
    pub(crate) seccomp: Option<Vec<BpfProgram>>,
    /// Whether the program gives up its capabilities and can gain none by exec.
    pub(crate) drops_privileges: bool,
    /// Whether a reaper stands between us and the program, to end the children it may have.
    pub(crate) has_reaper: bool,
}

/// The step of a start that failed, and the kernel's error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) step: Step,
    pub(crate) error: Errno,
}

/// The steps of a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Step {
    Streams,
    Namespaces,
    Limits,
    Landlock,
    Seccomp,
    Exec,
}

impl Step {
    const ALL: [Step; 6] =
        [Step::Streams, Step::Namespaces, Step::Limits, Step::Landlock, Step::Seccomp, Step::Exec];

    /// The layer of the sandbox that this step puts in place, if any.
    pub(crate) fn layer(self) -> Option<Layer> {
        match self {
            Step::Namespaces => Some(Layer::Namespaces),
            Step::Landlock => Some(Layer::Landlock),
            Step::Seccomp => Some(Layer::Seccomp),
            Step::Limits => Some(Layer::Limits),
            Step::Streams | Step::Exec => None,
        }
    }
}

/// The program's standard streams.
pub(crate) struct Streams {
    pub(crate) input: OwnedFd,
    pub(crate) output: OwnedFd,
    pub(crate) errors: OwnedFd,
}

impl Plan {
    /// A program without a sandbox. The first of `arguments` is its name, `argv[0]`.
    ///
    /// # Panics
    /// If any of them contains a zero byte.
    pub(crate) fn new(program: &Path, arguments: &[impl AsRef<OsStr>]) -> Plan {
        Plan {
            program: c_path(program),
            arguments: arguments.iter().map(|argument| c_string(argument.as_ref())).collect(),
            environment: None,
            folder: None,
            limits: None,
            namespaces: None,
            landlock: None,
            seccomp: None,
            drops_privileges: false,
            has_reaper: false,
        }
    }

    /// Sets the whole environment to these variables, each `name=value`.
    pub(crate) fn environment(&mut self, variables: &[String]) {
        let variables = variables.iter().map(|variable| c_string(OsStr::new(variable)));
        self.environment = Some(variables.collect());
    }
}

/// An argument or a variable for the kernel.
fn c_string(text: &OsStr) -> CString {
    CString::new(text.as_bytes()).expect("arguments have no zero byte")
}

/// The strings as exec takes them: a list of addresses that ends in a null.
fn addresses(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

/// A child to be cloned, and all that it uses before exec.
pub(super) struct Child<'a> {
    plan: &'a mut Plan,
    streams: &'a Streams,
    arguments: Vec<*const libc::c_char>,
    environment: Option<Vec<*const libc::c_char>>,
    /// The pipe by which the child reports a failure; exec closes the second end. That end is a
    /// plain number, because a reaper shares our memory and uses its copy of the descriptor while
    /// we close ours.
    report: (OwnedFd, RawFd),
}

impl<'a> Child<'a> {
    /// Opens the report pipe, and lists the addresses that exec takes.
    pub(super) fn new(plan: &'a mut Plan, streams: &'a Streams) -> Result<Child<'a>, Failure> {
        let failed = |error| Failure { step: Step::Streams, error };
        let (report, reporter) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        let arguments = addresses(&plan.arguments);
        let environment = plan.environment.as_ref().map(|variables| addresses(variables));
        let report = (report, reporter.into_raw_fd());
        Ok(Child { plan, streams, arguments, environment, report })
    }

    /// Clones a process that becomes the program. Allocates nothing.
    #[allow(
        unsafe_code,
        reason = "the standard library can neither enter namespaces nor exec later"
    )]
    pub(super) fn clone_process(&mut self, flags: libc::c_int) -> Result<(Pid, OwnedFd), Failure> {
        let mut pidfd: libc::c_int = -1;
        let flags = flags | libc::CLONE_PIDFD | libc::SIGCHLD;
        // SAFETY: without CLONE_VM this is a fork: the child continues on a copy of this memory
        // and this stack. It runs only `become_program`, which does only what the forked child of
        // a process with threads may do, and then calls exec or exit. The kernel writes one number
        // to `pidfd`.
        let pid = unsafe {
            libc::syscall(
                libc::SYS_clone,
                flags,
                ptr::null::<u8>(),
                &raw mut pidfd,
                ptr::null::<u8>(),
                ptr::null::<u8>(),
            )
        };
        if pid == 0 {
            let environment = self.environment.as_deref();
            let failure = become_program(self.plan, self.streams, &self.arguments, environment);
            self.report(failure);
            // SAFETY: exits at once and runs none of this process's exit handlers.
            unsafe { libc::_exit(127) }
        }
        let clone_failure = || Failure { step: Step::Namespaces, error: errno() };
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or_else(clone_failure)?;
        // SAFETY: the kernel has just opened this descriptor for us alone.
        Ok((pid, unsafe { OwnedFd::from_raw_fd(pidfd) }))
    }

    /// Reports a failure to the process that waits in [`Child::await_report`].
    #[allow(unsafe_code, reason = "the descriptor is a number")]
    pub(super) fn report(&self, failure: Failure) {
        // SAFETY: this process has not closed the descriptor.
        write_report(unsafe { BorrowedFd::borrow_raw(self.report.1) }, failure);
    }

    /// Waits for the report. There is none when every process that could write it has closed the
    /// pipe, as exec does.
    #[allow(unsafe_code, reason = "the descriptor is a number")]
    pub(super) fn await_report(&self) -> Option<Failure> {
        // SAFETY: we own the descriptor, and this process uses it no more.
        unsafe { io::close(self.report.1) };
        read_report(self.report.0.as_fd())
    }
}

/// Writes a failure to the report pipe.
fn write_report(reporter: BorrowedFd<'_>, failure: Failure) {
    let mut message = [0; 5];
    message[0] = failure.step as u8;
    message[1..].copy_from_slice(&failure.error.raw_os_error().to_le_bytes());
    let _ = io::write(reporter, &message);
}

/// Reads the child's failure; `None` once exec has closed the pipe.
fn read_report(report: BorrowedFd<'_>) -> Option<Failure> {
    let mut message = [0; 5];
    let read = loop {
        match io::read(report, &mut message) {
            Err(Errno::INTR) => {}
            other => break other.unwrap_or(0),
        }
    };
    if read < message.len() {
        return None;
    }
    let [step, number @ ..] = message;
    let step = Step::ALL.into_iter().find(|known| *known as u8 == step)?;
    Some(Failure { step, error: Errno::from_raw_os_error(i32::from_le_bytes(number)) })
}

/// Puts this process into the sandbox and executes the program; returns only on failure.
fn become_program(
    plan: &mut Plan,
    streams: &Streams,
    arguments: &[*const libc::c_char],
    environment: Option<&[*const libc::c_char]>,
) -> Failure {
    let mut step = Step::Streams;
    match prepare(plan, streams, &mut step) {
        Ok(()) => Failure { step: Step::Exec, error: exec(&plan.program, arguments, environment) },
        Err(error) => Failure { step, error },
    }
}

fn prepare(plan: &mut Plan, streams: &Streams, step: &mut Step) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    reset_signals();
    dup2_stdin(&streams.input)?;
    dup2_stdout(&streams.output)?;
    dup2_stderr(&streams.errors)?;
    close_descriptors_on_exec()?;
    setsid()?;
    if let Some(namespaces) = &plan.namespaces {
        *step = Step::Namespaces;
        namespaces.set_up()?;
    }
    *step = Step::Streams;
    if let Some(folder) = &plan.folder {
        chdir(&**folder)?;
    }
    // Before the limit on open files: our own may already be more than that.
    let folder = match &plan.landlock {
        None => None,
        Some(_) => {
            *step = Step::Landlock;
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Some(rustix::fs::open(c".", flags, Mode::empty())?)
        }
    };
    if let Some(limits) = &plan.limits {
        *step = Step::Limits;
        limits.apply(plan.namespaces.is_some())?;
    }
    if plan.drops_privileges {
        *step = Step::Limits;
        rustix::thread::set_no_new_privs(true)?;
        let none = CapabilitySet::empty();
        let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
        rustix::thread::set_capabilities(None, sets)?;
    }
    if let (Some(rules), Some(folder)) = (plan.landlock.take(), folder) {
        *step = Step::Landlock;
        let errno = |error: &RulesetError| landlock::errno(error).unwrap_or(Errno::PERM);
        let rules = landlock::allow_all(rules, &folder).map_err(|error| errno(&error))?;
        rules.restrict_self().map_err(|error| errno(&error))?;
    }
    if let Some(filters) = &plan.seccomp {
        *step = Step::Seccomp;
        for filter in filters {
            seccompiler::apply_filter(filter).map_err(|_| Errno::PERM)?;
        }
    }
    Ok(())
}

/// Unblocks all signals and lets SIGPIPE end the process, as a new program expects.
#[allow(unsafe_code, reason = "signal masks and handlers are the C library's")]
fn reset_signals() {
    // SAFETY: sigemptyset initialises the set before its use; all calls change only this process's
    // own state and are allowed in the forked child of a process with threads.
    unsafe {
        let mut none = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}

/// Lets exec close every descriptor but the standard ones, even those opened without CLOEXEC.
#[allow(unsafe_code, reason = "rustix has no such function")]
fn close_descriptors_on_exec() -> io::Result<()> {
    let (first, last) = (3, libc::c_uint::MAX);
    // SAFETY: this only sets a flag on the descriptors; it closes none that is in use here.
    let done =
        unsafe { libc::syscall(libc::SYS_close_range, first, last, libc::CLOSE_RANGE_CLOEXEC) };
    // Kernels before 5.11 lack it; our own descriptors are all opened with CLOEXEC.
    if done == 0 || errno() == Errno::NOSYS || errno() == Errno::INVAL {
        Ok(())
    } else {
        Err(errno())
    }
}

/// Executes the program; returns only on error.
#[allow(unsafe_code, reason = "exec takes addresses")]
fn exec(
    program: &CStr,
    arguments: &[*const libc::c_char],
    environment: Option<&[*const libc::c_char]>,
) -> Errno {
    // SAFETY: every string ends in a zero byte and both lists end in a null; all of them belong
    // to the plan, which outlives the call.
    unsafe {
        match environment {
            Some(variables) => {
                libc::execve(program.as_ptr(), arguments.as_ptr(), variables.as_ptr())
            }
            None => libc::execv(program.as_ptr(), arguments.as_ptr()),
        };
    }
    errno()
}

/// Whether none of `streams` is a standard descriptor, which the child's dup2 would overwrite.
pub(crate) fn are_beyond_standard(streams: &Streams) -> bool {
    [&streams.input, &streams.output, &streams.errors].iter().all(|fd| fd.as_raw_fd() > 2)
}
