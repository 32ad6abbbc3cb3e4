"""Reversi in plain loops over lists: slow, obvious, and nothing of ours in it."""

from __future__ import annotations

DIRECTIONS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def start(size: int) -> list[list[int]]:
    cells = [[0] * size for _ in range(size)]
    low, high = size // 2 - 1, size // 2
    cells[low][low] = cells[high][high] = 1
    cells[low][high] = cells[high][low] = -1
    return cells


def flips(cells: list[list[int]], row: int, column: int, color: int) -> list[tuple[int, int]]:
    size, turned = len(cells), []
    if cells[row][column]:
        return []
    for down, right in DIRECTIONS:
        line, r, c = [], row + down, column + right
        while 0 <= r < size and 0 <= c < size and cells[r][c] == -color:
            line.append((r, c))
            r, c = r + down, c + right
        if 0 <= r < size and 0 <= c < size and cells[r][c] == color:
            turned += line
    return turned


def moves(cells: list[list[int]], color: int) -> list[tuple[int, int]]:
    size = len(cells)
    return [(r, c) for r in range(size) for c in range(size) if flips(cells, r, c, color)]


def play(cells: list[list[int]], row: int, column: int, color: int) -> list[list[int]]:
    after = [line[:] for line in cells]
    for r, c in [*flips(cells, row, column, color), (row, column)]:
        after[r][c] = color
    return after


def score(cells: list[list[int]], color: int) -> int:
    """The reversed score: fewer discs win, empty squares count for who has more."""
    own = sum(line.count(color) for line in cells)
    other = sum(line.count(-color) for line in cells)
    empty = len(cells) ** 2 - own - other
    normal = own - other
    if normal:
        normal += empty if normal > 0 else -empty
    return -normal
