"""Pictures of boards as arrays of pixels, drawn with numpy alone.

They look like the SVG pictures of notebooks: the same colours, the last move ringed, legal squares
dotted. Edges are smooth: a pixel that a shape covers in part takes its colour in part.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ._native import Board

Image = npt.NDArray[np.uint8]
_Plane = npt.NDArray[np.float64]
_Rgb = tuple[int, int, int]

_PAPER: _Rgb = (0xF4, 0xF1, 0xEA)
_CLOTH: _Rgb = (0x2F, 0x7D, 0x5B)
_GRID: _Rgb = (0x1D, 0x5A, 0x40)
_SHADOW: _Rgb = (0x0D, 0x3B, 0x29)
_LEGAL: _Rgb = (0xF6, 0xC4, 0x53)
_LAST: _Rgb = (0xE4, 0x57, 0x2E)
#: A disc's colour at its edge and where the light falls, by its number.
_DISCS: dict[int, tuple[_Rgb, _Rgb]] = {
    -1: ((0x16, 0x16, 0x16), (0x4A, 0x4A, 0x4A)),
    1: ((0xDC, 0xDA, 0xD4), (0xFF, 0xFF, 0xFF)),
}

#: The width of a board in pixels, roughly; a square is a whole number of pixels wide.
_WIDTH = 512


def board_image(board: Board, last: str | None = None) -> Image:
    """A board as height × width × 3 of uint8; `last` is the square of the last move."""
    size = board.size
    width = _WIDTH // size
    discs = board.to_array().ravel().tolist()
    legal = frozenset(board.moves())
    names = [f"{chr(ord('a') + column)}{row + 1}" for row in range(size) for column in range(size)]
    tiles = [_tile(width, disc, name in legal, name == last) for disc, name in zip(discs, names)]
    rows = np.stack(tiles).reshape(size, size, width, width, 3)
    cloth = rows.transpose(0, 2, 1, 3, 4).reshape(size * width, size * width, 3)
    margin = _WIDTH // 24
    image = np.empty((size * width + 2 * margin, size * width + 2 * margin, 3), np.uint8)
    image[:] = _PAPER
    image[margin - 2 : -margin + 2, margin - 2 : -margin + 2] = _GRID
    image[margin:-margin, margin:-margin] = cloth
    _draw_points(image, size, width, margin)
    return image


@lru_cache(maxsize=64)
def _tile(width: int, disc: int, is_legal: bool, is_last: bool) -> Image:
    """One square, with what is on it."""
    tile = np.empty((width, width, 3))
    tile[:] = _CLOTH
    tile[[0, -1], :] = tile[:, [0, -1]] = _GRID
    radius = 0.41 * width
    if disc:
        edge, light = _DISCS[disc]
        _paint(tile, _SHADOW, 0.6 * _circle(width, radius, (0.02 * width, 0.04 * width)))
        _paint(tile, edge, _circle(width, radius))
        shine = np.clip(1 - _distance(width, (-0.12 * width, -0.15 * width)) / radius, 0, 1)
        _paint(tile, light, shine * _circle(width, radius))
    if is_last:
        ring = _circle(width, 0.92 * radius) - _circle(width, 0.92 * radius - max(2, width / 20))
        _paint(tile, _LAST, ring)
    if is_legal:
        _paint(tile, _LEGAL, _circle(width, 0.1 * width))
    return _to_bytes(tile)


def _draw_points(image: Image, size: int, width: int, margin: int) -> None:
    """The four points of a board of wood, two squares from its corners."""
    if size < 6:
        return
    half = width // 4
    point = _circle(2 * half, 0.055 * width)
    for row in (2, size - 2):
        for column in (2, size - 2):
            top, left = (margin + place * width - half for place in (row, column))
            part = image[top : top + 2 * half, left : left + 2 * half]
            pixels = part.astype(np.float64)
            _paint(pixels, _SHADOW, point)
            part[:] = _to_bytes(pixels)


def _distance(width: int, off: tuple[float, float] = (0.0, 0.0)) -> _Plane:
    """How far each pixel is from a point `off` the middle, to the right and down."""
    places = np.arange(width) + 0.5 - width / 2
    away: _Plane = np.hypot(places[None, :] - off[0], places[:, None] - off[1])
    return away


def _circle(width: int, radius: float, off: tuple[float, float] = (0.0, 0.0)) -> _Plane:
    """How much of each pixel a circle covers, from 0 to 1."""
    return np.clip(radius + 0.5 - _distance(width, off), 0, 1)


def _paint(pixels: _Plane, colour: _Rgb, share: _Plane) -> None:
    """Gives each pixel its share of a colour."""
    pixels += share[:, :, None] * (np.array(colour) - pixels)


def _to_bytes(pixels: _Plane) -> Image:
    return np.rint(pixels).astype(np.uint8)
