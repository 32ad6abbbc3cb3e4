"""Checkpoints: the state of a training after an epoch, in a file that a later run goes on from."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np

from .error import InputError
from .files import replace
from .optimizer import State

#: What the file says it is, with the version of its contents.
_FORMAT = "isrever training 1"


def save(path: Path, state: State, epoch: int, settings: dict[str, Any]) -> None:
    """Writes the state after so many epochs of a training with these settings."""
    about = json.dumps({"format": _FORMAT, "epoch": epoch, "settings": settings})
    arrays: dict[str, Any] = {"about": np.array(about)}
    for part, xs in state.items():
        arrays.update({f"{part}.{name}": np.asarray(x) for name, x in xs.items()})
    replace(path, lambda file: np.savez(file, **arrays))


def load(path: Path, like: State, settings: dict[str, Any]) -> tuple[State, int]:
    """The state of a file and how many epochs it has, if it is of a training with these settings and
    has arrays of the same shapes as `like`.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            if about["format"] != _FORMAT:
                raise ValueError("another format")
            _compare(path, about["settings"], settings)
            state = {
                part: {name: jnp.asarray(file[f"{part}.{name}"]) for name in xs}
                for part, xs in like.items()
            }
        for part, xs in like.items():
            for name, x in xs.items():
                if state[part][name].shape != x.shape or state[part][name].dtype != x.dtype:
                    raise ValueError("another shape")
        return state, int(about["epoch"])
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        offence = "not a checkpoint, or cut short; expected one by this command, or no file"
        raise InputError(f"{os.fspath(path)}: {offence}") from error


def _compare(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name, value in wanted.items():
        if found.get(name) != value:
            offence = f"a training with {name} {found.get(name)}; expected {value}, or no file"
            raise InputError(f"{os.fspath(path)}: {offence}")
