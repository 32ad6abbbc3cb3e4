//! Attacks on the game itself: time, output, the protocol, decisions, ends.

use super::{Attack, Loses, Plays, case, endless, fails};
use isrever_agent::Reason::{Crash, Garbage, Illegal, Refused, Time};

pub(super) const CASES: &[Attack] = &[
    // Time.
    endless("loops", "while True: pass", Loses(Time, &["still empty"])),
    endless("loops after deciding", "self.candidate_list.append((2, 3))\nwhile True: pass", Plays),
    endless("holds the interpreter", "self.candidate_list = [(2, 3)]\nsum(range(10**13))", Plays),
    endless("appends without end", "while True: self.candidate_list.append((2, 3))", Plays),
    endless("sleeps nearly too long", "self.candidate_list += [(2, 3)]\ntime.sleep(0.35)", Plays),
    endless(
        "will not be stopped",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        Loses(Time, &["still empty"]),
    ),
    endless(
        "sets its clock back",
        "time.time = time.perf_counter = lambda: 0.0\nwhile time.time() < 1: pass",
        Loses(Time, &["still empty"]),
    ),
    endless(
        "ignores the signal to stop",
        "self.candidate_list = [(2, 3)]\nsignal.signal(signal.SIGUSR1, signal.SIG_IGN)\n\
         signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
        Plays,
    ),
    endless(
        "hangs in a tracer",
        r"
def trace(*_):
    while True: pass
sys.settrace(trace)
(lambda: 1)()",
        Loses(Time, &["still empty"]),
    ),
    endless(
        "hangs in a finalizer",
        r"
class Last:
    def __del__(self):
        while True: pass
self.candidate_list = [(2, 3)]
last = Last()
del last
while True: pass",
        Plays,
    ),
    endless(
        "hangs in an element",
        r"
class Row:
    def __index__(self):
        while True: pass
self.candidate_list = [(Row(), 3)]",
        Loses(Time, &["still empty"]),
    ),
    endless(
        "steals our requests",
        "while True:\n    for fd in range(3, 9):\n        try: posix.read(fd, 1)\n        \
         except OSError: pass",
        Loses(Time, &["still empty"]),
    ),
    // Output and pipes.
    case("prints a gigabyte", "while True: print('x' * (1 << 20))", Loses(Garbage, &["printed"])),
    case("prints a little", "print('thinking')\nself.candidate_list = [(2, 3)]", Plays),
    fails("prints a line without end", "print('x' * 900000, end='')\nsys.stdout.flush()"),
    fails("closes its output", "sys.stdout.close()"),
    case(
        "prints into a trap",
        "class Trap:\n    def write(self, text): raise KeyError('trap')\n\
         sys.stdout = sys.stderr = Trap()\nprint('x')",
        Loses(Crash, &["KeyError: 'trap'"]),
    ),
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
    case(
        "sends deep JSON",
        "sys._getframe(1).f_globals['_write'](sys._getframe(1).f_globals['REPLIES'],\n    \
         b'[' * 30000 + b']' * 30000 + b'\\n')",
        Loses(Garbage, &["[[["]),
    ),
    case(
        "sends numbers beyond all bounds",
        "home = sys._getframe(1).f_globals\n\
         home['_write'](home['REPLIES'], b'{\"t\":\"last\",\"last\":[1e999,9e99]}\\n')",
        Loses(Garbage, &["1e999"]),
    ),
    case(
        "sends bytes that are no text",
        "home = sys._getframe(1).f_globals\n\
         home['_write'](home['REPLIES'], b'\\xff\\xfe\\x00\\x1b]0;x\\x07\\n')",
        Loses(Garbage, &["it wrote"]),
    ),
    case(
        "answers before it is done",
        "home = sys._getframe(1).f_globals\n\
         home['send']({'t': 'done', 'list': [[2, 3]], 'count': 10**18, 'last': [2, 3]})\n\
         while True: pass",
        Plays,
    ),
    case(
        "says that it is ready again",
        "sys._getframe(1).f_globals['send']({'t': 'ready'})",
        Loses(Garbage, &["ready"]),
    ),
    case(
        "stops itself",
        "self.candidate_list = [(2, 3)]\nraise sys._getframe(1).f_globals['TimeUp']()",
        Plays,
    ),
    fails(
        "breaks the harness's modules",
        "import json\nsystem = sys.modules['os']\n\
         json.dumps = json.loads = posix.write = system.write = system.read = None\n\
         sys.modules.clear()",
    ),
    case(
        "breaks the language",
        "import builtins\nbuiltins.min = builtins.range = None\nself.candidate_list = [(2, 3)]",
        Loses(Garbage, &["[(2, 3)]"]),
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
    case("plays truth", "self.candidate_list = [(True, False)]", Loses(Illegal, &["a2 is"])),
    case("says a name", "self.candidate_list = ['d3']", Loses(Garbage, &["'d3'"])),
    case("says three numbers", "self.candidate_list = [(2, 3, 1)]", Loses(Garbage, &["(2, 3, 1)"])),
    case("says fractions", "self.candidate_list = [(2.0, 3.0)]", Loses(Garbage, &["(2.0, 3.0)"])),
    case(
        "says no numbers",
        "self.candidate_list = [(float('nan'), float('inf'))]",
        Loses(Garbage, &["(nan, inf)"]),
    ),
    case("says huge numbers", "self.candidate_list = [(10**30, 3)]", Loses(Garbage, &["(10000"])),
    case("says none", "self.candidate_list.append(None)", Loses(Garbage, &["None"])),
    case("has no list", "self.candidate_list = 5", Loses(Garbage, &["5"])),
    case("forgets the list", "del self.candidate_list", Loses(Garbage, &["no candidate_list"])),
    case(
        "answers with a trap",
        "class Trap:\n    def __len__(self): raise KeyError()\n    __repr__ = __len__\n\
         self.candidate_list = [Trap()]",
        Loses(Garbage, &["a Trap"]),
    ),
    case(
        "answers with a huge text",
        "class Text:\n    def __repr__(self): return 'x' * (1 << 28)\n\
         self.candidate_list = [Text()]",
        Loses(Garbage, &["a Text"]),
    ),
    case(
        "lies about its length",
        "class Lies(list):\n    def __len__(self): return 10**12\n\
         self.candidate_list = Lies([(2, 3)])",
        Loses(Garbage, &["[(2, 3)]"]),
    ),
    case(
        "interrupts whoever reads its list",
        "class Trap(list):\n    def __getitem__(self, place): raise KeyboardInterrupt()\n\
         self.candidate_list = Trap([(2, 3)])",
        Loses(Crash, &["KeyboardInterrupt"]),
    ),
    case("plays by numpy", "self.candidate_list = [np.array([2, 3], dtype=np.int8)]", Plays),
    case("plays by list", "self.candidate_list = [[2, 3]]", Plays),
    case("paints the board", "chessboard[:] = 1\nself.candidate_list = [(2, 3)]", Plays),
    // Ends.
    case("raises", "raise ValueError('a\\nb' * 10000)", Loses(Crash, &["ValueError: a b"])),
    case(
        "raises with a huge name",
        "raise type('X' * 10**6, (Exception,), {})('\\x1b[2J\\x00')",
        Loses(Crash, &["XXXX"]),
    ),
    case(
        "raises in a circle",
        "class Odd(Exception):\n    def __str__(self): raise self\n\
         error = Odd()\nerror.__cause__ = error.__context__ = error\nraise error",
        Loses(Crash, &["Odd"]),
    ),
    case("exits", "sys.exit(3)", Loses(Crash, &["SystemExit: 3"])),
    case("exits at once", "posix._exit(3)", Loses(Crash, &["status 3"])),
    case(
        "hangs at its exit",
        "import atexit\natexit.register(time.sleep, 3600)\n\
         threading.Thread(target=time.sleep, args=(3600,)).start()\n\
         raise KeyError('bye')",
        Loses(Crash, &["KeyError: 'bye'"]),
    ),
    case("aborts", "posix.abort()", Loses(Crash, &["signal"])),
    // The first process of a namespace has no deadly signals but those it asks for.
    endless(
        "sets an alarm",
        "signal.setitimer(0, 0.001)\nwhile True: pass",
        Loses(Time, &["still empty"]),
    )
    .outside(Loses(Crash, &["signal 14"])),
    case("recurs", "self.go(chessboard)", Loses(Crash, &["RecursionError"])),
    case(
        "recurs without a limit",
        "sys.setrecursionlimit(10**9)\nnest = []\n\
         for _ in range(10**6): nest = [nest]\nrepr(nest)",
        Loses(Crash, &["signal 11"]),
    ),
    case("reads a null", "ctypes.string_at(0)", Loses(Crash, &["signal 11"])),
    fails("finds the forbidden module", "assert __import__('o' + 's').system('true') != 0"),
    case("imports it", "import os", Loses(Refused, &["imports os"])),
];
