"""Renders games for environments: as text, as a picture, or in a window."""

from __future__ import annotations

from typing import Union

from ._image import Image, board_image
from ._native import Game
from ._window import Window, window

#: The render modes of an environment.
MODES = ("ansi", "human", "rgb_array")

#: The pictures that a window shows in a second.
FPS = 4

#: The result of `render`: a text, a picture, or nothing for a window.
Frame = Union[str, Image, None]


class Screen:
    """Where an environment shows its game."""

    def __init__(self, mode: str | None) -> None:
        if mode not in (None, *MODES):
            raise ValueError(f"render_mode cannot be {mode!r}; expected ansi, human or rgb_array")
        self.mode = mode
        self._window: Window | None = window(FPS) if mode == "human" else None

    def render(self, game: Game) -> Frame:
        """Renders the position of a game; returns nothing where there is a window."""
        if self.mode == "ansi":
            return str(game.board)
        if self.mode == "rgb_array":
            return _image(game)
        self.refresh(game)
        return None

    def refresh(self, game: Game) -> None:
        """Shows the position if there is a window."""
        if self._window is not None:
            self._window.show(_image(game))

    def close(self) -> None:
        """Closes the window if there is one."""
        if self._window is not None:
            self._window.close()


def _image(game: Game) -> Image:
    discs = (move for move in reversed(game.moves) if move != "pass")
    return board_image(game.board, next(discs, None))
