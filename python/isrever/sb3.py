"""Reversi for Stable-Baselines3: many games against an opponent as one of its vector environments.

`MaskablePPO("MultiInputPolicy", ReversiVecEnv(64, size=6))` learns legal moves only: the masks are
found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from ._gym_vector import BatchOpponent, ReversiVectorEnv
from ._native import Rule
from ._spaces import Observation

__all__ = ["ReversiVecEnv"]

_Indices = Union[None, int, Iterable[int]]


class ReversiVecEnv(VecEnv):
    """`ReversiVectorEnv` with the interface of Stable-Baselines3.

    A policy that is the opponent is asked about all boards at once, which makes self-play many times
    faster than on single boards.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        size: int = 8,
        rule: Rule | str = "reversed",
        opponent: BatchOpponent = "random",
        nodes: int | None = None,
        color: int | str | None = -1,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        #: The games themselves, an environment of Gymnasium.
        self.games: ReversiVectorEnv = ReversiVectorEnv(
            num_envs,
            size=size,
            rule=rule,
            nodes=nodes,
            color=color,
            reward=reward,
            render_mode=render_mode,
        )
        self.opponent = opponent
        self._actions: npt.NDArray[Any] = np.empty(0, np.int64)
        space = self.games.single_observation_space
        super().__init__(num_envs, space, self.games.single_action_space)

    @property
    def opponent(self) -> BatchOpponent:
        """The other side on all boards. A new one takes over with its next moves."""
        return self.games.opponent

    @opponent.setter
    def opponent(self, opponent: BatchOpponent) -> None:
        if opponent is None:
            # Learners take all rewards for their own.
            raise ValueError("no opponent; expected an agent's spec, a function or a policy")
        self.games.opponent = opponent

    def reset(self) -> Observation:
        observations, _ = self.games.reset(seed=self._seeds[0])
        self._reset_seeds()
        return observations

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        observations, rewards, dones, _, found = self.games.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for place in np.flatnonzero(dones).tolist():
            infos[place]["terminal_observation"] = found["final_obs"][place]
        return observations, rewards, dones, infos

    def close(self) -> None:
        self.games.close()

    def get_attr(self, attr_name: str, indices: _Indices = None) -> list[Any]:
        return [getattr(self.games, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: _Indices = None) -> None:
        if indices is not None:
            raise ValueError(f"{attr_name} is the same on all boards; expected no indices")
        setattr(self if attr_name == "opponent" else self.games, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: _Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        results = getattr(self.games, method_name)(*method_args, **method_kwargs)
        return [None if results is None else results[place] for place in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: _Indices = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        return self.env_method("render")
