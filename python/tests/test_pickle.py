"""Results go to other processes and into files, and come back as they were."""

import copy
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import isrever
from isrever import Agent, Board, Engine, Game, analyze, parameters, play_match, solve


def contents(thing: object) -> object:
    """Everything that can be read of a result."""
    if isinstance(thing, (list, tuple)):
        return [contents(part) for part in thing]
    if not type(thing).__module__.startswith("isrever") or isinstance(thing, (Board, Game)):
        return thing
    values = {name: getattr(thing, name) for name in dir(thing) if not name.startswith("_")}
    read = {name: contents(value) for name, value in values.items() if not callable(value)}
    assert read, f"{type(thing).__name__} has something to read"
    return type(thing), read


def results() -> Iterator[object]:
    told: list[object] = []
    ending = Game.from_text("f5d6c3d3c4f4f6f3e6e7", size=8)
    yield Engine(hash_mb=1).think(ending, depth=4)
    yield Engine(hash_mb=1).hints(ending, depth=2)
    yield solve(Board(4), progress=told.append)
    yield told
    yield analyze(Game.from_text("f5d6c3"), depth=2)
    yield play_match("random", "greedy", pairs=1)
    yield Agent("greedy").choose(Board())
    yield parameters("maximax")


def test_every_result_comes_back_as_it_was() -> None:
    kinds = set()
    for result in results():
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert contents(again) == contents(result)
            assert repr(again) == repr(result)
        parts = result if isinstance(result, list) else [result]
        kinds |= {type(part).__name__ for part in parts}
    assert {"Answer", "Progress", "Analysis", "Match"} <= kinds


@pytest.mark.skipif(sys.platform != "linux", reason="agents of others are run on Linux alone")
def test_a_report_on_an_agent_comes_back(tmp_path: Path) -> None:
    agent = tmp_path / "ai.py"
    agent.write_text("class AI:\n    pass\n")
    report = isrever.arena.check(agent, time=60)
    again = pickle.loads(pickle.dumps(report))
    assert contents(again) == contents(report) and report.findings


def test_a_pickle_without_all_fields_is_refused() -> None:
    thought = Engine(hash_mb=1).think(Board(), depth=1)
    restored, fields = thought.__reduce__()
    with pytest.raises(ValueError, match="another version"):
        restored(*fields[:-1])  # type: ignore[operator]


def test_other_processes_answer() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as others:
        boards = [Board(4), Board(4).play("a2")]
        assert [solution.score for solution in others.map(solve, boards)] == [4, -4]
