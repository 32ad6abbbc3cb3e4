"""Books of openings: files made here byte by byte, as the guide describes them."""

import pickle
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest

from isrever import Board, Book, Engine, Game, Rule

SIZE = 6


def index(move: str) -> int:
    return (int(move[1:]) - 1) * 8 + ord(move[0]) - ord("a")


def canonical(board: Board) -> Board:
    return min(board.symmetries(), key=lambda image: image.bits)


@dataclass
class Record:
    """What is written of a position, and an estimate of each of its moves."""

    board: Board
    value: int
    searched: int
    best: str
    plies: int
    estimates: list[int]
    depth: int = 9
    confidence: int = 73


def written(records: list[Record]) -> bytes:
    """A book of the reversed rule."""
    size = records[0].board.size
    rows, estimates = b"", b""
    for one in sorted(records, key=lambda one: one.board.bits):
        values = (one.value, -size * size, size * size, one.searched)
        moves = (index(one.best), index(one.best), one.depth, one.confidence, one.plies, 0)
        rows += struct.pack("<QQ4b6B", *one.board.bits, *values, *moves)
        rows += struct.pack("<HI", 1000, len(estimates))
        estimates += struct.pack(f"{len(one.estimates)}b", *one.estimates)
    text = b"by hand\nin a test"
    counts = struct.pack("<IIII", len(records), len(text), len(estimates), 0)
    checked = counts + text + rows + estimates
    head = b"ISRBOOK\x1a" + bytes([1, 0, size, 0])
    return head + struct.pack("<I", zlib.crc32(checked)) + checked


def records(size: int = SIZE) -> list[Record]:
    """The start position, all of whose moves are one, and the position after it."""
    start = canonical(Board(size))
    after = canonical(start.play(start.moves()[0]))
    estimates = list(range(len(after.moves())))
    return [
        Record(start, 5, 3, start.moves()[0], 1, [0, 0, 0, 0]),
        Record(after, -5, -5, after.moves()[-1], 0, estimates),
    ]


@pytest.fixture
def book(tmp_path: Path) -> Book:
    path = tmp_path / "my.book"
    path.write_bytes(written(records()))
    return Book(path)


def test_a_book_says_what_it_is(book: Book) -> None:
    assert (book.rule, book.size, len(book)) == (Rule.REVERSED, SIZE, 2)
    assert book.recipe == ["by hand", "in a test"]
    assert "2 positions, reversed, 6x6" in repr(book)
    book.check()
    boards = list(book)
    assert [board.bits for board in boards] == sorted(one.board.bits for one in records())
    assert all(board in book and board.turn == -1 for board in boards)


def test_positions_are_found_in_all_their_images(book: Book) -> None:
    for image in Board(SIZE).symmetries():
        entry = book.find(image)
        assert entry is not None
        assert (entry.value, entry.lower, entry.upper) == (5, -36, 36)
        assert (entry.searched, entry.depth, entry.confidence) == (3, 9, 73)
        assert (entry.exact, entry.nodes) == (False, 1000)
        assert entry.best in image.moves() and entry.line[0] == entry.best and len(entry.line) == 2
        assert {move.move for move in entry.moves} == set(image.moves())
        for move in entry.moves:
            assert (move.kind, move.value, move.lower, move.upper) == ("known", 5, -36, 36)
            assert (move.plies, move.depth, move.confidence) == (1, 9, 73)
        # The line is a game.
        board = image
        for step in entry.line:
            board = board.play(step)


def test_moves_that_lead_out_of_the_book_say_so(book: Book) -> None:
    game = Game(size=SIZE)
    game.play(game.board.moves()[0])
    entry = book.find(game)
    assert entry is not None and game in book
    assert [move.kind for move in entry.moves].count("searched") == 1
    searched = next(move for move in entry.moves if move.kind == "searched")
    assert (searched.move, searched.value, searched.plies) == (entry.best, -5, None)
    rest = [move.value for move in entry.moves if move.kind == "estimated"]
    assert rest == sorted(rest, reverse=True) and max(rest) < -5
    game.play(entry.best)
    assert book.find(game) is None and game not in book


