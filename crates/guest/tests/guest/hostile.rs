//! Agents that cheat, stall, crash and attack; each loses for the right reason, or plays.
//!
//! Every case runs in the whole sandbox and again without namespaces, as on machines that lack
//! them. `tests/traces.rs` runs the same cases one by one and counts what they leave behind.

use isrever_agent::Reason::{self, Crash, Garbage, Illegal, Memory, Refused, Time};

/// The expected outcome: the agent plays d3, or loses for a reason with one of these words.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome {
    Plays,
    Loses(Reason, &'static [&'static str]),
}

use Outcome::{Loses, Plays};

/// What an agent does in `go`, and the expected outcome.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) body: &'static str,
    pub(crate) outcome: Outcome,
    /// Whether only the clock ends it; such a case gets little time.
    pub(crate) is_endless: bool,
}

const fn case(name: &'static str, body: &'static str, outcome: Outcome) -> Case {
    Case { name, body, outcome, is_endless: false }
}

const fn endless(name: &'static str, body: &'static str, outcome: Outcome) -> Case {
    Case { name, body, outcome, is_endless: true }
}

/// Python's errors for files outside the sandbox: they may not be read, or do not even exist.
const NO_FILE: &[&str] = &["PermissionError", "FileNotFoundError"];

pub(crate) const CASES: &[Case] = &[
    // Time.
    endless("loops", "while True: pass", Loses(Time, &["no decision"])),
    endless("loops after deciding", "self.candidate_list.append((2, 3))\nwhile True: pass", Plays),
    endless("holds the interpreter", "self.candidate_list = [(2, 3)]\nsum(range(10**13))", Plays),
    endless("appends without end", "while True: self.candidate_list.append((2, 3))", Plays),
    endless("sleeps nearly too long", "self.candidate_list += [(2, 3)]\ntime.sleep(0.35)", Plays),
    endless(
        "will not be stopped",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        Loses(Time, &["no decision"]),
    ),
    // Memory.
    case("grows", "x = []\nwhile True: x.append(bytearray(1 << 20))", Loses(Memory, &["MiB"])),
    case(
        "grows for good",
        "self.x = []\nwhile True: self.x.append([0] * 100000)",
        Loses(Memory, &["MiB"]),
    ),
    case("takes ten gigabytes", "bytearray(10 << 30)", Loses(Memory, &["100 MiB"])),
    case("takes them by numpy", "np.ones((10 << 30) // 8)", Loses(Memory, &["100 MiB"])),
    case(
        "takes shared memory",
        "import mmap\nshared = mmap.mmap(-1, 1 << 30)\n\
         for place in range(0, 1 << 30, 4096): shared[place] = 1\nwhile True: pass",
        Loses(Memory, &["100 MiB"]),
    ),
    // Processes.
    case("forks", "while True: posix.fork()", Loses(Crash, &["BlockingIOError"])),
    endless(
        "forks and hides it",
        "while True:\n    try: posix.fork()\n    except OSError: pass",
        Loses(Time, &["no decision"]),
    ),
    case(
        "starts threads without end",
        "while True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
        Loses(Crash, &["can't start new thread"]),
    ),
    case("becomes a shell", "posix.execv('/bin/sh', ['sh'])", Loses(Crash, NO_FILE)),
    case("kills its parent", "posix.kill(posix.getppid(), 9)", Loses(Crash, &["PermissionError"])),
    case("kills everybody", "posix.kill(-1, 9)", Loses(Crash, &["PermissionError"])),
    case(
        "kills by another call",
        "c = ctypes.CDLL(None)\n\
         assert c.syscall(234, posix.getppid(), posix.getppid(), 9) != 0\nraise Exception('no')",
        Loses(Crash, &["Exception: no"]),
    ),
    case(
        "leaves its group",
        "c = ctypes.CDLL(None)\n\
         assert c.setsid() == -1 and c.setpgid(0, 0) == -1 and c.unshare(0x10000000) == -1\n\
         assert c.ptrace(16, 1, 0, 0) == -1 and c.prctl(1, 0) == -1\nraise Exception('no')",
        Loses(Crash, &["Exception: no"]),
    ),
    // Files.
    case("reads the users", "open('/etc/passwd').read()", Loses(Crash, NO_FILE)),
    case("lists the machine", "posix.listdir('/home')", Loses(Crash, NO_FILE)),
    case("looks at processes", "posix.listdir('/proc')", Loses(Crash, NO_FILE)),
    case("reads a neighbour", "open(NEIGHBOUR).read()", Loses(Crash, NO_FILE)),
    case("writes to a neighbour", "open(NEIGHBOUR, 'w')", Loses(Crash, NO_FILE)),
    case("opens up a neighbour", "posix.chmod(NEIGHBOUR, 0o777)", Loses(Crash, NO_FILE)),
    case("deletes a neighbour", "posix.unlink(NEIGHBOUR)", Loses(Crash, NO_FILE)),
    case(
        "keeps notes in its folder",
        "open('notes', 'w').write('d3')\nassert open('notes').read() == 'd3'\n\
         self.candidate_list = [(2, 3)]",
        Plays,
    ),
    case(
        "fills its folder",
        "for number in range(64):\n    open(str(number), 'wb').write(bytes(1 << 20))\n\
         while True: pass",
        Loses(Crash, &["No space left"]),
    ),
    case(
        "hides space behind a file",
        "c = ctypes.CDLL(None)\nnumber = ctypes.c_long\n\
         assert c.fallocate(open('f', 'wb').fileno(), 1, number(0), number(1 << 20)) == -1\n\
         raise Exception('no')",
        Loses(Crash, &["Exception: no"]),
    ),
    // Files that others use too.
    case(
        "leases a library",
        "import fcntl\nlibrary, done = open(np.__file__), []\n\
         for command in (1024, 1026, 8, 15, 10, 1031):\n    \
         try: done.append((command, fcntl.fcntl(library, command, 0)))\n    \
         except OSError: pass\nassert not done, done\nraise Exception('no')",
        Loses(Crash, &["Exception: no"]),
    ),
    case(
        "locks a library",
        "import fcntl\nfcntl.flock(open(np.__file__), fcntl.LOCK_EX)",
        Loses(Crash, &["PermissionError"]),
    ),
    case(
        "evicts pages",
        "import mmap\npages, done = mmap.mmap(-1, 4096), []\n\
         for advice in (12, 21, 22, 23, 25):\n    \
         try: done.append((advice, pages.madvise(advice)))\n    \
         except OSError: pass\nassert not done, done\nraise Exception('no')",
        Loses(Crash, &["Exception: no"]),
    ),
    case(
        "types into the terminal",
        "import fcntl, termios\nfcntl.ioctl(0, termios.TIOCSTI, b'x')",
        Loses(Crash, &["PermissionError"]),
    ),
    // The network.
    case("opens a socket", "socket.socket()", Loses(Crash, &["PermissionError"])),
    case(
        "calls home",
        "socket.create_connection(('127.0.0.1', 80))",
        Loses(Crash, &["PermissionError"]),
    ),
    // Output and pipes.
    case("prints a gigabyte", "while True: print('x' * (1 << 20))", Loses(Garbage, &["printed"])),
    case("prints a little", "print('thinking')\nself.candidate_list = [(2, 3)]", Plays),
    case("closes its output", "sys.stdout.close()\nself.candidate_list = [(2, 3)]", Plays),
    case(
        "closes all there is",
        "posix.closerange(0, 64)\nwhile True: pass",
        Loses(Crash, &["pipe"]),
    ),
    case(
        "writes into our pipe",
        "for fd in range(3, 9):\n    try: posix.write(fd, b'[[[\\n')\n    except OSError: pass",
        Loses(Garbage, &["[[["]),
    ),
    case(
        "fills our pipe",
        "while True:\n    for fd in range(3, 9):\n        try: posix.write(fd, b'[' * 4096)\n\
         \x20       except OSError: pass",
        Loses(Garbage, &["without end"]),
    ),
    // Decisions.
    case("plays on a corner", "self.candidate_list = [(2, 3), (0, 0)]", Loses(Illegal, &["a1 is"])),
    case("plays on a disc", "self.candidate_list.append((3, 3))", Loses(Illegal, &["d4 is occup"])),
    case(
        "plays off the board",
        "self.candidate_list = [(8, 3)]",
        Loses(Illegal, &["(8, 3) is off"]),
    ),
    case("plays from the end", "self.candidate_list = [(-6, 3)]", Loses(Illegal, &["(-6, 3) is"])),
    case("plays nothing", "self.candidate_list.clear()", Loses(Illegal, &["empty"])),
    case("says a name", "self.candidate_list = ['d3']", Loses(Garbage, &["'d3'"])),
    case("says three numbers", "self.candidate_list = [(2, 3, 1)]", Loses(Garbage, &["(2, 3, 1)"])),
    case("says fractions", "self.candidate_list = [(2.0, 3.0)]", Loses(Garbage, &["(2.0, 3.0)"])),
    case("says none", "self.candidate_list.append(None)", Loses(Garbage, &["None"])),
    case("has no list", "self.candidate_list = 5", Loses(Garbage, &["5"])),
    case("forgets the list", "del self.candidate_list", Loses(Garbage, &["no candidate_list"])),
    case(
        "answers with a trap",
        "class Trap:\n    def __len__(self): raise KeyError()\n    __repr__ = __len__\n\
         self.candidate_list = [Trap()]",
        Loses(Garbage, &["a Trap"]),
    ),
    case("plays by numpy", "self.candidate_list = [np.array([2, 3], dtype=np.int8)]", Plays),
    case("plays by list", "self.candidate_list = [[2, 3]]", Plays),
    case("paints the board", "chessboard[:] = 1\nself.candidate_list = [(2, 3)]", Plays),
    // Ends.
    case("raises", "raise ValueError('a\\nb' * 10000)", Loses(Crash, &["ValueError: a b"])),
    case("exits", "sys.exit(3)", Loses(Crash, &["SystemExit: 3"])),
    case("exits at once", "posix._exit(3)", Loses(Crash, &["status 3"])),
    case("aborts", "posix.abort()", Loses(Crash, &["signal"])),
    case("recurs", "self.go(chessboard)", Loses(Crash, &["RecursionError"])),
    case("reads a null", "ctypes.string_at(0)", Loses(Crash, &["signal 11"])),
    case(
        "finds the forbidden module",
        "o = __import__('o' + 's')\nassert o.system('true') != 0\nself.candidate_list = [(2, 3)]",
        Plays,
    ),
    case("imports it", "import os", Loses(Refused, &["imports os"])),
];

/// The whole file of a case.
pub(crate) fn lines(case: &Case, neighbour: &str) -> String {
    let body: String = case.body.lines().map(|line| format!("        {line}\n")).collect();
    format!(
        "import ctypes, posix, socket, sys, threading, time\nimport numpy as np\n\
         NEIGHBOUR = {neighbour:?}\n\
         class AI(object):\n    def __init__(self, chessboard_size, color, time_out):\n        \
         self.candidate_list = []\n    def go(self, chessboard):\n{body}"
    )
}
