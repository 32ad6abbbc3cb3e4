//! The hostile set: what its agents do, and what must come of it. The attacks are in the files below.

use isrever_agent::Reason;

/// The expected outcome: the agent plays d3, or loses for a reason with one of these words.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome {
    Plays,
    Loses(Reason, &'static [&'static str]),
}

pub(crate) use Outcome::{Loses, Plays};

/// What an agent does in `go`, and the expected outcome.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    body: &'static str,
    outcome: Outcome,
    /// The outcome without namespaces, where that is another one.
    outside: Option<Outcome>,
    /// Whether only the clock ends it; such a case gets little time.
    pub(crate) is_endless: bool,
    /// Whether it decides on d3 after `body`.
    decides: bool,
}

/// An attack that ends by itself.
pub(crate) const fn case(name: &'static str, body: &'static str, outcome: Outcome) -> Case {
    Case { name, body, outcome, outside: None, is_endless: false, decides: false }
}

/// An attack that only the clock ends.
pub(crate) const fn endless(name: &'static str, body: &'static str, outcome: Outcome) -> Case {
    Case { is_endless: true, ..case(name, body, outcome) }
}

/// An attack that checks by itself that it fails, and then decides.
pub(crate) const fn fails(name: &'static str, body: &'static str) -> Case {
    Case { decides: true, ..case(name, body, Plays) }
}

impl Case {
    pub(crate) const fn outside(self, outcome: Outcome) -> Case {
        Case { outside: Some(outcome), ..self }
    }

    /// The expected outcome, with or without namespaces.
    pub(crate) fn outcome(&self, has_namespaces: bool) -> Outcome {
        self.outside.filter(|_| !has_namespaces).unwrap_or(self.outcome)
    }

    /// The whole file.
    pub(crate) fn lines(&self, neighbour: &str) -> String {
        let numbers = NUMBERS.iter().map(|(name, number)| format!("{name:?}: {number}"));
        let numbers = numbers.collect::<Vec<_>>().join(", ");
        let body: String = self.body.lines().map(|line| format!("        {line}\n")).collect();
        let end = if self.decides { "        self.candidate_list = [(2, 3)]\n" } else { "" };
        format!(
            "NEIGHBOUR = {neighbour:?}\nNUMBERS = {{{numbers}}}\n{HEAD}\
             class AI(object):\n    def __init__(self, chessboard_size, color, time_out):\n        \
             self.candidate_list = []\n    def go(self, chessboard):\n{body}{end}"
        )
    }
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
pub(crate) const NO_FILE: &[&str] = &["PermissionError", "FileNotFoundError"];

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
