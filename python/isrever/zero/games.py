"""Games against itself: the network evaluates one group of games while the others move."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import jax
import numpy as np
import numpy.typing as npt

from .._native import ZeroGames, ZeroSamples

#: What a network says about boards, n × 8 of uint32: logits and values.
Network = Callable[[npt.NDArray[np.uint32]], tuple[jax.Array, jax.Array]]


@dataclass
class Pace:
    """How fast games were played."""

    seconds: float = 0.0
    evaluations: int = 0
    #: The time in which games waited for the network.
    waited: float = 0.0


class Player:
    """Games under way, which networks play on, one after the other."""

    def __init__(self, games: ZeroGames, groups: int) -> None:
        self._games = games
        self._words = [np.zeros((games.group_len, 4), np.uint64) for _ in range(groups)]
        for group, words in enumerate(self._words):
            games.boards(group, words)

    def play(self, network: Network, is_enough: Callable[[ZeroSamples], bool]) -> Pace:
        """Plays until `is_enough`, which is told of the games that have ended since the last time."""
        pace, began = Pace(), time.monotonic()
        said = [_asked(network, words) for words in self._words]
        while True:
            for group, words in enumerate(self._words):
                asked = time.monotonic()
                policy, values = (np.asarray(array) for array in said[group])
                pace.waited += time.monotonic() - asked
                self._games.step(group, policy, values, words)
                said[group] = _asked(network, words)
                pace.evaluations += len(words)
            if is_enough(self._games.take()):
                pace.seconds = time.monotonic() - began
                return pace


def _asked(network: Network, words: npt.NDArray[np.uint64]) -> tuple[jax.Array, jax.Array]:
    """What the network will say about boards, on its way to this processor as soon as it is known."""
    # JAX may read the array later: it gets one that nobody writes to.
    said = network(words.view(np.uint32).copy())
    for array in said:
        array.copy_to_host_async()
    return said
