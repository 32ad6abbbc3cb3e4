"""The eight symmetries of a board, for training."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import symmetries


def augment(
    observations: npt.NDArray[Any], policies: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Every board with its policy in all eight images: those of the first symmetry, which changes
    nothing, then those of the second, and so on.

    `observations` are count x planes x n x n, `policies` count x (n * n + 1), a pass last; both of any
    type. What comes back has eight times as many of each.
    """
    observations, policies = np.asarray(observations), np.asarray(policies)
    if observations.ndim != 4 or observations.shape[2] != observations.shape[3]:
        shape = observations.shape
        raise ValueError(f"observations of shape {shape}; expected (count, planes, n, n)")
    count, planes, size, _ = observations.shape
    table = symmetries(size)
    if policies.shape != (count, table.shape[1]):
        shape, expected = policies.shape, (count, table.shape[1])
        raise ValueError(f"policies of shape {shape}; expected {expected}")
    squares = observations.reshape(count, planes, size * size)
    images = np.concatenate([squares[:, :, row[:-1]] for row in table])
    return images.reshape(8 * count, planes, size, size), np.concatenate(
        [policies[:, row] for row in table]
    )
