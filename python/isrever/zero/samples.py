"""Boards to learn from: a window of the latest, as arrays of a fixed length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .._native import ZeroSamples

Array = npt.NDArray[Any]

#: The arrays of samples: name, type, extents behind the first.
FIELDS: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
    "words": (np.uint32, (8,)),
    "policies": (np.uint16, (64,)),
    "scores": (np.int8, ()),
    "owned": (np.uint32, (2,)),
    "replies": (np.uint8, ()),
}


def arrays_of(samples: ZeroSamples) -> dict[str, Array]:
    """The arrays of new samples."""
    return {
        "words": samples.boards.view(np.uint32),
        "policies": samples.policies,
        "scores": samples.scores,
        "owned": samples.owned.view(np.uint32).reshape(-1, 2),
        "replies": samples.replies,
    }


@dataclass
class Window:
    """The latest samples: the first `count` of each array, in no order."""

    arrays: dict[str, Array]
    count: int = 0
    _next: int = 0

    @classmethod
    def of(cls, capacity: int) -> Window:
        """An empty window."""
        return cls({name: np.zeros((capacity, *rest), t) for name, (t, rest) in FIELDS.items()})

    @property
    def capacity(self) -> int:
        """The most samples."""
        return len(self.arrays["scores"])

    def add(self, new: dict[str, Array]) -> None:
        """Adds samples; the oldest make room."""
        length = len(new["scores"])
        places = (self._next + np.arange(length)) % self.capacity
        for name, array in self.arrays.items():
            array[places[-self.capacity :]] = new[name][-self.capacity :]
        self._next = (self._next + length) % self.capacity
        self.count = min(self.count + length, self.capacity)
