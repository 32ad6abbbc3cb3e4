"""Train a policy with MaskablePPO of Stable-Baselines3, against random play and against itself.

Run it: `python 6_train_with_ppo.py`

It takes some minutes on one core and ends with about 97 % of the points against random play on
6x6. It needs PyTorch, best in the build for the processor (pytorch.org shows the command under CPU;
the one for graphics cards has 5 GB), and then, in a clone, `pip install ".[sb3]"`.
"""

import random
import sys
import time

import numpy as np

import isrever

try:
    import torch
    from sb3_contrib import MaskablePPO

    from isrever.sb3 import ReversiVecEnv
except ImportError as error:
    sys.exit(f'{error}; expected PyTorch and `pip install ".[sb3]"`')

quick = "--quick" in sys.argv
SIZE, BOARDS = 6, 128
ROUNDS = 3 if quick else 20
STEPS = 64 * BOARDS * (1 if quick else 4)
GAMES = 40 if quick else 1000

# The network is so small that a second thread costs more than it gives.
torch.set_num_threads(1)
random.seed(1)

# The policy sees its own discs, the other's, and the legal moves, and has black or white by chance.
# Its reward is the score in discs, which tells a narrow win from a clear one.
env = ReversiVecEnv(BOARDS, size=SIZE, color=None, reward="score")
model = MaskablePPO(
    "MultiInputPolicy",  # a plain network on 2 * 36 squares and 37 legal moves
    env,
    policy_kwargs={"net_arch": [256, 256], "activation_fn": torch.nn.ReLU},
    learning_rate=5e-4,
    n_steps=64,  # on each board; then it learns from all of these steps, `n_epochs` times
    n_epochs=4,
    batch_size=2048,
    gamma=1.0,  # the result counts as much in the opening as at the end
    gae_lambda=0.8,
    ent_coef=0.003,
    seed=1,
    device="cpu",
)


def by_policy(game: isrever.Game) -> int:
    """The move that the policy likes best."""
    board = game.board
    seen = {"observation": board.planes(), "action_mask": board.mask().astype(np.int8)}
    action, _ = model.predict(seen, action_masks=board.mask(), deterministic=True)
    return int(action)


def score(opponent: str, games: int, openings: str = "start") -> str:
    """The share of the points against an agent, half of the games with black, and its 95 % interval."""
    match = isrever.play_match(
        ("policy", by_policy),
        opponent,
        pairs=games // 2,
        size=SIZE,
        openings=openings,
        nodes=100,
        seed=5,
        # Matches play several games at once, and a policy can answer one thread only.
        concurrency=1,
    )
    assert not match.forfeits, match
    variance = (match.wins + match.draws / 4) / games - match.score**2
    return f"{100 * match.score:.1f} ± {196 * np.sqrt(variance / games):.1f} %"


# Every second round is against the policy as it was after some earlier round. Such opponents grow
# with it; random play between them keeps it from learning no games but its own.
snapshots: list[MaskablePPO] = []
start = time.perf_counter()
for number in range(1, ROUNDS + 1):
    plays_itself = number % 2 == 0
    env.opponent = random.choice(snapshots) if plays_itself else "random"
    model.learn(STEPS, reset_num_timesteps=False)
    model.save("policy.zip")
    snapshots.append(MaskablePPO.load("policy.zip", device="cpu"))
    print(
        f"round {number} against {'itself' if plays_itself else 'random'}, "
        f"{model.num_timesteps} steps, {time.perf_counter() - start:.0f} s: "
        f"{score('random', GAMES // 10)} against random",
        flush=True,
    )

print(f"{GAMES} games against random: {score('random', GAMES)}")
print(f"{GAMES} games against greedy: {score('greedy', GAMES, openings='random:6')}")
print("The policy is in policy.zip; MaskablePPO.load reads it.")
