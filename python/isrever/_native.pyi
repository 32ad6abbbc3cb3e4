"""The native half of isrever: what crates/py gives out."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from typing_extensions import Self

__all__ = [
    "Agent",
    "Answer",
    "Board",
    "Book",
    "BookEntry",
    "BookMove",
    "Choice",
    "Engine",
    "Finding",
    "Forfeit",
    "Game",
    "Parameter",
    "PlayedGame",
    "Progress",
    "Row",
    "Rule",
    "SampleSet",
    "VectorEnv",
    "Verdict",
    "ZeroGames",
    "ZeroSamples",
    "__version__",
    "agents",
    "analyze",
    "check",
    "network_bytes",
    "network_rows",
    "parameters",
    "selfplay",
    "solve",
    "solve_moves",
    "symmetries",
    "tournament",
    "training_set",
    "values",
    "zero_evaluations",
    "zero_layers",
    "zero_network_bytes",
]

__version__: str

_Move = (
    str | tuple[int, int] | list[int] | int | np.integer[Any] | npt.NDArray[np.integer[Any]]
)
_Path = str | os.PathLike[str]
_Color = int | str
_Rule = Rule | str
_Position = Game | Board

class Forfeit(RuntimeError):
    """An agent that is somebody else's program failed to give a legal move in time."""

@final
class Rule:
    """What the players play for."""

    REVERSED: ClassVar[Rule]
    NORMAL: ClassVar[Rule]

