"""An agent of a simulated class: NAME's, who plays by MANNER with seed SEED."""
# MARK
import numpy as np
import random
import sys
import time

COLOR_NONE = 0
SEED = SEED_NUMBER
random.seed(SEED)
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []
        # Tastes of its own: what a disc on each ring of the board costs, and what a move is worth.
        taste = random.Random(SEED)
        self.rings = [taste.uniform(-5, 15) for _ in range(8)]
        self.freedom = taste.uniform(0, 5)

    def flips(self, board, row, column, color):
        size, found = self.chessboard_size, []
        for down, right in DIRECTIONS:
            r, c, line = row + down, column + right, []
            while 0 <= r < size and 0 <= c < size and board[r][c] == -color:
                line.append((r, c))
                r, c = r + down, c + right
            if line and 0 <= r < size and 0 <= c < size and board[r][c] == color:
                found += line
        return found

    def moves(self, board, color):
        size = self.chessboard_size
        return [(r, c) for r in range(size) for c in range(size)
                if board[r][c] == COLOR_NONE and self.flips(board, r, c, color)]

    def after(self, board, move, color):
        child = [row[:] for row in board]
        for r, c in self.flips(board, move[0], move[1], color) + [move]:
            child[r][c] = color
        return child

    def ring(self, place):
        last = self.chessboard_size - 1
        return min(place[0], place[1], last - place[0], last - place[1])

    def cost(self, board, color):
        """What the board costs this color: discs where it does not like them."""
        return sum(self.rings[self.ring((r, c))] * cell * color
                   for r, row in enumerate(board) for c, cell in enumerate(row) if cell)

    def random(self, board, moves):
        return random.choice(moves)

    def greedy(self, board, moves):
        return min(moves, key=lambda move: (len(self.flips(board, move[0], move[1], self.color)),
                                            self.rings[self.ring(move)]))

    def generous(self, board, moves):
        return max(moves, key=lambda move: (len(self.flips(board, move[0], move[1], self.color)),
                                            self.rings[self.ring(move)]))

    def weights(self, board, moves):
        return min(moves, key=lambda move: self.cost(self.after(board, move, self.color), self.color))

    def mobility(self, board, moves):
        def free(move):
            child = self.after(board, move, self.color)
            return self.freedom * len(self.moves(child, -self.color)) \
                + self.cost(child, self.color) / 10
        return min(moves, key=free)

    def search(self, board, moves):
        def worst(move):
            child = self.after(board, move, self.color)
            replies = self.moves(child, -self.color)
            costs = [self.cost(self.after(child, reply, -self.color), self.color)
                     for reply in replies]
            return max(costs) if costs else self.cost(child, self.color)
        best, chosen = None, moves[0]
        for move in moves:
            value = worst(move)
            if best is None or value < best:
                best, chosen = value, move
                # The platform takes the last one if the time runs out.
                self.candidate_list.append(move)
        return chosen

    def go(self, chessboard):
        self.candidate_list.clear()
        board = np.array(chessboard).tolist()
        moves = self.moves(board, self.color)
        if CONDITION:
            MISCHIEF
        self.candidate_list.extend(moves)
        if moves:
            self.candidate_list.append(self.MANNER(board, moves))
