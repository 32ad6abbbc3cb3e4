//! The system calls that guests may not make, or only with some meanings, each with its reason.

/// The last system call that this list considers: `lsm_list_modules`, of Linux 6.8.
pub(super) const LAST_KNOWN: u32 = 461;

/// Refused with "operation not permitted", whatever the arguments.
pub(super) const FORBIDDEN: &[libc::c_long] = &[
    // The network. A pair of connected sockets within the process is harmless and stays, without
    // larger buffers; messages could name other sockets, and keep descriptors on their way.
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_setsockopt,
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
    // Interrupts every processor.
    libc::SYS_membarrier,
    // Locks on files that others use too; see also `MEANINGS`.
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
    // Makes everybody's files go to the disk, and everybody wait.
    libc::SYS_sync,
    libc::SYS_syncfs,
    // Memory that no limit counts.
    libc::SYS_vmsplice,
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_sendfile,
    libc::SYS_timer_create,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_io_setup,
    libc::SYS_remap_file_pages,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    // Objects that outlive the process, or that others own.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgctl,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_semget,
    libc::SYS_semctl,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
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
    libc::SYS_kexec_file_load,
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
pub(super) const OLD_FORBIDDEN: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_inotify_init,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_FORBIDDEN: &[libc::c_long] = &[];

/// Calls that only create processes; x86-64 alone has them.
#[cfg(target_arch = "x86_64")]
pub(super) const FORKS: &[libc::c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const FORKS: &[libc::c_long] = &[];

/// Calls with many meanings: the argument that says which, and the meanings that are allowed.
///
/// What is not on a list is refused. Leases and directory notices delay or end whoever opens the
/// same file, also outside the sandbox; owners and signals of descriptors send signals; larger
/// pipes and locks on single bytes are memory that no limit counts.
pub(super) const MEANINGS: [(libc::c_long, u8, &[libc::c_int]); 7] = [
    // A process may read and lower its own limits.
    (libc::SYS_prlimit64, 0, &[0]),
    (libc::SYS_socketpair, 0, &[libc::AF_UNIX]),
    // Space beyond the end of a file shows in no size, and the folder's limit is on sizes.
    (libc::SYS_fallocate, 1, &[0]),
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

/// Calls with flags: the argument that holds them, a mask, and the bits beneath it that are refused.
pub(super) const FLAGS: &[(libc::c_long, u8, libc::c_int, libc::c_int)] = &[
    // Shared memory stays when its pages are dropped or unmapped, and no process is charged for it.
    (libc::SYS_mmap, 3, SHARED, SHARED),
    // Stacks that grow are not in the limit on data, huge pages not in resident memory.
    (libc::SYS_mmap, 3, libc::MAP_GROWSDOWN, libc::MAP_GROWSDOWN),
    (libc::SYS_mmap, 3, libc::MAP_HUGETLB, libc::MAP_HUGETLB),
    // Empties a file that is open for reading alone, which Landlock does not see before Linux 6.2.
    (libc::SYS_openat, 2, libc::O_ACCMODE | libc::O_TRUNC, libc::O_TRUNC),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1, libc::O_ACCMODE | libc::O_TRUNC, libc::O_TRUNC),
];

/// Shared memory without a file.
const SHARED: libc::c_int = libc::MAP_SHARED | libc::MAP_ANONYMOUS;

/// Calls whose flags lie in memory, which a filter cannot read; libraries fall back to older ones.
pub(super) const UNREADABLE: &[libc::c_long] = &[libc::SYS_clone3, libc::SYS_openat2];
