"""An NBoard engine: plays the first legal move, or misbehaves as its argument says."""
import re
import sys

from othello import Board, name, place

MODE = sys.argv[1] if len(sys.argv) > 1 else "plain"


def say(text):
    print(text, flush=True)


def read(ggf):
    """The position of a game record."""
    size, squares, turn = re.search(r"BO\[(\d+) (\S+) (\S)\]", ggf).groups()
    board = Board(int(size))
    board.discs = {(i % board.size, i // board.size): "b" if disc == "*" else "w"
                   for i, disc in enumerate(squares) if disc != "-"}
    board.turn = "b" if turn == "*" else "w"
    # Everything behind the board is a move.
    for color, move in re.findall(r"\]([BW])\[([^]/]+)", ggf[ggf.index("BO["):]):
        if move.lower() in ("pa", "pass"):
            board.turn = "w" if color == "B" else "b"
        elif re.fullmatch(r"[A-Pa-p]\d+", move):
            board.play(place(move), color.lower())
    return board, re.search(r"TY\[([^]]*)\]", ggf).group(1)


board, kind = Board(8), "8"
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "nboard":
        say("set myname First " + MODE)
    elif word == "set" and rest.startswith("game "):
        board, kind = read(rest)
    elif word == "ping":
        say("status thinking of nothing")
        say("pong " + rest)
    elif word == "go":
        if MODE == "silent":
            continue
        if MODE == "crash":
            sys.exit(4)
        say("status anti" if "a" in kind else "status normal")
        say("nodestats 12 0.1")
        if MODE == "illegal":
            say("=== A1")
        elif MODE == "garbage":
            say("=== ?!/0")
        elif MODE == "endless":
            while True:
                sys.stdout.write("x" * 65536)
        else:
            moves = board.moves(board.turn)
            say("=== " + (name(moves[0]).upper() if moves else "PA") + "/2.50/0.1")
    elif word == "quit":
        break
