//! The wall of seccomp: system calls that a guest has no business with.
//!
//! What is refused: new processes (threads are fine), the network, signals to
//! anybody, changes to files by name that Landlock does not cover, memory that
//! is not counted, kernel objects that outlive the process, everything to do
//! with other processes, and numbers beyond those known here, so that a newer
//! kernel opens no gap and no second numbering is a way round. Everything
//! else is allowed: Python, numpy and their successors call what they like.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};
use std::collections::BTreeMap;

/// The last system call that was looked at: `lsm_list_modules`, of Linux 6.8.
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
    // Signals: the end of a game is not the guest's to give.
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
    // A way out of the group that is killed as one.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // Files by name, where Landlock does not look: modes, owners, times, attributes, lengths.
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
    // Memory that no limit counts, and what outlives the process.
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
    // Large corners of the kernel that a game needs nothing of.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_fanotify_init,
    libc::SYS_seccomp,
];

/// The same, where the machine still has the old names of some calls.
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

/// Calls that do nothing but make processes, where there are such.
#[cfg(target_arch = "x86_64")]
const FORKS: &[libc::c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORKS: &[libc::c_long] = &[];

/// The filters, to be applied one after the other; `None` if the machine's numbers are not known.
pub(crate) fn filters() -> Option<Vec<BpfProgram>> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).ok()?;
    let filter = |rules: Rules, error: i32| -> Option<BpfProgram> {
        let refuse = SeccompAction::Errno(error.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).ok()?;
        filter.try_into().ok()
    };
    let mut forbidden: Rules =
        FORBIDDEN.iter().chain(OLD_FORBIDDEN).map(|&call| (call, Vec::new())).collect();
    // Its own limits a process may ask for and lower.
    let others = vec![condition(0, SeccompCmpOp::Ne, 0)?];
    forbidden.insert(libc::SYS_prlimit64, vec![SeccompRule::new(others).ok()?]);
    // It stays tied to the life of who started it.
    let tie = vec![condition(0, SeccompCmpOp::Eq, libc::PR_SET_PDEATHSIG.unsigned_abs().into())?];
    forbidden.insert(libc::SYS_prctl, vec![SeccompRule::new(tie).ok()?]);

    let thread = libc::CLONE_THREAD.unsigned_abs().into();
    let process = vec![condition(0, SeccompCmpOp::MaskedEq(thread), 0)?];
    let mut forks: Rules = FORKS.iter().map(|&call| (call, Vec::new())).collect();
    forks.insert(libc::SYS_clone, vec![SeccompRule::new(process).ok()?]);

    // Its flags lie in memory, where a filter cannot look; libraries fall back to `clone`.
    let unreadable = Rules::from([(libc::SYS_clone3, Vec::new())]);
    // The last one closes the door to more filters.
    Some(vec![
        beyond(LAST_KNOWN),
        filter(unreadable, libc::ENOSYS)?,
        filter(forks, libc::EAGAIN)?,
        filter(forbidden, libc::EPERM)?,
    ])
}

type Rules = BTreeMap<libc::c_long, Vec<SeccompRule>>;

fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Option<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).ok()
}

/// Says that calls with a number above `last` do not exist. That is true of the kernels they are
/// missing from, so programs are prepared for it.
fn beyond(last: u32) -> BpfProgram {
    // The instructions of the classic filter machine: load a word, jump if greater, return.
    const LOAD: u16 = 0x20;
    const JUMP_IF_GREATER: u16 = 0x25;
    const RETURN: u16 = 0x06;
    // The call's number is the first word that a filter sees.
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
    fn there_are_filters_for_this_machine_and_they_fit_the_kernel() {
        let filters = filters().expect("x86-64 and ARM are known");
        // The kernel takes at most 4096 instructions in one filter.
        assert!(filters.iter().all(|filter| (4..4096).contains(&filter.len())));
    }

    #[test]
    fn every_forbidden_call_is_among_the_known() {
        for &call in FORBIDDEN.iter().chain(OLD_FORBIDDEN).chain(FORKS) {
            assert!((0..=i64::from(LAST_KNOWN)).contains(&call), "{call}");
        }
    }
}
