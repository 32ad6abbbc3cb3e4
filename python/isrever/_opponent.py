"""Opponents in environments: agents by their specs, functions, and policies of learners."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Protocol, Union, runtime_checkable

from ._native import Agent, Game
from ._spaces import Observation, mask, observation


@runtime_checkable
class Policy(Protocol):
    """Predicts an action from an observation, as the models of Stable-Baselines3 do.

    A policy that takes `action_masks` gets them. It returns an action and a state; the state is
    ignored.
    """

    def predict(self, observation: Any, /, *args: Any, **kwargs: Any) -> Any: ...


#: An opponent: an agent's spec, a function that gets a game and gives a move, or a policy.
Opponent = Union[str, Policy, Callable[[Game], object]]

#: Chooses a move for the side to move.
Chooser = Callable[[Game], Any]


def chooser(opponent: Opponent, *, seed: int, nodes: int | None) -> Chooser:
    """A function that chooses an opponent's moves. Seed and nodes are for agents."""
    if isinstance(opponent, str):
        agent = Agent(opponent, seed=seed)
        return lambda game: agent.choose(game, nodes=nodes).move
    if isinstance(opponent, Policy):
        predict = predictor(opponent)

        def choose(game: Game) -> Any:
            board = game.board
            return predict(observation(board, board.turn), mask(board))

        return choose
    if callable(opponent):
        function = opponent
        return lambda game: function(game.copy())
    expected = "expected an agent's spec, a function of a game, or a policy with predict"
    raise ValueError(f"an opponent of type {type(opponent).__name__}; {expected}")


def predictor(policy: Policy) -> Callable[[Observation, Any], Any]:
    """A function that asks a policy, given an observation and a mask: of one board, or of many."""
    takes_masks = _takes_masks(policy.predict)

    def predict(seen: Observation, masks: Any) -> Any:
        settings = {"action_masks": masks} if takes_masks else {}
        answer = policy.predict(seen, **settings)
        return answer[0] if isinstance(answer, tuple) else answer

    return predict


def _takes_masks(predict: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(predict).parameters
    except (TypeError, ValueError):
        return False
    return "action_masks" in parameters or any(
        parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values()
    )
