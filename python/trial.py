"""The course's class against the reports' agents, by the course's interface, watched from outside.

`cargo xtask bench course` runs it on a release build and keeps what it writes. By hand:
`python trial.py [--seconds S] [--pairs N] [--sizes 8,6] [OPPONENT ...]`

Each game runs a submission of one line in the arena's sandbox. What is written down: results, the
slowest move and the longest game as the arena timed them, and the most memory that any process of the
submission held, as the kernel counts it (`VmHWM`), read by a thread of ours while games run.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
from pathlib import Path

from isrever import PlayedGame, arena

REPORTS = ["depth3", "threestage", "fourstage", "genetic", "maximax"]
NAME = "course.AI"


class Witness(threading.Thread):
    """Reads the peak memory of every process below this one, again and again."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak_kib = 0
        self.is_over = threading.Event()

    def run(self) -> None:
        while not self.is_over.wait(0.05):
            processes = dict(filter(None, map(fields, Path("/proc").glob("[0-9]*"))))
            for number, process in processes.items():
                if "VmHWM" in process and self.is_below(number, processes):
                    self.peak_kib = max(self.peak_kib, int(process["VmHWM"].split()[0]))

    @staticmethod
    def is_below(number: str, processes: dict[str, dict[str, str]]) -> bool:
        """Whether a process is a child of ours, or of one of those."""
        own = str(os.getpid())
        while (number := processes.get(number, {}).get("PPid", "0")) not in (own, "0"):
            pass
        return number == own


def fields(folder: Path) -> tuple[str, dict[str, str]] | None:
    """The number of a process, and what the kernel says of it."""
    try:
        lines = (folder / "status").read_text().splitlines()
    except OSError:
        return None  # it has gone meanwhile
    return folder.name, dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def slowest(game: PlayedGame) -> float:
    """The time of the class's slowest move."""
    moves = zip(game.game.boards, game.times)
    return max(
        time or 0.0 for board, time in moves if (board.turn == -1) == (game.black == NAME)
    )


def spent(game: PlayedGame) -> float:
    """The time of all its moves."""
    return game.seconds[0 if game.black == NAME else 1]


def row(submission: Path, opponent: str, size: int, seconds: float, pairs: int) -> str:
    """Plays the games against an opponent: a row of the table."""

    def say(done: int, games: int, game: PlayedGame) -> None:
        words = f"{size}x{size} {opponent}, game {done} of {games}: {game}"
        times = f"slowest move {slowest(game):.2f} s, all {spent(game):.1f} s"
        print(f"{words}, {times}{', ' + game.reason if game.reason else ''}", file=sys.stderr)

    witness = Witness()
    witness.start()
    rating = arena.rate(
        (NAME, f"python:{submission}"),
        [opponent],
        pairs=pairs,
        size=size,
        time=seconds,
        game_time=180,
        openings="random:4",
        concurrency=1,
        progress=say,
    )
    witness.is_over.set()
    witness.join()
    found, games = rating.row, rating.games
    return (
        f"| {size}×{size} | `{opponent}` | {found.wins} | {found.draws} | {found.losses} "
        f"| {found.forfeits} | {max(map(slowest, games)):.2f} s | {max(map(spent, games)):.0f} s "
        f"| {witness.peak_kib / 1024:.1f} MiB |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="The course's class against the reports' agents")
    parser.add_argument("--seconds", type=float, default=5.0, help="for a move")
    parser.add_argument("--pairs", type=int, default=1, help="of games, for each row")
    parser.add_argument("--sizes", default="8,6", help="widths of the boards")
    parser.add_argument("opponents", nargs="*", default=REPORTS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        submission = Path(folder, "ai.py")
        submission.write_text("from isrever.course import AI\n")
        limits = f"{given.seconds:g} s a move, 180 s a game"
        print(f"{limits}, {2 * given.pairs} games against each, one at a time:\n")
        heads = "won | drawn | lost | forfeits | slowest move | longest game | peak memory"
        print(f"| board | opponent | {heads} |")
        print("|---" * 9 + "|")
        for size in map(int, given.sizes.split(",")):
            for opponent in given.opponents:
                print(row(submission, opponent, size, given.seconds, given.pairs), flush=True)


if __name__ == "__main__":
    main()
