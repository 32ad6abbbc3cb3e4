"""Maximax with two alphas, iterative deepening by the clock, and ten tuned weights."""
import numpy as np
import random
import time

COLOR_BLACK = -1
COLOR_WHITE = 1
COLOR_NONE = 0
random.seed(0)

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

# One weight for each class of squares: (0,0) (0,1) (0,2) (0,3) (1,1) (1,2) (1,3) (2,2) (2,3) (3,3).
WEIGHTS = [0.58294678, 0.32422638, 0.30072021, 0.04949951, 0.74310493,
           0.26721382, 0.05133057, 0.72602844, -0.12939453, -0.73083496]
CLASSES = [[0, 1, 2, 3], [1, 4, 5, 6], [2, 5, 7, 8], [3, 6, 8, 9]]

# How many legal moves there are when so many tens of discs are on the board.
BREADTH = [5, 8, 11, 12, 11, 8, 3]


class TimeOut(Exception):
    pass


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []
        self.quota = 0.4
        size = chessboard_size
        fold = [min(i, size - 1 - i, 3) for i in range(size)]
        self.weights = np.array([[WEIGHTS[CLASSES[r][c]] for c in fold] for r in fold])
        self.scale = float(np.abs(self.weights).sum())

    def flips(self, board, row, column, color):
        size = self.chessboard_size
        found = []
        for down, right in DIRECTIONS:
            r, c, line = row + down, column + right, []
            while 0 <= r < size and 0 <= c < size and board[r][c] == -color:
                line.append((r, c))
                r, c = r + down, c + right
            if line and 0 <= r < size and 0 <= c < size and board[r][c] == color:
                found += line
        return found

    def actions(self, board, color):
        size = self.chessboard_size
        return [(r, c) for r in range(size) for c in range(size)
                if board[r][c] == COLOR_NONE and self.flips(board, r, c, color)]

    def result(self, board, color, move):
        after = [row[:] for row in board]
        for r, c in self.flips(board, move[0], move[1], color):
            after[r][c] = color
        after[move[0]][move[1]] = color
        return after

    def utility(self, board, color):
        total = sum(map(sum, board)) * color
        return float(np.sign(-total))

    def evaluate(self, board, color):
        return -float((self.weights * np.array(board)).sum()) * color / self.scale * 0.9

    def maximax(self, board, color, depth, alphas, passed=False):
        if time.time() > self.end:
            raise TimeOut()
        moves = self.actions(board, color)
        if not moves:
            if passed:
                return self.utility(board, color), None
            return -self.maximax(board, -color, depth - 1, alphas, True)[0], None
        if depth <= 0:
            return self.evaluate(board, color), None
        children = [(self.result(board, color, move), move) for move in moves]
        children.sort(key=lambda child: self.evaluate(child[0], -color))
        best, choice = -2.0, None
        alphas = dict(alphas)
        for child, move in children:
            value = -self.maximax(child, -color, depth - 1, alphas)[0]
            if value > best:
                best, choice = value, move
            alphas[color] = max(alphas[color], best)
            if -best <= alphas[-color]:
                break
        return best, choice

    def go(self, chessboard):
        begin = time.time()
        self.candidate_list.clear()
        board = np.array(chessboard).tolist()
        moves = self.actions(board, self.color)
        self.candidate_list = [tuple(move) for move in moves]
        if len(moves) < 2:
            return
        limit = self.quota * self.time_out
        self.end = begin + limit
        discs = int(np.sum(np.abs(chessboard)))
        empties = self.chessboard_size ** 2 - discs
        breadth = BREADTH[min(discs // 10, 6)]
        depth, last, used = 2, None, 0.0
        try:
            while depth <= empties + 1:
                start = time.time()
                value, move = self.maximax(board, self.color, depth, {-1: -2.0, 1: -2.0})
                self.candidate_list.append(move)
                used = time.time() - start
                if abs(value) == 1 or (used * breadth > limit and move == last):
                    break
                last, depth = move, depth + 1
        except TimeOut:
            pass
