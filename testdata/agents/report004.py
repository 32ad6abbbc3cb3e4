"""Alpha-beta in three stages: weights, mobility and edges, and to the end from 58 discs of 64 on."""
import numpy as np

COLOR_BLACK = -1
COLOR_WHITE = 1
COLOR_NONE = 0
INFINITY = float('inf')


class Board:
    """A board that knows its legal moves."""

    def __init__(self, cells):
        self.cells = cells
        self.size = len(cells)

    def line(self, x, y, dx, dy, color):
        line = []
        x, y = x + dx, y + dy
        while 0 <= x < self.size and 0 <= y < self.size:
            if self.cells[x][y] == color:
                return line
            if self.cells[x][y] == COLOR_NONE:
                break
            line.append((x, y))
            x, y = x + dx, y + dy
        return []

    def lines(self, x, y, color):
        if self.cells[x][y] != COLOR_NONE:
            return []
        around = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
        return sum((self.line(x, y, dx, dy, color) for dx, dy in around), [])

    def moves(self, color):
        places = [(x, y) for x in range(self.size) for y in range(self.size)]
        return [place for place in places if self.lines(place[0], place[1], color)]

    def after(self, move, color):
        cells = [list(row) for row in self.cells]
        for x, y in self.lines(move[0], move[1], color) + [move]:
            cells[x][y] = color
        return Board(cells)

    def count(self):
        return sum(abs(cell) for row in self.cells for cell in row)


class AI(object):
    MAP = ((100, -5, 10, 5), (-5, -45, 1, 1), (10, 1, 3, 2), (5, 1, 2, 1))

    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []

    def stage(self, discs):
        squares = self.chessboard_size ** 2
        if discs < 24 * squares // 64:
            return 3, (5, 3, 3)
        if discs < 58 * squares // 64:
            return 4, (3, 7, 3)
        return squares, None

    def evaluate(self, board, factors):
        last = self.chessboard_size - 1
        weight = edges = 0
        for x, row in enumerate(board.cells):
            for y, cell in enumerate(row):
                weight -= self.MAP[min(x, last - x, 3)][min(y, last - y, 3)] * cell * self.color
                if x in (0, last) or y in (0, last):
                    edges += cell * self.color
        mobility = len(board.moves(self.color)) - len(board.moves(-self.color))
        return sum(factor * term for factor, term in zip(factors, (weight, mobility, edges)))

    def alpha_beta(self, board, color, depth, alpha, beta, factors, passed=False):
        moves = board.moves(color)
        if not moves:
            if passed:
                left = -sum(map(sum, board.cells)) * self.color
                return INFINITY if left > 0 else -INFINITY if left < 0 else 0
            return self.alpha_beta(board, -color, depth, alpha, beta, factors, True)
        if depth == 0:
            return self.evaluate(board, factors)
        for move in moves:
            value = self.alpha_beta(board.after(move, color), -color, depth - 1, alpha, beta, factors)
            if color == self.color:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        return alpha if color == self.color else beta

    def go(self, chessboard):
        self.candidate_list.clear()
        board = Board([[int(cell) for cell in row] for row in np.array(chessboard)])
        moves = board.moves(self.color)
        for move in moves:
            self.candidate_list.append(move)
        depth, factors = self.stage(board.count())
        best = None
        for move in moves:
            alpha = -INFINITY if best is None else best
            value = self.alpha_beta(board.after(move, self.color), -self.color, depth - 1,
                                    alpha, INFINITY, factors)
            if best is None or value > best:
                best = value
                self.candidate_list.append(move)
