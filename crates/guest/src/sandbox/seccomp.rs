//! Seccomp filters: the system calls that a guest may not make.
//!
//! The filters refuse new processes (threads are fine), the network, signals,
//! changes to files by name that Landlock does not cover, memory that no limit
//! counts, kernel objects that outlive the process, and everything to do with
//! other processes. They also refuse call numbers above those known here, so
//! that a newer kernel opens no gap and no alternative numbering gets around
//! the list. They allow everything else, whatever Python, numpy and their
//! successors call.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};
use std::collections::BTreeMap;

/// The last system call that this list considers: `lsm_list_modules`, of Linux 6.8.
const LAST_KNOWN: u32 = 461;

/// Refused with "operation not permitted", whatever the arguments.
const FORBIDDEN: &[libc::c_long] = &[
    // The network. A pair of connected sockets within the process is harmless and stays.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // Signals: a guest must not end its host or its opponent.
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_pidfd_getfd,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    // The host gives each guest its cores.
    libc::SYS_sched_setaffinity,
    // Locks on files that others use too; locks by fcntl need a file of one's own to write to.
    libc::SYS_flock,
    // Leaving the process group, which is killed as one.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // What Landlock does not cover: files' modes, owners, times, attributes, lengths.
    libc::SYS_truncate,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // Memory that no limit counts, and objects that outlive the process.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Namespaces, mounts and the machine.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_mount_setattr,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_personality,
    // Large parts of the kernel that a game does not need.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_fanotify_init,
    libc::SYS_seccomp,
];

/// Older variants of these calls, which x86-64 still has.
#[cfg(target_arch = "x86_64")]
const OLD_FORBIDDEN: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_FORBIDDEN: &[libc::c_long] = &[];

