"""The settings of a run, which its directory keeps."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..train.error import InputError
from ..train.files import replace
from .network import Shape

#: What a run cannot change after its first generation.
FIXED = ("size", "rule", "seed", "blocks", "channels")


@dataclass(frozen=True)
class Settings:
    """What is learned, and how."""

    size: int
    rule: str
    blocks: int
    channels: int
    seed: int
    #: Games of a generation, at least.
    games: int
    #: Teams of 64 games that the network evaluates at once, and how many such groups there are.
    teams: int
    groups: int
    visits: int
    fast_visits: int
    full_share: float
    random_plies: int
    solve_leaves_from: int
    solve_games_from: int
    score_weight: float
    #: The most samples to learn from, and how often each is learned from.
    window: int
    reuse: float
    batch: int
    rate: float
    #: After how many generations a network is written.
    network_every: int

    @property
    def shape(self) -> Shape:
        """The network's."""
        return Shape(self.size, self.blocks, self.channels)

    def write(self, directory: Path) -> None:
        """Keeps the settings with the run in this directory."""
        text = json.dumps(asdict(self), indent=1) + "\n"
        replace(_path(directory), lambda file: file.write(text.encode()))


def of_run(
    directory: Path,
    asked: dict[str, Any],
    defaults: Callable[[dict[str, Any]], dict[str, Any]],
) -> Settings:
    """What is asked for; for the rest, what the run in this directory had, or a new one's defaults."""
    path = _path(directory)
    if not path.exists():
        return Settings(**(defaults(asked) | asked))
    try:
        found = json.loads(path.read_text())
        known = Settings(**found)
    except (ValueError, TypeError) as error:
        raise InputError(f"{path}: no settings of a run; expected an empty directory") from error
    for name in FIXED:
        if name in asked and asked[name] != getattr(known, name):
            offence = f"a run with {name} {getattr(known, name)}; expected {asked[name]}"
            raise InputError(f"{path}: {offence}, or another directory")
    return Settings(**(found | asked))


def _path(directory: Path) -> Path:
    return directory / "settings.json"
