"""Deepens without end and appends what it likes better: its time is for the platform to end."""
import numpy as np
import time

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class AI(object):
    candidate_list = None

    def __init__(self, chessboard_size, color, time_out):
        self.size, self.color, self.time_out = chessboard_size, color, time_out
        self.candidate_list = []
        self.moves_made = 0

    def flips(self, board, row, column, color):
        found = []
        if board[row, column]:
            return found
        for down, right in DIRECTIONS:
            line, r, c = [], row + down, column + right
            while 0 <= r < self.size and 0 <= c < self.size and board[r, c] == -color:
                line.append((r, c))
                r, c = r + down, c + right
            if line and 0 <= r < self.size and 0 <= c < self.size and board[r, c] == color:
                found += line
        return found

    def moves(self, board, color):
        return [(r, c) for r in range(self.size) for c in range(self.size)
                if self.flips(board, r, c, color)]

    def after(self, board, move, color):
        board = board.copy()
        for place in self.flips(board, move[0], move[1], color):
            board[place] = color
        board[move] = color
        return board

    def value(self, board, color, depth, alpha, beta):
        moves = self.moves(board, color)
        if depth == 0 or not moves:
            return -color * int(np.sum(board))
        for move in moves:
            value = -self.value(self.after(board, move, color), -color, depth - 1, -beta, -alpha)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return alpha

    def go(self, chessboard):
        self.moves_made += 1
        self.candidate_list = self.moves(chessboard, self.color)[:]
        if not self.candidate_list:
            return
        legal = list(self.candidate_list)
        depth = 0
        while True:
            best = max(legal, key=lambda move: -self.value(
                self.after(chessboard, move, self.color), -self.color, depth, -10**9, 10**9))
            self.candidate_list.append(best)
            depth += 1
