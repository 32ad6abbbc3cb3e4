//! How a program is started: by one clone, walls and all.
//!
//! Between clone and exec the child is a copy of a process whose other threads
//! are gone, with their locks held for ever: it may call the kernel, and nothing
//! that allocates or locks. So all is prepared before, as a [`Plan`].
//!
//! Who starts a program must not end before it: the kernel ties a child's
//! "my parent has gone" signal to the thread that made it. One thread, which
//! lives as long as this process, starts them all; if this process is killed,
//! however it is, its guests are killed with it.

use super::keeper::{self, Keeper};
use super::rooms::{self, Rooms, errno, text};
use super::{Layer, bounds::Bounds, files};
use landlock::RulesetCreated;
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::{self, Errno};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, WaitOptions, chdir, setsid, waitpid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use rustix::thread::{CapabilitySet, CapabilitySets};
use seccompiler::BpfProgram;
use std::ffi::{CStr, CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::{LazyLock, mpsc};

/// All that a program's start needs.
pub(crate) struct Plan {
    program: CString,
    arguments: Vec<CString>,
    /// `None` leaves the environment as it is.
    environment: Option<Vec<CString>>,
    /// Where it begins; `None` leaves that as it is, [`rooms::WORK`] is made by the rooms.
    pub(crate) folder: Option<CString>,
    pub(crate) bounds: Option<Bounds>,
    pub(crate) rooms: Option<Rooms>,
    pub(crate) files: Option<RulesetCreated>,
    pub(crate) calls: Option<Vec<BpfProgram>>,
    /// Whether it is to have no rights that its user has not.
    pub(crate) is_tame: bool,
    /// Whether it may have children, so that a keeper must see to their end.
    pub(crate) is_kept: bool,
}

/// A program that was started: its process, or that of its keeper.
pub(crate) struct Started {
    pub(crate) pid: Pid,
    /// A name of the process that is never another's.
    pub(crate) pidfd: OwnedFd,
    pub(crate) keeper: Option<Keeper>,
}

/// Where a start failed, and how.
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
    Rooms,
    Bounds,
    Files,
    Calls,
    Exec,
}

impl Step {
    const ALL: [Step; 6] =
        [Step::Streams, Step::Rooms, Step::Bounds, Step::Files, Step::Calls, Step::Exec];

