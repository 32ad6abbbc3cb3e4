"""Checkpoints: the state after a generation, and its samples, in files that a later run goes on from."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..train.error import InputError
from ..train.files import replace
from .learning import State
from .samples import FIELDS, Array

_FORMAT = "isrever zero 1"
_DAMAGE = (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile)


def _named(state: State) -> dict[str, Any]:
    """The arrays of a state by path."""
    leaves = jax.tree_util.tree_flatten_with_path(state)[0]
    return {"/".join(str(key.key) for key in path): leaf for path, leaf in leaves}


def save(path: Path, state: State, generation: int) -> None:
    """Writes the state after a generation."""
    about = json.dumps({"format": _FORMAT, "generation": generation})
    arrays: dict[str, Any] = {"about": np.array(about)}
    arrays |= {name: np.asarray(x) for name, x in _named(state).items()}
    replace(path, lambda file: np.savez(file, **arrays))


def save_arrays(path: Path, arrays: dict[str, Any]) -> None:
    """Writes samples."""
    replace(path, lambda file: np.savez(file, **arrays))


def load(path: Path, like: State) -> tuple[State, int]:
    """The state of a file, with arrays of the same shapes as `like`, and its generation."""
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            if about["format"] != _FORMAT:
                raise ValueError("another format")
            leaves = []
            for name, x in _named(like).items():
                found = file[name]
                if found.shape != x.shape or found.dtype != x.dtype:
                    raise ValueError("another shape")
                leaves.append(jnp.asarray(found))
        return jax.tree.unflatten(jax.tree.structure(like), leaves), int(about["generation"])
    except _DAMAGE as error:
        offence = "not a checkpoint, or cut short; expected one by this command, or no file"
        raise InputError(f"{os.fspath(path)}: {offence}") from error


def load_arrays(path: Path) -> dict[str, Array]:
    """The samples of a file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in FIELDS}
        count = len(arrays["scores"])
        for name, (dtype, rest) in FIELDS.items():
            if arrays[name].shape != (count, *rest) or arrays[name].dtype != dtype:
                raise ValueError("another shape")
        return arrays
    except _DAMAGE as error:
        offence = "not samples of a run, or cut short; expected them, or no file"
        raise InputError(f"{os.fspath(path)}: {offence}") from error


def count(path: Path) -> int:
    """The number of samples in a file, without reading them all."""
    with np.load(path, allow_pickle=False) as file:
        return len(file["scores"])
