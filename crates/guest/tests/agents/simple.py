"""A plain agent in the style of the course: all moves, then the one that turns the fewest."""
import numpy as np
import random

COLOR_BLACK = -1
COLOR_WHITE = 1
COLOR_NONE = 0
random.seed(0)


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []

    def turned(self, chessboard, row, column):
        if chessboard[row][column] != COLOR_NONE:
            return 0
        count = 0
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if down == 0 and right == 0:
                    continue
                r, c, line = row + down, column + right, 0
                while 0 <= r < self.chessboard_size and 0 <= c < self.chessboard_size \
                        and chessboard[r][c] == -self.color:
                    r, c, line = r + down, c + right, line + 1
                if 0 <= r < self.chessboard_size and 0 <= c < self.chessboard_size \
                        and chessboard[r][c] == self.color:
                    count += line
        return count

    def go(self, chessboard):
        self.candidate_list.clear()
        idx = np.where(chessboard == COLOR_NONE)
        idx = list(zip(idx[0], idx[1]))
        for place in idx:
            if self.turned(chessboard, place[0], place[1]):
                self.candidate_list.append(place)
        if self.candidate_list:
            best = min(self.candidate_list, key=lambda place: self.turned(chessboard, *place))
            self.candidate_list.append(best)