    /// The layer of the sandbox that this step builds, if it builds one.
    pub(crate) fn layer(self) -> Option<Layer> {
        match self {
            Step::Rooms => Some(Layer::Namespaces),
            Step::Files => Some(Layer::Landlock),
            Step::Calls => Some(Layer::Seccomp),
            Step::Bounds => Some(Layer::Limits),
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
    /// A program without any walls. The first of `arguments` is what it is called.
    ///
    /// # Panics
    /// If there is a zero byte in any of them.
    pub(crate) fn new(program: &Path, arguments: &[impl AsRef<OsStr>]) -> Plan {
        Plan {
            program: text(program),
            arguments: arguments.iter().map(|argument| word(argument.as_ref())).collect(),
            environment: None,
            folder: None,
            bounds: None,
            rooms: None,
            files: None,
            calls: None,
            is_tame: false,
            is_kept: false,
        }
    }

    /// With these variables, `name=value`, and no others.
    pub(crate) fn environment(&mut self, variables: &[String]) {
        let words = variables.iter().map(|variable| word(OsStr::new(variable))).collect();
        self.environment = Some(words);
    }

    /// Starts the program on the thread that starts them all.
    pub(crate) fn start(self, streams: Streams) -> Result<Started, Failure> {
        let (answer, answered) = mpsc::channel();
        let sent = STARTER.send((self, streams, answer));
        let failure = Failure { step: Step::Streams, error: Errno::AGAIN };
        sent.map_err(|_| failure)?;
        answered.recv().map_err(|_| failure)?
    }
}

type Order = (Plan, Streams, mpsc::Sender<Result<Started, Failure>>);

/// The way to the thread that starts programs.
static STARTER: LazyLock<mpsc::Sender<Order>> = LazyLock::new(|| {
    let (orders, todo) = mpsc::channel::<Order>();
    let work = move || {
        for (plan, streams, answer) in todo {
            // Who asked may have gone; then nobody holds the program, and its pipes are closed.
            let _ = answer.send(start(plan, &streams));
        }
    };
    // Without a thread the orders are dropped, and who waits is told.
    let _ = std::thread::Builder::new().name("starter".to_owned()).spawn(work);
    orders
});

/// A word for the kernel.
fn word(text: &OsStr) -> CString {
    CString::new(text.as_bytes()).expect("a word has no zero byte")
}

/// The words as the kernel wants them: addresses, and a zero at the end.
fn addresses(words: &[CString]) -> Vec<*const libc::c_char> {
    words.iter().map(|word| word.as_ptr()).chain([ptr::null()]).collect()
}

/// What a process needs between its birth and its becoming the program.
pub(super) struct Cradle<'a> {
    plan: &'a mut Plan,
    streams: &'a Streams,
    arguments: Vec<*const libc::c_char>,
    environment: Option<Vec<*const libc::c_char>>,
    /// The pipe that says why it did not become the program; exec closes the second end. That is a
    /// number alone: a keeper reads it while this process closes its own copy.
    report: (OwnedFd, RawFd),
}

impl Cradle<'_> {
    /// Makes a process that becomes the program. Allocates nothing.
    #[allow(
        unsafe_code,
        reason = "the standard library can neither enter namespaces nor exec later"
    )]
    pub(super) fn beget(&mut self, flags: libc::c_int) -> Result<(Pid, OwnedFd), Failure> {
        let mut pidfd: libc::c_int = -1;
        let flags = flags | libc::CLONE_PIDFD | libc::SIGCHLD;
        // SAFETY: without CLONE_VM this is a fork: the child goes on with a copy of this memory
        // and this stack. It runs nothing but `become_program`, which keeps to what a copy of a
        // process with threads may do, and leaves by exec or exit. The kernel writes one number
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
            self.tell(failure);
            // SAFETY: leaves at once, without any of this process's tidying up.
            unsafe { libc::_exit(127) }
        }
        let clone_failure = || Failure { step: Step::Rooms, error: errno() };
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or_else(clone_failure)?;
        // SAFETY: the kernel has just made this descriptor, for us alone.
        Ok((pid, unsafe { OwnedFd::from_raw_fd(pidfd) }))
    }

    /// Reports a failure.
    #[allow(unsafe_code, reason = "the descriptor is a number")]
    pub(super) fn tell(&self, failure: Failure) {
        // SAFETY: this process has not closed it.
        tell(unsafe { BorrowedFd::borrow_raw(self.report.1) }, failure);
    }

    /// Waits for the report: nothing, when every process that might write it has closed the pipe.
    #[allow(unsafe_code, reason = "the descriptor is a number")]
    pub(super) fn hear(&self) -> Option<Failure> {
        // SAFETY: the number is ours, and not used in this process any more.
        unsafe { io::close(self.report.1) };
        heard(self.report.0.as_fd())
    }
}

fn start(mut plan: Plan, streams: &Streams) -> Result<Started, Failure> {
    let at = |step| move |error| Failure { step, error };
    let (report, reporter) = pipe_with(PipeFlags::CLOEXEC).map_err(at(Step::Streams))?;
    let arguments = addresses(&plan.arguments);
    let environment = plan.environment.as_ref().map(|words| addresses(words));
    let (is_kept, has_rooms) = (plan.is_kept, plan.rooms.is_some());
    let report = (report, reporter.into_raw_fd());
    let mut cradle = Cradle { plan: &mut plan, streams, arguments, environment, report };
    let (started, failure) = if is_kept {
        keeper::start(&mut cradle)
    } else {
        let started = cradle.beget(if has_rooms { rooms::FLAGS } else { 0 });
        let failure = cradle.hear();
        (started.map(|(pid, pidfd)| Started { pid, pidfd, keeper: None }), failure)
    };
    let started = started?;
    let Some(failure) = failure else { return Ok(started) };
    // It has told and leaves; its entry in the kernel's table goes.
    let _ = waitpid(Some(started.pid), WaitOptions::empty());
    Err(failure)
}

