"""`python -m isrever.zero.agree`: how far a run's network strays from itself in fewer bits.

The network of a checkpoint evaluates boards in 32-bit floating point. Beside it stand the same network
in 8 bits, as the agent `zero` plays by it on a processor, and in bfloat16, as a GPU plays the games of
a run. Boards come from games without knowledge and from the run's own games, each in all eight images.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..train.command import Parser, perform, whole
from ..train.error import InputError

Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]
#: Logits of 64 squares, and expected result and score.
Said = tuple[Floats, Floats]

#: Boards that are evaluated at once.
BATCH = 512
#: What is compared with 32-bit floating point, and on boards of which games.
EIGHT_BITS, BFLOAT16 = "8 bits", "bfloat16"
RANDOM, OWN = "random", "its own"

#: The most that may differ: the probability of a move, the result from -1 to 1, discs, and the share of
#: boards with the same best move, at least. Activations of seven bits have steps that fit the boards of
#: good games: on random ones they are often too large for them.
TOLERANCES: dict[tuple[str, str], dict[str, float]] = {
    (EIGHT_BITS, RANDOM): {
        "policy_mean": 0.01,
        "policy_largest": 0.6,
        "value_mean": 0.05,
        "value_largest": 1.0,
        "score_mean": 1.5,
        # 39 discs were seen among 40,000 boards.
        "score_largest": 64.0,
        "same_move": 0.93,
    },
    (EIGHT_BITS, OWN): {
        "policy_mean": 0.01,
        "policy_largest": 0.6,
        "value_mean": 0.03,
        "value_largest": 0.75,
        "score_mean": 0.4,
        "score_largest": 12.0,
        "same_move": 0.95,
    },
} | {
    (BFLOAT16, games): {
        "policy_mean": 0.005,
        "policy_largest": 0.15,
        "value_mean": 0.01,
        "value_largest": 0.2,
        "score_mean": 0.15,
        "score_largest": 2.0,
        "same_move": 0.94,
    }
    for games in (RANDOM, OWN)
}


@dataclass(frozen=True)
class Difference:
    """How far two networks differ over boards."""

    boards: int
    #: Of the probability of a legal move.
    policy_mean: float
    policy_largest: float
    #: Of the expected result, from -1 to 1.
    value_mean: float
    value_largest: float
    #: Of the expected score, in discs.
    score_mean: float
    score_largest: float
    #: The share of boards with the same best move.
    same_move: float
    #: By how much the first network's best move is likelier to it than the second's, at most.
    regret_largest: float


def images(words: Words, size: int) -> Words:
    """Boards in all eight images: those of the first symmetry, which changes nothing, come first."""
    octets = np.ascontiguousarray(words).view(np.uint8).reshape(len(words), -1, 8)
    squares = np.unpackbits(octets, axis=-1, bitorder="little").reshape(len(words), -1, 8, 8)
    squares = squares[:, :, :size, :size]
    turned = []
    for transposed in (squares, np.swapaxes(squares, 2, 3)):
        for across in (transposed, transposed[:, :, ::-1]):
            turned += [across, across[:, :, :, ::-1]]
    rest = 8 - size
    full = np.pad(np.concatenate(turned), ((0, 0), (0, 0), (0, rest), (0, rest)))
    octets = np.packbits(full.reshape(len(full), -1, 64), axis=-1, bitorder="little")
    return np.ascontiguousarray(octets).view(np.uint64).reshape(len(full), -1)


def random_boards(size: int, rule: str, count: int, seed: int) -> Words:
    """Different boards of games between players that know nothing."""
    from .._native import ZeroGames

    games = ZeroGames(
        size,
        rule,
        groups=1,
        teams=4,
        seed=seed,
        visits=2,
        fast_visits=2,
        full_share=0.5,
        random_plies=size * (size - 2) // 2,
        solve_leaves_from=0,
        solve_games_from=0,
        score_weight=0.1,
    )
    words = np.zeros((games.group_len, 4), np.uint64)
    nothing = np.zeros((len(words), 64), np.float32), np.zeros((len(words), 2), np.float32)
    games.boards(0, words)
    found, rounds = words[:0], 0
    # Boards of many stages: games of all lengths have passed by then. Small boards have few.
    while rounds < 4 * size * size or (len(found) < 4 * count and rounds < 4000):
        parts = [found]
        for _ in range(2 * size * size):
            parts.append(words.copy())
            games.step(0, *nothing, words)
            rounds += 1
        found = _different(np.concatenate(parts))
    return _drawn(found, count, seed)


def own_boards(directory: Path, count: int, seed: int) -> Words:
    """Different boards of a run's own games, the latest that it has kept; none if it has none."""
    from . import checkpoint

    parts: list[Words] = []
    for file in sorted(directory.glob("samples-*.npz"), reverse=True):
        parts.append(checkpoint.load_arrays(file)["words"].view(np.uint64))
        if sum(len(part) for part in parts) >= 8 * count:
            break
    return _drawn(_different(np.concatenate(parts)), count, seed) if parts else _no_boards()


