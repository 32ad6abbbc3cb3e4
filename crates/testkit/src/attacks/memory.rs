//! Attacks on memory: more than is allowed, or where no limit seems to count it.

use super::{Attack, Loses, case, fails};
use isrever_agent::Reason::{Crash, Memory};

pub(super) const CASES: &[Attack] = &[
    // Plainly more than is allowed.
    case("grows", "x = []\nwhile True: x.append(bytearray(1 << 20))", Loses(Memory, &["MiB"])),
    case(
        "grows for good",
        "self.x = []\nwhile True: self.x.append([0] * 100000)",
        Loses(Memory, &["MiB"]),
    ),
    case("takes ten gigabytes", "bytearray(10 << 30)", Loses(Memory, &["100 MiB"])),
    case("takes them by numpy", "np.ones((10 << 30) // 8)", Loses(Memory, &["100 MiB"])),
    case("reserves them", "np.zeros(8 << 30, dtype=np.uint8)", Loses(Memory, &["100 MiB"])),
    case("counts beyond them", "1 << (1 << 33)", Loses(Memory, &["100 MiB"])),
    case(
        "leaves rubbish",
        "import gc\ngc.disable()\nwhile True:\n    x = [0] * 1000\n    x[0] = x",
        Loses(Memory, &["MiB"]),
    ),
    case(
        "hides memory behind read-only pages",
        r"
kept = []
C.mmap.restype = ctypes.c_void_p
while True:
    place = ctypes.c_void_p(C.mmap(None, ctypes.c_size_t(20 << 20), 3, PRIVATE | ANONYMOUS, -1, 0))
    assert place.value not in (None, ctypes.c_void_p(-1).value)
    ctypes.memset(place, 1, 20 << 20)
    assert C.mprotect(place, ctypes.c_size_t(20 << 20), 1) == 0
    kept.append(place)",
        Loses(Memory, &["100 MiB"]),
    ),
    // Memory that is no process's own.
    case(
        "takes shared memory",
        "shared = mmap.mmap(-1, 1 << 30)\n\
         for place in range(0, 1 << 30, 4096): shared[place] = 1\nwhile True: pass",
        Loses(Crash, &["PermissionError"]),
    ),
    case(
        "touches shared memory and drops it",
        r"
self.kept = []
for _ in range(8):
    shared = mmap.mmap(-1, 64 << 20)
    for place in range(0, 64 << 20, 4096): shared[place] = 1
    shared.madvise(mmap.MADV_DONTNEED)
    self.kept.append(shared)
self.candidate_list = [(2, 3)]",
        Loses(Crash, &["PermissionError"]),
    ),
    case(
        "takes shared memory from a device",
        r"
device = posix.open('/dev/zero', posix.O_RDWR)
self.kept = []
for _ in range(8):
    shared = mmap.mmap(device, 64 << 20)
    for place in range(0, 64 << 20, 4096): shared[place] = 1
    shared.madvise(mmap.MADV_DONTNEED)
    self.kept.append(shared)
self.candidate_list = [(2, 3)]",
        Loses(Crash, &["PermissionError", "FileNotFoundError"]),
    ),
    fails(
        "takes memory by name",
        "refused('memfd_create', b'x', 0)\nrefused('memfd_secret', 0)\n\
         refused('shmget', 0, 4096, 0o1600)\ndenied(open, '/dev/shm/x', 'wb')",
    ),
    fails(
        "takes pages that no limit counts",
        r"
for flag in (0x100, 0x40000):    # a stack that grows, huge pages
    denied(mmap.mmap, -1, 2 << 20, PRIVATE | ANONYMOUS | flag, mmap.PROT_READ)",
    ),
    // Memory of the kernel's.
    case(
        "fills page tables",
        r"
size = 64 << 30
self.kept = mmap.mmap(-1, size, PRIVATE | ANONYMOUS | 0x4000, mmap.PROT_READ)
for place in range(0, size, 2 << 20): self.kept[place]
self.candidate_list = [(2, 3)]",
        Loses(Crash, &["Cannot allocate memory"]),
    ),
    fails(
        "keeps data in sockets on their way",
        r"
held, pile = [0], []
def fill(one):
    one.setblocking(False)
    try:
        while True: held[0] += one.send(bytes(1 << 16))
    except OSError: pass
try:
    carrier = socket.socketpair()
    for _ in range(250):
        pair = socket.socketpair()
        for one in pair: fill(one)
        ends = b''.join(one.fileno().to_bytes(4, sys.byteorder) for one in pair)
        try: carrier[0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, ends)])
        except PermissionError: pile.append(pair)
except OSError: pass
assert held[0] < 32 << 20, held",
    ),
    fails(
        "enlarges the buffers of sockets",
        "pair = socket.socketpair()\n\
         denied(pair[0].setsockopt, socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)",
    ),
    fails(
        "keeps data in pipes",
        r"
import fcntl
held, pile = 0, []
try:
    while True:
        pile.append(posix.pipe())
        denied(fcntl.fcntl, pile[-1][1], 1031, 1 << 20)
        posix.set_blocking(pile[-1][1], False)
        try:
            while True: held += posix.write(pile[-1][1], bytes(4096))
        except BlockingIOError: pass
except OSError: pass
for ends in pile:
    for end in ends: posix.close(end)
assert held < 32 << 20, held",
    ),
    fails(
        "keeps pages in pipes",
        "refused('vmsplice', 1, 0, 0, 0)\nrefused('splice', 0, 0, 1, 0, 0, 0)\n\
         refused('tee', 0, 1, 0, 0)\ndenied(posix.sendfile, 1, 0, 0, 1)",
    ),
    fails(
        "locks every second byte",
        "import fcntl\nmine = open('mine', 'wb')\n\
         for place in range(8): denied(fcntl.lockf, mine, fcntl.LOCK_EX, 1, 2 * place)",
    ),
    fails(
        "takes timers, watches, rings and rule sets",
        "refused('timer_create', 1, 0, 0)\nrefused('inotify_init1', 0)\nrefused('io_setup', 1, 0)\n\
         refused('landlock_create_ruleset', 0, 0, 1)",
    ),
    case(
        "starts small threads without end",
        "import _thread\n_thread.stack_size(1 << 17)\n\
         while True: _thread.start_new_thread(time.sleep, (99,))",
        Loses(Crash, &["can't start new thread", "more than 64 threads"]),
    ),
];
