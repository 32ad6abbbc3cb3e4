"""An agent for the browser suite: misses the square a1, and crashes as White in its third move."""

import numpy as np

EMPTY = 0


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []
        self.moves = 0

    def flips(self, board, row, column):
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                y, x, turned = row + down, column + right, 0
                while 0 <= y < self.size and 0 <= x < self.size and board[y][x] == -self.color:
                    y, x, turned = y + down, x + right, turned + 1
                if turned and 0 <= y < self.size and 0 <= x < self.size and board[y][x] == self.color:
                    return True
        return False

    def go(self, chessboard):
        self.candidate_list.clear()
        self.moves += 1
        empty = np.argwhere(chessboard == EMPTY)
        legal = [(int(y), int(x)) for y, x in empty if self.flips(chessboard, y, x)]
        discs = self.size * self.size - len(empty)
        if self.moves > 1 and discs == 9:
            raise ValueError(f"no idea what to do with {len(legal)} squares")
        self.candidate_list.extend(square for square in legal if square != (0, 0))
