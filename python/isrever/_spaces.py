"""Actions and observations, the same in all environments."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._native import Board

#: An observation: `observation`, the discs, and `action_mask`, the legal actions.
Observation = dict[str, npt.NDArray[Any]]


def action_space(size: int) -> spaces.Discrete:
    """The squares row by row, and the pass."""
    return spaces.Discrete(size * size + 1)


def observation_space(size: int) -> spaces.Space[Any]:
    """Two planes of discs, one's own first, and the mask of legal actions."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (2, size, size), np.uint8),
            "action_mask": spaces.Box(0, 1, (size * size + 1,), np.int8),
        }
    )


def planes(board: Board, side: int) -> npt.NDArray[np.uint8]:
    """The discs of a side and of the other, whoever is to move."""
    seen = board.planes()
    return seen if board.turn == side else seen[::-1].copy()


def mask(board: Board) -> npt.NDArray[np.bool_]:
    """The legal actions; after the end the pass alone, so that a mask is never empty."""
    legal = board.mask()
    legal[-1] |= board.is_over
    return legal


def observation(board: Board, side: int) -> Observation:
    """The observation of a board by one side."""
    return {"observation": planes(board, side), "action_mask": mask(board).astype(np.int8)}


def offence(board: Board, action: int) -> str | None:
    """What is wrong with an action; `None` if it is legal."""
    legal = board.actions()
    if action in legal:
        return None
    expected = f"{legal[0]}, a pass" if board.must_pass else ", ".join(map(str, legal))
    return f"action {action} is not legal; expected {expected}"


def side_of(color: int | str | None) -> int | None:
    """The side that a colour stands for; `None` for either."""
    side = {"black": -1, "white": 1}.get(color, 0) if isinstance(color, str) else color
    if side not in (None, -1, 1):
        raise ValueError(f"{color!r} is no colour; expected -1 black, 1 white or None for both")
    return side


def check_reward(reward: str) -> None:
    """Refuses a kind of reward that there is not."""
    if reward not in ("win", "score"):
        raise ValueError(f"reward cannot be {reward!r}; expected win or score")