@final
class Board:
    """Where the discs are, and which side is to move. Boards are values: equal, hashable, unchangeable."""

    def __new__(cls, size: int = 8) -> Self: ...
    @classmethod
    def from_array(cls, array: npt.ArrayLike, turn: _Color = -1) -> Board:
        """The position of an n × n array of integers: −1 black, 1 white, 0 empty."""
    @classmethod
    def from_text(cls, text: str) -> Board:
        """The position of a text: a board string, hexadecimal bitboards, or the end of a game."""
    @classmethod
    def from_bits(cls, player: int, opponent: int, size: int = 8, turn: _Color = -1) -> Board:
        """The position of two bitboards, that of the side to move first; bit row × 8 + column."""
    @property
    def size(self) -> int:
        """The width of the board."""
    @property
    def turn(self) -> int:
        """The side to move: −1 black, 1 white; even if it can only pass, or the game is over."""
    @property
    def empties(self) -> int:
        """How many squares have no disc."""
    @property
    def is_over(self) -> bool:
        """Whether neither side has a move."""
    @property
    def must_pass(self) -> bool:
        """Whether the side to move has no move while the other has one."""
    @property
    def bits(self) -> tuple[int, int]:
        """The bitboards, that of the side to move first, up to 8×8; bit row × 8 + column."""
    def moves(self) -> list[str]:
        """The names of the squares where the side to move may place a disc, row by row."""
    def actions(self) -> list[int]:
        """The numbers of the legal actions: squares row by row from 0, or only `size * size`, a pass;
        none when the game is over.
        """
    def mask(self, out: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.bool_]:
        """`actions` as booleans, one for each square and one for the pass."""
    def to_array(self, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """The discs as an n × n array of int8: −1 black, 1 white, 0 empty."""
    def planes(self, out: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:
        """Two n × n planes of uint8 that are 1 where there is a disc: of the side to move, and of the
        other.
        """
    def play(self, move: _Move) -> Board:
        """The board after a move of the side to move, a pass included."""
    def flips(self, move: _Move) -> list[str]:
        """The names of the squares whose discs a move turns; none if it is not legal."""
    def count(self, color: _Color) -> int:
        """How many discs a colour has."""
    def score(self, rule: _Rule = "reversed", color: _Color | None = None) -> int:
        """The score of a colour if the game ended here; of the side to move if no colour is given."""
    def symmetries(self) -> list[Board]:
        """The board under the eight symmetries, itself first."""
    def to_text(self) -> str:
        """The squares row by row as `X`, `O` and `-`, then the side to move."""
    def svg(self) -> str:
        """A picture of the board, as SVG."""
    def _repr_svg_(self) -> str: ...
    def __hash__(self) -> int: ...

@final
class Game:
    """A game: its rule, the position it began with, and every move since."""

    def __new__(
        cls, rule: _Rule = "reversed", size: int | None = None, start: Board | None = None
    ) -> Self: ...
    @classmethod
    def from_text(cls, text: str, rule: _Rule = "reversed", size: int = 8) -> Game:
        """The game of a text: a transcript such as `f5d6c3`, a position, GGF, SGF, …

        The rule and the size apply where the text does not name its own.
        """
    @property
    def rule(self) -> Rule:
        """The rule."""
    @property
    def size(self) -> int:
        """The width of the board."""
    @property
    def board(self) -> Board:
        """The position now."""
    @property
    def boards(self) -> list[Board]:
        """The positions up to now, the start first and the present one last."""
    @property
    def moves(self) -> list[str]:
        """The moves up to now: names of squares, and `pass`."""
    @property
    def turn(self) -> int | None:
        """The side to move, −1 black or 1 white; `None` when the game is over."""
    @property
    def is_over(self) -> bool:
        """Whether neither side has a move."""
    @property
    def winner(self) -> int:
        """The winner, −1 black or 1 white; 0 after a draw and before the end."""
    def score(self, color: _Color) -> int:
        """The score of a colour by the discs now: the result once the game is over."""
    def play(self, move: _Move) -> None:
        """Plays a move; a forced pass before it may be left out."""
    def undo(self) -> str | None:
        """Takes the last move back and returns it; `None` at the start."""
    def redo(self) -> str | None:
        """Plays the last undone move again and returns it; `None` if there is none."""
    def to_text(self, format: str = "moves") -> str:
        """The game in a format: moves, board, obf, ggf, sgf or hex."""
    def svg(self) -> str:
        """A picture of the position now, with the last move and the legal squares, as SVG."""
    def _repr_svg_(self) -> str: ...
    def copy(self) -> Game:
        """An independent copy of the game."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object) -> Game: ...
    def __len__(self) -> int: ...

@final
class Book:
    """A book: positions with values, the bounds that are proved, and how they were found. Positions that
    are the same up to symmetry are one. The file is read where it lies; replace it as a whole, never
    write into it. `isrever book` makes books.
    """

    def __new__(cls, path: _Path) -> Self: ...
    @classmethod
    def embedded(cls, rule: _Rule = "reversed", size: int = 8) -> Book:
        """The book that the package carries for a rule and a width of the board; a `ValueError` if it
        carries none.
        """
    @property
    def rule(self) -> Rule:
        """The rule that its values are for."""
    @property
    def size(self) -> int:
        """The width of its boards."""
    @property
    def recipe(self) -> list[str]:
        """How it was made, a line for each way in which positions were searched."""
    def find(self, position: _Position) -> BookEntry | None:
        """What it knows of a position, in any of its eight images; `None` if nothing."""
    def check(self) -> None:
        """Checks every record, and derives every value and every bound again; a `ValueError` says what is
        wrong.
        """
    def __len__(self) -> int: ...
    def __contains__(self, position: _Position, /) -> bool: ...
    def __iter__(self) -> Iterator[Board]: ...

@final
class BookEntry:
    """What a book knows of a position, for the side to move, in discs."""

    @property
    def value(self) -> int:
        """What it is worth by all positions after it."""
    @property
    def lower(self) -> int:
        """The score is at least this: proved."""
    @property
    def upper(self) -> int:
        """The score is at most this: proved."""
    @property
    def best(self) -> str:
        """The best move."""
    @property
    def line(self) -> list[str]:
        """The best line as far as the book goes, then the move that the last search found best."""
    @property
    def moves(self) -> list[BookMove]:
        """Every legal move of which something is known, those that lead into the book first, the best
        first.
        """
    @property
    def searched(self) -> int:
        """The value by the position's own search."""
    @property
    def depth(self) -> int:
        """The depth of that search, in plies."""
    @property
    def confidence(self) -> int:
        """The confidence of its selective cuts, in percent; 100 if there were none."""
    @property
    def exact(self) -> bool:
        """Whether that search proved its value."""
    @property
    def nodes(self) -> int:
        """The nodes of that search, to three digits; 0 if another program searched."""

@final
class BookMove:
    """What a book knows of a move, for the side that plays it, in discs."""

    @property
    def move(self) -> str:
        """The move."""
    @property
    def value(self) -> int:
        """What it is worth."""
    @property
    def kind(self) -> str:
        """What the value rests on: `over` (the game ends), `known` (it leads to a position of the book),
        `searched` (it is the best move of the position's own search, not looked at since) or
        `estimated` (roughly).
        """
    @property
    def lower(self) -> int | None:
        """The score is at least this: proved. `None` unless the move is known, as all below."""
    @property
    def upper(self) -> int | None:
        """The score is at most this: proved."""
    @property
    def plies(self) -> int | None:
        """How many moves of its best line are in the book."""
    @property
    def depth(self) -> int | None:
        """The depth of the search at the end of that line."""
    @property
    def confidence(self) -> int | None:
        """The confidence of that search, in percent."""

@final
class Answer:
    """The result of a search, seen by the side to move."""

    @property
    def value(self) -> int | float:
        """The value for the side to move, in discs: an `int` from a search, a `float` from a static
        evaluation between two discs. Of a search for win, draw or loss, only its sign.
        """
    @property
    def best(self) -> str | None:
        """The best move, or `pass`; `None` when the game is over."""
    @property
    def depth(self) -> int:
        """The depth of the search, in plies."""
    @property
    def confidence(self) -> int:
        """The confidence of its selective cuts, in percent; 100 if there were none."""
    @property
    def exact(self) -> bool:
        """Whether the value is proved."""
    @property
    def pv(self) -> list[str]:
        """The principal variation: the best moves of both sides, as far as known."""
    @property
    def nodes(self) -> int:
        """Nodes searched; if every move gets a value, by all moves so far."""
    @property
    def seconds(self) -> float:
        """The time since the question was asked."""
    @property
    def score(self) -> int:
        """The value in whole discs."""
    @property
    def move(self) -> str | None:
        """The same as `best`."""
    @property
    def percent(self) -> int:
        """The same as `confidence`."""
    @property
    def line(self) -> list[str]:
        """The same as `pv`."""

@final
class Engine:
    """The engine. Its transposition table lasts from one question to the next. With a book, a file or
    "embedded" for those of the package, `think` answers at once where the book has a move that can be
    trusted; games differ by the seed.
    """

    def __new__(
        cls,
        *,
        level: int | None = None,
        threads: int = 1,
        hash_mb: int = 64,
        seed: int = 1,
        weights: _Path | None = None,
        book: _Path | None = None,
    ) -> Self: ...
    def think(
        self,
        game: _Position,
        *,
        rule: _Rule | None = None,
        time: float | str | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        clock: float | str | None = None,
        progress: Callable[[Answer], object] | None = None,
    ) -> Answer:
        """The best move and its value, within the limits; without limits, after a second. `progress`
        is called with an `Answer` before every iteration.
        """
    def hints(
        self,
        game: _Position,
        *,
        rule: _Rule | None = None,
        time: float | str | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        clock: float | str | None = None,
        progress: Callable[[Answer], object] | None = None,
    ) -> list[Answer]:
        """The value of every move, best first, deepened ply by ply until a limit is reached or all
        values are proved. `progress` is called with an `Answer` for each move as it is found. The
        level has no influence.
        """

@final
class Progress:
    """The progress of a solve when an iteration begins."""

    @property
    def iteration(self) -> int:
        """The number of the iteration, from 1 on."""
    @property
    def iterations(self) -> int:
        """The number of iterations: the last one proves, those before it estimate."""
    @property
    def score(self) -> int | None:
        """The score of the iteration before; `None` in the first."""
    @property
    def best(self) -> str | None:
        """The best move so far."""
    @property
    def nodes(self) -> int:
        """Nodes searched so far."""
    @property
    def number(self) -> int:
        """The same as `iteration`."""
    @property
    def passes(self) -> int:
        """The same as `iterations`."""

def solve(
    game: _Position,
    *,
    rule: _Rule | None = None,
    wld: bool = False,
    threads: int = 1,
    hash_mb: int = 64,
    time: float | str | None = None,
    nodes: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Answer:
    """The score of a position with best play and its principal variation: exact, or with `wld` only
    who wins. `progress` is called with a `Progress` at the beginning of every iteration.

    Up to 20 empty squares take seconds. `time` (seconds, or a text such as `3m`) and `nodes` limit
    it: when they run out first, `exact` is false, and the value is that of the last completed
    iteration, `depth` plies deep with cuts of `confidence` percent, or of a better move found since.
    Before the first one `depth` is 0, and the value is that of the discs on the board.
    """
def solve_moves(
    game: _Position,
    *,
    rule: _Rule | None = None,
    wld: bool = False,
    threads: int = 1,
    hash_mb: int = 64,
    time: float | str | None = None,
    nodes: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> list[tuple[str, Answer]]:
    """The answer for every legal move, as pairs of the move and its answer for the side that makes it,
    the best first. Where `time` or `nodes` run out first, only the moves that are proved.
    """
@final
class Verdict:
    """The verdict on one move of a game."""

    @property
    def ply(self) -> int:
        """How many moves were played before it, passes counted."""
    @property
    def color(self) -> int:
        """The side that made it: −1 black, 1 white."""
    @property
    def move(self) -> str:
        """The move, or `pass`."""
    @property
    def value(self) -> int:
        """Its value for the side that made it, in discs."""
    @property
    def exact(self) -> bool:
        """Whether that is proved."""
    @property
    def best(self) -> Answer:
        """The answer for the position before it: the best move, its value and variation."""
    @property
    def loss(self) -> int:
        """How many discs the best move is worth more, never less than 0."""
    @property
    def mark(self) -> str | None:
        """`inaccuracy`, `mistake`, `blunder`, or `None`."""

def analyze(
    game: _Position,
    *,
    rule: _Rule | None = None,
    time: float | str | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    solve_from: int = 16,
    threads: int = 1,
    hash_mb: int = 64,
    progress: Callable[[Verdict], object] | None = None,
) -> list[Verdict]:
    """The verdicts on all moves of a game, in the order they were played. Without limits it takes a
    second for each move. `progress` is called with each `Verdict` as it is found, the last move
    first.
    """
@final
class Choice:
    """An agent's answer."""

    @property
    def move(self) -> str:
        """The square to play on."""
    @property
    def value(self) -> float | None:
        """Its value for the agent, on the agent's own scale, if it has one."""
    @property
    def depth(self) -> int | None:
        """The depth of its search in plies, if it counts them."""
    @property
    def nodes(self) -> int:
        """How many nodes it searched, or how many games it played out."""
    @property
    def seconds(self) -> float:
        """The time it took."""

@final
class Agent:
    """An agent by its spec, such as `greedy:by=mobility`, `engine:level=5` or `python:ai.py`. All its
    random choices come from the seed. `agents()` lists the names.
    """

    def __new__(cls, spec: str, *, seed: int = 1) -> Self: ...
    @property
    def spec(self) -> str:
        """The spec it was created from."""
    def choose(
        self,
        game: _Position,
        *,
        rule: _Rule | None = None,
        time: float | str | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        clock: float | str | None = None,
    ) -> Choice:
        """The move it plays, within the limits given, or else within its own."""

@final
class Parameter:
    """A number that an agent's play depends on; every one is a key of its spec."""

    @property
    def name(self) -> str:
        """Its key in specs."""
    @property
    def value(self) -> float:
        """Its value in the spec."""
    @property
    def default(self) -> float:
        """Its value if the spec sets none."""
    @property
    def least(self) -> float:
        """The least value that makes sense."""
    @property
    def most(self) -> float:
        """The greatest."""
    @property
    def step(self) -> float:
        """Values are multiples of this; 0 if any number will do."""

def agents() -> list[tuple[str, str]]:
    """The names of all agents, each with a line on how it plays."""
def parameters(spec: str) -> list[Parameter]:
    """The parameters of an agent that can be tuned, with the values that its spec gives; an empty list
    if it has none.
    """
@final
class PlayedGame:
    """A finished game of a tournament."""

    @property
    def game(self) -> Game:
        """The game, its opening included."""
    @property
    def black(self) -> str:
        """The names of black and white."""
    @property
    def white(self) -> str: ...
    @property
    def score(self) -> int:
        """Black's score, in discs; the whole board for a forfeit."""
    @property
    def forfeit(self) -> int | None:
        """The side that forfeited: −1 black, 1 white, or `None`."""
    @property
    def reason(self) -> str | None:
        """Why it forfeited, as the command line says it."""
    @property
    def seconds(self) -> tuple[float, float]:
        """The time that black and white used."""
    @property
    def times(self) -> list[float | None]:
        """The time of each move of the game, `None` for passes and moves of the opening."""
    @property
    def pair(self) -> int:
        """The number of the pair of games that it belongs to, from 1 on."""
    @property
    def number(self) -> int:
        """Its number in the tournament, from 1 on."""
    def _repr_svg_(self) -> str: ...

@final
class Row:
    """A player's results and its rating."""

    @property
    def name(self) -> str: ...
    @property
    def wins(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def losses(self) -> int: ...
    @property
    def score(self) -> float:
        """The share of the points, from 0 to 1."""
    @property
    def points(self) -> int:
        """Points of the course: 5 for a win, −5 for a loss."""
    @property
    def forfeits(self) -> int:
        """Games lost by forfeit."""
    @property
    def reasons(self) -> dict[str, int]:
        """How many of these for which reason: `time`, `crash`, `illegal-move`, …"""
    @property
    def discs(self) -> float:
        """The mean score in discs."""
    @property
    def elo(self) -> float:
        """The rating; the mean of all players is 0."""
    @property
    def low(self) -> float:
        """The ends of its 95 % interval."""
    @property
    def high(self) -> float: ...

_Player = str | Callable[[Game], object]

def tournament(
    players: Sequence[_Player | tuple[str, _Player]],
    *,
    format: str,
    pairs: int,
    rule: _Rule,
    size: int,
    openings: str | Iterable[Game | Board],
    time: float | str | None,
    game_time: float | str | None,
    clock: str,
    nodes: int | None,
    depth: int | None,
    seed: int,
    concurrency: int | None,
    progress: Callable[[tuple[int, int, PlayedGame]], object] | None,
) -> tuple[list[PlayedGame], list[Row], tuple[float, float, float, float]]:
    """Plays a tournament of specs and functions. `isrever.play_match` and `isrever.arena` call it."""
@final
class Finding:
    """The result of one case."""

    @property
    def name(self) -> str:
        """The case's name, and what is special about it."""
    @property
    def about(self) -> str: ...
    @property
    def board(self) -> Board: ...
    @property
    def color(self) -> int:
        """The side that the agent played: −1 black, 1 white."""
    @property
    def passed(self) -> bool: ...
    @property
    def expected(self) -> list[str]:
        """The squares that the list must hold, those it held, and its last element."""
    @property
    def found(self) -> list[str]: ...
    @property
    def decision(self) -> str | None: ...
    @property
    def faults(self) -> list[str]:
        """What is wrong, and what is worth knowing but not wrong."""
    @property
    def notes(self) -> list[str]: ...
    @property
    def seconds(self) -> float | None:
        """The time it took, where one move was asked for."""
    @property
    def memory_bytes(self) -> int | None:
        """The most memory of its own so far, in bytes, where one move was asked for."""

def check(
    path: _Path,
    *,
    python: _Path | None,
    size: int,
    rule: _Rule,
    time: float | str | None,
    game_time: float | str | None,
    clock: str,
    memory_mb: int,
    sandbox: str,
    progress: Callable[[Finding], object] | None,
) -> tuple[list[Finding], int, str | None]:
    """Tests a file: returns the findings, how many cases were not tried, and the sandbox it ran in.
    `isrever.arena.check` calls it.
    """
@final
class VectorEnv:
    """Many games at once. A game that ends is replaced by a new one in the same step."""

    def __new__(
        cls, count: int, *, rule: _Rule = "reversed", size: int = 8, seed: int = 1
    ) -> Self: ...
    def reset(
        self, seed: int | None = None
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
        """Restarts all games, and the random choices if a seed is given; returns observations and
        masks.
        """
    def step(self, actions: npt.ArrayLike, where: npt.NDArray[np.bool_] | None = None) -> tuple[
        npt.NDArray[np.uint8],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
    ]:
        """Plays one action on every board; returns observations, rewards, dones and masks.

        Rewards are for the side that made the step, observations for the side to move next. If any
        action is illegal, nothing is played on any board. With `where`, booleans, only the boards
        where it is true are stepped: the others stay as they are, with reward 0, and their actions
        may be anything.
        """
    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal action for every board, all equally likely."""
    def play_randomly(
        self, steps: int, *, progress: Callable[[int], object] | None = None
    ) -> tuple[int, int, int]:
        """Plays random steps on every board; returns how many games black won, were drawn, and white
        won. `progress` is called now and then with the steps made so far.
        """
    def load(self, boards: npt.ArrayLike, turns: npt.ArrayLike) -> None:
        """Sets all boards: count × n × n integers (−1 black, 1 white, 0 empty), and the side to move on
        each (−1 or 1). No game may be over.
        """
    def boards(self) -> npt.NDArray[np.int8]:
        """The discs of all boards: count × n × n of int8, −1 black, 1 white, 0 empty."""
    def __len__(self) -> int: ...
    @property
    def rule(self) -> Rule:
        """The rule."""
    @property
    def size(self) -> int:
        """The width of the boards."""
    @property
    def actions(self) -> int:
        """How many actions there are: a square each, and the pass, which is the last."""
    @property
    def observations(self) -> npt.NDArray[np.uint8]:
        """count × 2 × n × n of uint8: the discs of the side to move, and of the other."""
    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """count × actions of bool: what is legal."""
    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """1 where the last step won its game, −1 where it lost it, else 0."""
    @property
    def scores(self) -> npt.NDArray[np.int8]:
        """The score of the side that made the last step, in discs, where that ended the game."""
    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """Whether the last step ended its game."""
    @property
    def turns(self) -> npt.NDArray[np.int8]:
        """The sides to move: −1 black, 1 white."""

def symmetries(size: int = 8) -> npt.NDArray[np.int64]:
    """For each of the eight symmetries, the action that each action becomes: 8 × (n × n + 1) of int64.

    `policy[:, table[k]]` is the policy of the k-th image of a board, and so are its squares.
    """

@final
class SampleSet:
    """Boards with the features that networks are trained on, and their labels."""

    @property
    def boards(self) -> npt.NDArray[np.uint64]:
        """The discs of the side to move and of the other side as bits: n × 2 of uint64."""
    @property
    def features(self) -> npt.NDArray[np.uint32]:
        """The features of each board: n × 62 of uint32. First the classes of its 58 patterns; then own
        moves, opponent's moves, odd quadrants and parity, counted from `network_rows()` on.
        """
    @property
    def phases(self) -> npt.NDArray[np.uint8]:
        """The phase of each board: n of uint8, from 0 to 29."""
    @property
    def labels(self) -> npt.NDArray[np.float32]:
        """What each board is worth to the side to move, in discs: n of float32."""
    @property
    def fingerprint(self) -> int:
        """A hash of boards and labels."""
    def __len__(self) -> int: ...

def training_set(
    paths: Sequence[_Path],
    *,
    rule: _Rule = "reversed",
    exclude: Sequence[_Path] = [],
) -> tuple[SampleSet, SampleSet]:
    """Reads files of samples (`isrever train selfplay`) of 8×8 boards of one rule; returns the set to
    train on and the set of games held out.

    Equal boards, up to symmetry, become one with the mean of their labels, or with the proved label
    if there is one. The positions of the files in `exclude`, in any format, are left out, with their
    images.
    """

def selfplay(
    games: int,
    *,
    first: int,
    seed: int,
    rule: _Rule,
    player: str,
    random: tuple[int, int],
    solve_from: int,
    lambda_: float,
    weights: _Path | None,
    progress: Callable[[int], object] | None,
) -> bytes:
    """Plays games on 8×8 and returns their samples, the bytes of a file as `isrever train selfplay`
    writes it. `isrever.train.selfplay` calls it.
    """

def network_rows() -> int:
    """How many rows of patterns a network has; the rows of own moves (32), opponent's moves (32), odd
    quadrants (5) and parity (2) are counted behind them.
    """

def network_bytes(
    *,
    rule: _Rule,
    rows: npt.ArrayLike,
    own_moves: npt.ArrayLike,
    opponent_moves: npt.ArrayLike,
    odd_quadrants: npt.ArrayLike,
    outputs: npt.ArrayLike,
    biases: npt.ArrayLike,
) -> bytes:
    """The bytes of a file of weights with this network; `docs/guide/formats.md` describes the arrays."""

def values(
    weights: _Path,
    boards: npt.NDArray[np.uint64],
    *,
    rule: _Rule = "reversed",
) -> npt.NDArray[np.int32]:
    """What boards (n × 2 of uint64: discs of the side to move, and of the other, as bits) are worth to
    the side to move by the weights of a file, linear or a network, or by those of the program
    (`embedded`): n of int32, 256 to a disc.
    """

@final
class ZeroGames:
    """Games of a network against itself, many at once. Each waits for what the network says about one
    board. `isrever.zero` plays them.
    """

    def __new__(
        cls,
        size: int,
        rule: _Rule,
        *,
        groups: int,
        teams: int,
        seed: int,
        visits: int,
        fast_visits: int,
        full_share: float,
        random_plies: int,
        solve_leaves_from: int,
        solve_games_from: int,
        score_weight: float,
    ) -> ZeroGames: ...
    @property
    def group_len(self) -> int:
        """The number of games in a group."""
    def boards(self, group: int, out: npt.NDArray[np.uint64]) -> None:
        """Writes the boards that a group waits for into `out`: n × 4 of uint64, the discs of the side
        to move and of the other, and the moves of either, as bits.
        """
    def step(
        self,
        group: int,
        policy: npt.NDArray[np.float32],
        values: npt.NDArray[np.float32],
        out: npt.NDArray[np.uint64],
    ) -> None:
        """Hands each game of a group what the network says about its board, and takes it to the next
        board, which it writes into `out` as `boards` does: logits for the squares, n × 64 of float32,
        and the expected result (−1 to 1) and score, n × 2 of float32.
        """
    def take(self) -> ZeroSamples:
        """Takes the games that are over by now."""

@final
class ZeroSamples:
    """Games that are over, and the boards to learn from."""

    def __len__(self) -> int: ...
    @property
    def games(self) -> int:
        """The number of games."""
    @property
    def boards(self) -> npt.NDArray[np.uint64]:
        """The boards as `ZeroGames.boards` has them: n × 4 of uint64."""
    @property
    def policies(self) -> npt.NDArray[np.uint16]:
        """The improved policy, a part of 65535 for each square: n × 64 of uint16."""
    @property
    def scores(self) -> npt.NDArray[np.int8]:
        """The final score of the side to move: n of int8."""
    @property
    def owned(self) -> npt.NDArray[np.uint64]:
        """The squares that the side to move owns in the end, as bits: n of uint64."""
    @property
    def replies(self) -> npt.NDArray[np.uint8]:
        """The square of the opponent's reply, 64 without one: n of uint8."""
    @property
    def moves(self) -> bytes:
        """The games: a byte for the square of each move, from 0 (a1) to 63, and 255 after the last."""

def zero_layers(size: int, blocks: int, channels: int) -> list[tuple[str, int, int, int]]:
    """The layers of a network in the order of their numbers: name, squares that it sees, inputs and
    outputs of each.
    """

def zero_network_bytes(
    parameters: npt.NDArray[np.float32],
    boards: npt.NDArray[np.uint64],
    *,
    size: int,
    rule: _Rule,
    blocks: int,
    channels: int,
) -> bytes:
    """The bytes of a file with this network: the weights and then the biases of each of its layers, all
    float32 in a row. Its activations are measured on boards as `ZeroGames.boards` has them.
    """

def zero_evaluations(
    network: bytes, boards: npt.NDArray[np.uint64]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """What the network of such bytes says about boards as `ZeroGames.boards` has them, on this
    processor: logits, n × 64 of float32, and expected result and score, n × 2 of float32.
    """