def _no_boards() -> Words:
    return np.zeros((0, 4), np.uint64)


def _different(words: Words) -> Words:
    """Each board once, those with a legal move."""
    return np.unique(words[words[:, 2] != 0], axis=0)


def _drawn(words: Words, count: int, seed: int) -> Words:
    """So many of the boards at random, or all of them."""
    if len(words) <= count:
        return words
    places = np.random.default_rng(seed).choice(len(words), count, replace=False)
    return words[np.sort(places)]


def difference(words: Words, one: Said, other: Said) -> Difference:
    """How far the second of two networks strays from the first, square by square of legal moves."""
    legal = words[:, 2:3] >> np.arange(64, dtype=np.uint64) & np.uint64(1) == 1
    first, second = (_probabilities(said[0], legal) for said in (one, other))
    apart = np.abs(first - second)[legal]
    [value, score] = np.abs(one[1].astype(np.float64) - other[1]).T
    best, chosen = first.argmax(1), second.argmax(1)
    rows = np.arange(len(words))
    return Difference(
        boards=len(words),
        policy_mean=float(apart.mean()),
        policy_largest=float(apart.max()),
        value_mean=float(value.mean()),
        value_largest=float(value.max()),
        score_mean=float(score.mean()),
        score_largest=float(score.max()),
        same_move=float((best == chosen).mean()),
        regret_largest=float((first[rows, best] - first[rows, chosen]).max()),
    )


