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

_RESULTS = ("player", "won", "drawn", "lost", "score", "discs", "points")
_RATINGS = ("Elo", "95 %")


def reasons(row: Row) -> str:
    """Why a player lost games otherwise than by discs, such as `2 time, 1 crash`."""
    return ", ".join(f"{count} {reason}" for reason, count in row.reasons.items())


def table(
    rows: Sequence[Row], *, has_ratings: bool = True
) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """The heads and rows of a table of players; forfeits have a column if there are any."""
    has_forfeits = any(row.forfeits for row in rows)

    def cells(row: Row) -> tuple[object, ...]:
        results = (
            row.name,
            row.wins,
            row.draws,
            row.losses,
            f"{100 * row.score:.1f} %",
            f"{row.discs:+.1f}",
            f"{row.points:+d}",
        )
        ratings = (_table.elo(row.elo), f"{_table.elo(row.low)} to {_table.elo(row.high)}")
        return results + ratings * has_ratings + (reasons(row),) * has_forfeits

    heads = _RESULTS + _RATINGS * has_ratings + ("forfeits",) * has_forfeits
    return heads, [cells(row) for row in rows]


def forfeited(games: Iterable[PlayedGame], name: str) -> list[PlayedGame]:
    """The games that a player forfeited."""
    return [
        game
        for game in games
        if (game.forfeit == -1 and game.black == name) or (game.forfeit == 1 and game.white == name)
    ]


def forfeit_words(row: Row) -> str:
    """How often and why a player forfeited, behind a comma; nothing if it did not."""
    return f", forfeited {row.forfeits}: {reasons(row)}" if row.forfeits else ""


class Clock(NamedTuple):
    """What a side may spend: seconds for a move and for a game, by which clock, boards and plies."""

    time: float | str | None
    game_time: float | str | None
    clock: str
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
        #: The first player's results.
        self.row: Row = next(row for row in rows if row.name == first)
        #: How much stronger the first player is, in Elo, and the 95 % interval of that.
        self.elo: float = certainty[0]
        self.low: float = certainty[1]
        self.high: float = certainty[2]
        #: The likelihood that the first player is the stronger one.
        self.superiority: float = certainty[3]

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

    @property
    def forfeits(self) -> list[PlayedGame]:
        """The games that it forfeited; their `reason` says why."""
        return forfeited(self.games, self.row.name)

    def __str__(self) -> str:
        between = f"{_table.elo(self.low)} to {_table.elo(self.high)}"
        return (
            f"{self.row.name}: +{self.wins} ={self.draws} -{self.losses}, "
            f"{100 * self.score:.1f} % of the points, Elo {_table.elo(self.elo)} ({between}), "
            f"better with a likelihood of {100 * self.superiority:.1f} %{forfeit_words(self.row)}"
        )

    def __repr__(self) -> str:
        words = forfeit_words(self.row)
        return f"<Match {self.row.name} +{self.wins} ={self.draws} -{self.losses}{words}>"

    def _repr_html_(self) -> str:
        # Ratings are for tables of many: what two players say of each other is in the caption.
        heads, rows = table(self.rows, has_ratings=False)
        return _table.html(heads, rows, str(self))


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
    clock: str = "wall",
    nodes: int | None = None,
    depth: int | None = None,
    seed: int = 1,
    concurrency: int | None = None,
    progress: OnGame | None = None,
) -> Match:
    """Plays pairs of games between two agents: the same opening, each side once.

    A player is a spec such as `engine:level=5`, or a function that gets a `Game` and gives a move.
    Each move has `time` seconds, `nodes` boards or `depth` plies, each side `game_time` seconds; the
    course's 5 s and 180 s if nothing is said. `clock="cpu"` does not count the time that Python agents
    wait for a processor, for busy machines. Games are played in several threads; `concurrency=1` is for
    functions that cannot answer two of them. Openings are `start`, `random:PLIES`, `balanced`, or
    games and boards of your own. Limited by nodes or depth, the same seed plays the same games everywhere.
    """
    limits = Clock(time, game_time, clock, nodes, depth)
    games, rows, certainty = tournament(
        [first, second],
        "round-robin",
        limits,
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
