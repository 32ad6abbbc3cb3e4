"""Boards and games: the rules against the oracle, and values as Python knows them."""

import copy
import pickle
import random

import numpy as np
import oracle
import pytest

import isrever
from isrever import BLACK, WHITE, Board, Game, Rule

SIZES = [4, 6, 8, 10, 12, 14, 16]


def name(place: tuple[int, int]) -> str:
    return f"{chr(ord('a') + place[1])}{place[0] + 1}"


@pytest.mark.parametrize("size", SIZES)
def test_random_games_are_those_of_the_oracle(size: int) -> None:
    dice = random.Random(size)
    for _ in range(6 if size <= 8 else 2):
        game, cells, color = Game(size=size), oracle.start(size), BLACK
        while True:
            legal = oracle.moves(cells, color)
            board = game.board
            assert board.to_array().tolist() == cells and board.turn == color
            assert board.moves() == [name(place) for place in legal]
            if not legal:
                if not oracle.moves(cells, -color):
                    break
                assert board.must_pass and board.actions() == [size * size]
                game.play(size * size)
                color = -color
                continue
            assert board.actions() == [row * size + column for row, column in legal]
            assert np.flatnonzero(board.mask()).tolist() == board.actions()
            row, column = dice.choice(legal)
            turned = {name(place) for place in oracle.flips(cells, row, column, color)}
            assert set(board.flips((row, column))) == turned
            cells, color = oracle.play(cells, row, column, color), -color
            game.play(dice.choice([name((row, column)), (row, column), row * size + column]))
        assert game.is_over and game.turn is None
        for side in (BLACK, WHITE):
            assert game.score(side) == oracle.score(cells, side)
            assert game.board.score("normal", side) == -oracle.score(cells, side)
        assert game.winner == (
            BLACK if game.score(BLACK) > 0 else WHITE if game.score(BLACK) else 0
        )


def test_arrays_come_back_whatever_they_are_like() -> None:
    board = Game.from_text("f5d6c3d3c4").board
    cells = board.to_array()
    assert cells.dtype == np.int8 and cells.flags.c_contiguous
    for dtype in ("int8", "int16", "int32", "int64", ">i4", int):
        assert Board.from_array(cells.astype(dtype), turn=WHITE) == board
    frozen = cells.copy()
    frozen.flags.writeable = False
    assert Board.from_array(frozen, turn="white") == board
    wide = np.zeros((16, 16), dtype=np.int64)
    wide[::2, ::2] = cells
    assert Board.from_array(wide[::2, ::2], turn=WHITE) == board
    assert Board.from_array(np.asfortranarray(cells), turn=WHITE) == board
    assert Board.from_array(cells.tolist(), turn=WHITE) == board
    odd = np.frombuffer(b"\0" + cells.astype(np.int64).tobytes(), np.uint8)[1:].view(np.int64)
    assert not odd.flags.aligned and Board.from_array(odd.reshape(8, 8), turn=WHITE) == board


def test_what_is_written_into_is_the_callers_array() -> None:
    board = Board(6)
    cells, mask, planes = np.ones((6, 6), np.int8), np.ones(37, bool), np.ones((2, 6, 6), np.uint8)
    assert board.to_array(out=cells) is cells and (cells == board.to_array()).all()
    assert board.mask(out=mask) is mask and mask.sum() == 4
    assert board.planes(out=planes) is planes
    assert (planes[0] == (cells == BLACK)).all() and (planes[1] == (cells == WHITE)).all()


def test_boards_are_values() -> None:
    board = Board()
    assert board == Board() and hash(board) == hash(Board()) and board != Board(6)
    assert len({Board(), Board(), Board(4)}) == 2
    after = board.play("f5")
    assert board == Board() and after.turn == WHITE and after.count(BLACK) == 4
    for thing in (board, after, Game(), Game.from_text("f5f6", "normal"), Rule.NORMAL):
        assert pickle.loads(pickle.dumps(thing)) == thing
        assert copy.deepcopy(thing) == thing
    assert eval(repr(after)) == after
    assert Board.from_text(after.to_text()) == after
    assert Board.from_bits(*after.bits, turn=after.turn) == after
    assert "<svg" in board._repr_svg_() and str(board).count("X") == 2


def test_symmetries_move_squares_as_the_table_says() -> None:
    board = Game.from_text("f5d6c3d3c4f4f6").board
    table = isrever.symmetries(8)
    assert table.shape == (8, 65) and (table[0] == np.arange(65)).all()
    for image, row in zip(board.symmetries(), table):
        assert (image.to_array().ravel() == board.to_array().ravel()[row[:64]]).all()
        assert (image.mask() == board.mask()[row]).all(), "legal moves turn with the board"
    assert len({image for image in board.symmetries()}) == 8


