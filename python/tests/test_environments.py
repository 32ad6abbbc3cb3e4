"""The environments, by the tests of Gymnasium and PettingZoo themselves."""

import importlib.util
import warnings
from types import SimpleNamespace
from typing import Any

import gymnasium
import matplotlib.pyplot
import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import isrever.gym
import isrever.zoo
from isrever import Board, Game

@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows are drawn by matplotlib, and not shown."""
    matplotlib.pyplot.switch_backend("agg")
    find = importlib.util.find_spec
    monkeypatch.setattr("isrever._window.find_spec", lambda name: name != "pygame" and find(name))


def must_pass(size: int) -> Game:
    """A game in which the side to move has to pass."""
    for seed in range(1000):
        game, dice = Game(size=size), np.random.default_rng(seed)
        while not game.is_over:
            if game.board.must_pass:
                return game
            game.play(int(dice.choice(game.board.actions())))
    raise AssertionError("no game has a pass")


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


def test_pettingzoo_renders(no_screen: None) -> None:
    env = isrever.zoo.env(size=4, render_mode="ansi")
    env.reset()
    assert env.render().count("O") == 2
    render_test(lambda render_mode: isrever.zoo.env(size=6, render_mode=render_mode))
    with pytest.raises(ValueError, match="expected ansi, human or rgb_array"):
        isrever.zoo.env(render_mode="oils")


def test_a_square_in_place_of_a_forced_pass_is_refused_in_the_game_of_two() -> None:
    env = isrever.zoo.raw_env(size=4)
    env.reset()
    env.game = must_pass(4)
    with pytest.raises(ValueError, match="is not legal; expected 16, a pass"):
        env.step(env.game.board.play("pass").actions()[0])


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
def test_gymnasium_is_content(size: int, rule: str, no_screen: None) -> None:
    # The check makes an environment for every mode of rendering.
    for mode in (None, *isrever.gym.ReversiEnv.metadata["render_modes"]):
        env = gymnasium.make(
            "isrever/Reversi-v0", size=size, rule=rule, color=None, render_mode=mode
        )
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(env.unwrapped)
        env.close()


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
        ({"render_mode": "oils"}, "'oils'; expected ansi, human or rgb_array"),
        ({"opponent": 5}, "an opponent of type int; expected an agent's spec, a function of a game"),
        ({"size": 5}, "no width"),
    ],
)
def test_what_is_wrong_is_named(settings: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        isrever.gym.ReversiEnv(**settings)


def worst(game: Game) -> tuple[int, int]:
    """The legal square that is last, as a row and a column."""
    return divmod(game.board.actions()[-1], game.size)


def finish(env: isrever.gym.ReversiEnv, seed: int) -> Game:
    """Plays the first legal action until the game ends."""
    _, info = env.reset(seed=seed)
    terminated = False
    while not terminated:
        assert (env.action_masks() == info["action_mask"]).all()
        _, _, terminated, _, info = env.step(int(env.action_masks().argmax()))
    return env.game


@pytest.mark.parametrize("color", [-1, 1])
def test_a_function_can_be_the_opponent(color: int) -> None:
    game = finish(isrever.gym.ReversiEnv(size=6, opponent=worst, color=color), 1)
    replayed = Game(size=6)
    for move in game.moves:
        board, legal = replayed.board, replayed.board.moves()
        if legal:
            assert move == (legal[0] if board.turn == color else legal[-1])
        replayed.play(move)
    assert replayed.is_over and "pass" in game.moves


class Masked:
    """A policy as MaskablePPO is one: the last action that its mask allows."""

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []

    def predict(
        self,
        observation: dict[str, Any],
        state: object = None,
        episode_start: object = None,
        deterministic: bool = False,
        action_masks: Any = None,
    ) -> tuple[Any, None]:
        self.seen.append(observation)
        assert action_masks.dtype == bool and (action_masks == observation["action_mask"]).all()
        ends = action_masks.shape[-1] - 1 - action_masks[..., ::-1].argmax(axis=-1)
        return np.asarray(ends), None


def test_a_policy_can_be_the_opponent_and_sees_its_own_side() -> None:
    policy = Masked()
    by_policy = finish(isrever.gym.ReversiEnv(size=6, opponent=policy, color=1), 3)
    assert by_policy == finish(isrever.gym.ReversiEnv(size=6, opponent=worst, color=1), 3)
    space = isrever.gym.ReversiEnv(size=6).observation_space
    assert all(seen in space for seen in policy.seen)
    assert (policy.seen[0]["observation"] == Board(6).planes()).all()


def test_a_policy_without_masks_is_asked_without_them() -> None:
    class Plain:
        def predict(self, observation: dict[str, Any]) -> Any:
            return np.int64(np.flatnonzero(observation["action_mask"])[-1])

    plain = finish(isrever.gym.ReversiEnv(size=4, opponent=Plain()), 1)
    assert plain == finish(isrever.gym.ReversiEnv(size=4, opponent=worst), 1)


def test_a_new_opponent_takes_over_and_agents_keep_their_seed() -> None:
    env = isrever.gym.ReversiEnv(size=6, opponent="random")
    first = finish(env, 7)
    assert finish(env, 7) == first != finish(env, 8)
    env.opponent = worst
    assert finish(env, 7) == finish(isrever.gym.ReversiEnv(size=6, opponent=worst), 7) != first
    with pytest.raises(ValueError, match="no agent is called"):
        env.opponent = "nobody"
    assert env.opponent is worst


@pytest.mark.parametrize(
    "answer, words",
    [
        (lambda game: "a1", "the opponent's move: a1"),
        (lambda game: None, "the opponent's move: None is no move; expected a square such as f5"),
        (lambda game: "pass", "the opponent's move: "),
    ],
)
def test_what_an_opponent_does_wrong_is_named(answer: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        isrever.gym.ReversiEnv(size=6, opponent=answer, color=1).reset(seed=1)


def test_an_opponent_cannot_change_the_game() -> None:
    def vandal(game: Game) -> str:
        move = game.board.moves()[0]
        game.play(move)
        game.undo(), game.undo()
        return move

    env = isrever.gym.ReversiEnv(size=6, opponent=vandal)
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
    assert len(env.game) == 2


def test_a_square_in_place_of_a_forced_pass_loses() -> None:
    env = isrever.gym.ReversiEnv(size=4, color=None)
    env.reset(seed=1)
    env.game = must_pass(4)
    env.side = env.game.turn or 0
    assert env.action_masks().tolist() == [False] * 16 + [True]
    reply = env.game.board.play("pass").actions()[0]
    _, reward, terminated, _, info = env.step(reply)
    assert (reward, terminated) == (-1, True) and info["illegal"].endswith("expected 16, a pass")


def test_masks_are_never_empty_where_vectors_reset_by_themselves() -> None:
    """Gymnasium's own vectors ask for an action after the end, which they throw away."""
    envs = gymnasium.make_vec(
        "isrever/Reversi-v0", num_envs=3, vectorization_mode="sync", size=4, color=None
    )
    _, infos = envs.reset(seed=1)
    ended = 0
    for _ in range(60):
        masks = infos["action_mask"]
        assert masks.any(axis=1).all()
        _, _, terminations, _, infos = envs.step(masks.argmax(axis=1))
        ended += int(terminations.sum())
    assert ended > 5


