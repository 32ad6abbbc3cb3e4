"""`python -m isrever.train`: fits a network to samples, and writes a file that the program plays by."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from .command import Parser, perform, positive, whole

#: Discs in a unit of the output by rule: errors, and so gradients, are measured in it.
UNITS = {"reversed": 16, "normal": 32}

def _unit(text: str) -> int:
    if text not in {str(1 << k) for k in range(7)}:
        raise argparse.ArgumentTypeError(f"{text!r} is no unit; expected a power of two up to 64")
    return int(text)


def _parser() -> Parser:
    parser = Parser(
        prog="python -m isrever.train",
        description="Fit a network to samples of isrever train selfplay, and write a file of weights.",
        epilog="One game in fifty was held out when it was played: errors are those on its positions. "
        "A training that was stopped or killed goes on from its checkpoint.",
    )
    add = parser.add_argument
    add("--data", nargs="+", type=Path, required=True, metavar="FILE", help="files of samples")
    add(
        "--rule", choices=("reversed", "normal"), default="reversed", help="the rule of the samples"
    )
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="write the weights here")
    add(
        "--exclude",
        nargs="+",
        type=Path,
        default=[],
        metavar="FILE",
        help="leave out the positions of these files, and their images: they are kept for exams",
    )
    add("--epochs", type=whole(1, 10_000), default=14, metavar="N", help="default: 14")
    add("--batch", type=whole(1, 1 << 20), default=32_768, metavar="N", help="default: 32768")
    add("--rate", type=positive(1), default=0.004, metavar="R", help="the highest rate; default: 0.004")
    add("--seed", type=whole(0, 2**32 - 1), default=1, metavar="N", help="default: 1")
    add(
        "--unit",
        type=_unit,
        metavar="DISCS",
        help="discs in a unit of the output; default: 16, for the normal rule 32",
    )
    add(
        "--checkpoint",
        type=Path,
        metavar="FILE",
        help="the state after each epoch, removed in the end; default: the output with .checkpoint",
    )
    add(
        "--compare",
        nargs="+",
        default=[],
        metavar="FILE",
        help="show the errors of these weights beside the new ones; embedded: those of the program",
    )
    add("--log", type=Path, metavar="FILE", help="write an object per epoch and line here")
    return parser


def _checked(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Refuses files that could not be written hours later."""
    for path in (args.output, args.checkpoint, args.log):
        if path is not None and path.is_dir():
            parser.error(f"{path}: a directory; expected a file to write to")
        if path is not None and not os.access(path.parent, os.W_OK):
            parser.error(f"{path}: no directory to write to; expected one")


def main(arguments: list[str] | None = None) -> int:
    """Does what the arguments ask for; returns the exit status."""
    parser = _parser()
    args = parser.parse_args(arguments)
    if args.unit is None:
        args.unit = UNITS[args.rule]
    if args.checkpoint is None:
        args.checkpoint = args.output.with_name(args.output.name + ".checkpoint")
    _checked(parser, args)

    def train() -> None:
        from . import loop

        print(loop.train(loop.Settings(**vars(args))))

    return perform(parser, train)


if __name__ == "__main__":
    sys.exit(main())
