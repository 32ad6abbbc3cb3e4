//! Attacks on the sandbox: what hostile agents do, and what must come of it.
//!
//! Each is a Python file of the course's form, which attacks at once or, as a
//! sleeper, plays honestly until it is on a board of some width. The attacks
//! themselves are in the files below.

mod files;
mod games;
mod kernel;
mod memory;
mod processes;

use isrever_agent::Reason;

/// The expected outcome of an attack.
#[derive(Clone, Copy, Debug)]
pub enum Outcome {
    /// The agent plays d3.
    Plays,
    /// It loses for a reason, with one of these words.
    Loses(Reason, &'static [&'static str]),
}

use Outcome::{Loses, Plays};

/// All attacks.
pub fn attacks() -> Vec<&'static Attack> {
    let groups = [games::CASES, memory::CASES, files::CASES, processes::CASES, kernel::CASES];
    groups.into_iter().flatten().collect()
}

/// What an agent does in `go`, and the expected outcome.
pub struct Attack {
    /// What it does, in a few words.
    pub name: &'static str,
    body: &'static str,
    outcome: Outcome,
    /// The outcome without namespaces, where that is another one.
    outside: Option<Outcome>,
    /// Whether only the clock ends it; such a case gets little time.
    pub is_endless: bool,
    /// Whether it decides on d3 after `body`.
    decides: bool,
}

/// An attack that ends by itself.
const fn case(name: &'static str, body: &'static str, outcome: Outcome) -> Attack {
    Attack { name, body, outcome, outside: None, is_endless: false, decides: false }
}

/// An attack that only the clock ends.
const fn endless(name: &'static str, body: &'static str, outcome: Outcome) -> Attack {
    Attack { is_endless: true, ..case(name, body, outcome) }
}

/// An attack that checks by itself that it fails, and then decides.
const fn fails(name: &'static str, body: &'static str) -> Attack {
    Attack { decides: true, ..case(name, body, Plays) }
}

impl Attack {
    const fn outside(self, outcome: Outcome) -> Attack {
        Attack { outside: Some(outcome), ..self }
    }

    /// The expected outcome, with or without namespaces.
    pub fn outcome(&self, has_namespaces: bool) -> Outcome {
        self.outside.filter(|_| !has_namespaces).unwrap_or(self.outcome)
    }

    /// The whole file. `neighbour` is somebody else's file.
    pub fn file(&self, neighbour: &str) -> String {
        let (head, body) = (head(neighbour), self.indented(8));
        let end = if self.decides { "        self.candidate_list = [(2, 3)]\n" } else { "" };
        format!(
            "{head}class AI(object):\n    def __init__(self, chessboard_size, color, time_out):\n        \
             self.candidate_list = []\n    def go(self, chessboard):\n{body}{end}"
        )
    }

    /// A file that plays honestly, but attacks at every move on boards of this width.
    pub fn sleeper(&self, neighbour: &str, width: u8) -> String {
        let (head, body) = (head(neighbour), self.indented(12));
        let (before, after) = HONEST.split_once(FIRST_LINE).expect("the agent has that line");
        format!(
            "{head}{before}{FIRST_LINE}        if self.chessboard_size == {width}:\n{body}{after}"
        )
    }

    fn indented(&self, width: usize) -> String {
        self.body.lines().map(|line| format!("{:width$}{line}\n", "")).collect()
    }
}

/// A plain agent, and the line after which a sleeper attacks.
const HONEST: &str = include_str!("../../guest/tests/agents/simple.py");
const FIRST_LINE: &str = "        self.candidate_list.clear()\n";

/// What every attack's file begins with.
fn head(neighbour: &str) -> String {
    let numbers = NUMBERS.iter().map(|(name, number)| format!("{name:?}: {number}"));
    let numbers = numbers.collect::<Vec<_>>().join(", ");
    format!("NEIGHBOUR = {neighbour:?}\nNUMBERS = {{{numbers}}}\n{HEAD}")
}

/// What attacks use: `refused` passes if the sandbox refuses a system call, `denied` if a function
/// raises an error of the system's, of whatever kind.
const HEAD: &str = r#"
import ctypes, mmap, posix, resource, signal, socket, sys, threading, time
import numpy as np

