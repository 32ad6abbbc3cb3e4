"""Samples on the device, and errors on them."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from .._native import SampleSet
from .model import SQUARES, Parameters, predict
from .optimizer import Data

#: Boards that are uploaded at once: less than a second copy of them all.
PIECE = 1 << 20
#: Boards that are evaluated at once.
BLOCK = 1 << 13

#: The groups of phases in reports: the fewest discs on the board of each.
GROUPS = (4, 20, 28, 36, 44, 50, 56)


def upload(samples: SampleSet) -> Data:
    """All samples on the device."""
    return Data(_upload(samples.features), _upload(samples.phases), _upload(samples.labels))


@functools.partial(jax.jit, donate_argnums=0)
def _put(whole: jax.Array, part: jax.Array, at: Any) -> jax.Array:
    return jax.lax.dynamic_update_slice_in_dim(whole, part, at, 0)


def _upload(array: npt.NDArray[Any]) -> jax.Array:
    if len(array) <= PIECE:
        return jnp.asarray(array)
    whole = jnp.zeros(array.shape, array.dtype)
    for at in range(0, len(array), PIECE):
        whole = _put(whole, jnp.asarray(array[at : at + PIECE]), at)
    return whole


@functools.partial(jax.jit, static_argnames=("count", "unit", "rounding"))
def _block(
    parameters: Parameters, data: Data, at: Any, *, count: int, unit: int, rounding: bool
) -> jax.Array:
    """The values of `count` boards from number `at` on."""
    features, phases = (
        jax.lax.dynamic_slice_in_dim(x, at, count) for x in (data.features, data.phases)
    )
    return predict(parameters, features, phases, unit=unit, rounding=rounding)


def values(
    parameters: Parameters, data: Data, *, unit: int, rounding: bool
) -> npt.NDArray[np.float64]:
    """The value of each board, in discs, within those of the board."""
    total = len(data.labels)
    count = min(BLOCK, total)
    # The last block begins early, so that all have one shape and one compiled program.
    starts = [min(at, total - count) for at in range(0, total, BLOCK)]
    blocks = [
        _block(parameters, data, at, count=count, unit=unit, rounding=rounding) for at in starts
    ]
    result = np.zeros(total)
    for at, block in zip(starts, blocks):
        result[at : at + count] = np.asarray(block)
    return np.clip(result * unit, -SQUARES, SQUARES)


def rmse(values: npt.NDArray[np.float64], labels: npt.NDArray[np.float32]) -> float | None:
    """The root of the mean square of the errors, in discs; nothing without boards."""
    if len(labels) == 0:
        return None
    return float(np.sqrt(np.mean(np.square(values - labels))))


def grouped(
    values: npt.NDArray[np.float64],
    labels: npt.NDArray[np.float32],
    phases: npt.NDArray[np.uint8],
) -> list[float | None]:
    """The errors of each group of phases, and of all boards."""
    group = group_of(phases)
    errors = [rmse(values[group == k], labels[group == k]) for k in range(len(GROUPS))]
    return [*errors, rmse(values, labels)]


def group_of(phases: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The group of each phase."""
    discs = 4 + 2 * phases.astype(np.int64)
    return np.searchsorted(np.asarray(GROUPS), discs, side="right") - 1
