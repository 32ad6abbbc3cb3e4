"""Minimax with tuned weights in two periods, and a search to the end from 54 discs of 64 on."""
import time

import numpy as np

MAPS = [[34, 41, 43, 56], [41, -52, 36, -24], [43, 36, -9, 5], [56, -24, 5, -36]]
DIRS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def directions_of(size):
    """For each square, the squares that follow it in each direction."""
    rays = {}
    for x in range(size):
        for y in range(size):
            rays[x * size + y] = []
            for dx, dy in DIRS:
                ray, i, j = [], x + dx, y + dy
                while 0 <= i < size and 0 <= j < size:
                    ray.append(i * size + j)
                    i, j = i + dx, j + dy
                if ray:
                    rays[x * size + y].append(ray)
    return rays


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []
        self.squares = chessboard_size * chessboard_size
        self.rays = directions_of(chessboard_size)
        fold = [min(i, chessboard_size - 1 - i, 3) for i in range(chessboard_size)]
        self.map = [MAPS[i][j] for i in fold for j in fold]

    def flip(self, board, place, color):
        found = []
        if board[place]:
            return found
        for ray in self.rays[place]:
            for count, square in enumerate(ray):
                if board[square] == color:
                    found += ray[:count]
                    break
                if board[square] == 0:
                    break
        return found

    def options(self, board, color):
        found = ((place, self.flip(board, place, color)) for place in range(self.squares))
        return [(place, line) for place, line in found if line]

    def after(self, board, place, line, color):
        board = board[:]
        for square in line:
            board[square] = color
        board[place] = color
        return board

    def evaluate(self, board, color):
        discs = sum(map(abs, board))
        is_late = discs >= 35 * self.squares // 64
        frontier_weight, difference_weight = (-27, -51) if is_late else (-52, -52)
        frontier = 0
        for place in range(self.squares):
            if board[place] and any(board[ray[0]] == 0 for ray in self.rays[place]):
                frontier += board[place] * color
        mobility = sum(self.map[place] for place, _ in self.options(board, color))
        mobility -= sum(self.map[place] for place, _ in self.options(board, -color))
        size = self.chessboard_size
        corners = (0, size - 1, self.squares - size, self.squares - 1)
        stability = -sum(board[place] * color for place in corners)
        difference = sum(board) * color
        return (218 * stability + frontier_weight * frontier + difference_weight * difference
                + mobility)

    def minimax(self, board, color, depth, alpha, beta, to_end=False, passed=False):
        if time.time() >= self.end:
            raise TimeoutError
        options = self.options(board, color)
        if not options:
            if passed:
                left = -sum(board) * color
                return (left > 0) - (left < 0) if to_end else 10 ** 6 * left
            return -self.minimax(board, -color, depth, -beta, -alpha, to_end, True)
        if depth == 0 and not to_end:
            return self.evaluate(board, color)
        for place, line in options:
            child = self.after(board, place, line, color)
            alpha = max(alpha, -self.minimax(child, -color, depth - 1, -beta, -alpha, to_end))
            if alpha >= beta:
                break
        return alpha

    def choose(self, board, options, depth, to_end):
        low, high = (-2, 1) if to_end else (-10 ** 9, 10 ** 9)
        best, choice = low, options[0][0]
        for place, line in options:
            child = self.after(board, place, line, self.color)
            value = -self.minimax(child, -self.color, depth - 1, -high, -best, to_end)
            if value > best:
                best, choice = value, place
            if best >= high:
                break
        self.candidate_list.append(divmod(choice, self.chessboard_size))

    def go(self, chessboard):
        self.end = time.time() + 0.4 * self.time_out
        self.candidate_list = []
        board = [int(cell) for cell in np.asarray(chessboard).flatten()]
        options = self.options(board, self.color)
        for place, _ in options:
            self.candidate_list.append(divmod(place, self.chessboard_size))
        if len(options) < 2:
            return
        empties = board.count(0)
        try:
            if sum(map(abs, board)) >= 54 * self.squares // 64:
                self.choose(board, options, 2, False)
                self.choose(board, options, empties, True)
            else:
                for depth in range(3, min(20, empties) + 1):
                    self.choose(board, options, depth, False)
        except TimeoutError:
            pass
