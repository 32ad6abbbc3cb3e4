"""Iterative deepening with four heuristics, each in its stage of the game."""
import time

import numpy as np

COLOR_NONE = 0
WEIGHTS = np.array([[-800, 260, -50, -30], [260, 100, -10, -5], [-50, -10, -5, 3], [-30, -5, 3, 1]])
STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []
        fold = [min(i, chessboard_size - 1 - i, 3) for i in range(chessboard_size)]
        self.map = WEIGHTS[np.ix_(fold, fold)]
        last = chessboard_size - 1
        self.corners = [(0, 0), (0, last), (last, 0), (last, last)]

    def inside(self, x, y):
        return 0 <= x < self.chessboard_size and 0 <= y < self.chessboard_size

    def turned(self, board, x, y, color):
        if board[x, y] != COLOR_NONE:
            return []
        found = []
        for dx, dy in STEPS:
            i, j, line = x + dx, y + dy, []
            while self.inside(i, j) and board[i, j] == -color:
                line.append((i, j))
                i, j = i + dx, j + dy
            if line and self.inside(i, j) and board[i, j] == color:
                found += line
        return found

    def moves(self, board, color):
        places = zip(*np.where(board == COLOR_NONE))
        found = [(x, y) for x, y in places if self.turned(board, x, y, color)]
        return sorted(found, key=lambda move: -self.map[move])

    def play(self, board, move, color):
        line = self.turned(board, move[0], move[1], color)
        board[move] = color
        for place in line:
            board[place] = color
        return line

    def undo(self, board, move, line, color):
        board[move] = COLOR_NONE
        for place in line:
            board[place] = -color

    def frontier(self, board, color):
        count = 0
        for x, y in zip(*np.where(board == color)):
            near = [board[x + dx, y + dy] for dx, dy in STEPS if self.inside(x + dx, y + dy)]
            count += COLOR_NONE in near
        return count

    def stable(self, board, color):
        found = set()
        for x, y in self.corners:
            for dx, dy in ((0, 1 if y == 0 else -1), (1 if x == 0 else -1, 0)):
                i, j = x, y
                while self.inside(i, j) and board[i, j] == color:
                    found.add((i, j))
                    i, j = i + dx, j + dy
        return len(found)

    def value(self, board):
        mine = self.color
        value = float((self.map * board).sum()) * mine
        corners = [board[corner] for corner in self.corners]
        edges = np.concatenate((board[0], board[-1], board[:, 0], board[:, -1]))
        if max(corners.count(1), corners.count(-1)) >= 2:
            return value - 25 * (self.stable(board, mine) - self.stable(board, -mine))
        if np.any(edges):
            return value + 15 * (self.frontier(board, mine) - self.frontier(board, -mine))
        return value + 5 * (len(self.moves(board, mine)) - len(self.moves(board, -mine)))

    def search(self, board, color, depth, alpha, beta, passed=False):
        if time.time() > self.end:
            raise InterruptedError
        moves = self.moves(board, color)
        if not moves:
            if passed:
                return -1e6 * float(board.sum()) * self.color * (1 if color == self.color else -1)
            return -self.search(board, -color, depth, -beta, -alpha, True)
        if depth == 0:
            return self.value(board) * (1 if color == self.color else -1)
        for move in moves:
            line = self.play(board, move, color)
            try:
                alpha = max(alpha, -self.search(board, -color, depth - 1, -beta, -alpha))
            finally:
                self.undo(board, move, line, color)
            if alpha >= beta:
                break
        return alpha

    def go(self, chessboard):
        self.end = time.time() + 0.4 * self.time_out
        self.candidate_list.clear()
        board = np.array(chessboard, dtype=int)
        moves = self.moves(board, self.color)
        self.candidate_list.extend(moves)
        empties = int((board == COLOR_NONE).sum())
        try:
            for depth in range(1, empties + 1 if len(moves) > 1 else 1):
                best, choice = -1e9, None
                for move in moves:
                    line = self.play(board, move, self.color)
                    try:
                        value = -self.search(board, -self.color, depth - 1, -1e9, -best)
                    finally:
                        self.undo(board, move, line, self.color)
                    if value > best:
                        best, choice = value, move
                self.candidate_list.append(choice)
        except InterruptedError:
            pass
