"""The training: epochs, checkpoints, errors, and the file in the end."""

from __future__ import annotations

import json
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from .. import _table
from .._native import SampleSet, network_bytes, training_set, values as weights_values
from . import checkpoint
from .data import GROUPS, group_of, grouped, rmse, upload, values
from .error import ExportError, InputError
from .files import replace
from .model import DISC, Parameters, initial, integers
from .optimizer import Data, Plan, advance, begin

#: The boards on which the file is compared with what was trained.
CHECKED_BOARDS = 4096
#: How far a value of the file may be from the trained one: half a unit by rounding, and a little
#: for sums in 32 bits.
TOLERANCE = 0.5 + 1 / 32


@dataclass(frozen=True)
class Settings:
    """What to train, on what, and where to write it."""

    data: list[Path]
    rule: str
    output: Path
    exclude: list[Path]
    epochs: int
    batch: int
    rate: float
    seed: int
    unit: int
    checkpoint: Path
    compare: list[str]
    log: Path | None


def train(settings: Settings) -> str:
    """Trains a network and writes its file; returns a table of its errors."""
    training, held_out, compared = _read(settings)
    batch = min(settings.batch, len(training))
    per_epoch = len(training) // batch
    plan = Plan(batch, per_epoch * settings.epochs, settings.rate, settings.unit)
    _say(f"{len(training):,} boards to train on, {len(held_out):,} held out; {_device()}")
    log = _Log(settings.log)
    parameters = _epochs(settings, plan, per_epoch, training, held_out, log)
    _export(settings, parameters, training)
    network = values(parameters, upload(held_out), unit=plan.unit, rounding=True)
    settings.checkpoint.unlink(missing_ok=True)
    return _report(held_out, {str(settings.output): network, **compared}, log)


def _read(
    settings: Settings,
) -> tuple[SampleSet, SampleSet, dict[str, npt.NDArray[np.float64]]]:
    """The samples to train on, those held out, and the values of the latter by other weights."""
    rule = settings.rule
    try:
        training, held_out = training_set(settings.data, rule=rule, exclude=settings.exclude)
        compared = {
            name: weights_values(name, held_out.boards, rule=rule) / DISC
            for name in settings.compare
        }
    except ValueError as error:
        raise InputError(str(error)) from error
    if len(training) == 0:
        raise InputError("--data: no samples to train on; expected at least one")
    return training, held_out, compared


def _epochs(
    settings: Settings,
    plan: Plan,
    per_epoch: int,
    training: SampleSet,
    held_out: SampleSet,
    log: _Log,
) -> Parameters:
    """All epochs, from the checkpoint on if there is one."""
    about = {
        "rule": settings.rule,
        "epochs": settings.epochs,
        "batch": plan.batch,
        "rate": settings.rate,
        "seed": settings.seed,
        "unit": settings.unit,
        "data": f"{len(training)} boards, {training.fingerprint:016x}",
    }
    state, done = begin(initial(settings.seed)), 0
    if settings.checkpoint.exists():
        state, done = checkpoint.load(settings.checkpoint, state, about)
        _say(f"{settings.checkpoint}: going on after epoch {done}")
    log.begin(about, done)
    data, test = upload(training), upload(held_out)
    key = jax.random.key(settings.seed)
    order = jax.random.permutation(key, len(training))
    for rounding in (False, True):
        # No steps, but the compiled loop: the rate of the first epoch is that of all others.
        state, _ = advance(state, data, order, 0, 0, 0, plan=plan, rounding=rounding)
    for epoch in range(done, settings.epochs):
        began = time.monotonic()
        order = jax.random.permutation(jax.random.fold_in(key, epoch), len(training))
        first = epoch * per_epoch
        plain = min(max(plan.plain_steps - first, 0), per_epoch)
        loss = 0.0
        for start, end, rounding in ((0, plain, False), (plain, per_epoch, True)):
            if start < end:
                state, part = advance(
                    state, data, order, start, end, first, plan=plan, rounding=rounding
                )
                loss += float(part)
        seconds = time.monotonic() - began
        rounding = plain < per_epoch
        predicted = values(state["parameters"], test, unit=plan.unit, rounding=rounding)
        line = {
            "epoch": epoch + 1,
            "training": round(math.sqrt(loss / per_epoch) * plan.unit, 4),
            "held_out": _short(rmse(predicted, held_out.labels)),
            "positions_per_second": round(per_epoch * plan.batch / seconds),
            "rounding": rounding,
        }
        if not math.isfinite(loss):
            raise FloatingPointError(f"the training diverged in epoch {epoch + 1}")
        checkpoint.save(settings.checkpoint, state, epoch + 1, about)
        log.write(line)
        _say(
            f"epoch {epoch + 1} of {settings.epochs}: error {line['training']:.3f}, "
            f"held out {_shown(line['held_out'])}, {line['positions_per_second']:,} positions/s"
        )
    return state["parameters"]


def _export(settings: Settings, parameters: Parameters, training: SampleSet) -> None:
    """Writes the file, and compares its values with those that were trained."""
    weights = network_bytes(rule=settings.rule, **integers(parameters, settings.unit))
    replace(settings.output, lambda file: file.write(weights))
    spread = np.linspace(0, len(training) - 1, min(CHECKED_BOARDS, len(training))).astype(np.int64)
    boards = np.ascontiguousarray(training.boards[spread])
    found = weights_values(settings.output, boards, rule=settings.rule)
    arrays = (training.features, training.phases, training.labels)
    data = Data(*(jnp.asarray(array[spread]) for array in arrays))
    wanted = values(parameters, data, unit=settings.unit, rounding=True) * DISC
    off = np.abs(found - wanted).max()
    if not off <= TOLERANCE:
        raise ExportError(
            f"{settings.output}: values differ from the trained ones by up to {off / DISC:.3f} discs"
        )


def _report(held_out: SampleSet, evaluations: dict[str, npt.NDArray[np.float64]], log: _Log) -> str:
    """The errors on games held out by phase group, beside those of other weights."""
    group = group_of(held_out.phases)
    ends = [*(first - 1 for first in GROUPS[1:]), 64]
    names = [f"{first}-{last}" for first, last in zip(GROUPS, ends)]
    counts = [*np.bincount(group, minlength=len(GROUPS)).tolist(), len(held_out)]
    columns = {
        name: grouped(predicted, held_out.labels, held_out.phases)
        for name, predicted in evaluations.items()
    }
    log.write(
        {
            "discs": [*names, "all"],
            "boards": counts,
            "errors": {name: [_short(x) for x in errors] for name, errors in columns.items()},
        }
    )
    rows = [
        [name, f"{count:,}", *(_shown(errors[k]) for errors in columns.values())]
        for k, (name, count) in enumerate(zip([*names, "all"], counts))
    ]
    return _table.text(["discs", "boards", *columns], rows)


class _Log:
    """A file with an object per line."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def begin(self, settings: dict[str, Any], done: int) -> None:
        """Begins anew, unless a training goes on."""
        if self._path is not None and done == 0:
            self._path.write_text("")
        self.write({"settings": settings, "after_epoch": done, "device": _device()})

    def write(self, line: dict[str, Any]) -> None:
        """Adds an object."""
        if self._path is not None:
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


def _device() -> str:
    return str(jax.devices()[0].device_kind)


def _short(error: float | None) -> float | None:
    return None if error is None else round(error, 4)


def _shown(error: float | None) -> str:
    return "-" if error is None else f"{error:.3f}"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
