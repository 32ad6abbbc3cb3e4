"""Many games as one vector environment of Gymnasium: each goes as an environment alone would."""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from isrever import Game
from isrever.gym import ReversiEnv, ReversiVectorEnv

SIZES = [4, 6, 8]


def last_of(game: Game) -> int:
    return game.board.actions()[-1]


def last_of_all(seen: dict[str, Any]) -> Any:
    masks = seen["action_mask"]
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


class LastOfAll:
    def predict(self, observation: dict[str, Any], action_masks: Any = None) -> tuple[Any, None]:
        assert (action_masks == observation["action_mask"]).all()
        return last_of_all(observation), None


def assert_same(one: Any, other: Any) -> None:
    assert data_equivalence(one, other), f"{one}\n{other}"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("color", [-1, 1])
@pytest.mark.parametrize("opponent", [last_of_all, LastOfAll()], ids=["function", "policy"])
def test_every_board_goes_as_its_environment(size: int, color: int, opponent: Any) -> None:
    """Gymnasium's own vector of single environments is the oracle, infos included."""
    make = partial(ReversiEnv, size=size, opponent=last_of, color=color, reward="score")
    oracle = SyncVectorEnv([make] * 5, autoreset_mode=AutoresetMode.SAME_STEP)
    envs = ReversiVectorEnv(5, size=size, opponent=opponent, color=color, reward="score")
    assert envs.single_observation_space == oracle.single_observation_space
    assert envs.observation_space == oracle.observation_space
    assert (envs.action_space, envs.single_action_space) == (
        oracle.action_space,
        oracle.single_action_space,
    )
    assert envs.metadata["autoreset_mode"] == oracle.metadata["autoreset_mode"]
    assert_same(envs.reset(seed=1), oracle.reset(seed=1))
    dice = np.random.default_rng(size)
    ended = 0
    for _ in range(3 * size * size):
        masks = envs.action_masks()
        assert masks.any(axis=1).all() and masks.dtype == bool
        actions = np.array([dice.choice(np.flatnonzero(mask)) for mask in masks])
        stepped = envs.step(actions)
        assert_same(stepped, oracle.step(actions))
        assert stepped[0] in envs.observation_space
        ended += int(stepped[2].sum())
    assert ended > 5


@pytest.mark.parametrize("opponent", ["random", "greedy", None])
def test_masks_are_never_empty_and_games_end(opponent: str | None) -> None:
    envs = ReversiVectorEnv(64, size=4, opponent=opponent, color=None)
    observations, infos = envs.reset(seed=3)
    dice = np.random.default_rng(3)
    passes = ended = 0
    for _ in range(60):
        masks = observations["action_mask"]
        assert masks.any(axis=1).all() and (masks == infos["action_mask"]).all()
        assert (envs.sides == envs._boards.turns).all()
        passes += int(masks[:, -1].sum())
        actions = [dice.choice(np.flatnonzero(mask)) for mask in masks]
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert not truncations.any() and set(rewards[~terminations]) <= {0}
        ended += int(terminations.sum())
        if not terminations.any():
            assert "final_obs" not in infos
            continue
        assert (infos["_final_obs"] == terminations).all()
        assert all(
            (final is not None) == end for final, end in zip(infos["final_obs"], terminations)
        )
        assert (observations["observation"][terminations].sum(axis=(1, 2, 3)) <= 5).all()
    assert passes and ended > 64


def test_both_sides_are_yours_without_an_opponent() -> None:
    envs = ReversiVectorEnv(8, size=6, opponent=None, rule="normal")
    games = [Game("normal", 6) for _ in range(8)]
    observations, _ = envs.reset(seed=1)
    dice, ended = np.random.default_rng(1), 0
    for _ in range(120):
        masks = envs.action_masks()
        actions = [int(dice.choice(np.flatnonzero(mask))) for mask in masks]
        observations, rewards, terminations, _, infos = envs.step(actions)
        for place, game in enumerate(games):
            mover = game.turn
            game.play(actions[place])
            assert terminations[place] == game.is_over
            if game.is_over:
                ended += 1
                assert mover is not None and rewards[place] == np.sign(game.score(mover))
                final = infos["final_obs"][place]["observation"]
                assert (final == game.board.planes()).all()
                games[place] = game = Game("normal", 6)
            assert (observations["observation"][place] == game.board.planes()).all()
    assert ended > 8


