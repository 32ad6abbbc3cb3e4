"""Parses and compiles an agent's file, and gives its process to the harness.

What a parser needs for a file depends on the file, and may be hundreds of MiB for a file of one.
None of it may count as what Python takes by itself, and none of it as the agent's. So a program
of its own does this work, and executes Python anew when it is done: the kernel frees it all.

Nothing of the agent's runs here. Written for every Python since 3.7.
"""

import ast
import base64
import io
import json
import marshal
import os
import resource
import sys
import tokenize

MOST_BYTES = 1 << 30    # of memory, for a file of at most 1 MiB


class Rewriter(ast.NodeTransformer):
    """Replaces new lists that are assigned to `candidate_list` by watched ones, and calls of `type`
    by `type_of`. Any other list may have a second name, through which the agent goes on changing
    it, so it must stay the same object."""

    def is_fresh(self, value):
        if isinstance(value, ast.Call):
            name = getattr(value.func, "id", None) or getattr(value.func, "attr", None)
            return name in ("list", "sorted", "copy", "tolist")
        if isinstance(value, ast.Subscript):
            return isinstance(value.slice, ast.Slice)
        return isinstance(value, (ast.List, ast.ListComp, ast.BinOp))

    def visit_Call(self, node):
        self.generic_visit(node)
        is_type = isinstance(node.func, ast.Name) and node.func.id == "type"
        if is_type and len(node.args) == 1 and not node.keywords \
                and not isinstance(node.args[0], ast.Starred):
            name = ast.copy_location(ast.Name(id="__isrever_type__", ctx=ast.Load()), node.func)
            node.args, node.func = [node.func, node.args[0]], name
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        named = [target for target in node.targets
                 if isinstance(target, ast.Attribute) and target.attr == "candidate_list"]
        if len(named) == len(node.targets) == 1 and self.is_fresh(node.value):
            name = ast.Name(id="__isrever_watched__", ctx=ast.Load())
            call = ast.Call(func=name, args=[node.value], keywords=[])
            node.value = ast.fix_missing_locations(ast.copy_location(call, node.value))
        return node


def imported(tree):
    """The top-level names of all imported modules, each with the line of an import."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found = [node.module or ""]
        else:
            continue
        for name in found:
            names.setdefault(name.split(".")[0], node.lineno)
    return names


def check_encoding(source):
    """Refuses bytes that are not in the file's encoding, as Python does with a file. `ast.parse`
    alone would not check the comments."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    try:
        source.decode(encoding)
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        text = "bytes that are not {}; expected a first line such as # -*- coding: gbk -*-"
        raise SyntaxError(text.format(encoding), (FILE, line, None, None)) from None


def reply(message):
    data = (json.dumps(message) + "\n").encode("ascii")
    while data:
        data = data[os.write(1, data):]
    os._exit(0)


def compiled(source):
    """The file's code, and whether it imports numba; refuses imports that the course forbids."""
    check_encoding(source)
    tree = ast.parse(source, FILE)
    names = imported(tree)
    if "os" in names:
        text = "line {} imports os, which the course forbids; expected a file without that import"
        reply({"t": "refused", "why": text.format(names["os"])})
    code = compile(Rewriter().visit(tree), FILE, "exec", dont_inherit=True)
    return marshal.dumps(code), "numba" in names


def restore_compiled(pieces):
    """Writes what numba compiled at an earlier start of the same file."""
    folder = os.path.join(COMPILED, PLACE)
    os.makedirs(folder)
    for name, piece in pieces:
        with open(os.path.join(folder, os.path.basename(name)), "ab") as file:
            file.write(base64.b64decode(piece))


def main():
    program, harness, host = sys.argv[1:]
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, limits[1]))
    request = b""
    while not request.endswith(b"\n"):
        piece = os.read(0, 65536)
        if not piece:
            os._exit(0)     # isrever has gone
        request += piece
    first = json.loads(request.decode("ascii"))
    sys.path[:] = first["path"]
    source = first.pop("source").encode("latin-1")
    pieces = first.pop("compiled")
    first["is_compiled"] = pieces is not None
    try:
        code, first["numba"] = compiled(source)
        for name, content in ((FILE, source), (CODE, code)):
            with open(name, "wb") as file:
                file.write(content)
        if first["numba"]:
            restore_compiled(pieces or [])
    except BaseException as error:
        message = error_message(error)
        if message["memory"]:
            message["what"] = "MemoryError: the parser needs more than 1 GiB for this file"
            message["memory"] = False
        reply(message)
    resource.setrlimit(resource.RLIMIT_DATA, limits)
    os.execv(program, [program, "-s", "-B", "-u", "-c", harness, json.dumps(first), host])


main()
