"""Runs one agent file of the course, and talks to isrever for it.

The protocol uses standard input and output. The harness moves both out of the agent's reach at
once: what the agent prints goes to standard error, of which isrever keeps the end. Messages are
lines of JSON. Whatever the agent does to this process, isrever keeps the clock, sets the limits
and checks every answer: an agent that meddles here hurts only itself. parse.py has compiled the
file before.

Written for every Python since 3.7.
"""

import base64
import io
import json
import marshal
import operator
import os
import random
import signal
import sys
import threading
import time
import types

# The agent may change modules; the harness keeps the originals that the protocol needs.
_write, _read, _dumps, _loads, _exit = os.write, os.read, json.dumps, json.loads, os._exit
_index, _repr = operator.index, repr
_sleep = time.sleep
_encode, _join, _list = base64.b64encode, os.path.join, os.listdir

REQUESTS, REPLIES = os.dup(0), os.dup(1)
os.dup2(2, 1)
_null = os.open(os.devnull, os.O_RDONLY)
os.dup2(_null, 0)
os.close(_null)

MOST_SHOWN = 1024   # elements of a list that are reported
MOST_CLASSES = 5    # classes that are named where there is none called AI
POLL = 0.01         # seconds between two looks at a list that cannot be watched
MOST_COMPILED = 4 << 20     # bytes of that which isrever keeps
PIECE = 30 << 10    # bytes in a message


class TimeUp(BaseException):
    """Ends a search when its time is over. Not an Exception: agents catch those."""


def send(message):
    data = (_dumps(message) + "\n").encode("ascii")
    while data:
        data = data[_write(REPLIES, data):]


def requests():
    """Reads isrever's requests, one after the other."""
    buffer = b""
    while True:
        while b"\n" not in buffer:
            piece = _read(REQUESTS, 65536)
            if not piece:
                _exit(0)    # isrever has gone
            buffer += piece
        line, buffer = buffer.split(b"\n", 1)
        yield _loads(line.decode("ascii"))


def shown(thing):
    """A short text for an object of the agent's."""
    try:
        text = _repr(thing)
    except BaseException:
        text = "a " + _type(thing).__name__
    return text if _len(text) <= MOST_WORDS else text[:MOST_WORDS] + "..."


def entry(thing):
    """An element of the list: [row, column], or a text if it is no pair of integers."""
    try:
        if not _isinstance(thing, (str, bytes)) and _len(thing) == 2:
            row, column = _index(thing[0]), _index(thing[1])
            if -10**6 < row < 10**6 and -10**6 < column < 10**6:
                return [row, column]
    except Exception:
        pass
    return shown(thing)


class Mirror:
    """Reports the list's last element to isrever whenever it changes."""

    def __init__(self):
        self.is_open = False
        self.reported = None
        self.has_poller = False

    def report(self, candidates):
        if not self.is_open:
            return
        try:
            last = entry(candidates[-1]) if _len(candidates) else None
        except Exception:
            last = shown(candidates)
        if last != self.reported:
            self.reported = last
            send({"t": "last", "last": last})

    def poll(self, ai):
        """Polls a list that cannot be watched. That works only while no C code holds the
        interpreter."""
        if self.has_poller:
            return
        self.has_poller = True

        def look():
            while True:
                _sleep(POLL)
                candidates = candidates_of(ai)
                if _type(candidates) is not Watched and candidates is not None:
                    self.report(candidates)

        # A small stack, because it counts as the agent's memory.
        before = threading.stack_size(256 << 10)
        threading.Thread(target=look, daemon=True).start()
        threading.stack_size(before)


def candidates_of(ai):
    try:
        return ai.candidate_list
    except Exception:
        return None


MIRROR = Mirror()


def _watching(name):
    plain = getattr(list, name)

    def method(self, *args, **kwargs):
        try:
            return plain(self, *args, **kwargs)
        finally:
            if self._is_candidates:
                MIRROR.report(self)

    method.__name__ = name
    return method


class Watched(list):
    """A list that reports every change at once, before C code can hold the interpreter."""

    _is_candidates = False

    for _name in ("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse",
                  "__setitem__", "__delitem__", "__iadd__", "__imul__"):
        locals()[_name] = _watching(_name)
    del _name

    def __reduce__(self):
        return list, (list(self),)


def watched(value):
    """Turns a list into a watched one; returns anything else unchanged."""
    return Watched(value) if _type(value) is list else value


def type_of(called, value):
    """Replaces the agent's `type(value)`, so that a watched list's type is `list`."""
    return list if called is _type and _type(value) is Watched else called(value)


def watch(plain):
    """Mirrors the `candidate_list` of a class's instances by a property, and keeps the agent's class
    itself. A class with such a property or slot of its own keeps it; then the harness polls the
    list."""
    if any("candidate_list" in vars(part) for part in plain.__mro__):
        return

    def get(self):
        try:
            return self.__dict__["candidate_list"]
        except KeyError:
            text = "{!r} object has no attribute 'candidate_list'"
            raise AttributeError(text.format(_type(self).__name__)) from None

    def put(self, value):
        before = self.__dict__.get("candidate_list")
        if _type(before) is Watched:
            before._is_candidates = False
        if _type(value) is Watched:
            value._is_candidates = True
        else:
            MIRROR.poll(self)
        self.__dict__["candidate_list"] = value
        MIRROR.report(value)

    def delete(self):
        get(self)
        del self.__dict__["candidate_list"]

    try:
        plain.candidate_list = property(get, put, delete)
    except Exception:
        pass    # The harness polls a class that refuses new attributes.


