"""Training of networks: `python -m isrever.train` fits one to samples, `selfplay` makes samples.

`python -m isrever.train --data games.dat -o network.bin` writes a file of weights that the program
plays by: `isrever move --weights network.bin`, or the agent `engine:weights=network.bin`. Training
needs JAX (`pip install "isrever[train]"`), and a GPU for more than a try; `selfplay` needs neither.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from .._native import Rule
from .._native import selfplay as _selfplay
from .files import replace

__all__ = ["selfplay"]


def selfplay(
    path: str | os.PathLike[str],
    games: int,
    *,
    first: int = 0,
    seed: int = 1,
    rule: Rule | str = "reversed",
    player: str = "mobile",
    random: tuple[int, int] = (6, 40),
    solve_from: int = 14,
    lambda_: float = 1.0,
    weights: str | os.PathLike[str] | None = None,
    progress: Callable[[int], object] | None = None,
) -> None:
    """Plays games on 8x8 and writes their positions with scores to a file, as `isrever train selfplay`
    does with the same options. `progress` is called with the number of games played so far.
    """
    samples = _selfplay(
        games,
        first=first,
        seed=seed,
        rule=rule,
        player=player,
        random=random,
        solve_from=solve_from,
        lambda_=lambda_,
        weights=weights,
        progress=progress,
    )
    replace(path, lambda file: file.write(samples))
