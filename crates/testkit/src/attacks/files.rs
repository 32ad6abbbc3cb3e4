//! Attacks by files: those of others, those of all, and more of its own than is allowed.

use super::{Attack, Loses, NO_FILE, Outcome, Plays, case, fails};
use isrever_agent::Reason::{Crash, Memory};

/// In namespaces the folder is a small file system.
const FULL: Outcome = Loses(Crash, &["No space left"]);

/// Elsewhere it is on a disk, and is measured.
const EXCEEDED: Outcome = Loses(Memory, &["in files"]);

pub(super) const CASES: &[Attack] = &[
    // Files of others.
    case("reads the users", "open('/etc/passwd').read()", Loses(Crash, NO_FILE)),
    case("lists the machine", "posix.listdir('/home')", Loses(Crash, NO_FILE)),
    case("looks at processes", "posix.listdir('/proc')", Loses(Crash, NO_FILE)),
    case("reads a neighbour", "open(NEIGHBOUR).read()", Loses(Crash, NO_FILE)),
    case("writes to a neighbour", "open(NEIGHBOUR, 'w')", Loses(Crash, NO_FILE)),
    case("opens up a neighbour", "posix.chmod(NEIGHBOUR, 0o777)", Loses(Crash, NO_FILE)),
    case("deletes a neighbour", "posix.unlink(NEIGHBOUR)", Loses(Crash, NO_FILE)),
    fails(
        "goes through links",
        "posix.symlink(NEIGHBOUR, 'link')\ndenied(open, 'link')\ndenied(open, 'link', 'w')\n\
         denied(posix.link, NEIGHBOUR, 'hard')\ndenied(posix.link, np.__file__, 'hard')",
    ),
    fails(
        "races links against opens",
        r"
open('mine', 'w').write('mine')
def flip():
    for _ in range(2000):
        for target in ('mine', NEIGHBOUR):
            try:
                posix.symlink(target, 'next')
                posix.rename('next', 'link')
            except OSError: pass
flips = threading.Thread(target=flip)
flips.start()
while flips.is_alive():
    try: read = open('link').read()
    except OSError: continue
    assert read == 'mine', read",
    ),
    fails(
        "looks into processes",
        "for name in ('self/mem', 'self/maps', '1/environ', 'kcore', 'kmsg', 'sysrq-trigger',\n    \
         'self/oom_score_adj', 'sys/kernel/core_pattern', 'locks'):\n    \
         denied(open, '/proc/' + name, 'rb')\n    denied(open, '/proc/' + name, 'wb')",
    ),
    fails(
        "opens devices",
        "for name in ('mem', 'kmsg', 'tty', 'console', 'ptmx', 'shm/x', 'vda', 'kvm', 'fuse',\n    \
         'net/tun'):\n    denied(open, '/dev/' + name, 'rb')\n    denied(open, '/dev/' + name, 'wb')",
    ),
    fails(
        "opens files by their numbers",
        "refused('open_by_handle_at', -100, 0, 0)\nrefused('openat2', -100, b'.', 0, 0)",
    ),
    // Files that others use too.
    fails(
        "changes a library",
        r"
flags = posix.O_RDONLY | posix.O_TRUNC
for attempt in (lambda: open(np.__file__, 'ab'), lambda: posix.open(np.__file__, flags),
                lambda: posix.truncate(np.__file__, 0), lambda: posix.unlink(np.__file__),
                lambda: posix.rename(np.__file__, 'mine'), lambda: posix.utime(np.__file__),
                lambda: posix.chmod(np.__file__, 0), lambda: posix.chown(np.__file__, 1, 1),
                lambda: posix.setxattr(np.__file__, 'user.x', b'x')):
    denied(attempt)",
    ),
    fails(
        "empties its own file by reading",
        "open('mine', 'w').write('mine')\n\
         denied(posix.open, 'mine', posix.O_RDONLY | posix.O_TRUNC)",
    ),
    fails(
        "leases a library",
        "import fcntl\nlibrary = open(np.__file__)\n\
         for command in (1024, 1026, 8, 15, 10, 1031): denied(fcntl.fcntl, library, command, 0)",
    ),
    fails(
        "locks a library",
        "import fcntl\ndenied(fcntl.flock, open(np.__file__), fcntl.LOCK_EX)\n\
         denied(fcntl.lockf, open(np.__file__), fcntl.LOCK_SH)",
    ),
    fails(
        "evicts pages",
        "pages = mmap.mmap(-1, 4096, PRIVATE | ANONYMOUS)\n\
         for advice in (12, 21, 22, 23, 25): denied(pages.madvise, advice)",
    ),
    fails(
        "types into the terminal",
        "import fcntl, termios\ndenied(fcntl.ioctl, 0, termios.TIOCSTI, b'x')\n\
         denied(fcntl.ioctl, 0, termios.TIOCSCTTY, 0)",
    ),
    fails("makes everybody write", "refused('sync')\nrefused('syncfs', 0)"),
    // Files of its own.
    fails(
        "keeps notes in its folder",
        "open('notes', 'w').write('d3')\nassert open('notes').read() == 'd3'",
    ),
    fails(
        "maps a file of its own",
        "notes = np.memmap('notes', dtype=np.uint8, mode='w+', shape=1 << 20)\nnotes[:] = 7\n\
         notes.flush()\nassert open('notes', 'rb').read(3) == b'\\x07\\x07\\x07'",
    ),
    fails(
        "makes pipes, sockets and devices by name",
        "denied(posix.mkfifo, 'pipe')\ndenied(posix.mknod, 'device', 0o20600, 0x103)\n\
         denied(posix.mknod, 'disk', 0o60600, 0x700)\ndenied(posix.mknod, 'socket', 0o140600)",
    ),
    case(
        "fills its folder",
        "for number in range(64):\n    open(str(number), 'wb').write(bytes(1 << 20))\n\
         while True: pass",
        FULL,
    )
    .outside(EXCEEDED),
    case(
        "fills it with files without names",
        "self.kept = []\nfor number in range(4):\n    \
         self.kept.append(open('x', 'wb', buffering=0))\n    posix.unlink('x')\n    \
         self.kept[-1].write(bytes(8 << 20))\nwhile True: pass",
        FULL,
    )
    .outside(EXCEEDED),
    case(
        "fills it with files that never had one",
        "for number in range(4):\n    \
         kept = posix.open('.', posix.O_RDWR | posix.O_TMPFILE, 0o600)\n    \
         posix.write(kept, bytes(8 << 20))\nwhile True: pass",
        FULL,
    )
    .outside(EXCEEDED),
    case(
        "fills it with mapped files without names",
        r"
self.kept = []
for number in range(4):
    file = posix.open('x', posix.O_RDWR | posix.O_CREAT)
    posix.write(file, bytes(8 << 20))
    self.kept.append(mmap.mmap(file, 4096, mmap.MAP_SHARED, mmap.PROT_READ))
    posix.close(file)
    posix.unlink('x')
while True: pass",
        FULL,
    )
    .outside(EXCEEDED),
    case(
        "fills it behind long paths",
        "for _ in range(24):\n    posix.mkdir('x' * 250)\n    posix.chdir('x' * 250)\n\
         for number in range(4): open(str(number), 'wb', 0).write(bytes(8 << 20))\n\
         while True: pass",
        FULL,
    )
    .outside(EXCEEDED),
    case(
        "fills it where nobody can look",
        "posix.mkdir('dark', 0o300)\nposix.chdir('dark')\n\
         for number in range(4): open(str(number), 'wb', 0).write(bytes(8 << 20))\n\
         while True: pass",
        FULL,
    )
    .outside(EXCEEDED),
    case(
        "leaves folders that nobody can open",
        "posix.mkdir('a')\nposix.mkdir('a/b')\nopen('a/b/c', 'w').close()\nposix.mkdir('a/b/d', 0)\n\
         self.candidate_list = [(2, 3)]",
        Plays,
    )
    .outside(EXCEEDED),
    case(
        "digs without end",
        "while True:\n    posix.mkdir('d')\n    posix.chdir('d')",
        FULL,
    )
    .outside(EXCEEDED),
    fails(
        "hides space behind a file",
        "number = ctypes.c_long\n\
         assert C.fallocate(open('f', 'wb').fileno(), 1, number(0), number(1 << 20)) == -1",
    ),
];
