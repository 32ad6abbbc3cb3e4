"""Files that are replaced whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO


def replace(path: str | os.PathLike[str], write: Callable[[BinaryIO], object]) -> None:
    """Lets `write` fill a temporary file beside `path`, which then takes its name.

    A program that is killed leaves the old file or the new one, never half of one.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
