"""The network in JAX: its parameters, its value in floating point, and its value in integers.

The program computes in integers (`crates/eval/src/network.rs`); training computes in floating point,
and in its last part rounds as the integers do. A parameter's gradient ignores the rounding. All
factors between the two are powers of two, so that 32 bits round the same number everywhere.

A network is one table of rows and one layer of outputs by phase. The rows of the patterns come first;
behind them those of own moves, of the opponent's moves, of odd quadrants and of parity. The sum of a
board's rows and of `bias` is clipped to 0...1 and squared; `outputs` and `biases` of the phase make
the value of it, in units of some discs.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from .._native import network_rows

#: A network's arrays by name: table, bias, outputs, biases.
Parameters = dict[str, jax.Array]

DIMENSIONS = 64
PHASES = 30
MOVES = 32
ODD_QUADRANTS = 5
#: Rows behind those of the patterns: moves of either side, odd quadrants, parity.
OTHER_ROWS = MOVES + MOVES + ODD_QUADRANTS + 2

#: What stands for one in the sum of rows.
ONE = 512
#: The greatest number of a pattern's row.
MOST = 31
#: The square of a clipped sum has as many levels.
LEVELS = 256
#: The value of one disc.
DISC = 256
#: The greatest value, in discs.
SQUARES = 64.0

#: Bounds of the table in floating point: of patterns, and of other rows.
PATTERN_BOUND = MOST / ONE
OTHER_BOUND = 0.5


def initial(seed: int) -> Parameters:
    """A network to begin with."""
    random = np.random.default_rng(seed)
    table = random.standard_normal((network_rows() + OTHER_ROWS, DIMENSIONS), np.float32)
    bound = 0.3 / DIMENSIONS**0.5
    outputs = random.uniform(-bound, bound, DIMENSIONS)
    return {
        "table": jnp.asarray(np.clip(table * np.float32(0.02), -PATTERN_BOUND, PATTERN_BOUND)),
        "bias": jnp.full(DIMENSIONS, 0.4, jnp.float32),
        "outputs": jnp.asarray(np.tile(outputs, (PHASES, 1)), jnp.float32),
        "biases": jnp.zeros(PHASES, jnp.float32),
    }


def predict(
    parameters: Parameters,
    features: jax.Array,
    phases: jax.Array,
    *,
    unit: int,
    rounding: bool,
) -> jax.Array:
    """The value of each board for the side to move, in units of `unit` discs."""
    if rounding:
        scales = {
            "table": ONE,
            "bias": ONE,
            "outputs": unit * DISC,
            "biases": unit * DISC * LEVELS,
        }
        parameters = {name: _rounded(x, scales[name]) for name, x in parameters.items()}
    sums = parameters["table"][features].sum(1) + parameters["bias"]
    squares = jnp.square(jnp.clip(sums, 0.0, 1.0))
    if rounding:
        clipped = jnp.clip(sums * ONE, 0, ONE - 1)
        levels = jnp.floor(clipped * clipped * (LEVELS / ONE**2))
        squares = _through(squares, levels / LEVELS)
    return (squares * parameters["outputs"][phases]).sum(1) + parameters["biases"][phases]


def _through(smooth: jax.Array, rounded: jax.Array) -> jax.Array:
    """The value of `rounded` with the gradient of `smooth`."""
    stop = jax.lax.stop_gradient
    return smooth - stop(smooth) + stop(rounded)


def _rounded(x: jax.Array, scale: int) -> jax.Array:
    """The nearest multiple of 1/scale, with the gradient of `x`."""
    return _through(x, jnp.floor(x * scale + 0.5) / scale)


def integers(parameters: Parameters, unit: int) -> dict[str, npt.NDArray[Any]]:
    """The parameters as the program has them: the arguments of `network_bytes`."""

    def rounded(name: str, scale: int) -> npt.NDArray[np.int64]:
        x = np.asarray(parameters[name], np.float32)
        if not np.isfinite(x).all():
            raise FloatingPointError(f"the training diverged: {name} is not finite")
        whole: npt.NDArray[np.float32] = np.floor(x * np.float32(scale) + np.float32(0.5))
        return whole.astype(np.int64)

    ends = np.cumsum([network_rows(), MOVES, MOVES, ODD_QUADRANTS])
    rows, own, opponent, odd, parity = np.split(rounded("table", ONE), ends)
    # The parity of all empty squares is that of the number of odd quadrants.
    odd = odd + parity[np.arange(ODD_QUADRANTS) % 2] + rounded("bias", ONE)
    # The program shifts, which rounds down: half a unit makes it round to the nearest.
    biases = rounded("biases", unit * DISC * LEVELS) + LEVELS // 2
    return {
        "rows": rows.astype(np.int8),
        "own_moves": own,
        "opponent_moves": opponent,
        "odd_quadrants": odd,
        "outputs": rounded("outputs", unit * DISC),
        "biases": biases,
    }
