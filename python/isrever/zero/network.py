"""The network in JAX: residual blocks on the planes of a board, and its heads.

One `forward` serves training and play. In training a convolution is normalised by its batch; for
play `fold` makes one convolution with a bias of both, and leaves out the heads that only help to
learn. `crates/zero/src/network.rs` computes the folded network on a processor.

A board comes as four words of 64 bits: own discs, opponent's discs, own moves, opponent's moves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

#: Arrays by name.
Arrays = dict[str, jax.Array]

PLANES = 5
POLICY_CHANNELS = 32
VALUE_CHANNELS = 16
VALUE_NEURONS = 128
#: Win, draw, loss and the score.
VALUE_OUTPUTS = 4
#: Discs in a unit of the score.
UNIT = 16.0
#: Every so many blocks, the last one also sees the whole board.
POOLED_EVERY = 3
#: Added to variances.
EPSILON = 1e-5


@dataclass(frozen=True)
class Shape:
    """The size of a network, and of its board."""

    size: int
    blocks: int
    channels: int

    def is_pooled(self, block: int) -> bool:
        """Whether a block also sees the whole board."""
        return block % POOLED_EVERY == POOLED_EVERY - 1


@dataclass(frozen=True)
class Said:
    """What a network says about boards, and what it only says in training."""

    #: A logit for each of 64 squares.
    policy: jax.Array
    #: Logits of win, draw and loss.
    results: jax.Array
    #: The expected score in units.
    score: jax.Array
    #: A logit for each square of the opponent's reply.
    reply: jax.Array | None
    #: A logit for each square of owning it in the end, on the board itself.
    owned: jax.Array | None


def _layers(shape: Shape) -> dict[str, tuple[tuple[int, ...], str]]:
    """The shape and kind of each layer's weights: `norm` (a convolution that is normalised) or `bias`."""
    c, p, v = shape.channels, POLICY_CHANNELS, VALUE_CHANNELS
    layers: dict[str, tuple[tuple[int, ...], str]] = {"stem": ((3, 3, PLANES, c), "norm")}
    for block in range(shape.blocks):
        layers[f"block{block}.first"] = ((3, 3, c, c), "norm")
        layers[f"block{block}.second"] = ((3, 3, c, c), "norm")
        if shape.is_pooled(block):
            layers[f"block{block}.pool"] = ((2 * c, c), "bias")
    layers |= {
        "policy.first": ((1, 1, c, p), "norm"),
        "policy.second": ((1, 1, p, p), "norm"),
        "policy.pool": ((2 * p, p), "bias"),
        "policy.logits": ((1, 1, p, 1), "bias"),
        "reply.logits": ((1, 1, p, 1), "bias"),
        "value.first": ((1, 1, c, v), "norm"),
        "value.hidden": ((shape.size**2 * v, VALUE_NEURONS), "bias"),
        "value.out": ((VALUE_NEURONS, VALUE_OUTPUTS), "bias"),
        "owned.logits": ((1, 1, c, 1), "bias"),
    }
    return layers


def initial(shape: Shape, seed: int) -> tuple[Arrays, Arrays]:
    """Parameters to begin with, and the statistics of the norms."""
    random = np.random.default_rng(seed)
    parameters, statistics = {}, {}
    for name, (extents, kind) in _layers(shape).items():
        deviation = (2 / np.prod(extents[:-1])) ** 0.5
        if name.endswith((".out", ".logits")):
            deviation *= 0.1
        weights = random.standard_normal(extents, np.float32) * np.float32(deviation)
        parameters[f"{name}.w"] = jnp.asarray(weights)
        outputs = extents[-1]
        parameters[f"{name}.b"] = jnp.zeros(outputs, jnp.float32)
        if kind == "norm":
            # A block begins as nothing: what it adds is scaled by zero.
            is_end = name.startswith("block") and name.endswith(".second")
            scale = jnp.zeros if is_end else jnp.ones
            parameters[f"{name}.s"] = scale(outputs, jnp.float32)
            statistics[f"{name}.mean"] = jnp.zeros(outputs, jnp.float32)
            statistics[f"{name}.variance"] = jnp.ones(outputs, jnp.float32)
    return parameters, statistics


def planes(words: jax.Array, size: int, dtype: Any) -> jax.Array:
    """The planes of boards given as n × 8 of uint32, the low half of each word first."""
    bits = (words[:, :, None] >> jnp.arange(32, dtype=jnp.uint32)) & 1
    squares = bits.reshape(-1, PLANES - 1, 8, 8)[:, :, :size, :size].transpose(0, 2, 3, 1)
    ones = jnp.ones((*squares.shape[:3], 1), squares.dtype)
    return jnp.concatenate([squares, ones], -1).astype(dtype)


