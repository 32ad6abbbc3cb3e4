"""Play: boards, moves, the engine, the solver, and what a game was worth.

Run it: `python 1_play.py`
"""

import sys

import isrever

quick = "--quick" in sys.argv

# A game by the reversed rule: fewer discs win.
game = isrever.Game()
game.play("f5")  # a square by its name,
game.play((5, 5))  # by row and column from 0,
game.play(44)  # or by its number, row by row from 0.
print(game.board)
print("legal:", game.board.moves())

# The engine says what it thinks, and while it thinks.
engine = isrever.Engine()
thought = engine.think(game, time=0.2 if quick else 2.0, progress=lambda so_far: print(so_far))
print("best:", thought.best, "worth", thought.value, "discs, then", thought.line[1:5])

# Two levels play the game to its end.
levels = {-1: isrever.Engine(level=3, seed=1), 1: isrever.Engine(level=3, seed=2)}
while not game.is_over:
    assert game.turn is not None
    best = levels[game.turn].think(game).best
    assert best is not None
    game.play(best)
print(game.board)
print("black's score:", game.score(isrever.BLACK))

# Its last twelve empty squares, solved.
while game.board.empties < 12:
    game.undo()
print(isrever.solve(game))

# Where it was lost. In a notebook, `analysis` alone shows the table.
while game.redo():
    pass
analysis = isrever.analyze(game, depth=4 if quick else 10, solve_from=8 if quick else 14)
for verdict in analysis.mistakes:
    print(verdict, "better:", verdict.best.best)
