"""Runs one agent file of the course: what talks to isrever on the agent's side.

Standard input and output are the protocol's when this starts, and are moved away from the
agent's reach at once: what it prints goes to standard error, which isrever keeps the end of.
Messages are lines of JSON. Whatever the agent does to this process, isrever keeps the clock, sets
the limits and checks every answer: an agent that meddles here hurts nobody but itself.

Written for every Python since 3.7.
"""

import ast
import io
import json
import operator
import os
import random
import signal
import sys
import threading
import time
import tokenize
import traceback
import types

# The agent may change modules; what the protocol needs is kept from before.
_write, _read, _dumps, _loads, _exit = os.write, os.read, json.dumps, json.loads, os._exit
_index, _len, _isinstance, _repr, _type = operator.index, len, isinstance, repr, type
_sleep = time.sleep

REQUESTS, REPLIES = os.dup(0), os.dup(1)
os.dup2(2, 1)
_null = os.open(os.devnull, os.O_RDONLY)
os.dup2(_null, 0)
os.close(_null)

FILE = "ai.py"
MOST_SHOWN = 1024   # elements of a list that are told in full
MOST_WORDS = 300    # characters of anything the agent makes up
MOST_FRAMES = 10    # of the way to an error
MOST_TRACE = 4000   # characters of it
POLL = 0.01         # seconds between two looks at a list that cannot be watched


class TimeUp(BaseException):
    """Ends a search when its time is over. Not an Exception: agents catch those."""


def send(message):
    data = (_dumps(message) + "\n").encode("ascii")
    while data:
        data = data[_write(REPLIES, data):]


def requests():
    """The lines that isrever sends, read."""
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
    """A short text for something of the agent's making."""
    try:
        text = _repr(thing)
    except BaseException:
        text = "a " + _type(thing).__name__
    return text if _len(text) <= MOST_WORDS else text[:MOST_WORDS] + "..."


def entry(thing):
    """An element of the list: [row, column], or a text for what is no pair of whole numbers."""
    try:
        if not _isinstance(thing, (str, bytes)) and _len(thing) == 2:
            row, column = _index(thing[0]), _index(thing[1])
            if -10**6 < row < 10**6 and -10**6 < column < 10**6:
                return [row, column]
    except Exception:
        pass
    return shown(thing)


class Mirror:
    """Tells isrever the last element of the list, whenever it is another."""

    def __init__(self):
        self.is_open = False
        self.told = None
        self.has_poller = False

    def tell(self, candidates):
        if not self.is_open:
            return
        try:
            last = entry(candidates[-1]) if _len(candidates) else None
        except Exception:
            last = shown(candidates)
        if last != self.told:
            self.told = last
            send({"t": "last", "last": last})

    def poll(self, ai):
        """Looks at the agent's list again and again, as long as the interpreter is not held: for
        lists that cannot be watched."""
        if self.has_poller:
            return
        self.has_poller = True

        def look():
            while True:
                _sleep(POLL)
                candidates = candidates_of(ai)
                if _type(candidates) is not Watched and candidates is not None:
                    self.tell(candidates)

        # A small stack: it is the agent's memory that it takes.
        before = threading.stack_size(256 << 10)
        threading.Thread(target=look, daemon=True).start()
        threading.stack_size(before)


def candidates_of(ai):
    try:
        return ai.candidate_list
    except Exception:
        return None


MIRROR = Mirror()
RESERVE = [bytearray(4 << 20)]  # what is left to say so when all other memory is gone


def _watching(name):
    plain = getattr(list, name)

    def method(self, *args, **kwargs):
        try:
            return plain(self, *args, **kwargs)
        finally:
            if self._is_candidates:
                MIRROR.tell(self)

    method.__name__ = name
    return method


class Watched(list):
    """A list that is mirrored as it changes, even while C code holds the interpreter after."""

    _is_candidates = False

    for _name in ("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse",
                  "__setitem__", "__delitem__", "__iadd__", "__imul__"):
        locals()[_name] = _watching(_name)
    del _name

    def __reduce__(self):
        return list, (list(self),)


def watched(value):
    """A list as a watched one; anything else as it is."""
    return Watched(value) if _type(value) is list else value


def type_of(called, value):
    """What the agent's `type(value)` gives: a watched list is a list to it."""
    return list if called is _type and _type(value) is Watched else called(value)


class Rewriter(ast.NodeTransformer):
    """Makes lists that are born as `candidate_list` watched ones, and has `type` say that they are
    lists. Any other list may have a second name, through which the agent goes on changing it, so
    it stays the object that it is."""

    def is_fresh(self, value):
        if _isinstance(value, ast.Call):
            name = getattr(value.func, "id", None) or getattr(value.func, "attr", None)
            return name in ("list", "sorted", "copy", "tolist")
        if _isinstance(value, ast.Subscript):
            return _isinstance(value.slice, ast.Slice)
        return _isinstance(value, (ast.List, ast.ListComp, ast.BinOp))

    def visit_Call(self, node):
        self.generic_visit(node)
        is_type = _isinstance(node.func, ast.Name) and node.func.id == "type"
        if is_type and _len(node.args) == 1 and not node.keywords \
                and not _isinstance(node.args[0], ast.Starred):
            name = ast.copy_location(ast.Name(id="__isrever_type__", ctx=ast.Load()), node.func)
            node.args, node.func = [node.func, node.args[0]], name
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        named = [target for target in node.targets
                 if _isinstance(target, ast.Attribute) and target.attr == "candidate_list"]
        if _len(named) == _len(node.targets) == 1 and self.is_fresh(node.value):
            name = ast.Name(id="__isrever_watched__", ctx=ast.Load())
            call = ast.Call(func=name, args=[node.value], keywords=[])
            node.value = ast.fix_missing_locations(ast.copy_location(call, node.value))
        return node


