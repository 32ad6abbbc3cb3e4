//! Attacks by system calls: the network, namespaces, the machine's settings, large parts of the kernel.

use super::{Attack, Loses, case, fails};
use isrever_agent::Reason::Crash;

pub(super) const CASES: &[Attack] = &[
    // The network.
    case("opens a socket", "socket.socket()", Loses(Crash, &["PermissionError"])),
    case(
        "calls home",
        "socket.create_connection(('127.0.0.1', 80))",
        Loses(Crash, &["PermissionError"]),
    ),
    fails(
        "opens sockets of every family",
        "for family in (1, 2, 10, 16, 17, 38, 40):\n    for kind in (1, 2, 3):\n        \
         denied(socket.socket, family, kind)",
    ),
    case(
        "writes to a socket by its path",
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', '/run/no-such-log')",
        Loses(Crash, &["PermissionError"]),
    ),
    case(
        "writes to a socket by its name",
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', '\\0no-such-name')",
        Loses(Crash, &["PermissionError"]),
    ),
    case(
        "writes to a socket by a message",
        "pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n\
         pair[0].sendmsg([b'x'], [], 0, '/run/no-such-log')",
        Loses(Crash, &["PermissionError"]),
    ),
    fails(
        "talks to itself by sockets",
        "one, other = socket.socketpair()\none.sendall(b'd3')\nassert other.recv(2) == b'd3'",
    ),
    // Namespaces and mounts.
    fails(
        "enters namespaces",
        "refused('unshare', 0x10000000)\nrefused('setns', 0, 0)\nrefused('pivot_root', b'.', b'.')\n\
         denied(posix.chroot, '.')",
    ),
    fails("mounts", "refused('mount', b'x', b'.', b'tmpfs', 0, 0)\nrefused('umount2', b'/', 2)"),
    // The machine's settings.
    fails(
        "sets the machine's clock",
        "refused('clock_settime', 0, bytes(16))\nrefused('adjtimex', bytes(256))\n\
         denied(time.clock_settime, 0, 0.0)",
    ),
    fails(
        "changes the machine",
        "refused('reboot', 0, 0, 0, 0)\nrefused('kexec_load', 0, 0, 0, 0)\n\
         refused('delete_module', b'x', 0)\nrefused('sethostname', b'x', 1)\nrefused('swapoff', b'/')\n\
         refused('quotactl', 0, 0, 0, 0)\nrefused('vhangup')\nrefused('syslog', 3, 0, 0)",
    ),
    // Objects that outlive it, or that others own.
    fails(
        "removes queues and semaphores",
        "refused('mq_open', b'x', 0o100, 0o600, 0)\nrefused('mq_unlink', b'x')\n\
         refused('msgget', 0, 0o1600)\nrefused('semget', 0, 1, 0o1600)\nrefused('shmctl', 0, 0, 0)\n\
         refused('msgctl', 0, 0, 0)\nrefused('semctl', 0, 0, 0, 0)",
    ),
    fails(
        "keeps keys",
        "refused('add_key', b'user', b'x', b'x', 1, -3)\nrefused('keyctl', 0, -3, 0, 0, 0)",
    ),
    // Large parts of the kernel.
    fails("sets up rings", "refused('io_uring_setup', 8, bytes(120))"),
    fails("handles faults", "refused('userfaultfd', 0)"),
    fails("loads programs into the kernel", "refused('bpf', 0, bytes(128), 128)"),
    fails("watches the processor", "refused('perf_event_open', bytes(128), 0, -1, -1, 0)"),
    fails("watches all files", "refused('fanotify_init', 0, 0)"),
    fails("becomes another kind of process", "refused('personality', 0x0040000)"),
    fails(
        "filters its own calls",
        "refused('seccomp', 1, 0, 0)\nrefused('prctl', 22, 2, 0, 0, 0)\nrefused('prctl', 4, 0)",
    ),
    fails(
        "makes calls of later kernels",
        r"
for number in (*range(462, 600), 0x40000000, 0x40000000 + 41, 0x40000000 + 57):
    ctypes.set_errno(0)
    done = C.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0)
    assert done == -1 and ctypes.get_errno() == 38, (number, done)",
    ),
    #[cfg(target_arch = "x86_64")]
    case(
        "makes calls of older processors",
        r"
code = mmap.mmap(-1, 4096, PRIVATE | ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b'\xb8\x02\x00\x00\x00\xcd\x80\xc3')    # fork by interrupt 0x80
address = ctypes.addressof(ctypes.c_char.from_buffer(code))
ctypes.CFUNCTYPE(ctypes.c_int)(address)()
self.candidate_list = [(2, 3)]",
        Loses(Crash, &["signal 31", "signal 11"]),
    ),
];
