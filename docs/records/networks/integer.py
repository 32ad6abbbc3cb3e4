"""The network in integers: what a file holds, and its value by numpy, bit by bit as a program would
have it. Needs numpy alone.

integer.py FILE...: checks files against the values they carry.

A file is an .npz with these arrays (W: width of the rows; S: stacks; sums are exact in any order):

  shape        JSON: rule, size, set, width, hidden, one, limit, square, value, and classes, the
               CRC-32 of the classes of all slots as little-endian int32
  kinds        int8 (14, 10): the squares of each pattern, a1 = 0, b1 = 1, ...; -1 behind the last
  lanes        int8 (58, 11): each instance: its kind, then its squares in the order of their digits
               (the first counts 1, the second 3, the third 9, ...); -1 behind the last
  table        int8 (classes, W), no number larger than `limit` or smaller than -`limit`
  own, other   int16 (32, W): by the number of moves of the side to move and of the other, 31 for more
  odd          int16 (5, W): by the number of quadrants with an odd number of empty squares; the bias
               of the sum is in them
  w1, b1       int8 (S, 16, W), int32 (S, 16); not there without hidden layers, like w2, b2 and wz
  w2, b2       int8 (S, 32, 32), int32 (S, 32)
  wz, wx, bo   int16 (S, 32), int16 (S, W), int32 (S,): the output
  first        int8 (S,): the smallest number of discs of each stack
  test_p, test_o, test_value, test_sum: boards, their values, sums of the first of them

A digit is 0 for a disc of the other side, 1 for an empty square, 2 for a disc of the side to move. The
slots of a kind begin where those of the kind before end; states of one kind that a symmetry of the
board takes to each other are one class; classes are numbered by their smallest slot.

  sum[c] = sum over lanes of table[class][c] + own[m][c] + other[n][c] + odd[q][c]        int16
  a      = min(max(sum, 0), one - 1)
  x      = a * a >> square                                             0 to 255 (4095: no hidden layers)
  s      = b1 + sum of x * w1                                                             int32
  t      = min(max(s >> 2, -4095), 4095)
  u      = max(t, 0) >> 4 for all 16, then t * t >> 16 for all 16                         0 to 255
  s      = b2 + sum of u * w2                                                             int32
  z      = min(max(s >> 6, 0), 255)
  value  = bo + sum of z * wz + sum of x * wx >> value, within 64 discs; 256 is one disc  int32

Shifts round down. Hidden weights are within 63, so that two products of bytes fit 16 bits:
2 * 255 * 63 = 32130, and PMADDUBSW never saturates.
"""
import json
import sys
import zlib

import numpy as np

from bits import count, moves, odd_quadrants
from patterns import Patterns

DISC = 256
HIDDEN_ONE = 64  # of hidden weights
HIDDEN_LIMIT = 63
BIAS_ONE = 256 * HIDDEN_ONE
HIDDEN_SHIFT = 2  # to 4,096 to one
HIDDEN_TOP = 4095

_patterns = {}


def patterns(name):
    if name not in _patterns:
        _patterns[name] = Patterns(name)
    return _patterns[name]


def padded(lists, width):
    return np.array([x + [-1] * (width - len(x)) for x in lists], np.int8)


def crc(pt):
    return zlib.crc32(pt.classes.astype("<i4").tobytes())


def classes_of(pt, p, o):
    s = np.arange(64)
    digits = ((p[:, None] >> s) & 1) - ((o[:, None] >> s) & 1)
    slots = (digits.astype(np.float32) @ pt.place).astype(np.int64) + pt.base  # below 2**24: exact
    return pt.classes[slots]


def rows_of(name, p, o, step=1 << 16):
    """Rows of the table for boards, int32 (boards, 62)."""
    pt = patterns(name)
    n, out = pt.class_count, []
    for i in range(0, len(p), step):
        a, b = p[i:i + step], o[i:i + step]
        odd = odd_quadrants(a, b)
        others = [n + np.minimum(count(moves(a, b)), 31), n + 32 + np.minimum(count(moves(b, a)), 31), n + 64 + odd, n + 69 + (odd & 1)]
        out.append(np.concatenate([classes_of(pt, a, b), np.stack(others, 1)], 1).astype(np.int32))
    return np.concatenate(out)


