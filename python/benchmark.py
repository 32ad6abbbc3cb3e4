"""Steps per second of random play, on one core: one board at a time, and thousands at once.

`cargo xtask bench python` runs it on a release build and keeps what it writes. Every way of playing
gets a few turns, and its fastest one counts: what slows a turn down is the rest of the machine.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np

from isrever import Board, VectorEnv, zoo
from isrever.gym import ReversiVectorEnv

TURNS = 7
SECONDS = 0.4


def rate(play: Callable[[], int]) -> float:
    """Steps per second: `play` makes some, and says how many."""
    best = 0.0
    for _ in range(TURNS):
        began, steps = time.perf_counter(), 0
        while time.perf_counter() - began < SECONDS:
            steps += play()
        best = max(best, steps / (time.perf_counter() - began))
    return best


def one_by_one() -> Callable[[], int]:
    """A game by PettingZoo's interface, with its wrappers, as its tutorials step one."""
    env = zoo.env()
    dice = np.random.default_rng(1)

    def play() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                steps += 1
                env.step(int(dice.choice(np.flatnonzero(observation["action_mask"]))))
        return steps

    return play


def one_by_one_bare() -> Callable[[], int]:
    """The same without wrappers, and with the cheapest choice there is."""
    env = zoo.raw_env()
    dice = np.random.default_rng(1)

    def play() -> int:
        env.reset()
        steps = 0
        while not env.terminations[env.agent_selection]:
            actions = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            env.step(int(actions[int(dice.random() * len(actions))]))
            steps += 1
        return steps

    return play


def boards() -> Callable[[], int]:
    """`Board` alone: what Python costs without any environment."""
    dice = np.random.default_rng(1)

    def play() -> int:
        board, steps = Board(), 0
        while actions := board.actions():
            board = board.play(actions[int(dice.random() * len(actions))])
            steps += 1
        return steps

    return play


def at_once(count: int, size: int, steps: int) -> Callable[[], int]:
    """Actions drawn by the environment, one call for each step: all arrays are written."""
    env = VectorEnv(count, size=size)

    def play() -> int:
        for _ in range(steps):
            env.step(env.sample())
        return steps * count

    return play


def by_gymnasium(count: int, opponent: str | None) -> Callable[[], int]:
    """The same by Gymnasium's interface: arrays are copied, and an opponent answers every step."""
    env = ReversiVectorEnv(count, opponent=opponent)
    env.reset(seed=1)

    def play() -> int:
        # The first legal action: drawing one would cost more than the step.
        env.step(env.action_masks().argmax(axis=1))
        return count

    return play


def in_rust(count: int, size: int, steps: int) -> Callable[[], int]:
    """Many steps in one call: arrays are written after the last."""
    env = VectorEnv(count, size=size)

    def play() -> int:
        env.play_randomly(steps)
        return steps * count

    return play


def main() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    plain = rate(one_by_one())
    rows = [
        ("PettingZoo, `zoo.env()`", plain),
        ("PettingZoo, `zoo.raw_env()`", rate(one_by_one_bare())),
        ("`Board`, no environment", rate(boards())),
    ]
    for size in (8, 6, 4):
        for count in (64, 1024, 16384):
            name = f"`VectorEnv({count}, size={size})`, `step(sample())`"
            rows.append((name, rate(at_once(count, size, max(1, 16384 // count)))))
    for opponent in (None, "random"):
        name = f"`ReversiVectorEnv(1024, opponent={opponent!r})`".replace("'", '"')
        rows.append((name, rate(by_gymnasium(1024, opponent))))
    rows.append(("`VectorEnv(1024, size=8)`, `play_randomly`", rate(in_rust(1024, 8, 100))))
    print("Random play on 8×8 where no other size is named, one core, steps per second:\n")
    print("| | steps per second | of `zoo.env()`'s |\n|---|---|---|")
    for name, steps in rows:
        print(f"| {name} | {steps:,.0f} | {steps / plain:,.1f} × |")


if __name__ == "__main__":
    main()