/// Calls that only create processes; x86-64 alone has them.
#[cfg(target_arch = "x86_64")]
const FORKS: &[libc::c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORKS: &[libc::c_long] = &[];

/// Calls with many meanings: the argument that says which, and the meanings that are allowed.
///
/// What is not on a list is refused. Leases and directory notices delay or end whoever opens the
/// same file, also outside the sandbox; owners and signals of descriptors send signals; larger
/// pipes are memory that no limit counts.
const MEANINGS: [(libc::c_long, u8, &[libc::c_int]); 4] = [
    (
        libc::SYS_fcntl,
        1,
        &[
            libc::F_DUPFD,
            libc::F_DUPFD_CLOEXEC,
            libc::F_GETFD,
            libc::F_SETFD,
            libc::F_GETFL,
            libc::F_SETFL,
            // SQLite locks files of its own.
            libc::F_GETLK,
            libc::F_SETLK,
            libc::F_SETLKW,
            libc::F_OFD_GETLK,
            libc::F_OFD_SETLK,
            libc::F_OFD_SETLKW,
            libc::F_GETPIPE_SZ,
        ],
    ),
    (
        libc::SYS_ioctl,
        1,
        &[
            // Is it a terminal? How large? Every file that Python opens is asked.
            libc::TCGETS as libc::c_int,
            libc::TIOCGWINSZ as libc::c_int,
            libc::FIONREAD as libc::c_int,
            libc::FIONBIO as libc::c_int,
            libc::FIOCLEX as libc::c_int,
            libc::FIONCLEX as libc::c_int,
        ],
    ),
    (
        libc::SYS_prctl,
        0,
        // Names of threads and of memory. Not the parent-death signal, which must stay.
        &[libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_SET_VMA],
    ),
    (
        libc::SYS_madvise,
        2,
        // What allocators say of their own pages. Not what evicts, merges or populates others.
        &[
            libc::MADV_NORMAL,
            libc::MADV_RANDOM,
            libc::MADV_SEQUENTIAL,
            libc::MADV_WILLNEED,
            libc::MADV_DONTNEED,
            libc::MADV_FREE,
            libc::MADV_DONTFORK,
            libc::MADV_DOFORK,
            libc::MADV_HUGEPAGE,
            libc::MADV_NOHUGEPAGE,
            libc::MADV_DONTDUMP,
            libc::MADV_DODUMP,
            libc::MADV_WIPEONFORK,
            libc::MADV_KEEPONFORK,
        ],
    ),
];

/// The filters, to be applied in this order; `None` on a processor whose calls we do not know.
pub(crate) fn filters() -> Option<Vec<BpfProgram>> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).ok()?;
    let filter = |rules: Rules, error: i32| -> Option<BpfProgram> {
        let refuse = SeccompAction::Errno(error.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).ok()?;
        filter.try_into().ok()
    };
    let mut forbidden: Rules =
        FORBIDDEN.iter().chain(OLD_FORBIDDEN).map(|&call| (call, Vec::new())).collect();
    // A process may read and lower its own limits.
    let others = vec![condition(0, SeccompCmpOp::Ne, 0)?];
    forbidden.insert(libc::SYS_prlimit64, vec![SeccompRule::new(others).ok()?]);
    for (call, argument, allowed) in MEANINGS {
        let is_other =
            |&meaning: &libc::c_int| condition(argument, SeccompCmpOp::Ne, number(meaning));
        let others: Option<Vec<_>> = allowed.iter().map(is_other).collect();
        forbidden.insert(call, vec![SeccompRule::new(others?).ok()?]);
    }
    // Space beyond the end of a file shows in no size, and the folder's limit is on sizes.
    let kept = vec![condition(1, SeccompCmpOp::Ne, 0)?];
    forbidden.insert(libc::SYS_fallocate, vec![SeccompRule::new(kept).ok()?]);

    let thread = libc::CLONE_THREAD.unsigned_abs().into();
    let process = vec![condition(0, SeccompCmpOp::MaskedEq(thread), 0)?];
    let mut forks: Rules = FORKS.iter().map(|&call| (call, Vec::new())).collect();
    forks.insert(libc::SYS_clone, vec![SeccompRule::new(process).ok()?]);

    // The flags of clone3 lie in memory, which a filter cannot read; libraries fall back to clone.
    let unreadable = Rules::from([(libc::SYS_clone3, Vec::new())]);
    // The last filter refuses the seccomp call, by which filters are added.
    Some(vec![
        beyond(LAST_KNOWN),
        filter(unreadable, libc::ENOSYS)?,
        filter(forks, libc::EAGAIN)?,
        filter(forbidden, libc::EPERM)?,
    ])
}

type Rules = BTreeMap<libc::c_long, Vec<SeccompRule>>;

/// A meaning as the filter compares it: 32 bits, without sign.
fn number(meaning: libc::c_int) -> u64 {
    meaning.cast_unsigned().into()
}

fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Option<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).ok()
}

/// Answers ENOSYS to calls with a number above `last`. Programs are prepared for that, because
/// older kernels answer the same.
fn beyond(last: u32) -> BpfProgram {
    // Instructions of classic BPF: load a word, jump if greater, return.
    const LOAD: u16 = 0x20;
    const JUMP_IF_GREATER: u16 = 0x25;
    const RETURN: u16 = 0x06;
    // The call's number is the first word of the filter's input.
    const NUMBER: u32 = 0;
    const ALLOW: u32 = 0x7fff_0000;
    const ERROR: u32 = 0x0005_0000;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        step(LOAD, 0, 0, NUMBER),
        step(JUMP_IF_GREATER, 0, 1, last),
        step(RETURN, 0, 0, ERROR | libc::ENOSYS.unsigned_abs()),
        step(RETURN, 0, 0, ALLOW),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_for_this_machine_exist_and_fit_the_kernel() {
        let filters = filters().expect("x86-64 and ARM are known");
        // The kernel takes at most 4096 instructions in one filter.
        assert!(filters.iter().all(|filter| (4..4096).contains(&filter.len())));
    }

    #[test]
    fn every_forbidden_call_is_below_the_last_known() {
        for &call in FORBIDDEN.iter().chain(OLD_FORBIDDEN).chain(FORKS) {
            assert!((0..=i64::from(LAST_KNOWN)).contains(&call), "{call}");
        }
    }
}
