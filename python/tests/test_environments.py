"""The environments, by the tests of Gymnasium and PettingZoo themselves."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import isrever.gym
import isrever.zoo

CASES = [(size, rule) for size in (4, 6, 8, 10) for rule in ("reversed", "normal")]


@pytest.mark.parametrize("size, rule", CASES)
def test_pettingzoo_is_content(size: int, rule: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Of PettingZoo's own games those with a mask are excepted by name.
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Observation is not (a )?NumPy array")
        api_test(isrever.zoo.env(size=size, rule=rule), num_cycles=200)
    seed_test(lambda: isrever.zoo.env(size=size, rule=rule), num_cycles=30)


def test_pettingzoo_renders() -> None:
    env = isrever.zoo.env(size=4, render_mode="ansi")
    env.reset()
    assert env.render().count("O") == 2
    with pytest.raises(ValueError, match="expected ansi"):
        isrever.zoo.env(render_mode="human")


def test_a_game_of_two_agents_ends_with_its_scores() -> None:
    dice = np.random.default_rng(1)
    for rule in ("reversed", "normal"):
        env = isrever.zoo.env(size=6, rule=rule)
        env.reset(seed=1)
        rewards: dict[str, float] = {}
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            rewards[agent] = reward
            if termination or truncation:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            assert len(legal)
            env.step(int(dice.choice(legal)))
        game = env.unwrapped.game
        assert game.is_over
        assert rewards == {"black_0": np.sign(game.score(-1)), "white_0": np.sign(game.score(1))}


def test_an_illegal_action_ends_the_game_of_two() -> None:
    env = isrever.zoo.env()
    env.reset()
    env.step(0)
    assert env.terminations == {"black_0": True, "white_0": True} and env.rewards["black_0"] == -1


@pytest.mark.parametrize("size, rule", CASES)
def test_gymnasium_is_content(size: int, rule: str) -> None:
    env = gymnasium.make("isrever/Reversi-v0", size=size, rule=rule, color=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("color", [-1, 1, None])
def test_games_against_an_agent(color: int | None) -> None:
    env = isrever.gym.ReversiEnv(size=6, opponent="greedy", color=color)
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            assert (observation["action_mask"] == info["action_mask"]).all()
            mask = info["action_mask"]
            action = env.action_space.sample(mask)
            before = observation["observation"].sum()
            observation, reward, terminated, truncated, info = env.step(action)
            assert not truncated and observation["observation"].sum() >= before
        assert reward == np.sign(env.game.score(env.side)) and env.game.is_over
        own = observation["observation"].sum(axis=(1, 2))
        assert own.tolist() == [env.game.board.count(env.side), env.game.board.count(-env.side)]
        with pytest.raises(ValueError, match="expected a reset"):
            env.step(0)


def test_rewards_by_score_and_illegal_actions() -> None:
    env = isrever.gym.ReversiEnv(size=4, reward="score", render_mode="ansi")
    observation, info = env.reset(seed=2)
    assert env.render().count("X") == 2
    terminated = False
    while not terminated:
        action = np.flatnonzero(info["action_mask"])[0]
        _, reward, terminated, _, info = env.step(action)
    assert reward == env.game.score(-1) / 16
    env.reset()
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated) == (-1, True) and "expected" in info["illegal"]
    with pytest.raises(ValueError, match="expected a reset"):
        env.step(int(np.flatnonzero(info["action_mask"])[0]))


@pytest.mark.parametrize("action", [None, "d3", 2.7, [1], np.array([1]), np.float32(1)])
def test_what_is_no_action_is_no_move(action: object) -> None:
    env = isrever.gym.ReversiEnv(size=4)
    with pytest.raises(ValueError, match="none has begun; expected a reset"):
        env.step(1)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="is no action; expected a whole number from 0 to 16"):
        env.step(action)
    assert env.game.turn == -1 and not env.game.is_over


def test_sides_by_name() -> None:
    env = isrever.gym.ReversiEnv(size=4, color="white")
    env.reset(seed=1)
    assert env.side == 1 and len(env.game) == 1
    with pytest.raises(ValueError, match="'red_0' is no agent; expected black_0 or white_0"):
        isrever.zoo.raw_env(size=4).observe("red_0")


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"opponent": "nobody"}, "no agent is called"),
        ({"reward": "love"}, "expected win or score"),
        ({"color": 0}, "expected -1 black"),
        ({"color": "red"}, "'red' is no colour; expected -1 black"),
        ({"nodes": -1}, "nodes cannot be -1; expected 1 to"),
        ({"render_mode": "human"}, "expected ansi"),
        ({"size": 5}, "no width"),
    ],
)
def test_what_is_wrong_is_named(settings: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        isrever.gym.ReversiEnv(**settings)
