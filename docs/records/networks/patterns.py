"""Sets of patterns, their instances and classes, as `crates/eval` has them. Needs numpy alone."""
import struct
import zlib

import numpy as np

from bits import image_of_square

CORNER = "a1 b1 c1 a2 b2 c2 a3 b3 c3"
EDGE = "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"
BLOCK = "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"
TRIANGLE = "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"
ROW1 = "a1 b1 c1 d1 e1 f1 g1 h1"
ROW2 = "a2 b2 c2 d2 e2 f2 g2 h2"
ROW3 = "a3 b3 c3 d3 e3 f3 g3 h3"
ROW4 = "a4 b4 c4 d4 e4 f4 g4 h4"
DIAG8 = "a1 b2 c3 d4 e5 f6 g7 h8"
DIAG7 = "a2 b3 c4 d5 e6 f7 g8"
DIAG6 = "a3 b4 c5 d6 e7 f8"
DIAG5 = "a4 b5 c6 d7 e8"
DIAG4 = "a5 b6 c7 d8"
MIDEDGE = "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2"
DIAG54 = "a4 b5 c6 d7 e8 a5 b6 c7 d8"
ROW2C = "a1 a2 b2 c2 d2 e2 f2 g2 h2 h1"
DIAG7C = "a1 a2 b3 c4 d5 e6 f7 g8 h8"
THICK = "a1 b1 a2 b2 c2 b3 c3 d3 c4 d4"
MIDDLE = "d2 e2 c3 d3 e3 f3 c4 d4 e4 f4"
BLOCK8 = "a1 b1 c1 d1 a2 b2 c2 d2"
CENTRE8 = "c3 d3 e3 f3 c4 d4 e4 f4"
DIAG7X = "a2 b3 c4 d5 e6 f7 g8 b2"

SETS = {
    # What the program has: 12 kinds, 50 instances.
    "A": [CORNER, EDGE, BLOCK, TRIANGLE, ROW2, ROW3, ROW4, DIAG8, DIAG7, DIAG6, DIAG5, DIAG4],
    # The larger set that was tried for linear weights.
    "B": [CORNER, EDGE, BLOCK, TRIANGLE, ROW2C, ROW3, ROW4, DIAG8, DIAG7C, DIAG6, DIAG54, MIDEDGE,
          THICK, MIDDLE],
    # About 32 instances, with the large patterns.
    "C": [CORNER, EDGE, TRIANGLE, ROW2, ROW3, ROW4, DIAG8, DIAG7, DIAG6],
    # The same with the block and without corner and short diagonals.
    "D": [EDGE, BLOCK, TRIANGLE, ROW2, ROW3, ROW4, DIAG8, DIAG7],
    # Eight squares at most: small tables.
    "S": [ROW1, ROW2, ROW3, ROW4, BLOCK8, DIAG8, DIAG7, DIAG6],
    # The same with the corner of nine.
    "T": [ROW1, ROW2, ROW3, ROW4, BLOCK8, CORNER, DIAG8, DIAG7, DIAG6, DIAG5],
}

MOVES = 32
OTHER_BEGIN = (0, MOVES, 2 * MOVES, 2 * MOVES + 5)
OTHER_SLOTS = 2 * MOVES + 5 + 2


def squares(text):
    return [ord(s[0]) - ord("a") + 8 * (int(s[1]) - 1) for s in text.split()]


class Patterns:
    """One set: `place` and `base` turn 64 digits (1 own, -1 the opponent's) into slots,
    `classes` slots into rows."""

    def __init__(self, name):
        kinds = [squares(text) for text in SETS[name]]
        self.kinds = kinds
        self.offsets = np.cumsum([0] + [3 ** len(k) for k in kinds])
        self.slots = int(self.offsets[-1])
        lanes = []
        for kind, sq in enumerate(kinds):
            seen = set()
            for g in range(8):
                at = [image_of_square(s, g) for s in sq]
                if frozenset(at) not in seen:
                    seen.add(frozenset(at))
                    lanes.append((kind, at))
        self.lanes = lanes
        self.place, self.base = self.matrix(lanes)
        self.classes, self.class_count = self.make_classes()

    def matrix(self, lanes):
        place = np.zeros((64, len(lanes)), np.float32)
        base = np.zeros(len(lanes), np.int64)
        for lane, (kind, at) in enumerate(lanes):
            for i, s in enumerate(at):
                place[s, lane] = 3 ** i
            base[lane] = self.offsets[kind] + (3 ** len(at) - 1) // 2
        return place, base

    def views(self):
        """Lanes of all kinds as each of the eight symmetries sees them, symmetry by symmetry."""
        return [(kind, [image_of_square(s, g) for s in sq])
                for g in range(8) for kind, sq in enumerate(self.kinds)]

    def make_classes(self):
        classes = np.zeros(self.slots, np.int64)
        following = 0
        for kind, sq in enumerate(self.kinds):
            n = len(sq)
            mirrors = []
            for g in range(8):
                at = [image_of_square(s, g) for s in sq]
                if set(at) == set(sq):
                    mirror = [sq.index(s) for s in at]
                    if mirror not in mirrors:
                        mirrors.append(mirror)
            states = np.arange(3 ** n)
            smallest = states.copy()
            for mirror in mirrors:
                rest, img = states.copy(), np.zeros_like(states)
                for place in mirror:
                    img += rest % 3 * 3 ** place
                    rest //= 3
                smallest = np.minimum(smallest, img)
            is_new = smallest == states
            number = following + np.cumsum(is_new) - 1
            classes[self.offsets[kind]:self.offsets[kind + 1]] = number[smallest]
            following += int(is_new.sum())
        return classes, following


def read_weights(path):
    """Linear weights in discs, phase by class, from a file of the program."""
    data = open(path, "rb").read()
    assert data[:8] == b"ISREVAL\x1a"
    phases, count = data[10], struct.unpack("<I", data[16:20])[0]
    plain = np.frombuffer(zlib.decompress(data[24:]), np.uint8)
    low, high = plain.reshape(2, -1)
    w = (low.astype(np.uint16) | high.astype(np.uint16) << 8).view(np.int16)
    return w.reshape(count, phases).T.astype(np.float32) / 256


def read_samples(path):
    """Boards of the side to move and the other, scores, flags."""
    kind = np.dtype([("p", "<i8"), ("o", "<i8"), ("s", "i1"), ("f", "u1")])
    with open(path, "rb") as file:
        assert file.read(32)[:8] == b"ISRDATA\x1a"
        return np.fromfile(file, kind)


def read_exam(path):
    """Boards of an exam, their best scores, for the side to move."""
    ps, os, ss = [], [], []
    for line in open(path):
        if line.startswith("%") or not line.strip():
            continue
        board, rest = line.split(" ", 1)
        own = rest[0]
        p = sum(1 << i for i, c in enumerate(board) if c == own)
        o = sum(1 << i for i, c in enumerate(board) if c in "XO" and c != own)
        ps.append(p), os.append(o)
        ss.append(int(rest.split(";")[1].split(":")[1]))
    view = lambda xs: np.array(xs, np.uint64).view(np.int64)
    return view(ps), view(os), np.array(ss, np.float32)
