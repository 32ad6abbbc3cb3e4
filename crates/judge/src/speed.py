"""A fixed exercise that takes as long as the machine is slow: legal moves, as students count them."""

import numpy as np

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.size = chessboard_size
        self.color = color
        self.candidate_list = []

    def is_legal(self, board, row, column):
        if board[row][column] != 0:
            return False
        for down, right in DIRECTIONS:
            r, c, seen = row + down, column + right, False
            while 0 <= r < self.size and 0 <= c < self.size and board[r][c] == -self.color:
                r, c, seen = r + down, c + right, True
            if seen and 0 <= r < self.size and 0 <= c < self.size and board[r][c] == self.color:
                return True
        return False

    def go(self, chessboard):
        self.candidate_list.clear()
        moves = []
        for _ in range(60):
            board = chessboard.tolist()
            squares = zip(*np.where(chessboard == 0))
            moves = [(int(r), int(c)) for r, c in squares if self.is_legal(board, r, c)]
            chessboard = np.array(board)
        self.candidate_list.extend(moves)
