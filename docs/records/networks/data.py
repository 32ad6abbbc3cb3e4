"""Samples of self-play on the GPU: search values, final scores, blends of both, one row a board."""
import os

import torch

from bits import count, flips, hashed, image, moves, odd_quadrants
from patterns import OTHER_BEGIN, Patterns, read_exam, read_samples, read_weights

DEV = "cuda" if torch.cuda.is_available() else "cpu"
LAMBDAS = (0.97, 0.95, 0.9, 0.8, 0.7, 0.4)


def chunk_path(folder, i):
    return os.path.join(folder, f"a-{i:03d}.dat")


def chunks_ready(folder):
    n = 0
    while os.path.exists(chunk_path(folder, n)):
        n += 1
    return n


def load(path):
    """Columns of a file played with `--lambda 0`: `v` is what the search said, `z` how the game
    ended, both for the side to move; games whose end is not in the file are left out."""
    raw = read_samples(path)
    p = torch.from_numpy(raw["p"].copy()).to(DEV)
    o = torch.from_numpy(raw["o"].copy()).to(DEV)
    s = torch.from_numpy(raw["s"].copy()).to(DEV).float()
    f = torch.from_numpy(raw["f"].copy()).to(DEV)
    discs = count(p | o)
    follows = discs[1:] == discs[:-1] + 1
    turned = torch.zeros_like(follows)  # the other side is to move
    stayed = torch.zeros_like(follows)  # the other side had to pass
    for g in range(8):
        p0, o0 = image(p[:-1], g), image(o[:-1], g)
        x = (p[1:] | o[1:]) & ~(p0 | o0)
        fl = flips(p0, o0, x)
        own, other = p0 | x | fl, o0 & ~fl
        ok = follows & (count(x) == 1) & (fl != 0)
        turned |= ok & (o[1:] == own) & (p[1:] == other)
        stayed |= ok & (p[1:] == own) & (o[1:] == other)
    stayed &= ~turned
    one = torch.ones(1, dtype=torch.bool, device=DEV)
    begins = torch.cat([one, ~(turned | stayed)])
    ends = torch.cat([begins[1:], one])
    game = torch.cumsum(begins, 0) - 1
    parity = torch.cat([torch.zeros(1, dtype=torch.long, device=DEV), torch.cumsum(turned, 0)]) & 1
    last = torch.nonzero(ends).squeeze(1)[game]
    exact = (f & 1) != 0
    sign = 1.0 - 2.0 * parity.float()
    final = s[last] * sign[last]  # for the side that began
    z = final * sign
    known = exact[last]
    wrong = (known & exact & (z != s)).sum().item()
    out = dict(p=p, o=o, z=z, v=s, exact=exact, held=(f & 2) != 0, discs=discs)
    # Blends: going back from the end, L parts of the next label and 1 - L of the search here.
    place = last - torch.arange(len(p), device=DEV)
    order = [torch.nonzero((place == k) & ~exact).squeeze(1) for k in range(int(place.max()) + 1)]
    for lam in LAMBDAS:
        worth = final.clone()
        for ids in order:
            if len(ids):
                nxt = torch.clamp(ids + 1, max=len(p) - 1)
                worth[ids] = lam * worth[nxt] + (1 - lam) * s[ids] * sign[ids]
        out[f"l{lam}"] = torch.where(exact, s, worth * sign)
    keep = known
    out = {k: x[keep] for k, x in out.items()}
    return out, dict(samples=len(p), games=int(game[-1]) + 1, wrong=wrong, dropped=int((~keep).sum()))


def join(parts):
    return {k: torch.cat([part[k] for part in parts]) for k in parts[0]}


def distinct(d):
    """One row for each board: means of the labels; held out if all of its rows are."""
    h, inverse = torch.unique(hashed(d["p"], d["o"]), return_inverse=True)
    n = len(h)
    times = torch.zeros(n, device=DEV).index_add_(0, inverse, torch.ones_like(d["z"]))
    out = dict(hash=h)
    for k, x in d.items():
        if k in ("p", "o", "discs", "exact"):
            out[k] = torch.empty(n, dtype=x.dtype, device=DEV)
            out[k][inverse] = x
        elif k == "held":
            fitted = torch.zeros(n, device=DEV).index_add_(0, inverse, (~x).float())
            out[k] = fitted == 0
        else:
            out[k] = torch.zeros(n, device=DEV).index_add_(0, inverse, x) / times
    return out