def _convolved(x: jax.Array, w: jax.Array) -> jax.Array:
    if w.shape[:2] == (1, 1):
        return x @ w[0, 0]
    if jax.default_backend() == "cpu":
        # Many times as fast there as its own convolutions, which are slow inside loops.
        padded = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        side = x.shape[1]
        near = [padded[:, r : r + side, c : c + side] for r in range(3) for c in range(3)]
        return jnp.concatenate(near, -1) @ w.reshape(-1, w.shape[-1])
    layout = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=layout)


def _pooled(x: jax.Array) -> jax.Array:
    """The mean and the greatest of each channel."""
    return jnp.concatenate([x.mean((1, 2)), x.max((1, 2))], -1)


def _forward(
    shape: Shape,
    x: jax.Array,
    convolve: Callable[[str, jax.Array], jax.Array],
    dense: Callable[[str, jax.Array], jax.Array],
    *,
    helpers: bool,
) -> Said:
    """What the network says about planes; `convolve` and `dense` are its layers by name."""
    x = jax.nn.relu(convolve("stem", x))
    for block in range(shape.blocks):
        first = jax.nn.relu(convolve(f"block{block}.first", x))
        second = convolve(f"block{block}.second", first)
        if shape.is_pooled(block):
            second += dense(f"block{block}.pool", _pooled(first))[:, None, None]
        x = jax.nn.relu(x + second)
    p = jax.nn.relu(convolve("policy.first", x))
    everywhere = dense("policy.pool", _pooled(p))[:, None, None]
    p = jax.nn.relu(convolve("policy.second", p) + everywhere)
    v = jax.nn.relu(convolve("value.first", x))
    v = jax.nn.relu(dense("value.hidden", v.reshape(v.shape[0], -1)))
    v = dense("value.out", v).astype(jnp.float32)
    return Said(
        policy=_on_squares(convolve("policy.logits", p)),
        results=v[:, :3],
        score=v[:, 3],
        reply=_on_squares(convolve("reply.logits", p)) if helpers else None,
        owned=convolve("owned.logits", x)[..., 0].astype(jnp.float32) if helpers else None,
    )


def _on_squares(x: jax.Array) -> jax.Array:
    """A number for each of 64 squares, zero outside the board."""
    rest = 8 - x.shape[1]
    full = jnp.pad(x[..., 0], ((0, 0), (0, rest), (0, rest)))
    return full.reshape(-1, 64).astype(jnp.float32)


def learn(
    shape: Shape, parameters: Arrays, x: jax.Array, dtype: Any
) -> tuple[Said, Arrays]:
    """What the network in training says about planes, and the statistics of this batch."""
    seen: Arrays = {}

    def convolve(name: str, x: jax.Array) -> jax.Array:
        y = _convolved(x, parameters[f"{name}.w"].astype(dtype))
        if f"{name}.s" not in parameters:
            return y + parameters[f"{name}.b"].astype(dtype)
        y = y.astype(jnp.float32)
        mean, variance = y.mean((0, 1, 2)), y.var((0, 1, 2))
        seen[f"{name}.mean"], seen[f"{name}.variance"] = mean, variance
        scale = parameters[f"{name}.s"] * jax.lax.rsqrt(variance + EPSILON)
        return ((y - mean) * scale + parameters[f"{name}.b"]).astype(dtype)

    def dense(name: str, x: jax.Array) -> jax.Array:
        return x @ parameters[f"{name}.w"].astype(dtype) + parameters[f"{name}.b"].astype(dtype)

    return _forward(shape, x, convolve, dense, helpers=True), seen


def fold(parameters: Arrays, statistics: Arrays) -> Arrays:
    """The network for play: weights `.w` and biases `.b`, without what only helps to learn."""
    folded = {}
    for key, w in parameters.items():
        name, _, part = key.rpartition(".")
        if part != "w" or name in ("reply.logits", "owned.logits"):
            continue
        bias = parameters[f"{name}.b"]
        if f"{name}.s" in parameters:
            deviation = jnp.sqrt(statistics[f"{name}.variance"] + EPSILON)
            scale = parameters[f"{name}.s"] / deviation
            w, bias = w * scale, bias - statistics[f"{name}.mean"] * scale
        folded[f"{name}.w"], folded[f"{name}.b"] = w, bias
    return folded


def play(shape: Shape, folded: Arrays, words: jax.Array, dtype: Any) -> tuple[jax.Array, jax.Array]:
    """What a folded network says about boards: logits, n × 64; expected result and score, n × 2."""

    def convolve(name: str, x: jax.Array) -> jax.Array:
        y = _convolved(x, folded[f"{name}.w"].astype(dtype))
        return y + folded[f"{name}.b"].astype(dtype)

    def dense(name: str, x: jax.Array) -> jax.Array:
        return x @ folded[f"{name}.w"].astype(dtype) + folded[f"{name}.b"].astype(dtype)

    said = _forward(shape, planes(words, shape.size, dtype), convolve, dense, helpers=False)
    results = jax.nn.softmax(said.results)
    values = jnp.stack([results[:, 0] - results[:, 2], said.score * UNIT], -1)
    return said.policy, values
