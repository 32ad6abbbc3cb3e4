"""Reports errors of an agent's. This stands before parse.py and before harness.py."""

import traceback

# The agent may change modules; these are the originals.
_len, _isinstance, _type = len, isinstance, type

FILE = "ai.py"
CODE = "ai.code"    # the same, compiled
# numba's cache, in the agent's folder: no module's name, so that `import numba` does not find it.
COMPILED = "numba-cache"
PLACE = "ai"        # the folder in it for all files
MOST_WORDS = 300    # characters of any text of the agent's
MOST_FRAMES = 10    # frames of a traceback
MOST_TRACE = 4000   # characters of a traceback
RESERVE = [bytearray(4 << 20)]  # freed to report an error when all other memory is gone


def trace(error):
    """The traceback of an error, from the agent's first own frame on."""
    try:
        walk = error.__traceback__
        while walk is not None and walk.tb_frame.f_code.co_filename != FILE:
            walk = walk.tb_next
        lines = traceback.format_exception(_type(error), error, walk, limit=-MOST_FRAMES)
        return "".join(lines)[-MOST_TRACE:]
    except BaseException:
        return ""


def error_message(error):
    """The message that reports an error of the agent's."""
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
    message = {"t": "raised", "what": what, "where": where, "memory": is_memory}
    if _isinstance(error, ModuleNotFoundError) and _isinstance(error.name, str):
        message["missing"] = error.name[:MOST_WORDS]
    if not is_memory:
        message["trace"] = trace(error)
    return message


