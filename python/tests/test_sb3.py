"""The environment for Stable-Baselines3: games go as in Gymnasium's, told in its words.

Where Stable-Baselines3 is not installed, a stand-in with the same abstract methods is its base.
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from isrever.gym import ReversiVectorEnv

STANDINS = str(Path(__file__).parent / "standins")

if find_spec("stable_baselines3") is None:
    sys.path.append(STANDINS)

from isrever.sb3 import ReversiVecEnv  # noqa: E402


class First:
    """A policy that plays the first legal action, and counts how often it is asked."""

    asked = 0

    def predict(self, observation: dict[str, Any], action_masks: Any = None) -> tuple[Any, None]:
        self.asked += 1
        return action_masks.argmax(axis=1), None


def test_games_go_as_in_the_environment_of_gymnasium() -> None:
    env = ReversiVecEnv(5, size=4, color=None, reward="score", opponent=First())
    oracle = ReversiVectorEnv(5, size=4, color=None, reward="score", opponent=First())
    assert env.observation_space == oracle.single_observation_space
    assert env.action_space == oracle.single_action_space
    env.seed(3)
    seen, (expected, _) = env.reset(), oracle.reset(seed=3)
    dice, ended = np.random.default_rng(3), 0
    for _ in range(40):
        for key in expected:
            assert (seen[key] == expected[key]).all()
        masks = np.stack(env.env_method("action_masks"))
        assert masks.dtype == bool and (masks == oracle.action_masks()).all()
        actions = np.array([dice.choice(np.flatnonzero(mask)) for mask in masks])
        seen, rewards, dones, infos = env.step(actions)
        expected, paid, terminations, _, found = oracle.step(actions)
        assert (rewards == paid).all() and (dones == terminations).all()
        assert [("terminal_observation" in info) for info in infos] == dones.tolist()
        for place in np.flatnonzero(dones):
            for key, final in found["final_obs"][place].items():
                assert (infos[place]["terminal_observation"][key] == final).all()
            ended += 1
    assert ended > 5


def test_a_seed_is_used_once() -> None:
    env = ReversiVecEnv(32, size=6, color=None)
    games = []
    for seed in (7, 7, None):
        if seed is not None:
            env.seed(seed)
        games.append([env.reset()["observation"].tobytes(), env.games.sides.tobytes()])
    assert games[0] == games[1] != games[2]


def test_a_policy_is_asked_about_all_boards_at_once() -> None:
    first = First()
    env = ReversiVecEnv(64, size=6, color="white", opponent=first)
    env.reset()
    assert first.asked == 1


def test_opponents_change_and_one_is_needed() -> None:
    env = ReversiVecEnv(2, size=4)
    first = First()
    env.set_attr("opponent", first)
    assert env.opponent is first and env.get_attr("opponent") == [first, first]
    env.opponent = "random"
    assert env.games.opponent == "random"
    with pytest.raises(ValueError, match="no opponent; expected an agent's spec"):
        env.set_attr("opponent", None)
    with pytest.raises(ValueError, match="opponent is the same on all boards"):
        env.set_attr("opponent", "random", indices=[1])
    with pytest.raises(ValueError, match="no opponent"):
        ReversiVecEnv(2, opponent=None)


def test_boards_are_asked_by_their_indices() -> None:
    env = ReversiVecEnv(3, size=4, render_mode="rgb_array")
    env.reset()
    assert len(env.env_method("action_masks", indices=[0, 2])) == 2
    assert env.get_attr("size", indices=1) == [4]
    assert env.env_is_wrapped(object) == [False] * 3
    assert [picture is not None and picture.ndim for picture in env.get_images()] == [3, 3, 3]
    env.close()
