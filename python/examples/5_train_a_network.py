"""Train a tiny network on the vectorised environment, with numpy alone.

Run it: `python 5_train_a_network.py`

The network guesses who wins a 6x6 game from its board. What it learns from are random games,
thousands at a time; what it learns is enough to beat who plays them.
"""

import sys

import numpy as np
import numpy.typing as npt

import isrever

Array = npt.NDArray[np.float32]

quick = "--quick" in sys.argv
SIZE, BOARDS, HIDDEN = 6, 512 if quick else 4096, 48
ROUNDS = 12 if quick else 80
dice = np.random.default_rng(1)


def positions(env: isrever.VectorEnv) -> tuple[Array, Array]:
    """A position of each of many random games, and 1 where its side to move went on to win."""
    env.reset()
    # Rewards are those of the side that made the last step of a game.
    for _ in range(int(dice.integers(4, 28))):
        env.step(env.sample())
    boards, sides = env.observations.astype(np.float32), env.turns.copy()
    results, is_open = np.zeros(BOARDS, np.float32), np.ones(BOARDS, bool)
    while is_open.any():
        movers = env.turns.copy()
        _, rewards, dones, _ = env.step(env.sample())
        ended = is_open & dones
        results[ended] = (rewards * np.where(movers == sides, 1, -1))[ended]
        is_open &= ~dones
    return boards, results


class Network:
    """Two layers, trained by Adam on the squared error."""

    def __init__(self) -> None:
        inputs = 2 * SIZE * SIZE
        self.layers: list[Array] = [
            (dice.normal(size=(inputs, HIDDEN)) / np.sqrt(inputs)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            (dice.normal(size=HIDDEN) / np.sqrt(HIDDEN)).astype(np.float32),
        ]
        self.means = [np.zeros_like(layer) for layer in self.layers]
        self.squares = [np.zeros_like(layer) for layer in self.layers]
        self.steps = 0

    def values(self, boards: Array) -> Array:
        first, bias, last = self.layers
        hidden: Array = np.tanh(boards.reshape(len(boards), -1) @ first + bias)
        return hidden @ last

    def learn(self, boards: Array, results: Array) -> float:
        first, bias, last = self.layers
        flat = boards.reshape(len(boards), -1)
        hidden = np.tanh(flat @ first + bias)
        error = hidden @ last - results
        back = np.outer(error, last) * (1 - hidden**2) / len(flat)
        slopes = [flat.T @ back, back.sum(axis=0), hidden.T @ error / len(flat)]
        self.steps += 1
        for layer, slope, mean, square in zip(self.layers, slopes, self.means, self.squares):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            rate = 0.01 * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
            layer -= rate * mean / (np.sqrt(square) + 1e-8)
        return float((error**2).mean())


network = Network()
env = isrever.VectorEnv(BOARDS, size=SIZE, seed=1)
for number in range(ROUNDS):
    boards, results = positions(env)
    # Every position in its eight images: the same game to the rules, another to the network.
    images, _ = isrever.augment(boards, np.zeros((BOARDS, SIZE * SIZE + 1), np.float32))
    answers = np.tile(results, 8)
    order = dice.permutation(len(images))
    losses = [
        network.learn(images[part], answers[part])
        for part in np.array_split(order, len(order) // 256)
    ]
    if number % 4 == 0:
        print(f"round {number}: squared error {np.mean(losses):.3f}")


def by_network(game: isrever.Game) -> str:
    """The move after which the opponent's chances look worst."""
    moves = game.board.moves()
    after = np.stack([game.board.play(move).planes() for move in moves]).astype(np.float32)
    return moves[int(network.values(after).argmin())]


match = isrever.play_match(by_network, "random", pairs=20 if quick else 200, size=SIZE, seed=5)
print(match)
assert match.score > 0.5, "it has learned something"
