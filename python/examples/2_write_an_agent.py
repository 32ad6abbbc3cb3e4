"""Write an agent of your own: a function that gets a game and gives a move is one.

Run it: `python 2_write_an_agent.py`

`my_ai.py` beside this file is the same idea as the course wants it.
"""

import sys

import isrever

quick = "--quick" in sys.argv


def generous(game: isrever.Game) -> str:
    """Leaves the opponent as many moves as it can, and takes few discs."""

    def value(move: str) -> float:
        after = game.board.play(move)
        return len(after.moves()) - 0.5 * len(game.board.flips(move))

    return max(game.board.moves(), key=value)


# Anything that plays can meet anything else.
match = isrever.play_match(generous, "random", pairs=5 if quick else 50, seed=7)
print(match)

# A game of it, move by move: in a notebook, `lost` alone draws its last board.
for lost in (game for game in match.games if (game.score > 0) == (game.white == "generous")):
    print(lost, lost.game.to_text())
    print(isrever.analyze(lost.game, depth=3, solve_from=10).mistakes)
    break