C = ctypes.CDLL(None, use_errno=True)
PRIVATE, ANONYMOUS = mmap.MAP_PRIVATE, mmap.MAP_ANONYMOUS

def refused(name, *rest):
    rest = [ctypes.c_long(one) if isinstance(one, int) else one for one in rest]
    ctypes.set_errno(0)
    done = C.syscall(ctypes.c_long(NUMBERS[name]), *rest)
    assert done == -1 and ctypes.get_errno() in (1, 38), (name, done, ctypes.get_errno())

def denied(attempt, *rest):
    try:
        done = attempt(*rest)
    except (OSError, ValueError):
        return
    raise AssertionError("{} returned {}".format(attempt, done))

"#;

/// Python's errors for files outside the sandbox: they may not be read, or do not even exist.
const NO_FILE: &[&str] = &["PermissionError", "FileNotFoundError"];

/// The numbers of system calls on this processor.
macro_rules! numbers {
    ($($name:ident $number:ident),* $(,)?) => { &[$((stringify!($name), libc::$number)),*] };
}

const NUMBERS: &[(&str, libc::c_long)] = numbers!(
    add_key SYS_add_key,
    adjtimex SYS_adjtimex,
    bpf SYS_bpf,
    clock_settime SYS_clock_settime,
    clone SYS_clone,
    clone3 SYS_clone3,
    delete_module SYS_delete_module,
    fanotify_init SYS_fanotify_init,
    inotify_init1 SYS_inotify_init1,
    io_setup SYS_io_setup,
    io_uring_setup SYS_io_uring_setup,
    ioprio_set SYS_ioprio_set,
    kcmp SYS_kcmp,
    kexec_load SYS_kexec_load,
    keyctl SYS_keyctl,
    landlock_create_ruleset SYS_landlock_create_ruleset,
    membarrier SYS_membarrier,
    memfd_create SYS_memfd_create,
    memfd_secret SYS_memfd_secret,
    mmap SYS_mmap,
    mount SYS_mount,
    move_pages SYS_move_pages,
    mq_open SYS_mq_open,
    mq_unlink SYS_mq_unlink,
    msgctl SYS_msgctl,
    msgget SYS_msgget,
    open_by_handle_at SYS_open_by_handle_at,
    openat2 SYS_openat2,
    perf_event_open SYS_perf_event_open,
    personality SYS_personality,
    pidfd_getfd SYS_pidfd_getfd,
    pidfd_open SYS_pidfd_open,
    pidfd_send_signal SYS_pidfd_send_signal,
    pivot_root SYS_pivot_root,
    prctl SYS_prctl,
    prlimit64 SYS_prlimit64,
    process_madvise SYS_process_madvise,
    process_vm_readv SYS_process_vm_readv,
    process_vm_writev SYS_process_vm_writev,
    ptrace SYS_ptrace,
    quotactl SYS_quotactl,
    reboot SYS_reboot,
    rt_sigqueueinfo SYS_rt_sigqueueinfo,
    rt_tgsigqueueinfo SYS_rt_tgsigqueueinfo,
    sched_setaffinity SYS_sched_setaffinity,
    sched_setattr SYS_sched_setattr,
    sched_setscheduler SYS_sched_setscheduler,
    seccomp SYS_seccomp,
    semctl SYS_semctl,
    semget SYS_semget,
    sendmsg SYS_sendmsg,
    sethostname SYS_sethostname,
    setns SYS_setns,
    setpgid SYS_setpgid,
    setpriority SYS_setpriority,
    setsid SYS_setsid,
    setsockopt SYS_setsockopt,
    shmctl SYS_shmctl,
    shmget SYS_shmget,
    splice SYS_splice,
    swapoff SYS_swapoff,
    sync SYS_sync,
    syncfs SYS_syncfs,
    syslog SYS_syslog,
    tee SYS_tee,
    tgkill SYS_tgkill,
    timer_create SYS_timer_create,
    umount2 SYS_umount2,
    unshare SYS_unshare,
    userfaultfd SYS_userfaultfd,
    vhangup SYS_vhangup,
    vmsplice SYS_vmsplice,
);
