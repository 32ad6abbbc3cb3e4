"""What every move of a game was worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from . import _native, _table
from ._native import Board, Game, Rule, Verdict

_HEADS = ("move", "side", "played", "value", "best", "loss", "mark")


class Analysis(Sequence[Verdict]):
    """The verdicts on the moves of a game, in the order they were played."""

    def __init__(self, game: Game, verdicts: list[Verdict]) -> None:
        self.game = game
        self.verdicts = verdicts

    @property
    def mistakes(self) -> list[Verdict]:
        """The moves that are marked: inaccuracies, mistakes and blunders."""
        return [verdict for verdict in self.verdicts if verdict.mark is not None]

    def losses(self, color: int) -> int:
        """How many discs a colour's moves lost, -1 for black and 1 for white."""
        return sum(verdict.loss for verdict in self.verdicts if verdict.color == color)

    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> list[Verdict]: ...
    def __getitem__(self, index: int | slice) -> Verdict | list[Verdict]:
        return self.verdicts[index]

    def __len__(self) -> int:
        return len(self.verdicts)

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def _rows(self) -> list[tuple[object, ...]]:
        return [
            (
                verdict.ply + 1,
                "black" if verdict.color < 0 else "white",
                verdict.move,
                f"{verdict.value:+d}" + ("" if verdict.exact else " ~"),
                verdict.best.best or "",
                verdict.loss or "",
                verdict.mark or "",
            )
            for verdict in self.verdicts
        ]

    def __str__(self) -> str:
        return _table.text(_HEADS, self._rows())

    def __repr__(self) -> str:
        return f"<Analysis of {len(self)} moves, {len(self.mistakes)} marked>"

    def _repr_html_(self) -> str:
        return self.game.svg() + _table.html(_HEADS, self._rows(), "values in discs; ~ not proved")


def analyze(
    game: Game | Board,
    *,
    rule: Rule | str | None = None,
    time: float | str | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    solve_from: int = 16,
    threads: int = 1,
    hash_mb: int = 64,
    progress: Callable[[Verdict], object] | None = None,
) -> Analysis:
    """What every move of a game was worth, what it lost, and the best that could be played.

    Each move gets `time` seconds, `depth` plies or `nodes` boards, a second if nothing is said;
    endings of up to `solve_from` empty squares are solved as far as time and boards allow.
    `progress` is called with each verdict as it is found, the last move first.
    """
    verdicts = _native.analyze(
        game,
        rule=rule,
        time=time,
        depth=depth,
        nodes=nodes,
        solve_from=solve_from,
        threads=threads,
        hash_mb=hash_mb,
        progress=progress,
    )
    if isinstance(game, Board):
        game = Game(rule or "reversed", start=game)
    return Analysis(game.copy(), verdicts)