/// Writes a failure to the pipe that exec closes.
fn tell(reporter: BorrowedFd<'_>, failure: Failure) {
    let mut message = [0; 5];
    message[0] = failure.step as u8;
    message[1..].copy_from_slice(&failure.error.raw_os_error().to_le_bytes());
    let _ = io::write(reporter, &message);
}

/// What the child tells; nothing when exec has closed the pipe.
fn heard(report: BorrowedFd<'_>) -> Option<Failure> {
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

/// Builds the walls around this process and becomes the program; comes back only if that fails.
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
    plain_signals();
    dup2_stdin(&streams.input)?;
    dup2_stdout(&streams.output)?;
    dup2_stderr(&streams.errors)?;
    keep_to_oneself()?;
    setsid()?;
    if let Some(rooms) = &plan.rooms {
        *step = Step::Rooms;
        rooms.build()?;
    }
    *step = Step::Streams;
    if let Some(folder) = &plan.folder {
        chdir(&**folder)?;
    }
    if let Some(bounds) = &plan.bounds {
        *step = Step::Bounds;
        bounds.apply(plan.rooms.is_some())?;
    }
    if plan.is_tame {
        *step = Step::Bounds;
        rustix::thread::set_no_new_privs(true)?;
        let none = CapabilitySet::empty();
        let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
        rustix::thread::set_capabilities(None, sets)?;
    }
    if let Some(rules) = plan.files.take() {
        *step = Step::Files;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::open(c".", flags, Mode::empty())?;
        let rules = files::allow_all(rules, &folder).map_err(|_| Errno::PERM)?;
        rules.restrict_self().map_err(|_| Errno::PERM)?;
    }
    if let Some(filters) = &plan.calls {
        *step = Step::Calls;
        for filter in filters {
            seccompiler::apply_filter(filter).map_err(|_| Errno::PERM)?;
        }
    }
    Ok(())
}

/// Signals as a program expects to find them: none held back, a broken pipe ends it.
#[allow(unsafe_code, reason = "signal masks and handlers are the C library's")]
fn plain_signals() {
    // SAFETY: the set is made by sigemptyset before it is used; both calls change only this
    // process's own state and may be made in a copy of a process with threads.
    unsafe {
        let mut none = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}

/// Marks every descriptor but the standard ones to be closed by exec, whoever opened it and how.
#[allow(unsafe_code, reason = "rustix has no such function")]
fn keep_to_oneself() -> io::Result<()> {
    let (first, last) = (3, libc::c_uint::MAX);
    // SAFETY: sets a flag of descriptors; none is closed while it is in use here.
    let done =
        unsafe { libc::syscall(libc::SYS_close_range, first, last, libc::CLOSE_RANGE_CLOEXEC) };
    // Kernels before 5.11 do not know it; all descriptors of ours are made so from the start.
    if done == 0 || errno() == Errno::NOSYS || errno() == Errno::INVAL {
        Ok(())
    } else {
        Err(errno())
    }
}

/// Becomes the program; comes back only with an error.
#[allow(unsafe_code, reason = "exec takes addresses")]
fn exec(
    program: &CStr,
    arguments: &[*const libc::c_char],
    environment: Option<&[*const libc::c_char]>,
) -> Errno {
    // SAFETY: all of it is texts that end in a zero byte, listed with a zero at the end; they
    // belong to the plan, which outlives the call.
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

/// Whether `streams` are three different descriptors beyond the standard ones, as the child needs.
pub(crate) fn are_apart(streams: &Streams) -> bool {
    [&streams.input, &streams.output, &streams.errors].iter().all(|fd| fd.as_raw_fd() > 2)
}
