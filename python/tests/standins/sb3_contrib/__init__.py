"""A stand-in for SB3-Contrib: a learner that steps its environment by chance and learns nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv


class MaskablePPO:
    def __init__(self, policy: str, env: VecEnv | None, *, n_steps: int = 1, **settings: Any) -> None:
        self.env = env
        self.n_steps = n_steps
        self.num_timesteps = 0
        self.dice = np.random.default_rng(settings.get("seed"))

    def predict(
        self,
        observation: dict[str, Any],
        state: None = None,
        episode_start: None = None,
        deterministic: bool = False,
        action_masks: Any = None,
    ) -> tuple[Any, None]:
        assert (action_masks == observation["action_mask"]).all()
        chances = self.dice.random(action_masks.shape) * action_masks
        return chances.argmax(axis=-1), None

    def learn(self, total_timesteps: int, *, reset_num_timesteps: bool = True) -> MaskablePPO:
        assert self.env is not None
        if self.num_timesteps == 0:
            self.seen = self.env.reset()
        end = self.num_timesteps + total_timesteps
        while self.num_timesteps < end:
            for _ in range(self.n_steps):
                masks = np.stack(self.env.env_method("action_masks"))
                actions, _ = self.predict(self.seen, action_masks=masks)
                self.seen, rewards, _, _ = self.env.step(actions)
                assert np.isfinite(rewards).all()
                self.num_timesteps += self.env.num_envs
        return self

    def save(self, path: str) -> None:
        Path(path).write_text("a stand-in")

    @classmethod
    def load(cls, path: str, device: str = "auto") -> MaskablePPO:
        assert Path(path).read_text()
        return cls("MultiInputPolicy", None)
