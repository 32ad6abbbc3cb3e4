"""Many games against an opponent as one vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ._image import board_image
from ._native import Agent, Board, Rule, VectorEnv
from ._opponent import Policy, predictor
from ._render import FPS, Frame
from ._spaces import (
    Observation,
    action_space,
    check_reward,
    observation,
    observation_space,
    side_of,
)

#: An opponent on many boards: an agent's spec, a policy, or a function that gets the observations of
#: the boards where it is to move and gives an action for each; `None` leaves both sides to you.
BatchOpponent = Union[str, Policy, Callable[[Observation], npt.ArrayLike], None]

_Actions = npt.NDArray[np.int64]
_Truths = npt.NDArray[np.bool_]

_MODES = ("ansi", "rgb_array")


class ReversiVectorEnv(
    gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]
):
    """Many games as in `ReversiEnv`, stepped at once on boards of 4x4, 6x6 or 8x8.

    A game that ends starts again in the same step (`AutoresetMode.SAME_STEP`): `infos["final_obs"]`
    has the last observation, and what comes back is the new start. So every mask has a legal action,
    if only the pass. An illegal action raises a `ValueError`, and no board changes.

    With `opponent=None` you play both sides in turn: observations are for the side to move next,
    rewards for the side that made the step.
    """

    metadata: dict[str, Any] = {
        "render_modes": list(_MODES),
        "render_fps": FPS,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        size: int = 8,
        rule: Rule | str = "reversed",
        opponent: BatchOpponent = "random",
        nodes: int | None = None,
        color: int | str | None = -1,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        check_reward(reward)
        if render_mode not in (None, *_MODES):
            raise ValueError(f"render_mode cannot be {render_mode!r}; expected ansi or rgb_array")
        self._color = side_of(color)
        self._boards = VectorEnv(num_envs, rule=rule, size=size)
        # Refuses a wrong limit before any game begins.
        Agent("random").choose(Board(size), nodes=nodes)
        self.num_envs = num_envs
        self.size: int = size
        self.rule: Rule | str = rule
        self.nodes: int | None = nodes
        self.color: int | str | None = color
        self.reward: str = reward
        self.render_mode = render_mode
        #: Your side on each board: -1 black, 1 white. With `opponent=None` the side to move.
        self.sides: npt.NDArray[np.int8] = np.full(num_envs, -1, np.int8)
        self.opponent = opponent
        self._is_open = False
        self.single_action_space: spaces.Space[Any] = action_space(size)
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, num_envs)
        self.single_observation_space: spaces.Space[Any] = observation_space(size)
        self.observation_space: spaces.Space[Any] = batch_space(
            self.single_observation_space, num_envs
        )
        self._clear()

    @property
    def opponent(self) -> BatchOpponent:
        """The other side on all boards. A new one takes over with its next moves."""
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: BatchOpponent) -> None:
        self._choose = self._chooser(opponent)
        self._opponent: BatchOpponent = opponent

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._boards.reset(seed=int(self.np_random.integers(2**63)))
        self.opponent = self._opponent
        self._draw_sides(np.ones(self.num_envs, np.bool_))
        self._clear()
        self._answer()
        self._is_open = True
        return self._observations(), self._infos()

    def step(self, actions: npt.ArrayLike) -> tuple[
        Observation,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        if not self._is_open:
            raise ValueError("no game has begun; expected a reset")
        self._clear()
        self._play(np.asarray(actions), None)
        self._answer()
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._observations(), self._rewards, self._terminations, truncations, self._infos()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of all boards as booleans; every board has one at least."""
        return self._boards.masks.copy()

    def render(self) -> tuple[Frame, ...] | None:  # type: ignore[override]
        """The boards as texts or pictures, as `render_mode` says."""
        if self.render_mode is None:
            return None
        boards = self._board_list(np.ones(self.num_envs, np.bool_))
        if self.render_mode == "ansi":
            return tuple(map(str, boards))
        return tuple(map(board_image, boards))

    def _clear(self) -> None:
        """Forgets the results of the last step."""
        self._rewards = np.zeros(self.num_envs, np.float64)
        self._terminations = np.zeros(self.num_envs, np.bool_)
        self._finals: dict[int, Observation] = {}

    def _draw_sides(self, where: _Truths) -> None:
        """Chooses our sides in games that begin."""
        if self._color is not None:
            self.sides[where] = self._color
        else:
            drawn = 2 * self.np_random.integers(2, size=self.num_envs) - 1
            self.sides[where] = drawn[where]

    def _play(self, actions: npt.NDArray[Any], where: _Truths | None) -> None:
        """Plays one action on each board, or on some, and keeps the results of games that end."""
        boards = self._boards
        planes, turns = boards.observations.copy(), boards.turns.copy()
        boards.step(actions, where)
        for place in np.flatnonzero(boards.dones).tolist():
            turn = int(turns[place])
            cells = turn * (planes[place, 0].astype(np.int8) - planes[place, 1].astype(np.int8))
            end = Board.from_array(cells, turn).play(int(actions[place]))
            has_opponent = self._opponent is not None
            # With an opponent, our side sees the end and is paid. Otherwise the side to move next
            # sees it and the one that moved is paid, as after every other step.
            seen_by, side = (self.sides[place],) * 2 if has_opponent else (end.turn, turn)
            score = int(boards.scores[place]) * (1 if side == turn else -1)
            self._rewards[place] = (
                score / self.size**2 if self.reward == "score" else np.sign(score)
            )
            self._terminations[place] = True
            self._finals[place] = observation(end, int(seen_by))
        if boards.dones.any():
            self._draw_sides(boards.dones)

    def _answer(self) -> None:
        """Lets the opponent play on every board until it is our turn."""
        if self._opponent is None:
            self.sides[:] = self._boards.turns
            return
        while (theirs := self._boards.turns != self.sides).any():
            passes = self._boards.masks[:, -1]
            actions = np.full(self.num_envs, self.size**2, np.int64)
            asked = theirs & ~passes
            if asked.any():
                actions[asked] = self._replies(asked)
            try:
                self._play(actions, theirs)
            except ValueError as error:
                raise ValueError(f"the opponent's move: {error}") from None

    def _replies(self, asked: _Truths) -> _Actions:
        """The opponent's actions on the boards where it is asked."""
        given, count = np.asarray(self._choose(asked)), int(asked.sum())
        if given.shape != (count,) or given.dtype.kind not in "iu":
            kind = f"an array of {given.dtype} and shape {given.shape}"
            raise ValueError(f"the opponent gave {kind}; expected {count} whole numbers")
        return given.astype(np.int64)

    def _chooser(self, opponent: BatchOpponent) -> Callable[[_Truths], npt.ArrayLike]:
        """A function that chooses the opponent's actions on the boards where it is asked."""
        if opponent == "random":
            return lambda asked: self._boards.sample()[asked]
        if isinstance(opponent, str):
            return self._agent(opponent)
        if isinstance(opponent, Policy):
            predict = predictor(opponent)
            return lambda asked: predict(self._seen(asked), self._boards.masks[asked])
        if callable(opponent):
            function = opponent
            return lambda asked: function(self._seen(asked))
        if opponent is None:
            return lambda asked: []
        expected = "expected an agent's spec, a function of observations, a policy or None"
        raise ValueError(f"an opponent of type {type(opponent).__name__}; {expected}")

    def _agent(self, spec: str) -> Callable[[_Truths], npt.ArrayLike]:
        """An agent that is asked about one board after the other."""
        agent = Agent(spec, seed=int(self.np_random.integers(2**63)))

        def choose(asked: _Truths) -> list[int]:
            actions = []
            for board in self._board_list(asked):
                move = agent.choose(board, rule=self.rule, nodes=self.nodes).move
                # Moves and actions come in the same order.
                actions.append(board.actions()[board.moves().index(move)])
            return actions

        return choose

    def _board_list(self, where: _Truths) -> list[Board]:
        cells, turns = self._boards.boards()[where], self._boards.turns[where].tolist()
        return [Board.from_array(discs, turn) for discs, turn in zip(cells, turns)]

    def _seen(self, where: _Truths) -> Observation:
        """The observations of some boards, for the sides to move."""
        return {
            "observation": self._boards.observations[where],
            "action_mask": self._boards.masks[where].astype(np.int8),
        }

    def _observations(self) -> Observation:
        return self._seen(np.ones(self.num_envs, np.bool_))

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        for place, final in self._finals.items():
            info = {"action_mask": final["action_mask"].copy()}
            infos = self._add_info(infos, {"final_obs": final, "final_info": info}, place)
        infos["action_mask"] = self._boards.masks.astype(np.int8)
        infos["_action_mask"] = np.ones(self.num_envs, np.bool_)
        return infos
