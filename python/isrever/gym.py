"""Reversi for Gymnasium: one side is yours, an agent, a function or a policy has the other.

`gymnasium.make("isrever/Reversi-v0", size=6, opponent="greedy")` makes an environment once this is
imported, and `gymnasium.make_vec` many boards in one (`ReversiVectorEnv`).
"""

from __future__ import annotations

from operator import index
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._gym_vector import BatchOpponent, ReversiVectorEnv
from ._native import Agent, Game, Rule
from ._opponent import Chooser, Opponent, Policy, chooser
from ._render import FPS, MODES, Frame, Screen
from ._spaces import (
    Observation,
    action_space,
    check_reward,
    mask,
    observation,
    observation_space,
    offence,
    side_of,
)

__all__ = ["BatchOpponent", "Observation", "Opponent", "Policy", "ReversiEnv", "ReversiVectorEnv"]


class ReversiEnv(gymnasium.Env[Observation, np.int64]):
    """A game against an opponent: an agent's spec, a function that gets a game and gives a move, or a
    policy with `predict` as Stable-Baselines3 has them, such as a snapshot of the one that learns.

    An action is a square, row by row from 0, or `size * size`, a pass, which is legal only where no
    square is. An observation has the key `observation`, two planes of the discs of your side and of
    the other, and `action_mask`, what is legal; the mask is in `info` as well, and `action_masks()`
    returns it for learners that use masks. The reward comes at the end: 1, 0 or -1, or with
    `reward="score"` the score as a part of the board. Who plays an illegal action has lost.
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": FPS}

    def __init__(
        self,
        *,
        size: int = 8,
        rule: Rule | str = "reversed",
        opponent: Opponent = "random",
        nodes: int | None = None,
        color: int | str | None = -1,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        check_reward(reward)
        self._color = side_of(color)
        self.game: Game = Game(rule, size)
        # Refuses a wrong limit before any game begins.
        Agent("random").choose(self.game, nodes=nodes)
        self.size: int = size
        self.rule: Rule | str = rule
        self.nodes: int | None = nodes
        self.color: int | str | None = color
        self.reward: str = reward
        self._screen = Screen(render_mode)
        self.render_mode = render_mode
        #: Your side: -1 black, 1 white.
        self.side: int = -1
        self._seed = 1
        self.opponent = opponent
        self._is_open = False
        self.action_space: spaces.Space[np.int64] = action_space(size)
        self.observation_space: spaces.Space[Observation] = observation_space(size)

    @property
    def opponent(self) -> Opponent:
        """The other side. A new one takes over with its next move."""
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: Opponent) -> None:
        self._chooser: Chooser = chooser(opponent, seed=self._seed, nodes=self.nodes)
        self._opponent: Opponent = opponent

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.game = Game(self.rule, self.size)
        self._seed = int(self.np_random.integers(2**63))
        # An agent begins every game anew, with random choices of its own.
        self.opponent = self._opponent
        choice = self.np_random.integers(2)
        self.side = self._color if self._color is not None else int(2 * choice - 1)
        self._screen.refresh(self.game)
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
        illegal = offence(self.game.board, number)
        if illegal is not None:
            self._is_open = False
            return self._observation(), -1.0, True, False, self._info() | {"illegal": illegal}
        self._play(number)
        self._answer()
        self._is_open = not self.game.is_over
        score = self.game.score(self.side) if self.game.is_over else 0
        if self.reward == "score":
            reward = score / self.size**2
        else:
            reward = float(np.sign(score))
        return self._observation(), reward, self.game.is_over, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions as booleans, under the name that MaskablePPO looks for; after the end the
        pass alone.
        """
        return mask(self.game.board)

    def render(self) -> Frame:
        """The position as `render_mode` says: a text, a picture, or nothing for a window."""
        return self._screen.render(self.game)

    def close(self) -> None:
        self._screen.close()

    def _play(self, move: Any) -> None:
        self.game.play(move)
        self._screen.refresh(self.game)

    def _answer(self) -> None:
        """Lets the opponent play until it is our turn."""
        while self.game.turn == -self.side:
            if self.game.board.must_pass:
                self._play("pass")
                continue
            move = self._chooser(self.game)
            try:
                self._play(move)
            except ValueError as error:
                raise ValueError(f"the opponent's move: {error}") from None

    def _observation(self) -> Observation:
        # At the end it may be the other side's turn: the planes are ours all the same.
        return observation(self.game.board, self.side)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}


gymnasium.register(
    id="isrever/Reversi-v0",
    entry_point="isrever.gym:ReversiEnv",
    vector_entry_point="isrever.gym:ReversiVectorEnv",
)