def imported(tree):
    """Top-level names of the modules that are imported anywhere, with a line each."""
    names = {}
    for node in ast.walk(tree):
        if _isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif _isinstance(node, ast.ImportFrom) and not node.level:
            found = [node.module or ""]
        else:
            continue
        for name in found:
            names.setdefault(name.split(".")[0], node.lineno)
    return names


def trace(error):
    """The way to an error, as Python writes it, from where the agent's own code begins."""
    try:
        walk = error.__traceback__
        while walk is not None and walk.tb_frame.f_code.co_filename != FILE:
            walk = walk.tb_next
        lines = traceback.format_exception(_type(error), error, walk, limit=-MOST_FRAMES)
        return "".join(lines)[-MOST_TRACE:]
    except BaseException:
        return ""


def trouble(error):
    """What an error of the agent's is told as."""
    RESERVE.clear()
    where, walk = None, error.__traceback__
    while walk is not None:
        if walk.tb_frame.f_code.co_filename == FILE:
            where = "line {} in {}".format(walk.tb_lineno, walk.tb_frame.f_code.co_name)
        walk = walk.tb_next
    if where is None and _isinstance(error, SyntaxError):
        where = "line {}".format(error.lineno)
    try:
        words = str(error)
    except BaseException:
        words = ""
    if _isinstance(error, SyntaxError):
        words = str(error.msg)
    what = _type(error).__name__ + (": " + words if words else "")
    if _len(what) > MOST_WORDS:
        what = what[:MOST_WORDS] + "..."
    is_memory = _isinstance(error, MemoryError)
    told = {"t": "raised", "what": what, "where": where, "memory": is_memory}
    if not is_memory:
        told["trace"] = trace(error)
    return told


def watch(plain):
    """Mirrors the `candidate_list` of a class's instances: the class stays the one that the agent
    knows. One that has such an attribute of its own, a property or a slot, keeps it, and its list
    is looked at again and again."""
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
        MIRROR.tell(value)

    def delete(self):
        get(self)
        del self.__dict__["candidate_list"]

    try:
        plain.candidate_list = property(get, put, delete)
    except Exception:
        pass    # A class that lets nothing be set is looked at.


class Desk:
    """The agent, asked for one move after the other."""

    def __init__(self, numpy, ai):
        self.numpy, self.ai = numpy, ai
        self.is_asked = False
        if _type(candidates_of(ai)) is not Watched:
            MIRROR.poll(ai)

    def stop(self, *_):
        """The handler of the signal that the time is over."""
        if self.is_asked:
            raise TimeUp()

    def ask(self, cells, width):
        board = self.numpy.array(cells, dtype=int).reshape(width, width)
        MIRROR.told, MIRROR.is_open = None, True
        try:
            # What an earlier move left behind counts, as on the platform: go is to clear it.
            before = candidates_of(self.ai)
            MIRROR.tell([] if before is None else before)
            try:
                self.is_asked = True
                self.ai.go(board)
            finally:
                self.is_asked = False
            answer = {"t": "done"}
        except TimeUp:
            answer = {"t": "stopped"}
        except BaseException as error:
            answer = trouble(error)
        self.is_asked = MIRROR.is_open = False
        if answer["t"] != "raised":
            answer.update(self.told())
        send(answer)

    def told(self):
        """The list in full, as far as it is of a sensible length."""
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


def check_encoding(source):
    """Refuses bytes that are not in the file's encoding, as Python does with a file. Of bytes that
    come from elsewhere it does not look at comments."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    try:
        source.decode(encoding)
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        text = "bytes that are not {}; expected a first line such as # -*- coding: gbk -*-"
        raise SyntaxError(text.format(encoding), (FILE, line, None, None)) from None


def load(source):
    """The agent's file as a syntax tree, if the course's rules let it in."""
    try:
        check_encoding(source)
        tree = ast.parse(source, FILE)
    except BaseException as error:
        send(trouble(error))
        _exit(0)
    names = imported(tree)
    if "os" in names:
        send({"t": "refused", "line": names["os"]})
        _exit(0)
    return tree, names


def main():
    line = requests()
    first = next(line)
    sys.path[:] = first["path"]
    source = first["source"].encode("latin-1")
    tree, names = load(source)
    with open(FILE, "wb") as file:
        file.write(source)
    import numpy
    if "numba" in names:
        # Its libraries and its compiler are nobody's own memory.
        try:
            import numba
            numba.njit(lambda one: one + 1)(1)
        except Exception:
            pass    # The agent's own import says it better.
    random.seed(first["seed"])
    numpy.random.seed(first["seed"] % 2**32)
    send({"t": "loaded"})

    second = next(line)
    sys.argv[:] = [FILE]
    sys.path.insert(0, os.getcwd())
    module = types.ModuleType("ai")
    module.__file__ = os.path.join(os.getcwd(), FILE)
    module.__isrever_watched__, module.__isrever_type__ = watched, type_of
    sys.modules["ai"] = module
    try:
        tree = Rewriter().visit(tree)
        exec(compile(tree, FILE, "exec", dont_inherit=True), module.__dict__)
        if not _isinstance(getattr(module, "AI", None), _type):
            send({"t": "raised", "what": "there is no class AI", "where": None, "memory": False})
            _exit(0)
        watch(module.AI)
        ai = module.AI(second["size"], second["color"], second["time_out"])
    except BaseException as error:
        send(trouble(error))
        _exit(0)
    desk = Desk(numpy, ai)
    signal.signal(signal.SIGUSR1, desk.stop)
    send({"t": "ready"})
    for request in line:
        desk.ask(request["board"], second["size"])


main()