def test_a_book_and_what_it_says_can_be_pickled(book: Book) -> None:
    again = pickle.loads(pickle.dumps(book))
    assert list(again) == list(book)
    entry = book.find(Board(SIZE))
    restored = pickle.loads(pickle.dumps(entry))
    assert entry is not None and repr(restored) == repr(entry)
    assert [repr(move) for move in restored.moves] == [repr(move) for move in entry.moves]


def test_the_package_carries_a_book() -> None:
    book = Book.embedded()
    assert (book.rule, book.size) == (Rule.REVERSED, 8) and len(book) > 1000
    entry = book.find(Game())
    assert entry is not None and entry.lower <= entry.value <= entry.upper
    assert {move.move for move in entry.moves} == set(Board().moves())
    # The best line stays in the book but for its last move.
    game = Game()
    for move in entry.line:
        assert game in book
        game.play(move)
    some = [board for board, _ in zip(book, range(100))]
    assert all(book.find(board) is not None for board in some)
    again = pickle.loads(pickle.dumps(book))
    assert repr(again) == repr(book) and "embedded" in repr(book)
    with pytest.raises(ValueError, match="no book of the normal rule on 4x4; expected"):
        Book.embedded("normal", 4)
    with pytest.raises(ValueError, match="is no rule"):
        Book.embedded("fewest")


def test_what_is_no_book_is_refused_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "some.book"
    whole = written(records())

    def refused(content: bytes, expected: str) -> None:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=expected) as refusal:
            Book(path)
        assert "\n" not in str(refusal.value) and str(path) in str(refusal.value)

    refused(b"", "not a book; expected a file that book grow wrote")
    refused(b"something else that is long enough to be one", "not a book; expected")
    refused(whole[:-1], "cut short or changed; expected a whole one")
    refused(whole[:8] + b"\x02" + whole[9:], "a book of format 2; expected format 1")
    refused(whole[:60] + b"?" + whole[61:], "cut short or changed")
    refused(b"XADEKOOB\x04\x04", "a book of Edax; expected one of ours")
    with pytest.raises(ValueError, match="no such file"):
        Book(tmp_path / "none.book")
    with pytest.raises(ValueError, match="a directory; expected a book"):
        Book(tmp_path)
    wrong = records()
    wrong[0].value = 6
    path.write_bytes(written(wrong))
    with pytest.raises(ValueError, match="another value than follows"):
        Book(path).check()


def test_what_is_no_position_of_its_kind_is_refused(book: Book) -> None:
    with pytest.raises(ValueError, match="a 8x8 board; expected 6x6"):
        book.find(Board(8))
    with pytest.raises(ValueError, match="a game by the normal rule; expected the reversed rule"):
        book.find(Game("normal", size=SIZE))
    with pytest.raises(ValueError, match="is no position"):
        book.find("f5")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is no position"):
        assert 3 in book  # type: ignore[operator]


def test_the_engine_plays_from_a_book(tmp_path: Path) -> None:
    start = Board(6)
    engine = Engine(hash_mb=1, book="embedded")
    first = engine.think(start, nodes=1000)
    assert (first.nodes, first.exact, first.value) == (0, True, 2)
    assert Engine(hash_mb=1).think(start, nodes=1000).nodes > 0
    assert Engine(hash_mb=1, book="none").think(start, nodes=1000).nodes > 0
    # Nothing is known of other boards, nor under the other rule.
    assert engine.think(Board(4), nodes=1000).nodes > 0
    assert engine.think(start, rule="normal", nodes=1000).nodes > 0
    # The seed says which of equal moves is played.
    played = {
        str(Engine(hash_mb=1, book="embedded", seed=seed).think(Board(8), nodes=1000).best)
        for seed in range(40)
    }
    assert len(played) > 1
    with pytest.raises(ValueError, match="no such file"):
        Engine(book=tmp_path / "none.book")
    (tmp_path / "text").write_text("no book")
    with pytest.raises(ValueError, match="not a book"):
        Engine(book=tmp_path / "text")
