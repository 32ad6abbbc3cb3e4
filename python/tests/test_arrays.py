"""Bad arrays at every door: a ValueError that says what was expected, and nothing else happens."""

import subprocess
import sys
import textwrap
from collections.abc import Callable

import numpy as np
import pytest

from isrever import Board, VectorEnv, augment
from isrever.course import AI

START = Board().to_array()


def with_value(value: int, dtype: str = "int64") -> np.ndarray:
    cells = START.astype(dtype)
    cells[3, 5] = value
    return cells


BOARDS = {
    "float": START.astype(float),
    "nan": np.full((8, 8), np.nan),
    "bool": START.astype(bool),
    "complex": START.astype(complex),
    "object": START.astype(object),
    "text": START.astype(str),
    "date": np.zeros((8, 8), "datetime64[s]"),
    "record": np.zeros((8, 8), [("a", "i4")]),
    "flat": START.ravel(),
    "deep": START[None],
    "oblong": START[:, :6],
    "odd width": np.ones((7, 7), int),
    "too narrow": np.ones((2, 2), int),
    "too wide": np.ones((18, 18), int),
    "nothing": np.zeros((0, 0), int),
    "number": np.array(1),
    "two": with_value(2),
    "minus two": with_value(-2),
    "far": with_value(2**62),
    "wraps to -1": np.where(START < 0, 2**64 - 1, START.clip(0)).astype("uint64"),
    "wraps to 1 in a byte": with_value(257),
    "no discs": np.zeros((8, 8), int),
    "ragged": [[1, 2], [3]],
    "none": None,
    "words": "board",
    "mapping": {},
}


@pytest.mark.parametrize("kind", BOARDS)
def test_boards(kind: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        Board.from_array(BOARDS[kind])


def test_the_course_s_class_refuses_them_too() -> None:
    ai = AI(8, -1, 1, agent="random")
    with pytest.raises(ValueError, match="expected"):
        ai.go(START.astype(float))
    with pytest.raises(ValueError, match="a 6x6 board; expected 8x8"):
        ai.go(Board(6).to_array())
    assert ai.candidate_list == []


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


OUTS: dict[str, tuple[Callable[[], object], str]] = {
    "another type": (lambda: np.zeros((8, 8), np.int64), "out is an array of int64"),
    "another shape": (lambda: np.zeros((8, 6), np.int8), "out has shape"),
    "read-only": (lambda: read_only(np.zeros((8, 8), np.int8)), "read-only"),
    "not in one piece": (lambda: np.zeros((8, 16), np.int8)[:, ::2], "not in one piece"),
    "another order": (lambda: np.zeros((8, 8), np.int8, order="F"), "not in one piece"),
    "no array": (lambda: [[0] * 8] * 8, "no array"),
}


@pytest.mark.parametrize("kind", OUTS)
def test_arrays_to_write_into(kind: str) -> None:
    make, words = OUTS[kind]
    with pytest.raises(ValueError, match="expected a writeable, contiguous array") as raised:
        Board().to_array(out=make())
    assert words in str(raised.value)


ACTIONS = {
    "float": np.zeros(4),
    "nan": np.full(4, np.nan),
    "too few": np.full(3, 19),
    "too many": np.full(5, 19),
    "a table": np.full((4, 1), 19),
    "object": np.full(4, 19, object),
    "illegal": np.array([19, 19, 0, 19]),
    "occupied": np.array([19, 19, 27, 19]),
    "pass": np.array([19, 64, 19, 19]),
    "negative": np.array([19, 19, 19, -1]),
    "beyond": np.array([19, 19, 19, 65]),
    "far": np.array([19, 19, 19, 2**62]),
    "wraps to 19": np.array([19, 19, 19, 2**63 + 19], np.uint64),
    "none": None,
}


@pytest.mark.parametrize("kind", ACTIONS)
def test_actions(kind: str) -> None:
    env = VectorEnv(4)
    before = env.boards()
    with pytest.raises(ValueError, match="expected"):
        env.step(ACTIONS[kind])
    assert (env.boards() == before).all(), "nothing is played on any board"


def test_actions_of_any_layout_and_integer_type() -> None:
    for actions in (
        np.full(4, 19, np.uint8),
        np.full(4, 19, ">i2"),
        np.full(8, 19)[::2],
        read_only(np.full(4, 19)),
        [19] * 4,
    ):
        env = VectorEnv(4)
        env.step(actions)
        assert (env.turns == 1).all()


@pytest.mark.parametrize(
    "boards, turns, words",
    [
        (np.zeros((2, 8, 8), int), [-1, -1], "board 0: no discs"),
        (np.stack([START, START * 3]), [-1, -1], "board 1: 3 at row 3"),
        (np.stack([START, START]), [-1, 0], "board 1: turn 0; expected"),
        (np.stack([START, abs(START)]), [-1, -1], "board 1 is over"),
        (np.stack([START, START]).astype(float), [-1, -1], "array of float64"),
        (START, [-1, -1], "boards of shape"),
        (np.stack([START, START]), [-1], "turns of shape"),
    ],
)
def test_boards_to_load(boards: np.ndarray, turns: list[int], words: str) -> None:
    env = VectorEnv(2)
    with pytest.raises(ValueError, match="expected") as raised:
        env.load(boards, turns)
    assert words in str(raised.value) and (env.boards() == START).all()


def test_arrays_that_were_locked_or_reshaped_are_not_written() -> None:
    for spoil in (read_only, lambda array: array.resize(0, refcheck=False)):
        env = VectorEnv(4)
        spoil(env.rewards)
        with pytest.raises(ValueError, match="rewards was made read-only or another shape"):
            env.step([19] * 4)


def test_images_need_boards_and_policies_that_fit() -> None:
    with pytest.raises(ValueError, match=r"observations of shape \(8, 8\); expected"):
        augment(START, np.zeros(65))
    with pytest.raises(ValueError, match=r"policies of shape \(1, 64\); expected \(1, 65\)"):
        augment(START[None, None], np.zeros((1, 64)))


@pytest.mark.parametrize("call", ["VectorEnv(1)", "Board().to_array()", "Board.from_array([[0]])"])
def test_ctrl_c_in_the_first_call_with_arrays(call: str) -> None:
    program = f"""
    import numpy as np
    from isrever import Board, VectorEnv
    def interrupted(*_, **__):
        raise KeyboardInterrupt
    np.lib.NumpyVersion = np.asarray = interrupted
    try:
        {call}
    except KeyboardInterrupt:
        pass
    """
    done = subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(program)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
