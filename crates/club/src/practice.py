"""Positions that your agent played badly, to try it on again.

    python practice.py my_ai.py

For each of them your agent is asked for its move, as the platform asks it. A line says whether it
plays what is best, plays what it played before, or something else. Needs numpy.
"""

import argparse
import importlib.util
import time

import numpy

# board (X black, O white, row by row), size, colour, played, better, discs given away, game
POSITIONS = [
@POSITIONS@]
BLACK, WHITE, EMPTY = -1, 1, 0


def load(path):
    """The class AI of a file."""
    spec = importlib.util.spec_from_file_location("my_ai", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.AI


def ask(ai, board, size, color, seconds):
    """The square that an agent decides on, such as c4, or None."""
    values = {"X": BLACK, "O": WHITE, "-": EMPTY}
    array = numpy.array([values[letter] for letter in board]).reshape(size, size)
    agent = ai(size, BLACK if color == "black" else WHITE, seconds)
    agent.go(array)
    if not agent.candidate_list:
        return None
    row, column = agent.candidate_list[-1]
    return "abcdefghijklmnop"[int(column)] + str(int(row) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", help="your agent")
    parser.add_argument("--seconds", type=float, default=@SECONDS@, help="time for a move (default: %(default)s)")
    options = parser.parse_args()
    ai = load(options.file)
    mended = 0
    for board, size, color, played, better, loss, game in POSITIONS:
        began = time.perf_counter()
        square = ask(ai, board, size, color, options.seconds)
        taken = time.perf_counter() - began
        mended += square == better
        words = "best" if square == better else "as before" if square == played else "something else"
        late = "" if taken <= options.seconds else ", too late"
        print(f"game {game}, {color} with {size * size - board.count('-')} discs: {square} in {taken:.2f} s{late}: {words}"
              f" ({better} is best; {played} gave away {loss:.0f} discs)")
    print(f"{mended} of {len(POSITIONS)} are played best now")


if __name__ == "__main__":
    main()
