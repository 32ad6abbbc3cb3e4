"""Tests and ratings of agents, with tables that notebooks show by themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Union

from . import _native, _table
from ._native import Board, Game, PlayedGame, Row, Rule
from .match import Clock, OnGame, Player, forfeit_words, forfeited, table, tournament

# It is not there where there is no sandbox.
if TYPE_CHECKING or hasattr(_native, "Finding"):
    from ._native import Finding

#: Whom an agent meets unless somebody says otherwise, the weakest first.
OPPONENTS = ("random", "greedy", "greedy-invincible", "depth3", "engine:level=5")

#: An agent as `rate` takes it: a player, or a file of the course.
Rated = Union[Player, "os.PathLike[str]"]

_CASE_HEADS = ("case", "result", "seconds", "MiB", "remarks")


class Report:
    """What the usability test found."""

    def __init__(
        self, path: str, findings: list[Finding], skipped: int, sandbox: str | None
    ) -> None:
        self.path = path
        self.findings = findings
        #: Cases that were not tried because the agent could not even be started.
        self.skipped = skipped
        #: The walls that the agent ran behind.
        self.sandbox = sandbox

    @property
    def passed(self) -> bool:
        """Whether every case was tried and nothing was wrong."""
        return self.skipped == 0 and all(finding.passed for finding in self.findings)

    @property
    def faults(self) -> list[Finding]:
        """The cases that failed."""
        return [finding for finding in self.findings if not finding.passed]

    def _rows(self) -> list[tuple[object, ...]]:
        def mebibytes(memory: int | None) -> str:
            return "" if memory is None else f"{memory / 2**20:.1f}"

        return [
            (
                f"{finding.name}: {finding.about}",
                "passed" if finding.passed else "FAILED",
                "" if finding.seconds is None else f"{finding.seconds:.2f}",
                mebibytes(finding.memory_bytes),
                "; ".join(finding.faults),
            )
            for finding in self.findings
        ]

    def _words(self) -> str:
        good = sum(finding.passed for finding in self.findings)
        words = f"{self.path}: {good} of {len(self.findings) + self.skipped} cases passed"
        return words + (f"; {self.skipped} not tried" if self.skipped else "")

    def __str__(self) -> str:
        return f"{_table.text(_CASE_HEADS, self._rows())}\n{self._words()}"

    def __repr__(self) -> str:
        return f"<Report {self._words()}>"

    def _repr_html_(self) -> str:
        boards = "".join(_table.figure(fault.board.svg(), fault.name) for fault in self.faults)
        return _table.html(_CASE_HEADS, self._rows(), self._words()) + boards


def check(
    path: str | os.PathLike[str],
    *,
    python: str | os.PathLike[str] | None = None,
    size: int = 8,
    rule: Rule | str = "reversed",
    time: float | str | None = 5.0,
    game_time: float | str | None = 180.0,
    clock: str = "wall",
    memory_mb: int = 100,
    sandbox: str = "auto",
    progress: Callable[[Finding], object] | None = None,
) -> Report:
    """The usability test of a course's file: boards with known answers, then two whole games.

    The file runs in a sandbox, by this Python unless another is named, within the course's limits.
    `clock="cpu"` does not count the time that it waits for a processor, for busy machines.
    """
    if not hasattr(_native, "check"):
        raise NotImplementedError("the usability test needs a sandbox; expected Linux")
    findings, skipped, walls = _native.check(
        path,
        python=python,
        size=size,
        rule=rule,
        time=time,
        game_time=game_time,
        clock=clock,
        memory_mb=memory_mb,
        sandbox=sandbox,
        progress=progress,
    )
    return Report(os.fspath(path), findings, skipped, walls)


class Rating:
    """How strong an agent is among its opponents."""

    def __init__(self, games: list[PlayedGame], rows: list[Row], name: str) -> None:
        self.games = games
        #: All players, the best rated first; the mean of their ratings is 0.
        self.rows = rows
        self.row: Row = next(row for row in rows if row.name == name)

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def elo(self) -> float:
        return self.row.elo

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rating."""
        return self.row.low, self.row.high

    @property
    def lost(self) -> list[PlayedGame]:
        """The games that the agent lost: `analyze` says where."""
        return [
            game
            for game in self.games
            if (game.score < 0 and game.black == self.name)
            or (game.score > 0 and game.white == self.name)
        ]

    @property
    def forfeits(self) -> list[PlayedGame]:
        """The games that the agent forfeited; their `reason` says why."""
        return forfeited(self.games, self.name)

    def __str__(self) -> str:
        return _table.text(*table(self.rows))

    def __repr__(self) -> str:
        words = f"{_table.elo(self.elo)} of {len(self.rows)} players{forfeit_words(self.row)}"
        return f"<Rating {self.name} {words}>"

    def _repr_html_(self) -> str:
        return _table.html(*table(self.rows), f"{self.name} among its opponents")


def rate(
    agent: Rated,
    opponents: Sequence[Rated] = OPPONENTS,
    *,
    pairs: int = 5,
    rule: Rule | str = "reversed",
    size: int = 8,
    openings: str | Iterable[Game | Board] = "random:8",
    time: float | str | None = None,
    game_time: float | str | None = None,
    clock: str = "wall",
    nodes: int | None = None,
    depth: int | None = None,
    seed: int = 1,
    concurrency: int | None = None,
    progress: OnGame | None = None,
) -> Rating:
    """Lets an agent play pairs of games with every opponent, and rates them all.

    Agents are specs, functions of a `Game`, or files of the course (`my_ai.py`), which run in a
    sandbox. Limits are those of `play_match`.
    """
    players = [_player(player) for player in (agent, *opponents)]
    limits = Clock(time, game_time, clock, nodes, depth)
    games, rows, _ = tournament(
        players,
        "gauntlet",
        limits,
        openings,
        progress,
        pairs=pairs,
        rule=rule,
        size=size,
        seed=seed,
        concurrency=concurrency,
    )
    return Rating(games, rows, games[0].black)


def _player(given: Rated) -> Player:
    """A file as the spec that runs it; anybody else as given."""
    if isinstance(given, tuple):
        name, player = given
        inner = _player(player)
        return (name, inner[1] if isinstance(inner, tuple) else inner)
    is_file = isinstance(given, os.PathLike) or (
        isinstance(given, str) and ":" not in given and given.endswith(".py")
    )
    if not is_file:
        return given  # type: ignore[return-value]
    path = os.fspath(given)  # type: ignore[arg-type]
    if "," in path:
        raise ValueError(f"{path}: a comma in the name; expected a file whose name has none")
    return (Path(path).name, f"python:{path}")
