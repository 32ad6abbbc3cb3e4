"""`python -m isrever.zero`: learns the game from nothing, generation after generation."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..train.command import Parser, perform, positive, share, whole

#: Settings of each size of board: small ones learn in minutes on a processor.
DEFAULTS: dict[int, dict[str, Any]] = {
    4: {
        "blocks": 2,
        "channels": 16,
        "games": 256,
        "teams": 2,
        "groups": 2,
        "visits": 16,
        "fast_visits": 8,
        "full_share": 0.5,
        "random_plies": 4,
        "solve_leaves_from": 0,
        "solve_games_from": 0,
        "window": 20_000,
        "reuse": 8.0,
        "batch": 256,
        "rate": 0.004,
        "network_every": 1,
    },
    6: {
        "blocks": 4,
        "channels": 32,
        "games": 512,
        "teams": 4,
        "groups": 2,
        "visits": 32,
        "fast_visits": 12,
        "full_share": 0.3,
        "random_plies": 6,
        "solve_leaves_from": 6,
        "solve_games_from": 8,
        "window": 100_000,
        "reuse": 6.0,
        "batch": 512,
        "rate": 0.002,
        "network_every": 1,
    },
    8: {
        "blocks": 8,
        "channels": 96,
        "games": 16_384,
        "teams": 128,
        "groups": 3,
        "visits": 64,
        "fast_visits": 16,
        "full_share": 0.25,
        "random_plies": 10,
        "solve_leaves_from": 8,
        "solve_games_from": 10,
        "window": 2_000_000,
        "reuse": 6.0,
        "batch": 4_096,
        "rate": 0.001,
        "network_every": 10,
    },
}

#: Options in the order of the help: how each is read, and what it says.
OPTIONS: dict[str, tuple[Callable[[str], float], str]] = {
    "blocks": (whole(1, 64), "residual blocks of the network"),
    "channels": (whole(16, 1024), "its channels, a multiple of 16"),
    "games": (whole(1, 10**9), "games of a generation"),
    "teams": (whole(1, 4096), "teams of 64 games that the network evaluates at once"),
    "groups": (whole(1, 4), "such groups, so that some games move while others are evaluated"),
    "visits": (whole(1, 2000), "visits for a move that is learned from"),
    "fast_visits": (whole(1, 2000), "visits for any other move"),
    "full_share": (share, "the part of the moves that is learned from"),
    "random_plies": (whole(0, 60), "the most random moves that a game begins with"),
    "solve_leaves_from": (whole(0, 20), "the search proves boards with so many empty squares"),
    "solve_games_from": (whole(0, 24), "the solver ends games with so many empty squares"),
    "score_weight": (share, "what the score counts beside the result; default: 0.1"),
    "window": (whole(1, 10**8), "the most samples to learn from"),
    "reuse": (positive(1000), "how often a sample is learned from on average"),
    "batch": (whole(1, 1 << 20), "samples of a step"),
    "rate": (positive(1), "the rate of the steps"),
    "network_every": (whole(1, 10**6), "write a network after so many generations, and at the end"),
}

#: What is learned, with defaults.
WHAT: dict[str, Any] = {"size": 8, "rule": "reversed", "seed": 1}


def _defaults(asked: dict[str, Any]) -> dict[str, Any]:
    """The settings of a run that begins, where it is not asked for others."""
    what = WHAT | {name: asked[name] for name in WHAT if name in asked}
    return what | {"score_weight": 0.1} | DEFAULTS[what["size"]]


def _parser() -> Parser:
    parser = Parser(
        prog="python -m isrever.zero",
        description="Learn the game from nothing: a network plays against itself, learns from its "
        "games, and plays again.",
        epilog="A run that was stopped or killed goes on from its last generation, with its settings "
        "unless others are given. Defaults depend on the size; docs/guide/training.md lists them.",
    )
    add = parser.add_argument
    add("--dir", type=Path, required=True, metavar="DIR", help="keep the run here")
    add("--size", type=int, choices=(4, 6, 8), help="default: 8")
    add("--rule", choices=("reversed", "normal"), help="what is played for; default: reversed")
    add("--seed", type=whole(0, 2**31), metavar="N", help="default: 1")
    add("--generations", type=whole(1, 10**6), metavar="N", help="end after so many generations")
    add("--until", type=positive(10**7), metavar="SECONDS", help="begin no generation after this")
    for name, (read, text) in OPTIONS.items():
        add(f"--{name.replace('_', '-')}", type=read, metavar="N", help=text)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Does what the arguments ask for; returns the exit status."""
    parser = _parser()
    args = parser.parse_args(arguments)
    given = {name: value for name, value in vars(args).items() if value is not None}
    asked = {name: given[name] for name in (*WHAT, *OPTIONS) if name in given}
    if asked.get("channels", 0) % 16 != 0:
        parser.error(f"--channels: {asked['channels']}; expected a multiple of 16")

    def learn() -> None:
        from . import run, settings

        began = time.monotonic()
        current = run.Run(args.dir, settings.of_run(args.dir, asked, _defaults))
        while args.generations is None or current.generation < args.generations:
            if args.until is not None and time.monotonic() - began > args.until:
                break
            print(_shown(current.advance()), file=sys.stderr, flush=True)
        current.write_network()

    return perform(parser, learn)


def _shown(line: dict[str, Any]) -> str:
    """A generation in a line."""
    seconds = line["play_seconds"]
    losses = line["losses"]
    return (
        f"generation {line['generation']}: {line['games']:,} games in {seconds:.1f} s, "
        f"{line['evaluations'] / seconds:,.0f} evaluations/s; {line['steps']:,} steps in "
        f"{line['learn_seconds']:.1f} s, policy {losses['policy']:.3f}, result {losses['result']:.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