def _probabilities(logits: Floats, legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    shown = np.where(legal, logits.astype(np.float64), -np.inf)
    powers = np.exp(shown - shown.max(1, keepdims=True))
    chances: npt.NDArray[np.float64] = powers / powers.sum(1, keepdims=True)
    return chances


def _in_batches(words: Words, network: Callable[[Any], tuple[Any, Any]]) -> Said:
    """What a network says about boards, in batches of one length, so that it is compiled once."""
    policies, values = [], []
    for start in range(0, len(words), BATCH):
        part = words[start : start + BATCH]
        full = np.concatenate([part, np.repeat(part[-1:], BATCH - len(part), 0)])
        said = network(full.view(np.uint32))
        policies.append(np.asarray(said[0], np.float32)[: len(part)])
        values.append(np.asarray(said[1], np.float32)[: len(part)])
    return np.concatenate(policies), np.concatenate(values)


@dataclass(frozen=True)
class Compared:
    """A comparison: which bits, on boards of which games."""

    network: str
    games: str
    difference: Difference

    def beyond(self) -> list[str]:
        """What is beyond its tolerance, in words."""
        lines = []
        for name, limit in TOLERANCES[self.network, self.games].items():
            found, is_least = getattr(self.difference, name), name == "same_move"
            # A number that is none is beyond everything.
            if not (found >= limit if is_least else found <= limit):
                expected = f"expected at {'least' if is_least else 'most'} {limit:g}"
                lines.append(f"{self.network}, {self.games}: {name} is {found:.4g}; {expected}")
        return lines


def compare(
    directory: Path, positions: int, seed: int, file: Path | None = None
) -> tuple[str, list[Compared]]:
    """Compares the network of a run's checkpoint with itself in fewer bits; says what it is, too."""
    import jax
    import jax.numpy as jnp

    from .._native import zero_evaluations
    from . import checkpoint, settings
    from .export import network_bytes
    from .learning import begin, folded
    from .network import play

    for name in ("settings.json", "checkpoint.npz"):
        if not (directory / name).exists():
            raise InputError(f"{directory}: no {name}; expected the directory of a run")
    run = settings.of_run(directory, {}, lambda asked: asked)
    state, generation = checkpoint.load(directory / "checkpoint.npz", begin(run.shape, run.seed))
    network = folded(state)
    own = own_boards(directory, positions // 2, seed)
    random = random_boards(run.size, run.rule, positions - len(own), seed)
    if file is None:
        kept = directory / f"network-{generation:04}.bin"
        measured = own if len(own) > 0 else random
        quantised = (
            kept.read_bytes()
            if kept.exists()
            else network_bytes(run.shape, run.rule, network, measured)
        )
    else:
        quantised = file.read_bytes()

    def floating(dtype: Any) -> Callable[[Words], Said]:
        arrays = jax.tree.map(lambda x: x.astype(dtype), network)
        said = jax.jit(functools.partial(play, run.shape, dtype=dtype))
        return lambda words: _in_batches(words, functools.partial(said, arrays))

    def in_eight_bits(words: Words) -> Said:
        try:
            return zero_evaluations(quantised, words)
        except ValueError as error:
            raise InputError(f"{file or directory}: {error}") from error

    compared = []
    with jax.default_matmul_precision("highest"):
        exact, short = floating(jnp.float32), floating(jnp.bfloat16)
        for games, boards in ((RANDOM, random), (OWN, own)):
            if len(boards) == 0:
                continue
            words = images(boards, run.size)
            wanted = exact(words)
            for name, said in ((EIGHT_BITS, in_eight_bits(words)), (BFLOAT16, short(words))):
                compared.append(Compared(name, games, difference(words, wanted, said)))
    shape = f"{run.size}x{run.size}, {run.blocks} blocks, {run.channels} channels"
    device = f"{jax.default_backend()}, JAX {jax.__version__}"
    return f"generation {generation} ({shape}), float32 on {device}", compared


def _table(compared: list[Compared]) -> list[str]:
    """The comparisons for people."""
    head = f"{'':19}  {'boards':>7}  {'policy':^17}  {'value':^17}  {'score in discs':^17}  same   regret"
    lines = [head, f"{'network, games':19}  {'':7}" + 3 * f"  {'mean':>8} {'largest':>8}" + "  move"]
    for one in compared:
        d = one.difference
        lines.append(
            f"{one.network + ', ' + one.games:19}  {d.boards:>7}  {d.policy_mean:>8.5f} "
            f"{d.policy_largest:>8.4f}  {d.value_mean:>8.5f} {d.value_largest:>8.4f}  "
            f"{d.score_mean:>8.4f} {d.score_largest:>8.3f}  {100 * d.same_move:.2f}%  "
            f"{d.regret_largest:.4f}"
        )
    for (network, games), limits in TOLERANCES.items():
        words = ", ".join(f"{name} {limit:g}" for name, limit in limits.items())
        lines.append(f"tolerances of {network}, {games}: {words}")
    return lines


def _parser() -> Parser:
    parser = Parser(
        prog="python -m isrever.zero.agree",
        description="Compare the network of a run's checkpoint in 32-bit floating point with itself in "
        "8 bits, as the agent zero plays by it, and in bfloat16, as GPUs play its games.",
        epilog="Boards come from random games and from the run's own samples, half each, and are "
        "evaluated in all eight images. The exit status is 1 if something differs by more than the "
        "tolerances.",
    )
    add = parser.add_argument
    add("--dir", type=Path, required=True, metavar="DIR", help="the directory of a run")
    add("--positions", type=whole(2, 10**7), default=1000, metavar="N", help="default: 1000")
    add("--seed", type=whole(0, 2**31), default=1, metavar="N", help="draws the boards; default: 1")
    add("--network", type=Path, metavar="FILE", help="the network in 8 bits, if it is another file")
    add("--json", action="store_true", help="one object per comparison and line")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Does what the arguments ask for; returns the exit status."""
    parser = _parser()
    args = parser.parse_args(arguments)
    beyond: list[str] = []

    def agree() -> None:
        about, compared = compare(args.dir, args.positions, args.seed, args.network)
        for one in compared:
            beyond.extend(one.beyond())
        if args.json:
            for one in compared:
                named = {"network": one.network, "games": one.games}
                print(json.dumps(named | asdict(one.difference)))
        else:
            print("\n".join([about, *_table(compared)]))

    status = perform(parser, agree)
    for line in beyond:
        print(f"isrever: {line}", file=sys.stderr)
    return status or int(bool(beyond))


if __name__ == "__main__":
    sys.exit(main())
