"""After a fork, as `multiprocessing` makes them: parent and child play on, each with its own guests."""

import ctypes
import os
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from isrever import Agent, Board, Engine, arena

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="guests are run on Linux alone")

#: Answers with how many moves it was asked for, by playing another square each time.
COUNTING = """
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list, self.count = [], 0

    def go(self, chessboard):
        self.count += 1
        self.candidate_list = [[(2, 3), (3, 2), (4, 5), (5, 4)][self.count - 1]]
"""


def in_child(work: Callable[[], object]) -> str:
    """What `work` gives in a forked process; if that hangs, it is killed after five minutes."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            words = repr(work())
        except BaseException as error:
            words = repr(error)
        os.write(write, words.encode())
        os.close(write)
        # As a program ends: with the exit handlers of its libraries.
        ctypes.CDLL(None).exit(0)
    os.close(write)
    try:
        if not select.select([read], [], [], 300)[0]:
            return "it hangs"
        with os.fdopen(read, "rb", closefd=False) as pipe:
            return pipe.read().decode()
    finally:
        os.close(read)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.fixture
def counting(tmp_path: Path) -> Path:
    path = tmp_path / "ai.py"
    path.write_text(COUNTING)
    return path


def test_a_forked_process_rates_and_checks_as_its_parent_does(counting: Path) -> None:
    def rated() -> list[tuple[int, str | None]]:
        rating = arena.rate(counting, ["random"], pairs=1, time=60, openings="start")
        return [(game.score, game.reason) for game in rating.games]

    def checked() -> int:
        return len(arena.check(counting, size=4, time=60).findings)

    for work in (rated, checked):
        expected = repr(work())
        assert in_child(work) == expected
        assert repr(work()) == expected, "the parent goes on"


def test_a_forked_process_leaves_its_parent_s_guests_alone(counting: Path) -> None:
    agent = Agent(f"python:{counting}")
    start = Board()
    assert agent.choose(start, time=60).move == "d3"
    # The child has a guest of its own, which begins to count anew.
    assert in_child(lambda: agent.choose(start, time=60).move) == "'d3'"
    assert agent.choose(start, time=60).move == "c4", "the same guest as before"


def test_a_forked_process_thinks() -> None:
    engine = Engine(hash_mb=1, threads=2)
    move = engine.think(Board(6), depth=4).move
    assert in_child(lambda: engine.think(Board(6), depth=4).move) == repr(move)
    assert in_child(lambda: engine.think(Board(6), time=0.1).move in Board(6).moves()) == "True"
