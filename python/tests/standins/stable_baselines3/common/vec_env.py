"""The base of its vector environments, with the same abstract methods."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any


class VecEnv(ABC):
    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs = num_envs
        self.observation_space = observation_space
        self.action_space = action_space
        self._reset_seeds()
        self.render_mode = self.get_attr("render_mode")[0]

    @abstractmethod
    def reset(self) -> Any: ...

    @abstractmethod
    def step_async(self, actions: Any) -> None: ...

    @abstractmethod
    def step_wait(self) -> Any: ...

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]: ...

    @abstractmethod
    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None: ...

    @abstractmethod
    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]: ...

    @abstractmethod
    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]: ...

    def step(self, actions: Any) -> Any:
        self.step_async(actions)
        return self.step_wait()

    def seed(self, seed: int) -> list[int | None]:
        self._seeds = [seed + place for place in range(self.num_envs)]
        return self._seeds

    def _reset_seeds(self) -> None:
        self._seeds: list[int | None] = [None] * self.num_envs

    def _get_indices(self, indices: Any) -> Iterable[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else list(indices)
