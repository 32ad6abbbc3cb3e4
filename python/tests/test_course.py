"""The course's class: its interface, and its limits as they are seen from outside."""

import threading
from pathlib import Path

import pytest

from isrever import Board, arena
from isrever.course import AI

SUBMISSION = "from isrever.course import AI\n"
REPORTS = ["depth3", "threestage", "fourstage:nodes=300", "genetic:nodes=300", "maximax:nodes=300"]


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    path = tmp_path / "my_ai.py"
    path.write_text(SUBMISSION)
    return path


def squares(board: Board) -> list[tuple[int, int]]:
    return [divmod(action, board.size) for action in board.actions()]


@pytest.mark.parametrize("size", [4, 6, 8, 10])
@pytest.mark.parametrize("agent", ["engine", "engine:level=3", "genetic", "mcts", "random"])
def test_the_list_holds_all_places_and_ends_with_the_decision(size: int, agent: str) -> None:
    board = Board(size).play(Board(size).moves()[0])
    ai = AI(size, 1, 0.3, agent=agent)
    for _ in range(2):
        ai.go(board.to_array())
        legal = squares(board)
        assert ai.candidate_list[: len(legal)] == legal
        assert len(ai.candidate_list) > len(legal) and set(ai.candidate_list) == set(legal)
        assert all(isinstance(number, int) for place in ai.candidate_list for number in place)


def test_where_there_is_no_move_the_list_is_empty_and_where_there_is_one_it_is_that() -> None:
    ai = AI(4, -1, 1)
    ai.go(Board(4).to_array())
    ai.go(Board.from_text("O" * 15 + "- X").to_array())
    assert ai.candidate_list == []
    ai.go(Board.from_text("-OX" + "-" * 13 + " X").to_array())
    assert ai.candidate_list == [(0, 0)]


@pytest.mark.parametrize(
    "given, words",
    [
        ({"color": 0}, "0 is no colour; expected -1 black or 1 white"),
        ({"chessboard_size": 7}, "7 is no width of a board"),
        ({"time_out": "5"}, "time_out cannot be '5'; expected seconds"),
        ({"time_out": None}, "time_out cannot be None; expected seconds"),
        ({"time_out": float("nan")}, "time_out cannot be nan; expected seconds"),
        ({"time_out": -1}, "time_out cannot be -1; expected seconds"),
        ({"game_time": float("inf")}, "game_time cannot be inf; expected seconds"),
        ({"agent": 3}, "3 is no agent; expected a spec"),
        ({"agent": "nobody"}, "no agent is called"),
        ({"agent": "random", "seed": -1}, "seed cannot be -1; expected 0 to"),
        ({"rule": "other"}, "'other' is no rule"),
    ],
)
def test_what_cannot_be_played_with_is_refused_before_a_game(
    given: dict[str, object], words: str
) -> None:
    with pytest.raises(ValueError) as raised:
        AI(**({"chessboard_size": 8, "color": -1, "time_out": 5} | given))
    assert words in str(raised.value)


@pytest.mark.parametrize(
    "given, spec",
    [
        ("engine:level=20", "engine:level=20,hash=16"),
        ("engine:hash=1", "engine:hash=1"),
        ("genetic", "genetic"),
    ],
)
def test_an_engine_gets_little_memory_unless_it_asks(given: str, spec: str) -> None:
    assert AI(8, -1, 1, agent=given)._agent.spec == spec


def test_the_list_grows_while_the_search_deepens() -> None:
    lengths = []
    ai = AI(8, -1, 2.0)

    class Watched(list):
        def append(self, item: object) -> None:
            super().append(item)
            lengths.append((len(self), threading.current_thread()))

    ai.candidate_list = Watched()
    ai.go(Board().to_array())
    assert len(lengths) >= 2
    assert {thread for _, thread in lengths} == {threading.main_thread()}


def test_the_last_element_stands_when_the_platform_ends_the_search(submission: Path) -> None:
    """The class is told of more time than it gets: the arena takes its last element."""
    submission.write_text(
        SUBMISSION + "class AI(AI):\n    def __init__(self, size, color, time_out):"
        "\n        super().__init__(size, color, 60 * time_out)\n"
    )
    report = arena.check(submission, size=6, time=0.15, game_time=100, clock="cpu")
    late = [
        finding for finding in report.findings if any("ran out" in note for note in finding.notes)
    ]
    assert late
    for finding in report.findings:
        # Of a list that is not shown within a moment only the last element is known.
        assert finding.passed or finding in late, str(report)
        assert finding.decision in finding.expected or not finding.expected, str(report)


@pytest.mark.parametrize("size", [8, 6])
def test_it_passes_the_usability_test_within_time_and_memory(submission: Path, size: int) -> None:
    report = arena.check(submission, size=size, time=0.2, memory_mb=100, clock="cpu")
    assert report.passed, str(report)
    memory = [finding.memory_bytes for finding in report.findings if finding.memory_bytes]
    assert memory and max(memory) < 64 << 20


@pytest.mark.parametrize("size", [8, 6])
def test_it_beats_the_agents_of_the_reports_by_the_course_s_interface(
    submission: Path, size: int
) -> None:
    opponents = REPORTS if size == 8 else REPORTS[:2]
    rating = arena.rate(
        submission,
        opponents,
        pairs=1,
        size=size,
        time=0.4,
        clock="cpu",
        openings="random:4",
        concurrency=1,
    )
    assert rating.row.forfeits == 0, [game.reason for game in rating.games]
    assert rating.rows[0].name == "my_ai.py" and rating.row.score >= 0.8, str(rating)
