"""A GTP engine: plays the first legal move, or misbehaves as its argument says."""
import sys

from othello import Board, name, place

MODE = sys.argv[1] if len(sys.argv) > 1 else "plain"
board = Board(8)
told = "nothing"


def answer(text="", mark="="):
    print(mark + " " + text + "\n", flush=True)


for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "boardsize":
        board = Board(int(rest[0]))
        answer()
    elif word == "clear_board":
        board = Board(board.size)
        answer()
    elif word == "play" and rest[1] == "pass":
        # Some engines pass by themselves.
        answer("illegal move", "?")
    elif word == "play":
        if board.flips(place(rest[1]), rest[0]):
            board.play(place(rest[1]), rest[0])
            answer()
        else:
            answer("illegal move", "?")
    elif word == "time_settings" and MODE in ("exact", "whole"):
        # An engine that reads fractions, and one that does not.
        if MODE == "whole" and not all(number.isdigit() for number in rest):
            answer("syntax error", "?")
        else:
            told = " ".join(rest)
            answer()
    elif word == "genmove":
        if MODE in ("exact", "whole"):
            answer("told " + told)
            continue
        if MODE == "silent":
            continue
        if MODE == "crash":
            print("out of ideas", file=sys.stderr)
            sys.exit(4)
        moves = board.moves(rest[0])
        if MODE == "resign":
            answer("resign")
        elif MODE == "illegal":
            answer("pass")
        elif MODE == "garbage":
            print("f5", flush=True)
        elif moves:
            board.play(moves[0], rest[0])
            answer(name(moves[0]))
        else:
            answer("pass")
    elif word == "quit":
        answer()
        break
    else:
        answer("unknown command", "?")
