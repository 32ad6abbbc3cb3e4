"""A window that shows pictures, by pygame or by matplotlib."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from gymnasium.error import DependencyNotInstalled

from ._image import Image

_TITLE = "Reversi"


class Window(Protocol):
    """Shows one picture after the other."""

    def show(self, image: Image) -> None:
        """Shows a picture for the time of a frame."""

    def close(self) -> None:
        """Closes the window."""


def window(fps: float) -> Window:
    """A window that opens with its first picture, and shows so many pictures a second."""
    if find_spec("pygame"):
        return _PygameWindow(fps)
    if find_spec("matplotlib"):
        return _MatplotlibWindow(fps)
    raise DependencyNotInstalled(
        "render_mode human needs pygame or matplotlib; expected one: pip install matplotlib"
    )


class _PygameWindow:
    def __init__(self, fps: float) -> None:
        self._pygame: Any = import_module("pygame")
        self._fps = fps
        self._surface: Any = None

    def show(self, image: Image) -> None:
        pygame, (height, width, _) = self._pygame, image.shape
        if self._surface is None:
            pygame.display.init()
            pygame.display.set_caption(_TITLE)
            self._surface = pygame.display.set_mode((width, height))
            self._clock = pygame.time.Clock()
        picture = pygame.image.frombuffer(image.tobytes(), (width, height), "RGB")
        self._surface.blit(picture, (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._fps)

    def close(self) -> None:
        if self._surface is not None:
            self._surface = None
            self._pygame.display.quit()


class _MatplotlibWindow:
    def __init__(self, fps: float) -> None:
        self._plt: Any = import_module("matplotlib.pyplot")
        self._fps = fps
        self._figure: Any = None

    def show(self, image: Image) -> None:
        if self._figure is None:
            self._figure = self._plt.figure(num=None, figsize=(6, 6))
            self._axes = self._figure.add_axes((0, 0, 1, 1))
            self._axes.set_axis_off()
            self._picture = self._axes.imshow(image)
            if self._figure.canvas.manager is not None:
                self._figure.canvas.manager.set_window_title(_TITLE)
        self._picture.set_data(image)
        # Where there is no screen, pictures are drawn and nobody waits for them.
        if self._figure.canvas.required_interactive_framework is None:
            self._figure.canvas.draw()
        else:
            self._plt.pause(1 / self._fps)

    def close(self) -> None:
        if self._figure is not None:
            self._plt.close(self._figure)
            self._figure = None
