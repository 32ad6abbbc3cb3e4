"""The file of a network, which the agent `zero` plays by."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .._native import zero_layers, zero_network_bytes
from .network import Arrays, Shape

#: Boards on which activations are measured.
BOARDS = 256


def network_bytes(
    shape: Shape, rule: str, folded: Arrays, boards: npt.NDArray[np.uint64]
) -> bytes:
    """The file of a folded network; its activations are measured on some of the boards."""
    numbers = []
    for name, _, _, _ in zero_layers(shape.size, shape.blocks, shape.channels):
        for part in ("w", "b"):
            numbers.append(np.asarray(folded[f"{name}.{part}"], np.float32).ravel())
    spread = np.linspace(0, len(boards) - 1, min(BOARDS, len(boards))).astype(np.int64)
    return zero_network_bytes(
        np.concatenate(numbers),
        np.ascontiguousarray(boards[spread]),
        size=shape.size,
        rule=rule,
        blocks=shape.blocks,
        channels=shape.channels,
    )