def test_pictures_show_discs_the_last_move_and_legal_squares() -> None:
    env = isrever.gym.ReversiEnv(size=8, opponent=worst, render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    env.step(int(env.action_masks().argmax()))
    image = env.render()
    assert isinstance(image, np.ndarray) and image.shape == (554, 554, 3)
    assert image.dtype == np.uint8 and (before != image).any() and (env.render() == image).all()

    def pixel(name: str, right: int = 0) -> tuple[int, ...]:
        """The colour in the middle of a square, or so many pixels to the right of it."""
        row, column = int(name[1:]) - 1, ord(name[0]) - ord("a")
        return tuple(image[21 + 64 * row + 32, 21 + 64 * column + 32 + right].tolist())

    board, (last, earlier) = env.game.board, env.game.moves[::-1]
    names = [f"{chr(97 + column)}{row}" for row in range(1, 9) for column in range(8)]
    for name, disc in zip(names, board.to_array().ravel().tolist()):
        brightness = sum(pixel(name)) / 3
        if disc:
            assert brightness < 80 if disc < 0 else brightness > 220
        else:
            dotted = (0xF6, 0xC4, 0x53) if name in board.moves() else (0x2F, 0x7D, 0x5B)
            assert pixel(name) == dotted
    assert pixel(last, right=23) == (0xE4, 0x57, 0x2E) != pixel(earlier, right=23)
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 100, "edges are smooth"


def test_a_window_shows_every_move(no_screen: None) -> None:
    shown = []
    env = isrever.gym.ReversiEnv(size=4, opponent=worst, render_mode="human")
    window = env._screen._window
    show = window.show
    window.show = lambda image: (shown.append(image), show(image))
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
    assert env.render() is None and len(shown) == 4, "the start, two moves, and once more"
    assert (shown[0] != shown[1]).any() and (shown[2] == shown[3]).all()
    env.close()
    env.close()


def test_pygame_shows_the_window_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    surface = SimpleNamespace(blit=lambda picture, place: calls.append(f"blit {len(picture)}"))
    pygame = SimpleNamespace(
        display=SimpleNamespace(
            init=lambda: calls.append("init"),
            set_caption=calls.append,
            set_mode=lambda size: calls.append(f"{size}") or surface,
            flip=lambda: calls.append("flip"),
            quit=lambda: calls.append("quit"),
        ),
        time=SimpleNamespace(Clock=lambda: SimpleNamespace(tick=lambda fps: None)),
        image=SimpleNamespace(frombuffer=lambda data, size, kind: data),
        event=SimpleNamespace(pump=lambda: None),
    )
    monkeypatch.setattr("isrever._window.find_spec", lambda name: name == "pygame")
    monkeypatch.setattr("isrever._window.import_module", lambda name: pygame)
    env = isrever.gym.ReversiEnv(size=4, render_mode="human")
    env.reset(seed=1)
    env.render()
    env.close()
    blit = f"blit {554 * 554 * 3}"
    assert calls == ["init", "Reversi", "(554, 554)", blit, "flip", blit, "flip", "quit"]


def test_without_a_library_for_windows_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("isrever._window.find_spec", lambda name: None)
    for make in (isrever.gym.ReversiEnv, isrever.zoo.env):
        with pytest.raises(DependencyNotInstalled, match="pip install matplotlib"):
            make(render_mode="human")
        make(render_mode="rgb_array")