class Runner:
    """Asks the agent for one move after the other."""

    def __init__(self, numpy, ai):
        self.numpy, self.ai = numpy, ai
        self.is_asked = False
        if _type(candidates_of(ai)) is not Watched:
            MIRROR.poll(ai)

    def stop(self, *_):
        """Handles the signal that isrever sends when the time is over."""
        if self.is_asked:
            raise TimeUp()

    def ask(self, cells, width):
        board = self.numpy.array(cells, dtype=int).reshape(width, width)
        MIRROR.reported, MIRROR.is_open = None, True
        try:
            # The list of an earlier move still counts, as on the platform: go must clear it.
            before = candidates_of(self.ai)
            MIRROR.report([] if before is None else before)
            try:
                self.is_asked = True
                self.ai.go(board)
            finally:
                self.is_asked = False
            answer = {"t": "done"}
        except TimeUp:
            answer = {"t": "stopped"}
        except BaseException as error:
            answer = error_message(error)
        self.is_asked = MIRROR.is_open = False
        if answer["t"] != "raised":
            answer.update(self.candidates())
        send(answer)

    def candidates(self):
        """The list's length, its first elements and its last one."""
        candidates = candidates_of(self.ai)
        if candidates is None:
            return {"list": [], "count": 0, "last": "no candidate_list"}
        try:
            count = _len(candidates)
            elements = [entry(candidates[place]) for place in range(min(count, MOST_SHOWN))]
            last = entry(candidates[-1]) if count else None
        except Exception:
            return {"list": [], "count": 0, "last": shown(candidates)}
        return {"list": elements, "count": count, "last": last}


def no_class(module):
    """The message that refuses a file without a class AI, with the names of the classes it has."""
    names = [name for name, thing in vars(module).items()
             if _isinstance(thing, _type) and thing.__module__ == module.__name__]
    if not names:
        return {"t": "refused", "why": "the file has no class AI; expected one"}
    which = "one of them" if _len(names) > 1 else "it"
    if _len(names) > MOST_CLASSES:
        names[MOST_CLASSES:] = ["{} more".format(_len(names) - MOST_CLASSES)]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if _len(names) > 1 else names)
    why = "the file has no class AI; it has {}; rename {} to AI".format(listed, which)
    return {"t": "refused", "why": why}


def settle_cache():
    """Lets numba find the same file's cache wherever the folder is and whenever it was written."""
    try:
        from numba.core import caching
        caching._CacheLocator.get_suitable_cache_subpath = classmethod(lambda cls, file: PLACE)
        caching._SourceFileBackedLocatorMixin.get_source_stamp = lambda self: 0
    except Exception:
        pass    # Another version: it compiles anew at every start.


def send_compiled():
    """Sends what numba has compiled so far, if it is not too much."""
    files, size = [], 0
    try:
        for name in sorted(_list(_join(COMPILED, PLACE))):
            with io.open(_join(COMPILED, PLACE, name), "rb") as file:
                data = file.read(MOST_COMPILED + 1)
            size += _len(name) + _len(data)
            files.append((name, data))
            if size > MOST_COMPILED:
                return
    except Exception:
        return
    for name, data in files:
        for start in range(0, _len(data), PIECE):
            piece = _encode(data[start:start + PIECE]).decode("ascii")
            send({"t": "compiled", "name": name, "piece": piece})


def main():
    # What parse.py was sent, less the file, which it compiled.
    first = _loads(sys.argv[1])
    sys.path[:] = first["path"]
    import numpy
    if first["numba"]:
        os.environ["NUMBA_CACHE_DIR"] = _join(os.getcwd(), COMPILED)
        # Loads its libraries and its compiler now, so that they do not count as the agent's memory.
        try:
            import numba
            settle_cache()
            numba.njit(lambda one: one + 1)(1)
        except Exception:
            pass    # The agent's own import will report the error.
    random.seed(first["seed"])
    numpy.random.seed(first["seed"] % 2**32)
    send({"t": "loaded"})

    line = requests()
    second = next(line)
    sys.argv[:] = [FILE]
    sys.path.insert(0, os.getcwd())
    module = types.ModuleType("ai")
    module.__file__ = os.path.join(os.getcwd(), FILE)
    module.__isrever_watched__, module.__isrever_type__ = watched, type_of
    sys.modules["ai"] = module
    try:
        with open(CODE, "rb") as file:
            code = marshal.loads(file.read())
        os.unlink(CODE)
        exec(code, module.__dict__)
        del code
        if not _isinstance(getattr(module, "AI", None), _type):
            send(no_class(module))
            _exit(0)
        watch(module.AI)
        ai = module.AI(second["size"], second["color"], second["time_out"])
    except BaseException as error:
        send(error_message(error))
        _exit(0)
    runner = Runner(numpy, ai)
    signal.signal(signal.SIGUSR1, runner.stop)
    if first["numba"] and not first["is_compiled"]:
        send_compiled()
    send({"t": "ready"})
    for request in line:
        runner.ask(request["board"], second["size"])


main()
