"""Reversi as a Gymnasium environment: one side is yours, an agent of ours has the other.

`gymnasium.make("isrever/Reversi-v0", size=6, opponent="greedy")` makes one once this is imported.
"""

from __future__ import annotations

from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ._native import Agent, Game, Rule

Observation = dict[str, Any]


class ReversiEnv(gymnasium.Env[Observation, np.int64]):
    """A game against an agent.

    An action is a square, row by row from 0, or `size * size`, a pass, which is legal only where no
    square is. An observation has the key `observation`, two planes of the discs of your side and of
    the other, and `action_mask`, what is legal; the mask is in `info` as well. The reward comes at the
    end: 1, 0 or -1, or with `reward="score"` the score as a part of the board. Who plays an illegal
    action has lost.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        *,
        size: int = 8,
        rule: Rule | str = "reversed",
        opponent: str = "random",
        nodes: int | None = None,
        color: int | str | None = -1,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        if reward not in ("win", "score"):
            raise ValueError(f"reward cannot be {reward!r}; expected win or score")
        side = {"black": -1, "white": 1}.get(color, 0) if isinstance(color, str) else color
        if side not in (None, -1, 1):
            raise ValueError(f"{color!r} is no colour; expected -1 black, 1 white or None for both")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode cannot be {render_mode!r}; expected ansi")
        self.game = Game(rule, size)
        # Who is nobody, and limits that are none, are refused before any game.
        self._agent = Agent(opponent)
        Agent("random").choose(self.game, nodes=nodes)
        self.size, self.rule, self.opponent, self.nodes = size, rule, opponent, nodes
        self.color, self.reward, self.render_mode = color, reward, render_mode
        self._color, self.side = side, -1
        self._is_open = False
        self.action_space = spaces.Discrete(size * size + 1)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (2, size, size), np.uint8),
                "action_mask": spaces.Box(0, 1, (size * size + 1,), np.int8),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.game = Game(self.rule, self.size)
        self._agent = Agent(self.opponent, seed=int(self.np_random.integers(2**63)))
        choice = self.np_random.integers(2)
        self.side = self._color if self._color is not None else int(2 * choice - 1)
        self._answer()
        self._is_open = not self.game.is_over
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self._is_open:
            raise ValueError("the game is over, or none has begun; expected a reset")
        try:
            number = index(action)
        except TypeError:
            expected = f"expected a whole number from 0 to {self.size**2}"
            raise ValueError(f"{action!r} is no action; {expected}") from None
        try:
            self.game.play(number)
        except ValueError as error:
            self._is_open = False
            info = self._info() | {"illegal": str(error)}
            return self._observation(), -1.0, True, False, info
        self._answer()
        self._is_open = not self.game.is_over
        score = self.game.score(self.side) if self.game.is_over else 0
        if self.reward == "score":
            reward = score / self.size**2
        else:
            reward = float(np.sign(score))
        return self._observation(), reward, self.game.is_over, False, self._info()

    def render(self) -> str | None:
        return str(self.game.board) if self.render_mode == "ansi" else None

    def _answer(self) -> None:
        """Lets the opponent play until it is our turn."""
        while self.game.turn == -self.side:
            if self.game.board.must_pass:
                self.game.play("pass")
            else:
                self.game.play(self._agent.choose(self.game, nodes=self.nodes).move)

    def _observation(self) -> Observation:
        board = self.game.board
        planes = board.planes()
        return {
            # At the end it may be the other side's turn: the planes are ours all the same.
            "observation": planes if board.turn == self.side else planes[::-1].copy(),
            "action_mask": board.mask().astype(np.int8),
        }

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.game.board.mask().astype(np.int8)}


gymnasium.register(id="isrever/Reversi-v0", entry_point="isrever.gym:ReversiEnv")
