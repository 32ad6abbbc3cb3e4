"""Compiled where numba is installed, plain where it is not; lists joined and replaced."""
import numpy as np

try:
    from numba import njit
except ImportError:
    def njit(*args, **kwargs):
        return args[0] if args and callable(args[0]) else lambda function: function


@njit(cache=True)
def is_legal(board, row, column, color):
    size = board.shape[0]
    if board[row, column] != 0:
        return False
    for down in range(-1, 2):
        for right in range(-1, 2):
            if down == 0 and right == 0:
                continue
            r, c, seen = row + down, column + right, False
            while 0 <= r < size and 0 <= c < size and board[r, c] == -color:
                r, c, seen = r + down, c + right, True
            if seen and 0 <= r < size and 0 <= c < size and board[r, c] == color:
                return True
    return False


@njit
def legal_map(board, color):
    size = board.shape[0]
    legal = np.zeros((size, size), dtype=np.int8)
    for row in range(size):
        for column in range(size):
            if is_legal(board, row, column, color):
                legal[row, column] = 1
    return legal


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []
        weights = np.abs(np.arange(chessboard_size) - (chessboard_size - 1) / 2)
        self.weights = np.add.outer(weights, weights)

    def go(self, chessboard):
        chessboard = chessboard.astype(np.int8)
        places = np.argwhere(legal_map(chessboard, self.color))
        self.candidate_list = []
        self.candidate_list += [tuple(place) for place in places]
        if len(places):
            values = self.weights[places[:, 0], places[:, 1]]
            self.candidate_list.extend([places[np.argmin(values)]])
