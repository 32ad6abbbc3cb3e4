"""Reversed Reversi: Othello's moves, and the player with fewer discs wins.

Play (`Game`, `Board`), search (`Engine`), solve (`solve`), judge a game (`analyze`), look into a book of
openings (`Book`), ask anybody who plays (`Agent`, `agents`), let them meet (`play_match`), and step
thousands of boards at once (`VectorEnv`). `isrever.course` has the course's class, `isrever.arena` tests and ratings of agents,
`isrever.gym` and `isrever.zoo` environments for Gymnasium and PettingZoo, `isrever.train` the training
of networks.

Colours are the course's numbers, -1 black and 1 white. Moves are names such as `f5` and `pass`; where
one is asked for, `(row, column)` as a tuple, a list or an array and the number of an action do as
well: squares row by row from 0, the one behind the last for a pass. Both rules, `reversed` (the default) and `normal`, and all even
boards from 4x4 to 16x16 are played; the search and `VectorEnv` know 4x4, 6x6 and 8x8.
"""

from . import arena, course
from ._native import (
    Agent,
    Answer,
    Board,
    Book,
    BookEntry,
    BookMove,
    Choice,
    Engine,
    Forfeit,
    Game,
    Parameter,
    PlayedGame,
    Progress,
    Row,
    Rule,
    VectorEnv,
    Verdict,
    __version__,
    agents,
    parameters,
    solve,
    solve_moves,
    symmetries,
)
from .analysis import Analysis, analyze
from .match import Match, play_match
from .symmetry import augment

BLACK = -1
WHITE = 1

# Names of `Answer` in earlier versions.
Thought = Answer
Hint = Answer
Solution = Answer

__all__ = [
    "BLACK",
    "WHITE",
    "Agent",
    "Analysis",
    "Answer",
    "Board",
    "Book",
    "BookEntry",
    "BookMove",
    "Choice",
    "Engine",
    "Forfeit",
    "Game",
    "Hint",
    "Match",
    "Parameter",
    "PlayedGame",
    "Progress",
    "Row",
    "Rule",
    "Solution",
    "Thought",
    "VectorEnv",
    "Verdict",
    "__version__",
    "agents",
    "analyze",
    "arena",
    "augment",
    "course",
    "parameters",
    "play_match",
    "solve",
    "solve_moves",
    "symmetries",
]
