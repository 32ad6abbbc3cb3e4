"""The course's class against the reports' agents, by the course's interface, watched from outside.

Run it: `python trial.py [SECONDS] [PAIRS] [OPPONENT ...]`

Each game runs a submission of one line in the arena's sandbox. What is written down: results, the
slowest move as the arena timed it, and the most memory that any process of the submission held, as
the kernel counts it (`VmHWM`), read by a thread of ours while games run.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from pathlib import Path

from isrever import arena

REPORTS = ["depth3", "threestage", "fourstage", "genetic", "maximax"]
NAME = "course.AI"


class Witness(threading.Thread):
    """Reads the peak memory of every Python below this one, again and again."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak_kib = 0
        self.is_over = threading.Event()

    def run(self) -> None:
        while not self.is_over.wait(0.05):
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    fields = dict(
                        line.split(":\t", 1)
                        for line in (folder / "status").read_text().splitlines()
                    )
                except (OSError, ValueError):
                    continue  # it has gone meanwhile
                if fields.get("PPid") == self.parent and "VmHWM" in fields:
                    self.peak_kib = max(self.peak_kib, int(fields["VmHWM"].split()[0]))

    @property
    def parent(self) -> str:
        return str(Path("/proc/self").readlink())


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    opponents = sys.argv[3:] or REPORTS
    with tempfile.TemporaryDirectory() as folder:
        submission = Path(folder, "ai.py")
        submission.write_text("from isrever.course import AI\n")
        print(f"{seconds:g} s a move, {2 * pairs} games against each, one at a time:\n")
        print("| board | opponent | won | drawn | lost | forfeits | slowest move | peak memory |")
        print("|---|---|---|---|---|---|---|---|")
        for size in (8, 6):
            for opponent in opponents:
                witness = Witness()
                witness.start()
                rating = arena.rate(
                    (NAME, f"python:{submission}"),
                    [opponent],
                    pairs=pairs,
                    size=size,
                    time=seconds,
                    openings="random:4",
                    concurrency=1,
                )
                witness.is_over.set()
                witness.join()
                slowest = max(
                    time or 0.0
                    for game in rating.games
                    for board, time in zip(game.game.boards, game.times)
                    if (board.turn == -1) == (game.black == NAME)
                )
                row = rating.row
                print(
                    f"| {size}×{size} | `{opponent}` | {row.wins} | {row.draws} | {row.losses} | "
                    f"{row.forfeits} | {slowest:.2f} s | {witness.peak_kib / 1024:.1f} MiB |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