class Network:
    def __init__(self, arrays):
        self.a = {k: np.asarray(v) for k, v in arrays.items()}
        self.shape = json.loads(str(self.a["shape"]))
        self.check()

    @classmethod
    def load(cls, path):
        with np.load(path) as z:
            return cls({k: z[k] for k in z.files})

    def check(self):
        a, sh = self.a, self.shape
        pt = self.pt = patterns(sh["set"])
        assert sh["classes"] == crc(pt)
        assert np.array_equal(a["kinds"], padded(pt.kinds, 10))
        assert np.array_equal(a["lanes"], padded([[k] + at for k, at in pt.lanes], 11))
        W, S = sh["width"], len(a["first"])
        assert a["table"].shape == (pt.class_count, W) and a["table"].dtype == np.int8
        top = int(np.abs(a["table"].astype(int)).max())
        assert top <= sh["limit"]
        for k, n in (("own", 32), ("other", 32), ("odd", 5)):
            assert a[k].shape == (n, W) and a[k].dtype == np.int16
        others = sum(int(np.abs(a[k].astype(int)).max()) for k in ("own", "other", "odd"))
        assert top * len(pt.lanes) + others < 2 ** 15
        assert (sh["one"] - 1) ** 2 >> sh["square"] < (256 if sh["hidden"] else 4096)
        worst = np.abs(a["bo"].astype(np.int64)) + np.abs(a["wx"].astype(np.int64)).sum(1) * ((sh["one"] - 1) ** 2 >> sh["square"])
        if sh["hidden"]:
            h1, h2 = sh["hidden"]
            assert a["w1"].shape == (S, h1, W) and a["w2"].shape == (S, h2, 2 * h1) and a["wz"].shape == (S, h2)
            assert np.abs(a["w1"].astype(int)).max() <= HIDDEN_LIMIT and np.abs(a["w2"].astype(int)).max() <= HIDDEN_LIMIT
            for b, w in (("b1", "w1"), ("b2", "w2")):
                assert (np.abs(a[b].astype(np.int64)) + 255 * np.abs(a[w].astype(np.int64)).sum(2)).max() < 2 ** 31
            worst = worst + 255 * np.abs(a["wz"].astype(np.int64)).sum(1)
        assert worst.max() < 2 ** 31

    def sums(self, p, o):
        a = self.a
        rows = classes_of(self.pt, p, o)
        acc = np.zeros((len(p), self.shape["width"]), np.int16)
        for lane in range(rows.shape[1]):
            acc += a["table"][rows[:, lane]]
        acc += a["own"][np.minimum(count(moves(p, o)), 31)]
        acc += a["other"][np.minimum(count(moves(o, p)), 31)]
        acc += a["odd"][odd_quadrants(p, o)]
        return acc

    def stacks(self, p, o):
        return np.searchsorted(self.a["first"].astype(int), count(p | o), side="right") - 1

    def outputs(self, acc, st):
        a, sh = self.a, self.shape
        c = np.clip(acc.astype(np.int32), 0, sh["one"] - 1)
        x = c * c >> sh["square"]
        v = a["bo"][st] + np.einsum("bi,bi->b", x, a["wx"][st].astype(np.int32))
        if sh["hidden"]:
            s = a["b1"][st] + np.einsum("bi,boi->bo", x, a["w1"][st].astype(np.int32))
            t = np.clip(s >> HIDDEN_SHIFT, -HIDDEN_TOP, HIDDEN_TOP)
            u = np.concatenate([np.maximum(t, 0) >> 4, t * t >> 16], 1)
            s = a["b2"][st] + np.einsum("bi,boi->bo", u, a["w2"][st].astype(np.int32))
            z = np.clip(s >> 6, 0, 255)
            v = v + np.einsum("bi,bi->b", z, a["wz"][st].astype(np.int32))
        return np.clip(v >> sh["value"], -64 * DISC, 64 * DISC).astype(np.int32)

    def values(self, p, o, step=8192):
        """What boards are worth to the side to move, in parts of a disc."""
        p, o = p.view(np.int64), o.view(np.int64)
        out = []
        for i in range(0, len(p), step):
            a, b = p[i:i + step], o[i:i + step]
            out.append(self.outputs(self.sums(a, b), self.stacks(a, b)))
        return np.concatenate(out) if out else np.zeros(0, np.int32)


