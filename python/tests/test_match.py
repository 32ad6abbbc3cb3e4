"""Agents by spec, and matches between them and functions of Python."""

import threading

import pytest

import isrever
from isrever import Agent, Board, Game, play_match


def test_everybody_of_the_catalogue_answers() -> None:
    names = [name for name, about in isrever.agents() if about]
    assert {"random", "greedy", "engine", "maximax", "python"} <= set(names)
    for name in set(names) - {"python", "nboard", "gtp"}:
        # The network in the program plays on 8×8 alone.
        board = Board(8 if name == "zero" else 6)
        choice = Agent(name).choose(board, nodes=20, depth=1, time=0.05)
        assert choice.move in board.moves()
    with pytest.raises(isrever.Forfeit, match="its network plays 8x8 under the reversed rule"):
        Agent("zero").choose(Board(6))
    assert Agent("engine").choose(Board(12), depth=1).move in Board(12).moves()


def test_parameters_are_keys_of_specs() -> None:
    table = isrever.parameters("depth3")
    assert table and isrever.parameters("random") == []
    first = table[0]
    spec = f"depth3:{first.name}={first.most:g}"
    assert Agent(spec).spec == spec
    assert first.value == first.default
    assert isrever.parameters(spec)[0].value == first.most
    preset = isrever.parameters("maximax:preset=tuned-squares")
    assert any(parameter.value != parameter.default for parameter in preset)
    with pytest.raises(ValueError, match="no agent is called"):
        isrever.parameters("depth4")


def test_a_match_is_the_same_again_and_its_games_are_there() -> None:
    def play() -> isrever.Match:
        return play_match("greedy", "random", pairs=4, size=6, nodes=10, seed=3)

    match, again = play(), play()
    assert [game.game for game in match.games] == [game.game for game in again.games]
    assert len(match.games) == 8 == match.wins + match.draws + match.losses
    assert match.low <= match.elo <= match.high and 0 <= match.superiority <= 1
    first, second = match.games[:2]
    assert (first.black, first.white) == (second.white, second.black) == ("greedy", "random")
    assert [game.number for game in match.games] == list(range(1, 9)), "numbered from 1"
    assert [game.pair for game in match.games] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert repr(first).startswith("<PlayedGame 1 greedy - random ")
    assert first.game.moves[:8] == second.game.moves[:8]
    assert len(first.times) == len(first.game) and first.times[:8] == [None] * 8
    assert sum(time or 0 for time in first.times) == pytest.approx(sum(first.seconds))
    assert first.score == first.game.score(-1) and first.forfeit is None
    assert "greedy" in str(match) and "<table>" in match._repr_html_()
    assert match._repr_html_().count("Elo") == 1, "one number, the one in the caption"
    assert "<svg" in first._repr_svg_()


def test_functions_play_and_those_that_cheat_lose() -> None:
    def first_square(game: Game) -> str:
        return game.board.moves()[0]

    class Corner:
        def __call__(self, game: Game) -> tuple[int, int]:
            return (0, 0)

    def raising(game: Game) -> str:
        raise RuntimeError("out of ideas")

    heard = []
    match = play_match(
        first_square,
        Corner(),
        pairs=2,
        size=4,
        openings="start",
        progress=lambda *news: heard.append(news),
    )
    assert match.rows[0].name == "first_square" and match.wins == 4
    assert [done for done, _, _ in heard] == [1, 2, 3, 4] and heard[-1][1] == 4
    assert all("a1" in (game.reason or "") for game in match.games)
    for cheat, words in [(raising, "out of ideas"), (lambda game: None, "None is no move")]:
        match = play_match(("cheat", cheat), "random", pairs=1, size=4)
        assert match.losses == 2 and all(words in (game.reason or "") for game in match.games)


def test_functions_that_do_not_end_lose_and_are_ended() -> None:
    ended = threading.Event()

    def turn() -> None:
        pass

    def endless(game: Game) -> str:
        try:
            while True:
                turn()
        finally:
            ended.set()

    match = play_match(endless, "random", pairs=1, size=4, time=2, concurrency=1)
    assert match.losses == 2 and all("too late" in (game.reason or "") for game in match.games)
    assert ended.wait(60), "its thread does not go on for ever"


def test_functions_that_are_called_alike_are_told_apart() -> None:
    match = play_match(
        lambda game: game.board.moves()[0], lambda game: game.board.moves()[-1], pairs=1, size=4
    )
    assert {row.name for row in match.rows} == {"<lambda>", "<lambda> #2"}
    assert match.games[0].black == match.row.name == "<lambda>"


def test_openings_of_ones_own() -> None:
    opening = Game.from_text("f5d6")
    match = play_match("random", "random", pairs=1, openings=[opening], nodes=1)
    assert all(game.game.moves[:2] == ["f5", "d6"] for game in match.games)
    assert {row.name for row in match.rows} == {"random", "random #2"}


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"pairs": 0}, "pairs cannot be 0; expected 1 to"),
        ({"size": 5}, "5 is no width"),
        ({"time": 0}, "time cannot be 0"),
        ({"nodes": 0}, "nodes cannot be 0; expected 1 to"),
        ({"concurrency": 0}, "concurrency cannot be 0; expected 1 to 1024"),
        ({"openings": "file.txt"}, "expected start, random:PLIES, balanced or a list"),
        ({"openings": []}, "no openings"),
        ({"openings": [Board(6)]}, "an opening 6 wide; expected boards 8 wide"),
        ({"openings": [Board.from_text("X" * 64 + " O")]}, "an opening that is over"),
        ({"second": "greedy:by=luck"}, "by=luck; expected discs"),
        ({"second": "callable:0"}, "callable: "),
        ({"second": 3}, "expected an agent's spec or a function"),
    ],
)
def test_what_is_wrong_is_named(settings: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError) as raised:
        play_match("random", settings.pop("second", "random"), **settings)
    assert words in str(raised.value)


def test_an_agent_is_asked_only_where_there_is_a_move() -> None:
    with pytest.raises(ValueError, match="the game is over; expected a position with a move"):
        Agent("random").choose(Board.from_text("X" * 64 + " O"))
