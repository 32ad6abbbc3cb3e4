//! Attacks by processes, threads and signals, and on processes of others.

use super::{Attack, Loses, NO_FILE, case, endless, fails};
use isrever_agent::Reason::{Crash, Time};

pub(super) const CASES: &[Attack] = &[
    // New processes.
    case("forks", "while True: posix.fork()", Loses(Crash, &["BlockingIOError"])),
    endless(
        "forks and hides it",
        "while True:\n    try: posix.fork()\n    except OSError: pass",
        Loses(Time, &["still empty"]),
    ),
    fails(
        "forks in threads",
        r"
forked = []
def fork():
    for _ in range(100):
        try: forked.append(posix.fork())
        except OSError: pass
threads = [threading.Thread(target=fork) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not forked, forked",
    ),
    fails(
        "starts programs",
        r"
import subprocess
denied(subprocess.run, ['true'])
denied(posix.posix_spawn, sys.executable, ['x'], {})
denied(posix.forkpty)",
    ),
    fails(
        "clones by hand",
        r"
for flags in (17, 0x4111, 0x100, 0x20000011, 0x10000011):    # with memory, user and mount namespaces
    ctypes.set_errno(0)
    done = C.syscall(ctypes.c_long(NUMBERS['clone']), ctypes.c_long(flags), 0, 0, 0, 0)
    if done == 0: posix._exit(9)
    assert done == -1 and ctypes.get_errno() == 11, done
refused('clone3', 0, 0)",
    ),
    fails(
        "gives threads descriptors of their own",
        // CLONE_VM, CLONE_SIGHAND and CLONE_THREAD without CLONE_FILES, and without CLONE_FS.
        "refused('clone', 0x10900, 0, 0, 0, 0)\nrefused('clone', 0x10b00, 0, 0, 0, 0)\n\
         refused('unshare', 0x400)",
    ),
    case(
        "starts threads without end",
        "while True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
        Loses(Crash, &["can't start new thread"]),
    ),
    case("becomes a shell", "posix.execv('/bin/sh', ['sh'])", Loses(Crash, NO_FILE)),
    case(
        "becomes another Python",
        "posix.execv(sys.executable, [sys.executable, '-c', 'import posix; posix._exit(6)'])",
        // Its pipe to us closes; how it ends is known if that comes soon.
        Loses(Crash, &["status 6", "closed the pipe"]),
    ),
    fails(
        "becomes a program of its own making",
        "with open('own', 'wb') as own: own.write(open(sys.executable, 'rb').read(1 << 20))\n\
         denied(posix.execv, 'own', ['own'])",
    ),
    // Signals.
    case("kills its parent", "posix.kill(posix.getppid(), 9)", Loses(Crash, &["PermissionError"])),
    case("kills everybody", "posix.kill(-1, 9)", Loses(Crash, &["PermissionError"])),
    fails(
        "kills by other calls",
        "parent = posix.getppid()\nrefused('tgkill', parent, parent, 9)\n\
         refused('rt_sigqueueinfo', parent, 9, 0)\nrefused('rt_tgsigqueueinfo', parent, parent, 9, 0)\n\
         refused('pidfd_open', parent, 0)\nrefused('pidfd_send_signal', 0, 9, 0, 0)",
    ),
    fails(
        "has signals sent by a pipe",
        r"
import fcntl
ends = posix.pipe()
for command in (8, 10, 15):    # owner, signal, owner by structure
    denied(fcntl.fcntl, ends[0], command, posix.getppid())
denied(fcntl.ioctl, ends[0], 0x8901, posix.getppid())
fcntl.fcntl(ends[0], 4, fcntl.fcntl(ends[0], 3) | 0x2000)    # asynchronous, with nobody to tell
posix.write(ends[1], b'x')",
    ),
    fails(
        "leaves its group",
        "refused('setsid')\nrefused('setpgid', 0, 0)\nrefused('unshare', 0x10000000)\n\
         refused('prctl', 1, 0)",
    ),
    // Processes of others.
    fails(
        "debugs its parent",
        "parent = posix.getppid()\nrefused('ptrace', 16, parent, 0, 0)\n\
         refused('process_vm_readv', parent, 0, 0, 0, 0, 0)\n\
         refused('process_vm_writev', parent, 0, 0, 0, 0, 0)\nrefused('kcmp', parent, parent, 0, 0, 0)\n\
         refused('pidfd_getfd', 0, 0, 0)\nrefused('process_madvise', 0, 0, 0, 0, 0)\n\
         refused('move_pages', parent, 0, 0, 0, 0, 0)",
    ),
    fails(
        "holds up its parent",
        "parent = posix.getppid() or 99\nrefused('sched_setaffinity', parent, 8, b'\\x01' + bytes(7))\n\
         refused('setpriority', 0, parent, 19)\nrefused('ioprio_set', 1, parent, 3 << 13)\n\
         refused('sched_setscheduler', parent, 3, bytes(8))\n\
         refused('sched_setattr', parent, bytes(64), 0)\nrefused('prlimit64', parent, 7, bytes(16), 0)",
    ),
    fails(
        "puts itself first",
        "denied(posix.nice, -5)\nrefused('setpriority', 0, 0, -5)\n\
        denied(posix.sched_setscheduler, 0, 1, posix.sched_param(1))",
    ),
    fails("interrupts all processors", "refused('membarrier', 1, 0, 0)"),
    // What it was given.
    fails(
        "raises its limits",
        r"
for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_CPU,
              resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK):
    denied(resource.setrlimit, limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)",
    ),
    fails(
        "becomes somebody else",
        "for attempt in (posix.setuid, posix.setgid, posix.seteuid):\n    denied(attempt, 12345)\n\
         denied(posix.setgroups, [0])",
    ),
    fails(
        "looks for what it inherited",
        r"
for name in posix.environ:
    known = (b'PATH', b'LANG', b'HOME', b'TMPDIR', b'LC_CTYPE', b'PYTHONHASHSEED', b'MALLOC_ARENA_MAX')
    assert name in known or name.endswith(b'_NUM_THREADS') or name.startswith(b'NUMBA_'), name
for descriptor in range(5, 64): denied(posix.fstat, descriptor)",
    ),
];
