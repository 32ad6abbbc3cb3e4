"""Games between two evaluations by 1, 2 or 3 plies of full search, thousands at once."""
import math

import torch

from bits import count, flips, moves
from data import DEV


def bit_of(square):
    return torch.ones_like(square) << square


SIGN = {"reversed": -1, "normal": 1}
rule = "reversed"


def final(p, o):
    """The score of a finished game for the side with `p`."""
    own, other = count(p), count(o)
    margin = own - other
    return SIGN[rule] * (margin + torch.sign(margin) * (64 - own - other)).float()


def children(p, o, legal):
    """All moves: number of the parent, square, and the board the opponent sees."""
    sq = torch.arange(64, device=DEV)
    parent, square = torch.nonzero((legal[:, None] >> sq) & 1, as_tuple=True)
    x = bit_of(square)
    a, b = p[parent], o[parent]
    f = flips(a, b, x)
    return parent, square, b & ~f, a | x | f


def value(p, o, depth, evaluate):
    """What boards are worth to the side to move by so many plies."""
    out = torch.zeros(len(p), device=DEV)
    if len(p) == 0:
        return out
    own = moves(p, o)
    stuck = own == 0
    if stuck.any():
        ids = torch.nonzero(stuck).squeeze(1)
        a, b = p[ids], o[ids]
        over = moves(b, a) == 0
        worth = torch.where(over, final(a, b), torch.zeros(len(ids), device=DEV))
        go = torch.nonzero(~over).squeeze(1)
        worth[go] = -value(b[go], a[go], depth, evaluate)
        out[ids] = worth
    ids = torch.nonzero(~stuck).squeeze(1)
    if depth == 0:
        out[ids] = evaluate(p[ids], o[ids])
        return out
    parent, _, a, b = children(p[ids], o[ids], own[ids])
    worth = -value(a, b, depth - 1, evaluate)
    best = torch.full((len(ids),), -1e9, device=DEV).scatter_reduce(0, parent, worth, "amax")
    out[ids] = best
    return out


def choose(p, o, legal, depth, evaluate):
    """A best move on each board: the boards after it, seen by the other side."""
    parent, _, a, b = children(p, o, legal)
    worth = -value(a, b, depth - 1, evaluate) + 1e-3 * torch.rand(len(parent), device=DEV)
    best = torch.full((len(p),), -1e9, device=DEV).scatter_reduce(0, parent, worth, "amax")
    pick = torch.nonzero(worth == best[parent]).squeeze(1)
    at = torch.empty(len(p), dtype=torch.long, device=DEV)
    at[parent[pick]] = pick
    return a[at], b[at]


def openings(n, plies, seed):
    torch.manual_seed(seed)
    p = torch.full((n,), (1 << 28) | (1 << 35), dtype=torch.int64, device=DEV)
    o = torch.full((n,), (1 << 27) | (1 << 36), dtype=torch.int64, device=DEV)
    for _ in range(plies):
        legal = moves(p, o)
        ok = torch.nonzero(legal).squeeze(1)
        parent, _, a, b = children(p[ok], o[ok], legal[ok])
        key = torch.rand(len(parent), device=DEV)
        best = torch.zeros(len(ok), device=DEV).scatter_reduce(0, parent, key, "amax")
        pick = torch.nonzero(key == best[parent]).squeeze(1)
        p, o = a[pick], b[pick]
    return p, o


def duel(one, two, depth, pairs, plies=12, seed=5):
    """Points of `one`: each opening from both sides."""
    p, o = openings(pairs, plies, seed)
    n = len(p)
    p, o = torch.cat([p, p]), torch.cat([o, o])
    turn = torch.cat([torch.ones(n, device=DEV), -torch.ones(n, device=DEV)])  # 1: `one` to move
    score = torch.zeros(2 * n, device=DEV)  # for `one`
    live = torch.ones(2 * n, dtype=torch.bool, device=DEV)
    for _ in range(130):
        legal = moves(p, o)
        other = moves(o, p)
        over = live & (legal == 0) & (other == 0)
        score = torch.where(over, final(p, o) * turn, score)
        live = live & ~over
        if not live.any():
            break
        skip = live & (legal == 0)
        p, o = torch.where(skip, o, p), torch.where(skip, p, o)
        turn = torch.where(skip, -turn, turn)
        legal = torch.where(skip, other, legal)
        q, r = p.clone(), o.clone()
        for who, evaluate in ((1, one), (-1, two)):
            ids = torch.nonzero(live & (turn == who)).squeeze(1)
            if len(ids):
                q[ids], r[ids] = choose(p[ids], o[ids], legal[ids], depth, evaluate)
        p, o = q, r
        turn = torch.where(live, -turn, turn)
    points = (torch.sign(score) + 1) / 2
    pair = (points[:n] + points[n:]) / 2
    mean, se = pair.mean().item(), pair.std().item() / math.sqrt(n)
    elo = lambda s: -400 * math.log10(1 / min(max(s, 1e-4), 1 - 1e-4) - 1)
    return dict(depth=depth, games=2 * n, won=int((points == 1).sum()), drawn=int((points == 0.5).sum()),
                lost=int((points == 0).sum()), elo=round(elo(mean)), low=round(elo(mean - 1.96 * se)),
                high=round(elo(mean + 1.96 * se)), margin=round(score.mean().item(), 3))