def test_seeds_decide_sides_and_opponents() -> None:
    def played(seed: int, opponent: str) -> list[Any]:
        envs = ReversiVectorEnv(10, size=6, opponent=opponent, color=None)
        envs.reset(seed=seed)
        sides = envs.sides.tolist()
        steps = [envs.step(envs.action_masks().argmax(axis=1))[0] for _ in range(30)]
        return [sides, [step["observation"].tolist() for step in steps]]

    for opponent in ("random", "greedy"):
        assert played(1, opponent) == played(1, opponent) != played(2, opponent)
    assert set(played(1, "random")[0]) == {-1, 1}


def test_what_comes_back_is_never_written_again() -> None:
    envs = ReversiVectorEnv(4)
    observations, infos = envs.reset(seed=1)
    kept = [observations["observation"].copy(), observations["action_mask"].copy()]
    before = envs.step(envs.action_masks().argmax(axis=1))
    envs.step(envs.action_masks().argmax(axis=1))
    assert (observations["observation"] == kept[0]).all()
    assert (observations["action_mask"] == kept[1]).all() and (
        infos["action_mask"] == kept[1]
    ).all()
    assert (before[0]["observation"] != kept[0]).any()


def test_make_vec_makes_one() -> None:
    envs = gymnasium.make_vec("isrever/Reversi-v0", num_envs=3, size=4, render_mode="rgb_array")
    assert isinstance(envs.unwrapped, ReversiVectorEnv)
    envs.reset(seed=1)
    frames = envs.render()
    assert frames is not None and len(frames) == 3 and frames[0].dtype == np.uint8
    assert ReversiVectorEnv(2, size=4).render() is None
    texts = ReversiVectorEnv(2, size=4, render_mode="ansi").render()
    assert texts is not None and texts[0].count("X") == 2
    envs.close()


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"opponent": "nobody"}, "no agent is called"),
        ({"opponent": 5}, "an opponent of type int; expected an agent's spec"),
        ({"reward": "love"}, "expected win or score"),
        ({"color": 0}, "expected -1 black"),
        ({"nodes": -1}, "nodes cannot be -1; expected 1 to"),
        ({"render_mode": "human"}, "expected ansi or rgb_array"),
        ({"size": 10}, "a 10x10 board; expected 4x4, 6x6 or 8x8"),
        ({"num_envs": 0}, "count cannot be 0"),
    ],
)
def test_what_is_wrong_is_named(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ReversiVectorEnv(**settings)


@pytest.mark.parametrize(
    "answer, words",
    [
        (lambda seen: [0, 0], "the opponent's move: action 0 of board 0 is not legal"),
        (lambda seen: 3, r"the opponent gave an array of int64 and shape \(\); expected 2 whole"),
        (lambda seen: [0.5, 1.5], "the opponent gave an array of float64 and shape"),
    ],
)
def test_what_an_opponent_does_wrong_is_named(answer: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ReversiVectorEnv(2, opponent=answer, color=1).reset(seed=1)


def test_illegal_actions_change_nothing() -> None:
    envs = ReversiVectorEnv(2, size=4)
    with pytest.raises(ValueError, match="no game has begun; expected a reset"):
        envs.step([1, 1])
    observations, _ = envs.reset(seed=1)
    for wrong in ([1, 0], [1], ["d3", "d3"], None):
        with pytest.raises(ValueError, match="expected"):
            envs.step(wrong)
    assert (envs._boards.observations == observations["observation"]).all()
