"""What commands that train share: a parser that says what is wrong in one line, numbers, and errors."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from .error import InputError

#: The exit status after wrong input, and after Ctrl-C.
WRONG, STOPPED = 2, 130


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG, f"isrever: {message}\n")


def perform(parser: Parser, work: Callable[[], None]) -> int:
    """Does work that needs JAX; returns the exit status, and says in one line what went wrong."""
    # Others may use the same GPU.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    try:
        work()
    except ModuleNotFoundError as error:
        if error.name != "jax":
            raise
        parser.error('JAX is not installed; expected it (pip install "isrever[train]")')
    except KeyboardInterrupt:
        print("isrever: stopped; the same command goes on", file=sys.stderr)
        return STOPPED
    except InputError as error:
        parser.error(str(error))
    except (OSError, ArithmeticError, RuntimeError) as error:
        # JAX's own errors, such as a lack of memory on the device, go on for pages.
        print(f"isrever: {str(error).partition(chr(10))[0]}", file=sys.stderr)
        return 1
    return 0


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number from `least` to `most`."""

    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            expected = f"expected {least} to {most}"
            raise argparse.ArgumentTypeError(f"{text!r} is not such a number; {expected}")
        return int(text)

    return number


def positive(most: float) -> Callable[[str], float]:
    """Reads a number above 0, at most `most`."""

    def number(text: str) -> float:
        found = _number(text)
        if found is None or not 0 < found <= most:
            expected = f"expected more than 0, at most {most:g}"
            raise argparse.ArgumentTypeError(f"{text!r} is not such a number; {expected}")
        return found

    return number


def share(text: str) -> float:
    """Reads a number from 0 to 1."""
    found = _number(text)
    if found is None or not 0 <= found <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not such a number; expected 0 to 1")
    return found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
