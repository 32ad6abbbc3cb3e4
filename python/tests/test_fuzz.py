"""Whatever comes over the border: an answer, or an error that says what is wrong. Never a crash."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from isrever import (
    Agent,
    Board,
    Engine,
    Game,
    VectorEnv,
    analyze,
    arena,
    augment,
    play_match,
    solve,
    solve_moves,
)

ALLOWED = (ValueError, TypeError)

# The same examples every time and no clock: what fails here fails for everybody.
settings.register_profile(
    "border",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=150,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("border")

arrays = hnp.arrays(
    hnp.scalar_dtypes() | hnp.array_dtypes(max_size=2),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=16),
)
likely = hnp.arrays(
    st.sampled_from(["i1", "i2", "i4", "i8", ">i4", "u1", "u8"]),
    st.sampled_from([(n, n) for n in (4, 6, 8, 10, 16)] + [(8, 6), (7, 7)]),
    elements=st.integers(0, 2) | st.just(1),
)
things = (
    arrays
    | likely
    | st.none()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=20)
    | st.lists(st.integers() | st.floats(), max_size=9)
    | st.tuples(st.integers(), st.integers())
)


def strided(array: np.ndarray, step: int) -> np.ndarray:
    """The same numbers, scattered or backwards."""
    if array.ndim != 2 or step == 1:
        return array
    return array[::-1] if step < 0 else np.repeat(array, step, axis=1)[:, ::step]


@given(things, things, st.sampled_from([1, -1, 2, 3]))
def test_boards_from_anything(given_: object, turn: object, step: int) -> None:
    if isinstance(given_, np.ndarray):
        given_ = strided(given_, step)
    try:
        board = Board.from_array(given_, turn if isinstance(turn, int) else -1)
    except ALLOWED:
        return
    # What was let in can be looked at from all sides and played on.
    assert (board.to_array() == given_).all()
    assert Board.from_text(board.to_text()) == board and len(board.symmetries()) == 8
    assert board.is_over or any(board.mask()) and board.svg()
    for action in board.actions():
        board.play(action)


@settings(max_examples=60)
@given(
    st.sampled_from([4, 6, 8]).flatmap(
        lambda size: hnp.arrays("i1", (size, size), elements=st.integers(-1, 1))
    ),
    st.sampled_from(["reversed", "normal"]),
)
def test_boards_of_any_kind_can_be_searched(cells: np.ndarray, rule: str) -> None:
    """Discs may stand anywhere: whatever is a board is one to the search too."""
    if not cells.any():
        return
    for turn in (-1, 1):
        board = Board.from_array(cells, turn)
        engine = Engine(hash_mb=1)
        thought = engine.think(board, rule=rule, depth=2)
        assert (thought.best is None) == board.is_over
        hints = engine.hints(board, rule=rule, depth=2)
        assert [hint.move for hint in hints] == [] or {h.move for h in hints} == set(board.moves())
        solution = solve(board, rule=rule, nodes=500, hash_mb=1)
        assert (solution.best is None) == board.is_over
        if board.moves():
            assert Agent("greedy").choose(board, rule=rule).move in board.moves()


@given(things)
def test_moves_from_anything(move: object) -> None:
    board, game = Board(6), Game(size=6)
    legal = board.moves()
    for play in (board.play, game.play, board.flips):
        try:
            played = play(move)
        except ALLOWED:
            continue
        assert play == board.flips or game.moves or played.empties == 31
    assert board.moves() == legal


@given(things, things, things)
def test_the_vector_from_anything(actions: object, boards: object, turns: object) -> None:
    env = VectorEnv(3, size=6)
    for call in (lambda: env.step(actions), lambda: env.load(boards, turns)):
        try:
            call()
        except ALLOWED:
            assert (env.boards() == Board(6).to_array()).all()
    env.step(env.sample())
    assert env.masks.any(axis=1).all()


@given(things, things)
def test_arrays_to_write_into_and_to_turn(out: object, other: object) -> None:
    for call in (
        lambda: Board(4).to_array(out=out),
        lambda: Board(4).mask(out=out),
        lambda: Board(4).planes(out=out),
        lambda: augment(out, other),
    ):
        try:
            call()
        except ALLOWED:
            pass


@given(st.integers(), st.integers(), st.integers(-4, 20))
def test_bits_from_anything(player: int, opponent: int, size: int) -> None:
    try:
        board = Board.from_bits(player, opponent, size)
    except ALLOWED:
        return
    assert board.bits == (player, opponent)


@given(st.text(max_size=80))
def test_texts_from_anything(text: str) -> None:
    for read in (Board.from_text, Game.from_text, Agent):
        try:
            read(text)
        except ALLOWED:
            pass


#: Every argument that is a number and has an end: who is asked, and what is not said of it.
NUMBERS: dict[str, Callable[[Any], object]] = {
    "threads": lambda n: Engine(threads=n, hash_mb=1),
    "hash_mb": lambda n: Engine(hash_mb=n),
    "level": lambda n: Engine(level=n, hash_mb=1),
    "seed": lambda n: Engine(seed=n, hash_mb=1),
    "seed of an agent": lambda n: Agent("random", seed=n),
    "seed of boards": lambda n: VectorEnv(1, seed=n),
    "seed anew": lambda n: VectorEnv(1).reset(n),
    "depth": lambda n: Engine(hash_mb=1).think(Board(4), depth=n, nodes=1),
    "depth of hints": lambda n: Engine(hash_mb=1).hints(Board(4), depth=n, nodes=1),
    "depth of an agent": lambda n: Agent("random").choose(Board(4), depth=n),
    "nodes": lambda n: Engine(hash_mb=1).think(Board(4), nodes=n, depth=1),
    "nodes to solve": lambda n: solve(Board(4), nodes=n, hash_mb=1),
    "nodes of all moves": lambda n: solve_moves(Board(4), nodes=n, hash_mb=1),
    "threads to solve": lambda n: solve(Board(4), threads=n, nodes=1, hash_mb=1),
    "solve_from": lambda n: analyze(Game(size=4), solve_from=n, hash_mb=1),
    "time": lambda n: Engine(hash_mb=1).think(Board(4), time=n, depth=1),
    "clock": lambda n: Engine(hash_mb=1).think(Board(4), clock=n, depth=1),
    "count": VectorEnv,
    "steps": lambda n: VectorEnv(1).play_randomly(n),
    "player": lambda n: Board.from_bits(n, 0),
    "opponent": lambda n: Board.from_bits(0, n),
    "pairs": lambda n: play_match("random", "random", size=4, pairs=n),
    "concurrency": lambda n: play_match("random", "random", size=4, pairs=1, concurrency=n),
    "game_time": lambda n: play_match("random", "random", size=4, pairs=1, game_time=n),
    "memory_mb": lambda n: arena.check(__file__, memory_mb=n),
}


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("number", [-1, -(2**63) - 1, -(10**400), 2**64, 10**400, np.int64(-1)])
def test_numbers_beyond_their_range_are_named(name: str, number: int) -> None:
    with pytest.raises(ValueError) as raised:
        NUMBERS[name](number)
    assert f"{name.split()[0]} cannot be" in str(raised.value)
    assert "; expected " in str(raised.value)


@settings(max_examples=40)
@given(things, things, things, things)
def test_limits_from_anything(time: object, depth: object, nodes: object, game: object) -> None:
    engine = Engine(hash_mb=1)
    for call in (
        # What is allowed is little: the rest is for the border to refuse.
        lambda: engine.think(Board(4), time=time, depth=2),
        lambda: engine.think(Board(4), depth=depth, nodes=10),
        lambda: engine.hints(Board(4), nodes=nodes, depth=1),
        lambda: engine.think(game, depth=1),
        lambda: solve(game, nodes=1),
        lambda: Engine(hash_mb=1, threads=depth),
    ):
        try:
            call()
        except ALLOWED:
            pass
