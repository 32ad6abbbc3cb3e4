"""Reversi as a PettingZoo environment: two agents, `black_0` and `white_0`, in turn.

`isrever.zoo.env(size=6, rule="normal")` makes one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from ._native import Game, Rule
from ._render import FPS, MODES, Frame, Screen
from ._spaces import Observation, action_space, observation, observation_space, offence

__all__ = ["Observation", "env", "raw_env"]


def env(
    *, size: int = 8, rule: Rule | str = "reversed", render_mode: str | None = None
) -> AECEnv[str, Observation, int | None]:
    """The environment with PettingZoo's checks: an illegal action ends the game, with -1."""
    game = raw_env(size=size, rule=rule, render_mode=render_mode)
    checked = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    checked = wrappers.AssertOutOfBoundsWrapper(checked)
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(AECEnv[str, Observation, "int | None"]):  # type: ignore[misc]
    """A game between two agents.

    An action is a square, row by row from 0, or `size * size`, a pass, which is legal only where no
    square is. An observation has the key `observation`, two planes of the discs of one's own and of
    the other side, and `action_mask`, what is legal now. The rewards come at the end: 1, 0 or -1.
    """

    metadata: dict[str, Any] = {
        "render_modes": list(MODES),
        "render_fps": FPS,
        "name": "isrever_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self, *, size: int = 8, rule: Rule | str = "reversed", render_mode: str | None = None
    ) -> None:
        super().__init__()
        self._screen = Screen(render_mode)
        self.size: int = size
        self.rule: Rule | str = rule
        self.render_mode: str | None = render_mode
        self.game: Game = Game(rule, size)
        self.possible_agents: list[str] = ["black_0", "white_0"]
        self.agents: list[str] = []
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(
            self.possible_agents, observation_space(size)
        )
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: action_space(size) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.game = Game(self.rule, self.size)
        self.agents = self.possible_agents[:]
        self.agent_selection: str = "black_0"
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._screen.refresh(self.game)

    def observe(self, agent: str) -> Observation:
        board, side = self.game.board, self._side(agent)
        seen = observation(board, side)
        if self.game.turn != side:
            seen["action_mask"][:] = 0
        return seen

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        illegal = offence(self.game.board, action)
        if illegal is not None:
            raise ValueError(illegal)
        self.game.play(action)
        self._screen.refresh(self.game)
        if self.game.is_over:
            for other in self.agents:
                self.rewards[other] = float(np.sign(self.game.score(self._side(other))))
                self.terminations[other] = True
        self.agent_selection = "white_0" if agent == "black_0" else "black_0"
        self._accumulate_rewards()

    def render(self) -> Frame:
        """The position as `render_mode` says: a text, a picture, or nothing for a window."""
        return self._screen.render(self.game)

    def close(self) -> None:
        self._screen.close()

    @staticmethod
    def _side(agent: str) -> int:
        side = {"black_0": -1, "white_0": 1}.get(agent)
        if side is None:
            raise ValueError(f"{agent!r} is no agent; expected black_0 or white_0")
        return side
