"""The engine, the solver and the analysis; and how long calls behave."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import oracle
import pytest

import isrever
from isrever import Answer, Board, Engine, Game, Progress, analyze, solve, solve_moves

#: 16 empty squares, black to move: quickly solved, and not at once.
ENDING = "--OOOOO--OOOOX--OOOOOX-XOOOOOXX-OOOOOXXXOOOOOXX-O-OOXX----OOOO-- X"


@pytest.mark.parametrize("rule, score", [("reversed", 4), ("normal", -10)])
def test_the_smallest_board_is_solved(rule: str, score: int) -> None:
    board = Board(4)
    solution = solve(board, rule=rule)
    assert (solution.score, solution.exact) == (score, True)
    game = Game(rule, start=board)
    for move in solution.line:
        game.play(move)
    assert game.is_over and game.score(-1) == score, "the line leads to the score"
    assert solve(board, rule=rule, wld=True).score == (1 if score > 0 else -1)
    moves = solve_moves(board, rule=rule)
    assert [move for move, _ in moves] and moves[0][1].score == score
    assert {move for move, _ in moves} == set(board.moves())


def test_small_endings_are_those_of_plain_search() -> None:
    def best(cells: list[list[int]], color: int) -> int:
        legal = oracle.moves(cells, color)
        if not legal:
            if not oracle.moves(cells, -color):
                return oracle.score(cells, color)
            return -best(cells, -color)
        return max(-best(oracle.play(cells, *place, color), -color) for place in legal)

    for seed in range(12):
        game = Game(size=6)
        while not game.is_over and game.board.empties > 6:
            moves = game.board.moves()
            game.play(moves[(seed * 7 + len(game)) % len(moves)] if moves else "pass")
        board = game.board
        assert solve(board).score == best(board.to_array().tolist(), board.turn)


def test_answers_deepen_and_the_callback_hears_of_them() -> None:
    heard: list[Answer] = []
    answer = Engine().think(Game(), depth=8, progress=heard.append)
    assert answer.depth == 8 and answer.best in Board().moves() and answer.pv[0] == answer.best
    assert [one.depth for one in heard] == list(range(1, 8))
    again = Engine().think(Board(), depth=8)
    assert (again.best, again.value, again.nodes) == (answer.best, answer.value, answer.nodes)
    over = Engine().think(Board.from_text("X" * 64 + " O"))
    assert over.best is None and over.exact and over.value == 64


def test_hints_value_every_move() -> None:
    heard: list[Answer] = []
    hints = Engine().hints(Board(6), depth=4, progress=heard.append)
    assert {hint.move for hint in hints} == set(Board(6).moves())
    assert hints == sorted(hints, key=lambda hint: -hint.value) and heard


def test_names_of_earlier_versions_still_work() -> None:
    assert isrever.Thought is isrever.Hint is isrever.Solution is Answer
    answer = Engine().think(Board(), depth=4)
    assert (answer.line, answer.percent) == (answer.pv, answer.confidence)
    assert answer.move == answer.best and answer.score == answer.value
    assert isinstance(answer.value, int), "searches find whole discs"
    evaluated = Engine().hints(Board.from_text(ENDING), depth=1)
    assert all(round(hint.value) == hint.score for hint in evaluated)


def test_levels_follow_from_their_seed() -> None:
    choices = {Engine(level=1, seed=seed).think(Board()).best for seed in range(12)}
    assert len(choices) > 1
    assert len({Engine(level=3, seed=5).think(Board()).best for _ in range(3)}) == 1


def test_a_solve_reports_its_iterations_and_keeps_to_its_nodes() -> None:
    heard: list[Progress] = []
    solution = solve(Board.from_text(ENDING), rule="normal", progress=heard.append)
    assert solution.exact and heard[-1].iteration == heard[-1].iterations
    assert (heard[0].number, heard[0].passes) == (heard[0].iteration, heard[0].iterations)
    few = solve(Board(), nodes=1000)
    assert not few.exact and few.nodes < 3000


def test_a_solve_keeps_to_its_time_and_says_what_is_not_exact() -> None:
    for time in (0.2, "200ms"):
        answer = solve(Board(), time=time)
        assert not answer.exact and repr(answer).endswith(" not exact>")
        assert answer.seconds >= 0.2 and answer.best in Board().moves()
    at_once = solve(Board(6), time=0)
    assert not at_once.exact and at_once.best in Board(6).moves()
    assert solve_moves(Board(), time=0.1) == [], "no move is proved"


def test_a_solve_that_has_time_enough_is_exact() -> None:
    for answer in (solve(Board(4), time="10m"), solve(Board(4), time=600, nodes=10**9)):
        assert answer.exact and answer.score == 4 and repr(answer).endswith(" exact>")
    assert len(solve_moves(Board(4), time=600)) == len(Board(4).moves())
    assert solve(Board(4), time=600, wld=True).score == 1


WEIGHTS = Path(__file__).parents[2] / "weights"


@pytest.mark.parametrize("file, size", [("reversed-6x6.bin", 6), ("reversed.bin", 8)])
def test_an_engine_plays_by_the_weights_of_a_file(file: str, size: int) -> None:
    """Linear weights and a network: those that the program has, so the answers are the same."""
    board = Board(size)
    own = Engine().think(board, depth=6)
    for path in (WEIGHTS / file, str(WEIGHTS / file)):
        answer = Engine(weights=path).think(board, depth=6)
        assert (answer.best, answer.value, answer.nodes) == (own.best, own.value, own.nodes)
        hints = Engine(weights=path).hints(board, depth=2)
        assert [hint.value for hint in hints] == [
            hint.value for hint in Engine().hints(board, depth=2)
        ]


def test_an_analysis_finds_where_a_game_was_lost() -> None:
    game = Game(size=6)
    while not game.is_over:
        moves = game.board.moves()
        game.play(moves[0] if moves else "pass")
    analysis = analyze(game, depth=2, solve_from=10)
    assert len(analysis) == len(game) and [verdict.move for verdict in analysis] == game.moves
    late = [verdict for verdict in analysis if verdict.ply > len(game) - 8]
    assert all(verdict.exact for verdict in late)
    assert analysis.mistakes and all(verdict.loss >= 0 for verdict in analysis)
    assert "mark" in str(analysis) and "<table>" in analysis._repr_html_()
    assert len(analyze(Board(6), depth=1)) == 0


def test_an_error_in_the_callback_ends_the_search_and_comes_out() -> None:
    class Enough(Exception):
        pass

    def raising(_: object) -> None:
        raise Enough

    with pytest.raises(Enough):
        Engine().think(Game(), time=600, progress=raising)
    with pytest.raises(Enough):
        solve(Board(), progress=raising)


def test_others_go_on_while_it_thinks() -> None:
    """The interpreter is free: a second thread stops the search, which nothing else would."""
    engine = Engine()
    begun, count = threading.Event(), 0

    class Stopped(Exception):
        pass

    def progress(_: object) -> None:
        begun.set()
        if finished.is_set():
            raise Stopped

    finished = threading.Event()

    def work() -> None:
        nonlocal count
        begun.wait()
        count = sum(range(100_000))
        with pytest.raises(RuntimeError, match="thinking already"):
            engine.think(Game(), depth=1)
        finished.set()

    worker = threading.Thread(target=work)
    worker.start()
    with pytest.raises(Stopped):
        engine.think(Game(), time=600, progress=progress)
    worker.join()
    assert count and engine.think(Game(), depth=1).best, "it can be asked again"


@pytest.mark.parametrize(
    "work",
    [
        "isrever.Engine().think(isrever.Game(), time=600, progress=ready)",
        "isrever.solve(isrever.Board(), progress=ready)",
        "isrever.play_match('random', 'random', pairs=2_000, progress=ready)",
        "isrever.analyze(isrever.Game.from_text('f5d6c3d3c4'), time=600, progress=ready)"
        " if ready() else None",
        "ready(); isrever.VectorEnv(1).play_randomly(10**12)",
        "isrever.play_match(endless, 'random', pairs=1, time=600, concurrency=1)",
        "open('ai.py', 'w').write('class AI:\\n    def __init__(self, *_): pass\\n'"
        " '    def go(self, _):\\n        while True: pass\\n'); ready();"
        " isrever.arena.check('ai.py', time=600, game_time=6000)",
        "ready(); isrever.Agent('maximax:time=600s').choose(isrever.Game(), time=600)",
    ],
)
def test_ctrl_c_ends_long_work(work: str, tmp_path: Path) -> None:
    # A shell may have started the tests with Ctrl-C ignored, as it does in the background.
    program = f"""
    import isrever, signal
    signal.signal(signal.SIGINT, signal.default_int_handler)
    said = []
    def ready(*_):
        if not said:
            said.append(print("ready", flush=True))
        return True
    def endless(game):
        while ready():
            pass
    try:
        {work}
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    """
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    os.kill(child.pid, signal.SIGINT)
    try:
        rest, _ = child.communicate(timeout=120)
    finally:
        child.kill()
    assert (rest, child.returncode) == ("interrupted\n", 0)


@pytest.mark.parametrize(
    "call",
    [
        "isrever.Engine(hash_mb=65536)",
        "isrever.solve(isrever.Board(4), hash_mb=65536)",
        "isrever.analyze(isrever.Game.from_text('f5'), depth=1, hash_mb=65536)",
        "isrever.Agent('engine:hash=65536').choose(isrever.Board())",
        "isrever.VectorEnv(1 << 22)",
    ],
)
def test_memory_that_is_not_there_is_an_error_and_no_end(call: str) -> None:
    program = f"""
    import resource
    import isrever
    with open("/proc/self/statm") as file:
        held = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + (256 << 20),) * 2)
    try:
        {call}
    except (MemoryError, ValueError) as error:
        print(type(error).__name__, error)
    """
    done = subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(program)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    words = {"isrever.V": "Unable to allocate", "isrever.A": "expected MiB that can be had"}
    assert words.get(call[:9], "hash_mb cannot be 65536 here; expected") in done.stdout


def test_times_are_seconds_or_texts() -> None:
    for time in (60, 60.0, "60s", "1m"):
        answer = Engine(hash_mb=1).think(Board(4), time=time, clock=time, depth=2)
        assert answer.depth == 2


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: Engine().think(Board(10)), "a 10x10 board; expected 4x4, 6x6 or 8x8"),
        (lambda: Engine(level=21), "level cannot be 21; expected 1 to 20"),
        (lambda: Engine(threads=0), "threads cannot be 0; expected 1 to 1024"),
        (lambda: Engine(hash_mb=0), "hash_mb cannot be 0; expected 1 to 65536"),
        (lambda: Engine().think(Board(), time=-1), "time cannot be -1; expected seconds"),
        (lambda: Engine().think(Board(), time=float("nan")), "time cannot be nan; expected seconds"),
        (lambda: Engine().think(Board(), time="5"), "time '5' is not a time; expected one such as"),
        (lambda: Engine().think(Board(), depth=0), "depth cannot be 0; expected 1 to"),
        (lambda: solve("f5"), "'f5' is no position; expected a Game or a Board"),
        (lambda: solve(Game("normal"), rule="reversed"), "rule reversed for a game by the normal"),
        (lambda: analyze(Game(size=10)), "a 10x10 board"),
        (lambda: solve(Board(4), time=-1), "time cannot be -1; expected seconds from 0"),
        (lambda: solve(Board(4), time="5"), "time '5' is not a time; expected one such as"),
        (lambda: Engine(weights="no.bin"), "no.bin: no such file; expected a file"),
        (lambda: Engine(weights=WEIGHTS), "weights: a directory; expected a file"),
        (lambda: Engine(weights=__file__), "not a file of weights; expected a file that train fit"),
        (
            lambda: Engine(weights=WEIGHTS / "reversed-6x6.bin").think(Board(8)),
            "weights for the reversed rule on 6x6; expected the reversed rule on 8x8",
        ),
        (
            lambda: Engine(weights=WEIGHTS / "normal-6x6.bin").hints(Board(6)),
            "weights for the normal rule on 6x6; expected the reversed rule on 6x6",
        ),
    ],
)
def test_what_is_wrong_is_named(call: object, words: str) -> None:
    with pytest.raises(ValueError) as raised:
        call()
    assert words in str(raised.value)
