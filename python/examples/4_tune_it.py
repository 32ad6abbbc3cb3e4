"""Tune it: let matches decide what the numbers of an agent should be.

Run it: `python 4_tune_it.py`

Every agent with parameters can be tuned the same way: `isrever.parameters("depth3")` is the table of
what can be set in its spec. Here it is one of our own, by a search along one number after the other.
"""

import sys

import isrever

quick = "--quick" in sys.argv
PAIRS = 12 if quick else 150


class Weighed:
    """Looks one move ahead: what the opponent's moves, turned discs and corners are worth."""

    def __init__(self, **weights: float) -> None:
        self.weights = {"mobility": 0.0, "turned": 0.0, "corner": 0.0} | weights

    def __call__(self, game: isrever.Game) -> str:
        board, weights = game.board, self.weights
        last = chr(ord("a") + board.size - 1)
        corners = {"a1", f"{last}1", f"a{board.size}", f"{last}{board.size}"}

        def value(move: str) -> float:
            return (
                weights["mobility"] * len(board.play(move).moves())
                + weights["turned"] * len(board.flips(move))
                + weights["corner"] * (move in corners)
            )

        return max(board.moves(), key=value)


def score(weights: dict[str, float], seed: int) -> float:
    """The share of the points that such an agent makes against a fixed opponent."""
    agent = ("tuned", Weighed(**weights))
    return isrever.play_match(agent, "greedy", pairs=PAIRS, size=6, nodes=1, seed=seed).score


weights = {"mobility": 0.0, "turned": 0.0, "corner": 0.0}
best = score(weights, seed=1)
print(f"to begin with: {100 * best:.1f} %")
for step in (4.0, 1.0):
    for name in weights:
        for change in (-step, step):
            tried = weights | {name: weights[name] + change}
            # The same openings for everybody: what differs is the agent alone.
            found = score(tried, seed=1)
            print(f"{name} {tried[name]:+g}: {100 * found:.1f} %")
            if found > best:
                best, weights = found, tried

# Those openings chose the weights, so only others can say what they are worth.
print(f"{weights}: {100 * score(weights, seed=2):.1f} % on new openings")