def test_games_remember_and_can_be_taken_back() -> None:
    game = Game("normal", 6)
    first = game.board.moves()[0]
    game.play(first)
    assert len(game) == 1 and game.moves == [first] and len(game.boards) == 2
    assert game.undo() == first and game.undo() is None and game.redo() == first
    other = game.copy()
    other.play(other.board.moves()[0])
    assert len(game) == 1 and len(other) == 2
    assert Game.from_text(game.to_text(), "normal") == game
    assert "GM[" in game.to_text("sgf") and game.rule == Rule.NORMAL and str(game.rule) == "normal"


@pytest.mark.parametrize(
    "move",
    [
        "f5",
        (4, 5),
        [4, 5],
        37,
        np.int64(37),
        np.uint8(37),
        np.array(37),
        np.array([4, 5]),
        np.array([4, 5], np.int8),
        np.array([[4, 5], [2, 3]])[0],
        (np.int64(4), np.int8(5)),
        [np.array(4), 5],
    ],
    ids=repr,
)
def test_moves_are_accepted_in_every_form(move: object) -> None:
    game = Game()
    game.play(move)
    assert game.moves == ["f5"] and Board().play(move) == game.board
    assert Board().flips(move) == ["e5"]
    answered = isrever.play_match(lambda _: move, "random", pairs=1, openings="start", nodes=1)
    assert answered.games[0].game.moves[0] == "f5", "functions may answer so too"


def test_a_move_that_plays_while_it_is_read_is_refused() -> None:
    class Sly:
        def __index__(self) -> int:
            return len(isrever.Engine().think(game, depth=1).line)

    game = Game()
    with pytest.raises((ValueError, RuntimeError)):
        game.play(Sly())
    assert len(game) == 0 and game.board == Board()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: Board().play("a1"), "a1 is illegal: black turns no disc there; expected d3,"),
        (lambda: Board().play("pass"), "black may not pass"),
        (lambda: Board().play(65), "action 65 on a 8x8 board; expected 0 to 63, or 64 for a pass"),
        (lambda: Board().play(-1), "action -1"),
        (lambda: Board().play((8, 0)), "(8, 0) is off the 8x8 board; expected row and column"),
        (lambda: Board().play("zz"), "'zz' is no move; expected a square such as f5"),
        (lambda: Board().play(2**70), "is no move"),
        (lambda: Board().play(1.5), "1.5 is no move"),
        (lambda: Board().play(None), "None is no move"),
        (lambda: Board().play(True), "True is no move"),
        (lambda: Board().play([4, 5, 6]), "[4, 5, 6] is no move; expected a square such as f5"),
        (lambda: Board().play([8, 0]), "(8, 0) is off the 8x8 board; expected row and column"),
        (lambda: Board().play((4.0, 5.0)), "(4.0, 5.0) is no move"),
        (lambda: Board().play(("4", "5")), "('4', '5') is no move"),
        (lambda: Board().play([]), "[] is no move"),
        (lambda: Board().play({4, 5}), "{4, 5} is no move"),
        (lambda: Board().play(np.array([4.0, 5.0])), "array([4., 5.]) is no move"),
        (lambda: Board().play(np.array([[4, 5]])), "array([[4, 5]]) is no move"),
        (lambda: Board().play(np.array([37])), "array([37]) is no move"),
        (lambda: Board().play(np.arange(1000)), "is no move; expected"),
        (lambda: Board(7), "7 is no width of a board; expected an even one, 4 to 16"),
        (lambda: Board(-8), "-8 is no width"),
        (lambda: Game("misere"), "'misere' is no rule; expected reversed or normal"),
        (lambda: Game(start=Board(6), size=8), "size 8 for a board 6 wide"),
        (lambda: Board().count(0), "0 is no colour; expected -1 black or 1 white"),
        (lambda: Board.from_text("f5f5"), "f5"),
        (lambda: Board.from_text(""), "nothing to read"),
        (lambda: Game().to_text("wthor"), "wthor is no text"),
        (lambda: Game().to_text("png"), '"png" is not a format; expected'),
        (lambda: Board.from_bits(1, 1), "two discs on squares 0x1; expected one at most"),
        (lambda: Board.from_bits(1 << 63, 1, 6), "expected them on the 6x6 board"),
        (lambda: Board.from_bits(0, 0), "no discs on the board; expected at least one"),
        (lambda: Board(10).bits, "a 10x10 board; expected 4x4, 6x6 or 8x8"),
    ],
)
def test_what_is_wrong_is_named(call: object, words: str) -> None:
    with pytest.raises(ValueError) as raised:
        call()
    assert words in str(raised.value)
