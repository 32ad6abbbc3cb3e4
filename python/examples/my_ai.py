"""An agent of the course, as it is submitted: one file, one class.

It looks one move ahead and leaves the opponent as many moves as it can: who has many moves must turn
many discs, and discs are what nobody wants.
"""

import numpy as np

DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        legal = self.moves(chessboard, self.color)
        self.candidate_list.extend(legal)
        if legal:
            self.candidate_list.append(max(legal, key=lambda place: self.value(chessboard, place)))

    def value(self, chessboard, place):
        after = chessboard.copy()
        for row, column in [place, *self.flips(chessboard, place, self.color)]:
            after[row, column] = self.color
        return len(self.moves(after, -self.color)) - 0.5 * np.count_nonzero(after == self.color)

    def moves(self, board, color):
        places = [(int(row), int(column)) for row, column in np.argwhere(board == 0)]
        return [place for place in places if self.flips(board, place, color)]

    def flips(self, board, place, color):
        turned = []
        for down, right in DIRECTIONS:
            line, row, column = [], place[0] + down, place[1] + right
            while self.is_on(row, column) and board[row, column] == -color:
                line.append((row, column))
                row, column = row + down, column + right
            if line and self.is_on(row, column) and board[row, column] == color:
                turned += line
        return turned

    def is_on(self, row, column):
        return 0 <= row < self.chessboard_size and 0 <= column < self.chessboard_size
