"""The course's class, with any agent of ours behind it.

A file that says `from isrever.course import AI` is a whole submission. To have another agent play,
derive from it::

    class AI(isrever.course.AI):
        agent = "maximax"
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Agent, Answer, Board, Engine, Game

#: Memory for remembered boards in MiB: with Python, numpy and the engine's weights it stays well
#: within the course's 100 MB.
HASH_MB = 16

#: Games that a tree search may play out for a move: its tree grows with every one.
MOST_PLAYOUTS = 250_000

#: What is kept of a move's time to answer in, in seconds, and at least this part of it.
RESERVE_SECONDS, RESERVE_PART = 0.15, 0.05

#: The longest time that is taken for one.
LONGEST_SECONDS = 1e9

#: The part of a move's time that the first answer of an agent that cannot think aloud may take.
FIRST_PART = 0.05


class AI:
    """The course's interface: `go` leaves its decision as the last element of `candidate_list`.

    All legal places stand before it, and every better move that is found on the way follows at once,
    so that whoever takes the last element at any time takes the best that is known by then.
    """

    #: Who plays: a spec such as `engine`, `engine:level=5`, `genetic` or `mcts`.
    agent: str = "engine"
    #: What is played for.
    rule: str = "reversed"
    #: Seconds for all moves of a game.
    game_time: float = 180.0

    def __init__(
        self,
        chessboard_size: int,
        color: int | str,
        time_out: float,
        *,
        agent: str | None = None,
        rule: str | None = None,
        game_time: float | None = None,
        seed: int = 1,
    ) -> None:
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.agent = self.agent if agent is None else agent
        self.rule = self.rule if rule is None else rule
        self.game_time = self.game_time if game_time is None else game_time
        self.candidate_list: list[tuple[int, int]] = []
        self._spent = 0.0
        start = Game(self.rule, chessboard_size)
        # What cannot be played with is refused before there is a game to lose by it.
        start.score(color)
        _check_time("time_out", time_out)
        _check_time("game_time", self.game_time)
        if not isinstance(self.agent, str):
            raise ValueError(f"{self.agent!r} is no agent; expected a spec such as engine:level=5")
        self._engine: Engine | None = None
        if self.agent == "engine" and chessboard_size <= 8:
            self._engine = Engine(hash_mb=HASH_MB)
            # The weights are unpacked and the memory is laid out before any clock runs.
            self._engine.think(start, depth=1)
        else:
            self._agent = Agent(_within_memory(self.agent), seed=seed)
            self._nodes = MOST_PLAYOUTS if self.agent.partition(":")[0] == "mcts" else None
            self._agent.choose(start, depth=1, nodes=1, time=0.05)

    def go(self, chessboard: npt.NDArray[Any]) -> None:
        """Chooses a move on a board of -1 black, 1 white, 0 empty."""
        began = time.monotonic()
        self.candidate_list.clear()
        board = Board.from_array(chessboard, turn=self.color)
        if board.size != self.chessboard_size:
            expected = f"{self.chessboard_size}x{self.chessboard_size}"
            raise ValueError(f"a {board.size}x{board.size} board; expected {expected}")
        if not board.moves():
            return
        self.candidate_list.extend(divmod(action, board.size) for action in board.actions())
        if len(self.candidate_list) > 1:
            self._decide(Game(self.rule, start=board), began)
        self._spent += time.monotonic() - began

    def _decide(self, game: Game, began: float) -> None:
        reserve = max(RESERVE_SECONDS, RESERVE_PART * self.time_out)
        # Who has less time than what is kept of it answers with what a shallow search shows.
        allowed = max(self.time_out - reserve, self.time_out / 10)
        clock = max(self.game_time - self._spent - reserve, 0.01)

        def left() -> float:
            return max(allowed - (time.monotonic() - began), 0.0)

        if self._engine is not None:
            answer = self._engine.think(game, time=left(), clock=clock, progress=self._hear)
            self._append(answer.best)
        else:
            for part in (FIRST_PART, 1.0):
                choice = self._agent.choose(
                    game, time=part * left(), nodes=self._nodes, clock=clock
                )
                self._append(choice.move)

    def _hear(self, answer: Answer) -> None:
        self._append(answer.best)

    def _append(self, move: str | None) -> None:
        """Puts a decision behind all others."""
        if move is not None:
            self.candidate_list.append((int(move[1:]) - 1, ord(move[0]) - ord("a")))


def _check_time(name: str, given: float) -> None:
    """Refuses what is no time. None at all is one: the first answer is there at once."""
    if not isinstance(given, (int, float, np.number)) or not 0 <= given <= LONGEST_SECONDS:
        raise ValueError(f"{name} cannot be {given!r}; expected seconds from 0 to {LONGEST_SECONDS:g}")


def _within_memory(spec: str) -> str:
    """The spec, with little memory for an engine that does not say how much it wants."""
    name, _, settings = spec.partition(":")
    if name != "engine" or "hash=" in settings:
        return spec
    return f"{name}:{','.join(filter(None, (settings, f'hash={HASH_MB}')))}"
