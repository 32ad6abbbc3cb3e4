"""Many steps of AdamW as one compiled loop.

The gradient of the table is summed over the batch and its epsilon is 1, so that rare rows move by
their gradient, not by its sign; decay draws the table alone to zero. `docs/records/networks.md` shows
what that is worth.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from .._native import network_rows
from .model import OTHER_BOUND, PATTERN_BOUND, Parameters, predict

MOMENTUM = 0.9
SQUARES_MOMENTUM = 0.999
TABLE_EPSILON = 1.0
OTHER_EPSILON = 1e-8
TABLE_DECAY = 1.0
#: The most steps in which the rate rises.
WARM_UP = 300
#: The part of the steps, at the end, that round as integers do.
ROUNDING_SHARE = 0.3

#: Parameters, and the means of their gradients and of the squares of these.
State = dict[str, Parameters]


@dataclass(frozen=True)
class Plan:
    """What a step depends on beside its data."""

    batch: int
    steps: int
    rate: float
    unit: int

    @property
    def plain_steps(self) -> int:
        """The steps before rounding begins."""
        return self.steps - round(self.steps * ROUNDING_SHARE)


@dataclass(frozen=True)
class Data:
    """Samples on the device."""

    features: jax.Array
    phases: jax.Array
    labels: jax.Array


jax.tree_util.register_dataclass(Data, data_fields=["features", "phases", "labels"], meta_fields=[])


def begin(parameters: Parameters) -> State:
    """The state before the first step."""
    zeros = {name: jnp.zeros_like(x) for name, x in parameters.items()}
    return {"parameters": parameters, "means": zeros, "squares": jax.tree.map(jnp.copy, zeros)}


def rate(plan: Plan, step: jax.Array) -> jax.Array:
    """The rate of a step: it rises, then falls along a cosine to zero."""
    warm_up = max(1, min(WARM_UP, plan.steps // 10))
    falling = 0.5 + 0.5 * jnp.cos(math.pi * step / plan.steps)
    return plan.rate * jnp.where(step < warm_up, (step + 1) / warm_up, falling)


def _updated(
    plan: Plan,
    name: str,
    x: jax.Array,
    gradient: jax.Array,
    mean: jax.Array,
    square: jax.Array,
    step: jax.Array,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """A parameter and its means after a step."""
    is_table = name == "table"
    if is_table:
        gradient = gradient * plan.batch
    mean = MOMENTUM * mean + (1 - MOMENTUM) * gradient
    square = SQUARES_MOMENTUM * square + (1 - SQUARES_MOMENTUM) * gradient * gradient
    first = mean / (1 - MOMENTUM ** (step + 1))
    second = square / (1 - SQUARES_MOMENTUM ** (step + 1))
    move = first / (jnp.sqrt(second) + (TABLE_EPSILON if is_table else OTHER_EPSILON))
    if is_table:
        move = move + TABLE_DECAY * x
    x = x - rate(plan, step) * move
    if is_table:
        row = jax.lax.broadcasted_iota(jnp.int32, x.shape, 0)
        bound = jnp.where(row < network_rows(), PATTERN_BOUND, OTHER_BOUND)
        x = jnp.clip(x, -bound, bound)
    return x, mean, square


@functools.partial(jax.jit, static_argnames=("plan", "rounding"), donate_argnames="state")
def advance(
    state: State,
    data: Data,
    order: jax.Array,
    begin: Any,
    end: Any,
    first: Any,
    *,
    plan: Plan,
    rounding: bool,
) -> tuple[State, jax.Array]:
    """The steps from `begin` to `end` of an epoch whose first step is number `first`. Returns the new
    state and the sum of the mean squares of the errors, in units.
    """

    def loss(parameters: Parameters, chosen: jax.Array) -> jax.Array:
        features, phases = data.features[chosen], data.phases[chosen]
        values = predict(parameters, features, phases, unit=plan.unit, rounding=rounding)
        return jnp.square(values - data.labels[chosen] / plan.unit).mean()

    def one(i: jax.Array, carry: tuple[State, jax.Array]) -> tuple[State, jax.Array]:
        state, sum_of_losses = carry
        chosen = jax.lax.dynamic_slice_in_dim(order, i * plan.batch, plan.batch)
        value, gradients = jax.value_and_grad(loss)(state["parameters"], chosen)
        step = (first + i).astype(jnp.float32)
        new = {
            name: _updated(
                plan, name, x, gradients[name], state["means"][name], state["squares"][name], step
            )
            for name, x in state["parameters"].items()
        }
        parts = ("parameters", "means", "squares")
        state = {part: {name: x[k] for name, x in new.items()} for k, part in enumerate(parts)}
        return state, sum_of_losses + value

    result: tuple[State, jax.Array] = jax.lax.fori_loop(begin, end, one, (state, jnp.float32(0)))
    return result
