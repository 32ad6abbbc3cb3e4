"""A run: generation after generation of games and learning, in a directory that it can resume."""

from __future__ import annotations

import functools
import json
import sys
import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._native import ZeroGames, ZeroSamples
from ..train.error import InputError
from ..train.files import replace
from . import checkpoint
from .export import network_bytes
from .games import Pace, Player
from .learning import Plan, State, advance, begin, folded
from .network import Arrays, play
from .samples import Array, Window, arrays_of
from .settings import Settings


#: Learning steps over which the rate rises.
WARM_UP = 200


class Run:
    """A run in a directory."""

    def __init__(self, directory: Path, settings: Settings) -> None:
        self._directory = directory
        self._settings = settings
        self._dtype = jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16
        self._plan = Plan(settings.shape, settings.batch, settings.rate, WARM_UP, self._dtype)
        self._network = jax.jit(functools.partial(play, settings.shape, dtype=self._dtype))
        self._state: State = begin(settings.shape, settings.seed)
        self.generation: int = 0
        self._window = Window.of(settings.window)
        self._resume()
        self._player = self._begin_games()
        directory.mkdir(parents=True, exist_ok=True)
        settings.write(directory)

    def _path(self, kind: str, generation: int) -> Path:
        return self._directory / f"{kind}-{generation:04}"

    def _resume(self) -> None:
        path = self._directory / "checkpoint.npz"
        if not path.exists():
            return
        self._state, self.generation = checkpoint.load(path, self._state)
        kept: list[dict[str, Array]] = []
        for generation in range(self.generation, 0, -1):
            file = self._path("samples", generation).with_suffix(".npz")
            if not file.exists() or sum(len(s["scores"]) for s in kept) >= self._window.capacity:
                break
            kept.append(checkpoint.load_arrays(file))
        for samples in reversed(kept):
            self._window.add(samples)
        count = f"{self._window.count:,} samples"
        _say(f"{self._directory}: going on after generation {self.generation}, {count}")

    def _begin_games(self) -> Player:
        try:
            games = self._new_games()
        except ValueError as error:
            raise InputError(str(error)) from error
        return Player(games, self._settings.groups)

    def _new_games(self) -> ZeroGames:
        settings = self._settings
        return ZeroGames(
            settings.size,
            settings.rule,
            groups=settings.groups,
            teams=settings.teams,
            # Games that were under way are lost with a run that is killed; others take their place.
            seed=settings.seed + (self.generation << 32),
            visits=settings.visits,
            fast_visits=settings.fast_visits,
            full_share=settings.full_share,
            random_plies=settings.random_plies,
            solve_leaves_from=settings.solve_leaves_from,
            solve_games_from=settings.solve_games_from,
            score_weight=settings.score_weight,
        )

    @property
    def network(self) -> Arrays:
        """The folded network of the last generation."""
        return folded(self._state)

    def advance(self) -> dict[str, Any]:
        """Plays and learns a generation; returns what is to be said about it."""
        pace, samples, moves, games = self._play()
        self._window.add(samples)
        learned, losses, steps = self._learn(len(samples["scores"]))
        self.generation += 1
        self._keep(samples, moves)
        line = {
            "generation": self.generation,
            "games": games,
            "samples": len(samples["scores"]),
            "evaluations": pace.evaluations,
            "play_seconds": round(pace.seconds, 3),
            "waited_seconds": round(pace.waited, 3),
            "learn_seconds": round(learned, 3),
            "steps": steps,
            "losses": {name: round(float(loss), 4) for name, loss in losses.items()},
            "mean_score": round(float(samples["scores"].mean()), 3),
            "visits": self._settings.visits,
            "rate": self._settings.rate,
        }
        with open(self._directory / "log.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return line

    def _play(self) -> tuple[Pace, dict[str, Array], bytes, int]:
        """Plays the games of a generation."""
        folded_network = jax.tree.map(lambda x: x.astype(self._dtype), self.network)
        parts: list[dict[str, Array]] = []
        moves: list[bytes] = []
        games = 0

        def is_enough(new: ZeroSamples) -> bool:
            nonlocal games
            if new.games > 0:
                games += new.games
                parts.append(arrays_of(new))
                moves.append(new.moves)
            return games >= self._settings.games

        network = functools.partial(self._network, folded_network)
        pace = self._player.play(network, is_enough)
        samples = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return pace, samples, b"".join(moves), games

    def _learn(self, new: int) -> tuple[float, Arrays, int]:
        """Learns from the window, each new sample `reuse` times on average."""
        began = time.monotonic()
        steps = max(1, round(new * self._settings.reuse / self._settings.batch))
        data = {name: jnp.asarray(array) for name, array in self._window.arrays.items()}
        key = jax.random.fold_in(jax.random.key(self._settings.seed), self.generation)
        self._state, losses = advance(
            self._state, data, self._window.count, steps, key, plan=self._plan
        )
        losses = jax.device_get(losses)
        if not all(np.isfinite(loss) for loss in losses.values()):
            raise FloatingPointError(f"the training diverged in generation {self.generation + 1}")
        return time.monotonic() - began, losses, steps

    def write_network(self) -> None:
        """Writes the network of the last generation, if there is none yet."""
        path = self._path("network", self.generation).with_suffix(".bin")
        if self.generation == 0 or path.exists():
            return
        boards = self._window.arrays["words"][: self._window.count].view(np.uint64)
        network = network_bytes(self._settings.shape, self._settings.rule, self.network, boards)
        replace(path, lambda file: file.write(network))

    def _keep(self, samples: dict[str, Array], moves: bytes) -> None:
        """Writes what a later run needs; the checkpoint last."""
        generation = self.generation
        file = self._path("samples", generation).with_suffix(".npz")
        checkpoint.save_arrays(file, samples)
        replace(self._path("games", generation).with_suffix(".moves"), lambda f: f.write(moves))
        if generation % self._settings.network_every == 0:
            self.write_network()
        checkpoint.save(self._directory / "checkpoint.npz", self._state, generation)
        # Samples that no window will hold again.
        kept = 0
        for number in range(generation, 0, -1):
            file = self._path("samples", number).with_suffix(".npz")
            if not file.exists():
                break
            if kept >= self._window.capacity:
                file.unlink()
            else:
                kept += checkpoint.count(file)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
