"""Thousands of boards: each goes as a game alone would."""

import threading

import numpy as np
import pytest

from isrever import Board, Game, VectorEnv, augment, symmetries


@pytest.mark.parametrize("size", [4, 6, 8])
@pytest.mark.parametrize("rule", ["reversed", "normal"])
def test_every_board_goes_as_its_game(size: int, rule: str) -> None:
    env = VectorEnv(7, rule=rule, size=size, seed=size)
    games = [Game(rule, size) for _ in range(7)]
    ended = passed = 0
    for _ in range(400):
        actions = env.sample()
        movers = [game.turn for game in games]
        observations, rewards, dones, masks = env.step(actions)
        passed += int((actions == size * size).sum())
        for index, game in enumerate(games):
            game.play(int(actions[index]))
            assert dones[index] == game.is_over
            if game.is_over:
                ended += 1
                score = game.score(movers[index])
                assert env.scores[index] == score and rewards[index] == np.sign(score)
                games[index] = game = Game(rule, size)
            else:
                assert rewards[index] == 0 and env.scores[index] == 0
            assert (masks[index] == game.board.mask()).all()
            assert (observations[index] == game.board.planes()).all()
            assert env.turns[index] == game.turn
        assert (env.boards() == [game.board.to_array() for game in games]).all()
    assert ended > 20 and passed > 0


def test_arrays_are_written_anew_and_never_replaced() -> None:
    env = VectorEnv(5)
    observations, masks = env.reset()
    before = observations.copy()
    stepped = env.step(env.sample())
    assert stepped[0] is observations is env.observations and stepped[3] is masks is env.masks
    assert stepped[1] is env.rewards and stepped[2] is env.dones
    assert (observations != before).any()


def test_random_choices_follow_from_the_seed() -> None:
    def played(seed: int) -> list[list[int]]:
        env = VectorEnv(50, size=6, seed=seed)
        first = [env.step(env.sample()) and env.sample().tolist() for _ in range(40)]
        env.reset(seed=seed)
        assert [env.step(env.sample()) and env.sample().tolist() for _ in range(40)] == first
        return first

    assert played(1) == played(1) != played(2)


def test_random_play_is_uniform_and_counted() -> None:
    env = VectorEnv(2000, size=4, seed=3)
    counts = np.bincount(env.sample(), minlength=17)
    assert (counts > 0).sum() == 4 and counts.max() < 620
    wins = np.array(env.play_randomly(200))
    assert wins.sum() > 2000 * 200 / 13 and (wins > 0).all()
    other = VectorEnv(2000, size=4, rule="normal", seed=3)
    other.sample()
    assert (np.array(other.play_randomly(200)) == wins[::-1]).all(), "the same games, other winners"


def test_random_play_tells_how_far_it_is_and_can_be_ended() -> None:
    class Enough(Exception):
        pass

    def progress(steps: int) -> None:
        heard.append(steps)
        if steps > 500:
            raise Enough

    heard: list[int] = []
    env = VectorEnv(4096, size=4)
    with pytest.raises(Enough):
        env.play_randomly(10**9, progress=progress)
    assert heard == sorted(set(heard)) and len(heard) > 3
    assert env.masks.any(axis=1).all() and (env.observations.sum(axis=(1, 2, 3)) >= 4).all()


def test_two_threads_at_once_are_refused_and_nothing_breaks() -> None:
    env = VectorEnv(4096)
    begun, refused = threading.Event(), []

    def other() -> None:
        begun.wait()
        try:
            env.step(env.sample())
        except RuntimeError as error:
            refused.append(error)
        finally:
            done.set()

    done = threading.Event()
    thread = threading.Thread(target=other)
    thread.start()

    def progress(_: int) -> None:
        begun.set()
        if done.is_set():
            raise StopIteration

    with pytest.raises(StopIteration):
        env.play_randomly(10**9, progress=progress)
    thread.join()
    assert len(refused) == 1 and env.step(env.sample())


def test_some_boards_are_stepped_and_the_others_stay() -> None:
    env = VectorEnv(6, size=4, seed=2)
    games = [Game(size=4) for _ in range(6)]
    dice = np.random.default_rng(1)
    for _ in range(60):
        where = (dice.random(12) < 0.5)[::2]  # in any layout
        # Nobody looks at the actions of the others.
        actions = np.where(where, env.sample(), -7)
        _, rewards, dones, masks = env.step(actions, where)
        for index, game in enumerate(games):
            if where[index]:
                game.play(int(actions[index]))
                assert dones[index] == game.is_over
                games[index] = game = Game(size=4) if game.is_over else game
            else:
                assert not dones[index] and rewards[index] == 0
            assert (masks[index] == game.board.mask()).all() and env.turns[index] == game.turn
    with pytest.raises(ValueError, match="action 0 of board 5 is not legal"):
        env.reset()
        env.step(np.zeros(6, int), np.arange(6) == 5)
    for wrong in (np.ones(5, bool), np.ones(6), [True] * 6, 3):
        with pytest.raises(ValueError, match="expected an array of 6 booleans"):
            env.step(env.sample(), wrong)


def test_boards_can_be_loaded() -> None:
    games = [Game.from_text("f5d6c3"), Game.from_text("f5")]
    env = VectorEnv(2)
    env.load([game.board.to_array() for game in games], [game.turn for game in games])
    assert (env.masks == [game.board.mask() for game in games]).all()
    assert env.turns.tolist() == [1, 1]
    env.load(env.boards(), env.turns)
    assert (env.observations == [game.board.planes() for game in games]).all()


def test_images_of_boards_and_policies_fit_together() -> None:
    env = VectorEnv(20, size=6, seed=9)
    env.play_randomly(9)
    observations, policies = augment(env.observations, env.masks.astype(np.float32))
    assert observations.shape == (160, 2, 6, 6) and policies.shape == (160, 37)
    assert (observations[:20] == env.observations).all() and policies.dtype == np.float32
    for planes, policy in zip(observations, policies):
        cells = planes[1].astype(np.int8) - planes[0]
        assert (
            Board.from_array(cells).mask() == policy
        ).all(), "what is legal turns with the board"
    assert {tuple(row) for row in symmetries(6)} == {tuple(row) for row in symmetries(6)[::-1]}


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: VectorEnv(0), "count cannot be 0; expected 1 to 4194304"),
        (lambda: VectorEnv(1 << 40), "count cannot be 1099511627776; expected 1 to 4194304"),
        (lambda: VectorEnv(1, size=10), "a 10x10 board; expected 4x4, 6x6 or 8x8"),
        (lambda: VectorEnv(1, rule="other"), "'other' is no rule"),
    ],
)
def test_what_is_wrong_is_named(make: object, words: str) -> None:
    with pytest.raises(ValueError) as raised:
        make()
    assert words in str(raised.value)
