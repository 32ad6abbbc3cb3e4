"""Learning from samples: the loss, and many steps of AdamW as one compiled loop.

Play uses the running means of all parameters, which are steadier than the parameters themselves.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from .network import UNIT, Arrays, Said, Shape, fold, initial, learn, planes

MOMENTUM = 0.9
SQUARES_MOMENTUM = 0.99
ADAM_EPSILON = 1e-8
DECAY = 0.02
#: How slowly the running means follow, at most.
SLOWNESS = 0.999
#: What the parts of the loss count beside the policy's.
RESULT_WEIGHT = 1.0
SCORE_WEIGHT = 0.25
OWNED_WEIGHT = 0.25
REPLY_WEIGHT = 0.15
#: Stands for a move that is not legal.
NEVER = -1e9

#: Parameters and statistics, their running means, the optimiser's moments, and the steps so far.
State = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """What a step depends on beside its data."""

    shape: Shape
    batch: int
    rate: float
    warm_up: int
    dtype: Any


def begin(shape: Shape, seed: int) -> State:
    """The state before the first step."""
    parameters, statistics = initial(shape, seed)
    zeros = {name: jnp.zeros_like(x) for name, x in parameters.items()}
    return {
        "parameters": parameters,
        "statistics": statistics,
        "mean_parameters": jax.tree.map(jnp.copy, parameters),
        "means": zeros,
        "squares": jax.tree.map(jnp.copy, zeros),
        "steps": jnp.zeros((), jnp.int32),
    }


def folded(state: State) -> Arrays:
    """The network for play."""
    return fold(state["mean_parameters"], state["statistics"])


def _turned(x: jax.Array, turns: jax.Array) -> jax.Array:
    """Squares, n × size × size × …, under one of eight symmetries each."""

    def where(bit: int, changed: jax.Array, x: jax.Array) -> jax.Array:
        chosen = (turns >> bit & 1).astype(bool).reshape(-1, *[1] * (x.ndim - 1))
        return jnp.where(chosen, changed, x)

    x = where(0, x[:, ::-1], x)
    x = where(1, x[:, :, ::-1], x)
    return where(2, jnp.swapaxes(x, 1, 2), x)


def _losses(shape: Shape, said: Said, targets: Arrays) -> Arrays:
    """The parts of the loss, each the mean of a batch."""
    policy = jax.nn.log_softmax(jnp.where(targets["legal"], said.policy, NEVER))
    results = jax.nn.log_softmax(said.results)
    score = jnp.abs(said.score - targets["score"] / UNIT)
    assert said.reply is not None and said.owned is not None
    reply = jax.nn.log_softmax(said.reply)
    owned = said.owned
    return {
        "policy": -(targets["policy"] * policy).sum(-1).mean(),
        "result": -jnp.take_along_axis(results, targets["result"][:, None], 1).mean(),
        # Squared near zero, straight further away.
        "score": jnp.where(score < 1, 0.5 * score**2, score - 0.5).mean(),
        "reply": -(targets["reply"] * reply).sum(-1).mean(),
        "owned": (jax.nn.softplus(owned) - targets["owned"] * owned).mean(),
    }


def _bits(words: jax.Array, size: int) -> jax.Array:
    """The squares of pairs of words, n × 2 of uint32, as n × size × size."""
    bits = (words[:, :, None] >> jnp.arange(32, dtype=jnp.uint32)) & 1
    return bits.reshape(-1, 8, 8)[:, :size, :size].astype(jnp.float32)


def _squares(x: jax.Array, size: int) -> jax.Array:
    """64 numbers as squares of the board."""
    return x.reshape(-1, 8, 8)[:, :size, :size]


def _flat(x: jax.Array) -> jax.Array:
    """Squares of the board as 64 numbers."""
    rest = 8 - x.shape[1]
    return jnp.pad(x, ((0, 0), (0, rest), (0, rest))).reshape(-1, 64)


def _batch(plan: Plan, data: Arrays, places: jax.Array, turns: jax.Array) -> tuple[jax.Array, Arrays]:
    """The planes of samples, each turned at random, and their targets."""
    size = plan.shape.size
    words = data["words"][places]
    x = _turned(planes(words, size, plan.dtype), turns)
    policy = data["policies"][places].astype(jnp.float32)
    policy = _flat(_turned(_squares(policy / policy.sum(-1, keepdims=True), size), turns))
    reply = jax.nn.one_hot(data["replies"][places], 64)
    scores = data["scores"][places].astype(jnp.int32)
    targets = {
        "policy": policy,
        "legal": _flat(x[..., 2].astype(jnp.float32)) > 0,
        "result": 1 - jnp.sign(scores),
        "score": scores.astype(jnp.float32),
        "reply": _flat(_turned(_squares(reply, size), turns)),
        "owned": _turned(_bits(data["owned"][places], size), turns),
    }
    return x, targets


@functools.partial(jax.jit, static_argnames=("plan",), donate_argnames=("state",))
def advance(
    state: State, data: Arrays, count: jax.Array, steps: jax.Array, key: jax.Array, *, plan: Plan
) -> tuple[State, Arrays]:
    """The state after so many steps on the first `count` samples, and the mean losses."""
    weights = {
        "policy": 1.0,
        "result": RESULT_WEIGHT,
        "score": SCORE_WEIGHT,
        "owned": OWNED_WEIGHT,
        "reply": REPLY_WEIGHT,
    }

    def loss(parameters: Arrays, x: jax.Array, targets: Arrays) -> tuple[jax.Array, Any]:
        said, seen = learn(plan.shape, parameters, x, plan.dtype)
        losses = _losses(plan.shape, said, targets)
        whole = jnp.stack([weights[name] * part for name, part in losses.items()]).sum()
        return whole, (losses, seen)

    def step(number: jax.Array, carried: tuple[State, Arrays]) -> tuple[State, Arrays]:
        state, sums = carried
        place_key, turn_key = jax.random.split(jax.random.fold_in(key, number))
        places = jax.random.randint(place_key, (plan.batch,), 0, count)
        turns = jax.random.randint(turn_key, (plan.batch,), 0, 8)
        x, targets = _batch(plan, data, places, turns)
        gradients, (losses, seen) = jax.grad(loss, has_aux=True)(state["parameters"], x, targets)
        return _moved(plan, state, gradients, seen), jax.tree.map(jnp.add, sums, losses)

    sums = {name: jnp.zeros((), jnp.float32) for name in weights}
    state, sums = jax.lax.fori_loop(0, steps, step, (state, sums))
    return state, jax.tree.map(lambda x: x / jnp.maximum(steps, 1), sums)


def _moved(plan: Plan, state: State, gradients: Arrays, seen: Arrays) -> State:
    """The state after a step of AdamW with these gradients."""
    number = state["steps"] + 1
    time = number.astype(jnp.float32)
    rate = plan.rate * jnp.minimum(1.0, time / plan.warm_up)
    means = {
        name: MOMENTUM * mean + (1 - MOMENTUM) * gradients[name]
        for name, mean in state["means"].items()
    }
    squares = {
        name: SQUARES_MOMENTUM * square + (1 - SQUARES_MOMENTUM) * gradients[name] ** 2
        for name, square in state["squares"].items()
    }
    parameters = {}
    for name, x in state["parameters"].items():
        mean = means[name] / (1 - MOMENTUM**time)
        square = squares[name] / (1 - SQUARES_MOMENTUM**time)
        decay = DECAY if name.endswith(".w") else 0.0
        parameters[name] = x - rate * (mean / (jnp.sqrt(square) + ADAM_EPSILON) + decay * x)
    # The first steps say nothing about the last: means begin short and grow long.
    slowness = jnp.minimum(SLOWNESS, time / (time + 10))

    def followed(mean: jax.Array, new: jax.Array) -> jax.Array:
        return slowness * mean + (1 - slowness) * new

    return {
        "parameters": parameters,
        "statistics": jax.tree.map(followed, state["statistics"], seen),
        "mean_parameters": jax.tree.map(followed, state["mean_parameters"], parameters),
        "means": means,
        "squares": squares,
        "steps": number,
    }
