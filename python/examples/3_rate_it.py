"""Rate it: the usability test of a course's file, and its place among known opponents.

Run it: `python 3_rate_it.py [my_ai.py]`
"""

import sys
from pathlib import Path

from isrever import arena

quick = "--quick" in sys.argv
given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
path = given[0] if given else str(Path(__file__).with_name("my_ai.py"))

# Boards with known answers and two whole games, in a sandbox, within the course's limits. In a
# notebook, `report` alone shows the table, and the boards of what failed.
report = arena.check(path)
print(report)
if not report.passed:
    sys.exit(1)

# Pairs of games against each opponent, and ratings with their 95 % intervals.
rating = arena.rate(
    path,
    opponents=["random", "greedy", "depth3:depth=1", "engine:level=2"],
    pairs=1 if quick else 20,
    size=6 if quick else 8,
    progress=lambda done, games, game: print(f"{done} of {games}: {game}"),
)
print(rating)
