"""The rules, for the engines of these tests: a dictionary from squares to discs, and a side."""

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class Board:
    def __init__(self, size):
        self.size, self.turn, low = size, "b", size // 2
        self.discs = {(low - 1, low - 1): "w", (low, low): "w",
                      (low - 1, low): "b", (low, low - 1): "b"}

    def flips(self, place, color):
        found = []
        if place in self.discs or not all(0 <= x < self.size for x in place):
            return found
        for across, down in DIRECTIONS:
            line, (x, y) = [], (place[0] + across, place[1] + down)
            while self.discs.get((x, y), color) != color:
                line.append((x, y))
                x, y = x + across, y + down
            if line and (x, y) in self.discs:
                found += line
        return found

    def moves(self, color):
        places = [(x, y) for y in range(self.size) for x in range(self.size)]
        return [place for place in places if self.flips(place, color)]

    def play(self, place, color):
        for turned in self.flips(place, color) + [place]:
            self.discs[turned] = color
        self.turn = "w" if color == "b" else "b"


def name(place):
    return "abcdefghijklmnop"[place[0]] + str(place[1] + 1)


def place(name):
    return "abcdefghijklmnop".index(name[0].lower()), int(name[1:]) - 1
