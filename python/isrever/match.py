"""Matches between two agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Union

from . import _native, _table
from ._native import Board, Game, PlayedGame, Row, Rule

#: An agent: a spec, a function that gets a game and gives a move, or a name and one of these.
Player = Union[str, Callable[[Game], object], tuple[str, Union[str, Callable[[Game], object]]]]

#: Called with the games finished so far, the games in all, and the game that has just ended.
OnGame = Callable[[int, int, PlayedGame], object]

HEADS = ("player", "won", "drawn", "lost", "score", "discs", "points", "Elo", "95 %")


def table_rows(rows: Iterable[Row]) -> list[tuple[object, ...]]:
    """Rows of a table of players."""
    return [
        (
            row.name,
            row.wins,
            row.draws,
            row.losses,
            f"{100 * row.score:.1f} %",
            f"{row.discs:+.1f}",
            f"{row.points:+d}",
            _table.elo(row.elo),
            f"{_table.elo(row.low)} to {_table.elo(row.high)}",
        )
        for row in rows
    ]


class Clock(NamedTuple):
    """What a side may spend: seconds for a move and for a game, boards and plies for a move."""

    time: float | str | None
    game_time: float | str | None
    nodes: int | None
    depth: int | None


def tournament(
    players: Sequence[Player],
    format: str,
    clock: Clock,
    openings: str | Iterable[Game | Board],
    progress: OnGame | None,
    **settings: Any,
) -> tuple[list[PlayedGame], list[Row], tuple[float, float, float, float]]:
    """The games of a tournament, its table, and how sure it is that the first beats the second."""
    return _native.tournament(
        players,
        format=format,
        openings=openings if isinstance(openings, str) else list(openings),
        progress=None if progress is None else (lambda event: progress(*event)),
        **clock._asdict(),
        **settings,
    )


class Match:
    """What came of a match; all numbers are the first player's."""

    def __init__(
        self,
        games: list[PlayedGame],
        rows: list[Row],
        first: str,
        certainty: tuple[float, float, float, float],
    ) -> None:
        self.games = games
        self.rows = rows
        (self.row,) = (row for row in rows if row.name == first)
        self.elo, self.low, self.high, self.superiority = certainty

    @property
    def wins(self) -> int:
        return self.row.wins

    @property
    def draws(self) -> int:
        return self.row.draws

    @property
    def losses(self) -> int:
        return self.row.losses

    @property
    def score(self) -> float:
        """The share of the points, from 0 to 1."""
        return self.row.score

    @property
    def discs(self) -> float:
        """By how many discs it won, per game."""
        return self.row.discs

    def __str__(self) -> str:
        between = f"{_table.elo(self.low)} to {_table.elo(self.high)}"
        return (
            f"{self.row.name}: +{self.wins} ={self.draws} -{self.losses}, "
            f"{100 * self.score:.1f} % of the points, Elo {_table.elo(self.elo)} ({between}), "
            f"better with a likelihood of {100 * self.superiority:.1f} %"
        )

    def __repr__(self) -> str:
        return f"<Match {self.row.name} +{self.wins} ={self.draws} -{self.losses}>"

    def _repr_html_(self) -> str:
        # Ratings are for tables of many: what two players say of each other is in the caption.
        rows = [row[:-2] for row in table_rows(self.rows)]
        return _table.html(HEADS[:-2], rows, str(self))


def play_match(
    first: Player,
    second: Player,
    *,
    pairs: int = 10,
    rule: Rule | str = "reversed",
    size: int = 8,
    openings: str | Iterable[Game | Board] = "random:8",
    time: float | str | None = None,
    game_time: float | str | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seed: int = 1,
    concurrency: int | None = None,
    progress: OnGame | None = None,
) -> Match:
    """Plays pairs of games between two agents: the same opening, each side once.

    A player is a spec such as `engine:level=5`, or a function that gets a `Game` and gives a move.
    Each move has `time` seconds, `nodes` boards or `depth` plies, each side `game_time` seconds; the
    course's 5 s and 180 s if nothing is said. Openings are `start`, `random:PLIES`, `balanced`, or
    games and boards of your own. Limited by nodes or depth, the same seed plays the same games everywhere.
    """
    clock = Clock(time, game_time, nodes, depth)
    games, rows, certainty = tournament(
        [first, second],
        "round-robin",
        clock,
        openings,
        progress,
        pairs=pairs,
        rule=rule,
        size=size,
        seed=seed,
        concurrency=concurrency,
    )
    # The first game of the first pair is the one in which the first player has black.
    return Match(games, rows, games[0].black, certainty)