def rounded(x):
    return np.floor(np.asarray(x, np.float64) + 0.5)


def single(x, one):
    """Rounded as training rounds: in 32 bits, where the largest number below a half becomes one."""
    return np.floor(np.asarray(x, np.float32) * np.float32(one) + np.float32(0.5)).astype(np.float64)


def whole(x, kind):
    x = rounded(x)
    assert np.abs(x).max() <= np.iinfo(kind).max, (kind, np.abs(x).max())
    return x.astype(kind)


def make(cfg, table, dense, rule):
    """Integers from the numbers of training. `cfg`: set, W, S, h1, h2, one, limit, xbits, scale;
    `table`: rows of patterns, then 32 + 32 + 5 + 2 others; `dense`: bias, w1, b1, w2, b2, wo, bo."""
    pt = patterns(cfg["set"])
    W, S, one = cfg["W"], cfg["S"], cfg["one"]
    n = pt.class_count
    out = cfg["scale"] * DISC
    xbits = cfg["xbits"]
    a = {}
    rows = single(table, one)
    a["table"] = whole(np.clip(rows[:n], -cfg["limit"], cfg["limit"]), np.int8)
    a["own"], a["other"] = whole(rows[n:n + 32], np.int16), whole(rows[n + 32:n + 64], np.int16)
    parity = rows[n + 69:n + 71][np.arange(5) & 1]
    a["odd"] = whole(rows[n + 64:n + 69] + parity + single(dense["bias"], one), np.int16)
    wo = np.asarray(dense["wo"], np.float64).reshape(S, -1)
    if cfg["h1"]:
        for k, h in (("1", cfg["h1"]), ("2", cfg["h2"])):
            w = single(dense["w" + k], HIDDEN_ONE).reshape(S, h, -1)
            a["w" + k] = whole(np.clip(w, -HIDDEN_LIMIT, HIDDEN_LIMIT), np.int8)
            a["b" + k] = whole(single(dense["b" + k], BIAS_ONE).reshape(S, h), np.int32)
        a["wz"], a["wx"] = whole(wo[:, :cfg["h2"]] * out, np.int16), whole(wo[:, cfg["h2"]:] * out, np.int16)
    else:
        a["wx"] = whole(wo * out, np.int16)
    bo = rounded(np.asarray(dense["bo"], np.float64) * out * 2 ** xbits)
    a["bo"] = whole(bo + 2 ** (xbits - 1), np.int32)  # the half that makes the last shift a rounding
    a["first"] = (4 + 2 * -(-np.arange(S) * 30 // S)).astype(np.int8)
    a["first"][0] = 0
    a["kinds"] = padded(pt.kinds, 10)
    a["lanes"] = padded([[k] + at for k, at in pt.lanes], 11)
    square = 2 * int(np.log2(one)) - xbits
    a["shape"] = np.array(json.dumps(dict(
        format=1, rule=rule, size=8, set=cfg["set"], width=W, hidden=[cfg["h1"], cfg["h2"]] if cfg["h1"] else [],
        one=one, limit=cfg["limit"], square=square, value=xbits, disc=DISC, classes=crc(pt))))
    return a


def main():
    for path in sys.argv[1:]:
        net = Network.load(path)
        a = net.a
        p, o = a["test_p"].view(np.int64), a["test_o"].view(np.int64)
        v = net.values(p, o)
        n = len(a["test_sum"])
        ok = np.array_equal(v, a["test_value"]) and np.array_equal(net.sums(p[:n], o[:n]), a["test_sum"])
        print(path, "right" if ok else "WRONG", len(p), net.shape)


if __name__ == "__main__":
    main()
