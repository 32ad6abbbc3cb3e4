"""Alpha-beta of depth three: a map of weights, mobility and discs."""
import numpy as np
import random

COLOR_BLACK = -1
COLOR_WHITE = 1
COLOR_NONE = 0
random.seed(0)


# don't change the class name
class AI(object):
    WEIGHT = [[10000, -200, 250, 250],
              [-200, -45, -1, -1],
              [250, -1, 3, 2],
              [250, -1, 2, 1]]

    # chessboard_size, color, time_out passed from agent
    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        # You are white or black
        self.color = color
        # the max time you should use, your algorithm's run time must not exceed the time limit.
        self.time_out = time_out
        # You need to add your decision to your candidate_list. The system will get the end of your
        # candidate_list as your decision.
        self.candidate_list = []
        n = chessboard_size
        self.weight = [[self.WEIGHT[min(i, n - 1 - i, 3)][min(j, n - 1 - j, 3)] for j in range(n)]
                       for i in range(n)]

    def in_board(self, x, y):
        return 0 <= x < self.chessboard_size and 0 <= y < self.chessboard_size

    def reverse(self, board, x, y, color):
        """Plays on (x, y) if that is legal; the discs that were turned."""
        if board[x][y] != COLOR_NONE:
            return []
        turned = []
        for dx in [-1, 0, 1]:
            for dy in [-1, 0, 1]:
                line = []
                i, j = x + dx, y + dy
                while (dx or dy) and self.in_board(i, j) and board[i][j] == -color:
                    line.append((i, j))
                    i += dx
                    j += dy
                if line and self.in_board(i, j) and board[i][j] == color:
                    turned.extend(line)
        return turned

    def valid(self, board, color):
        found = {}
        for x in range(self.chessboard_size):
            for y in range(self.chessboard_size):
                turned = self.reverse(board, x, y, color)
                if turned:
                    found[(x, y)] = turned
        return found

    def evaluate(self, board):
        n = self.chessboard_size
        f1 = f3 = 0
        for i in range(n):
            for j in range(n):
                f3 -= board[i][j] * self.color
                if board[i][j] == self.color:
                    f1 -= self.weight[i][j]
        f2 = len(self.valid(board, self.color)) - len(self.valid(board, -self.color))
        return 10 * f1 + 5 * f2 + f3

    def final(self, board):
        return -10 ** 9 * sum(map(sum, board)) * self.color

    def search(self, board, color, depth, alpha, beta, passed):
        moves = self.valid(board, color)
        if not moves:
            if passed:
                return self.final(board)
            return self.search(board, -color, depth, alpha, beta, True)
        if depth == 0:
            return self.evaluate(board)
        best = -10 ** 12 if color == self.color else 10 ** 12
        for (x, y), turned in moves.items():
            board[x][y] = color
            for i, j in turned:
                board[i][j] = color
            value = self.search(board, -color, depth - 1, alpha, beta, False)
            board[x][y] = COLOR_NONE
            for i, j in turned:
                board[i][j] = -color
            if color == self.color:
                best = max(best, value)
                alpha = max(alpha, value)
            else:
                best = min(best, value)
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best

    # The input is the current chessboard. Chessboard is a numpy array.
    def go(self, chessboard):
        # Clear candidate_list, must do this step
        self.candidate_list.clear()
        idx = np.where(chessboard == COLOR_NONE)
        idx = list(zip(idx[0], idx[1]))
        board = [[int(cell) for cell in row] for row in chessboard]
        moves = self.valid(board, self.color)
        self.candidate_list = [place for place in idx if place in moves]
        depth = 3 if len(idx) >= 5 else len(idx)
        best = None
        for (x, y), turned in moves.items():
            board[x][y] = self.color
            for i, j in turned:
                board[i][j] = self.color
            alpha = -10 ** 12 if best is None else best
            value = self.search(board, -self.color, depth - 1, alpha, 10 ** 12, False)
            board[x][y] = COLOR_NONE
            for i, j in turned:
                board[i][j] = -self.color
            if best is None or value > best:
                best = value
                self.candidate_list.append((x, y))