def take(d, mask):
    return {k: x[mask] for k, x in d.items()}


_patterns = {}


def patterns(name):
    if name not in _patterns:
        _patterns[name] = Patterns(name)
    return _patterns[name]


class Features:
    """Rows of the table for boards: `groups` groups of `k` lookups each."""

    def __init__(self, name, mode="sum", others="all"):
        pt = patterns(name)
        self.mode, self.others = mode, others
        if mode.startswith("views"):
            place, base = pt.matrix(pt.views())
            self.groups = int(mode[5:])
            self.pattern_rows, self.classes = pt.slots, None
        else:
            place, base = pt.place, pt.base
            self.groups = 2 if mode in ("two", "tied") else 1
            self.pattern_rows = pt.class_count
            self.classes = torch.from_numpy(pt.classes).to(DEV)
        self.place = torch.from_numpy(place).to(DEV).double()
        self.base = torch.from_numpy(base).to(DEV)
        self.rows = self.pattern_rows + 71
        self.lookups = place.shape[1] * (2 if self.groups == 2 else 1)
        self.k = place.shape[1] // (self.groups if mode.startswith("views") else 1)
        self.k += {"all": 4, "parity": 2, "none": 1}[others]

    def pattern_part(self, digits):
        slots = torch.round(digits @ self.place).long() + self.base  # double: exact
        return slots if self.classes is None else self.classes[slots]

    def other_part(self, p, o):
        odd = odd_quadrants(p, o)
        b = [self.pattern_rows + x for x in OTHER_BEGIN]
        if self.others == "none":
            return (b[3] + (odd & 0)).unsqueeze(1)
        cols = [b[2] + odd, b[3] + (odd & 1)]
        if self.others == "all":
            own, other = count(moves(p, o)), count(moves(o, p))
            cols = [b[0] + own.clamp(max=31), b[1] + other.clamp(max=31)] + cols
        return torch.stack(cols, 1)

    def rows_of(self, p, o):
        """Shape (boards, groups, k), int32."""
        n, sq = len(p), torch.arange(64, device=DEV)
        digits = (((p[:, None] >> sq) & 1) - ((o[:, None] >> sq) & 1)).double()
        others = self.other_part(p, o)
        if self.mode in ("two", "tied"):
            own = torch.cat([self.pattern_part(digits), others], 1)
            opp = torch.cat([self.pattern_part(-digits), self.other_part(o, p)], 1)
            return torch.stack([own, opp], 1).int()
        pat = self.pattern_part(digits)
        if self.mode == "views8":
            pat = pat.view(n, 8, -1)
        elif self.mode == "views4":  # symmetry g and g with a transposition first see one corner
            pat = pat.view(n, 2, 4, -1).transpose(1, 2).reshape(n, 4, -1)
        else:
            pat = pat.view(n, 1, -1)
        others = others[:, None, :].expand(-1, pat.shape[1], -1)
        return torch.cat([pat, others], 2).int()

    def all_rows(self, p, o, step=1 << 20):
        out = torch.empty((len(p), self.groups * self.k), dtype=torch.int32, device=DEV)
        for i in range(0, len(p), step):
            out[i:i + step] = self.rows_of(p[i:i + step], o[i:i + step]).flatten(1)
        return out


class Linear:
    """The program's linear weights."""

    def __init__(self, path):
        self.w = torch.from_numpy(read_weights(path)).to(DEV).contiguous()
        self.f = Features("A")

    def eval(self, p, o, step=1 << 20):
        out = torch.empty(len(p), device=DEV)
        for i in range(0, len(p), step):
            a, b = p[i:i + step], o[i:i + step]
            rows = self.f.rows_of(a, b).flatten(1).long()
            phase = ((count(a | b) - 4) // 2).clamp(0, 29)
            flat = self.w.view(-1)
            out[i:i + step] = flat[rows + phase[:, None] * self.w.shape[1]].sum(1)
        return out.clamp(-64, 64)


def exam(path):
    p, o, s = read_exam(path)
    p, o = torch.from_numpy(p).to(DEV), torch.from_numpy(o).to(DEV)
    s = torch.from_numpy(s).to(DEV)
    images = torch.cat([hashed(image(p, g), image(o, g)) for g in range(8)])
    return dict(p=p, o=o, z=s, v=s, discs=count(p | o), exact=torch.ones_like(p, dtype=torch.bool)), images
