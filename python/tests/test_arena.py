"""Tests and ratings for notebooks: what they find, and how they look."""

from pathlib import Path

import pytest

import isrever
from isrever import Game, arena

GOOD = """
import numpy as np

class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.size, self.color, self.candidate_list = chessboard_size, color, []

    def go(self, chessboard):
        self.candidate_list.clear()
        for row in range(self.size):
            for column in range(self.size):
                if self.turns(chessboard, row, column):
                    self.candidate_list.append((row, column))

    def turns(self, board, row, column):
        if board[row, column]:
            return False
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                r, c, seen = row + down, column + right, False
                while 0 <= r < self.size and 0 <= c < self.size and board[r, c] == -self.color:
                    r, c, seen = r + down, c + right, True
                if seen and 0 <= r < self.size and 0 <= c < self.size and board[r, c] == self.color:
                    return True
        return False
"""
BAD = GOOD.replace("self.candidate_list.append((row, column))", "pass")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(GOOD)
    bad.write_text(BAD)
    return good, bad


def test_a_report_says_what_is_wrong_and_shows_it(files: tuple[Path, Path]) -> None:
    heard = []
    good = arena.check(files[0], progress=heard.append)
    assert good.passed and len(heard) == len(good.findings) == 17 and good.sandbox
    assert "17 of 17 cases passed" in str(good) and "<svg" not in good._repr_html_()
    bad = arena.check(str(files[1]))
    assert not bad.passed and 0 < len(bad.faults) < 17
    html = bad._repr_html_()
    assert "FAILED" in html and html.count("<svg") == len(bad.faults)
    assert any("missing from the list" in fault for fault in bad.faults[0].faults)
    assert all(f"<figcaption>{fault.name}</figcaption>" in html for fault in bad.faults)
    heads, first = str(bad).splitlines()[:2]
    assert heads.index("remarks") == first.index("missing from the list"), "words stand left"
    broken = files[0].with_name("broken.py")
    broken.write_text("def AI(:")
    assert arena.check(broken).skipped == 16


def test_a_rating_has_a_table_and_the_lost_games(files: tuple[Path, Path]) -> None:
    def first(game: Game) -> str:
        return game.board.moves()[-1]

    rating = arena.rate(
        files[0], ["random", first, ("strong", "engine:level=8")], pairs=2, size=6, nodes=2000
    )
    assert rating.name == "good.py" and len(rating.rows) == 4 and len(rating.games) == 12
    assert rating.interval[0] <= rating.elo <= rating.interval[1]
    assert {row.name for row in rating.rows} == {"good.py", "random", "first", "strong"}
    assert rating.rows[0].name == "strong" and rating.lost
    html = rating._repr_html_()
    assert html.count("<tr>") == 5 and "good.py" in html and "good.py" in str(rating)
    assert all("<svg" in game._repr_svg_() for game in rating.lost)


def test_forfeits_are_shown_with_their_reasons(files: tuple[Path, Path]) -> None:
    raising = files[0].with_name("raising.py")
    raising.write_text(GOOD.replace("self.candidate_list.clear()", "raise ValueError('no luck')"))
    rating = arena.rate(raising, ["random"], pairs=1, size=4, time=60, openings="start")
    assert rating.row.forfeits == 2 and rating.row.reasons == {"crash": 2}
    assert len(rating.forfeits) == 2 == len(rating.lost)
    assert repr(rating).endswith(" of 2 players, forfeited 2: 2 crash>")
    assert "forfeited 2: 2 crash>" in repr(rating.row)
    heads, *lines = str(rating).splitlines()
    assert heads.endswith("forfeits") and lines[-1].endswith("2 crash")
    assert "forfeits</th>" in rating._repr_html_() and "2 crash</td>" in rating._repr_html_()
    game = rating.forfeits[0]
    assert "raising.py forfeits: crashed: ValueError: no luck" in repr(game)
    assert "raising.py forfeits: " in game._repr_svg_()
    match = isrever.play_match(f"python:{raising}", "random", pairs=1, size=4, time=60)
    assert len(match.forfeits) == 2 and str(match).endswith(", forfeited 2: 2 crash")
    assert repr(match).endswith("-2, forfeited 2: 2 crash>") and "2 crash" in match._repr_html_()
    clean = isrever.play_match("greedy", "random", pairs=1, size=4, nodes=1)
    assert not clean.forfeits and "forfeit" not in f"{clean!r}{clean}{clean._repr_html_()}"


def test_names_are_no_markup(files: tuple[Path, Path]) -> None:
    rating = arena.rate(("<b>&", "greedy"), ["random"], pairs=1, size=4, nodes=1)
    assert "<b>" not in rating._repr_html_() and "&lt;b&gt;&amp;" in rating._repr_html_()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: arena.check("no/such.py"), "no such file"),
        (lambda: arena.check("/tmp"), "not a file"),
        (lambda: arena.check(__file__, python="/bin/true"), "does not answer as Python does"),
        (lambda: arena.check(__file__, sandbox="none"), "expected auto, full, weak or off"),
        (lambda: arena.check(__file__, clock="sun"), "'sun' is no clock; expected wall or cpu"),
        (lambda: arena.check(__file__, memory_mb=0), "memory_mb cannot be 0; expected 1 to 1048576"),
        (lambda: arena.rate("no/such.py"), "no such file"),
        (lambda: arena.rate(Path("a,b.py")), "a comma in the name"),
        (lambda: arena.rate("random", []), "1 player; expected 2"),
    ],
)
def test_what_is_wrong_is_named(call: object, words: str) -> None:
    with pytest.raises(ValueError) as raised:
        call()
    assert words in str(raised.value)
