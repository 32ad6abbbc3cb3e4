"""Pattern networks: embeddings summed into an accumulator, tiny dense layers by phase."""
import math
import time

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from bits import count
from data import DEV, Features

SCALE = 16.0  # discs to one unit of the output

DEFAULT = dict(
    set="A", mode="sum", others="all", W=64, nb=1, W2=0, nb2=6, lin=0, act="pair", S=30, h1=16, h2=32,
    act2="crelu", skip=1, epochs=12, B=32768, lr=1e-3, wd=0.0, eps=1e-8, clip=0.5, b2=0.999,
    label="z", wdl=0.0, seed=1, chunks=16, lo=0, hi=64,
)


@triton.jit
def bag_forward(table, idx, off, out, N, K, W: tl.constexpr, BW: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BN + tl.arange(0, BN)
    c = tl.arange(0, BW)
    rm = r < N
    m = rm[:, None] & (c[None, :] < W)
    o = tl.load(off + r, mask=rm, other=0)
    acc = tl.zeros((BN, BW), tl.float32)
    for k in range(K):
        i = tl.load(idx + r * K + k, mask=rm, other=0) + o
        acc += tl.load(table + i[:, None].to(tl.int64) * W + c[None, :], mask=m, other=0.0)
    tl.store(out + r[:, None].to(tl.int64) * W + c[None, :], acc, mask=m)


@triton.jit
def bag_backward(gtable, idx, off, g, N, K, scale, W: tl.constexpr, BW: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BN + tl.arange(0, BN)
    c = tl.arange(0, BW)
    rm = r < N
    m = rm[:, None] & (c[None, :] < W)
    o = tl.load(off + r, mask=rm, other=0)
    x = tl.load(g + r[:, None].to(tl.int64) * W + c[None, :], mask=m, other=0.0) * scale
    for k in range(K):
        i = tl.load(idx + r * K + k, mask=rm, other=0) + o
        tl.atomic_add(gtable + i[:, None].to(tl.int64) * W + c[None, :], x, mask=m, sem="relaxed")


@triton.jit
def adam_step(p, g, m, v, sched, ctr, n, clip, eps, wd, beta1, beta2, ZERO: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    k = i < n
    t = tl.load(ctr)
    lr = tl.load(sched + t * 3)
    c1 = tl.load(sched + t * 3 + 1)
    c2 = tl.load(sched + t * 3 + 2)
    gg = tl.load(g + i, mask=k, other=0.0)
    mm = tl.load(m + i, mask=k, other=0.0) * beta1 + gg * (1 - beta1)
    vv = tl.load(v + i, mask=k, other=0.0) * beta2 + gg * gg * (1 - beta2)
    pp = tl.load(p + i, mask=k, other=0.0)
    pp = pp - lr * (mm * c1 / (tl.sqrt(vv * c2) + eps) + wd * pp)
    pp = tl.minimum(tl.maximum(pp, -clip), clip)
    tl.store(p + i, pp, mask=k)
    tl.store(m + i, mm, mask=k)
    tl.store(v + i, vv, mask=k)
    if ZERO:
        tl.store(g + i, tl.zeros((BLOCK,), tl.float32), mask=k)


def tiles(W):
    bw = max(16, triton.next_power_of_2(W))
    return bw, max(4, 1024 // bw)


def bag(table, idx, off, W, out=None):
    n, k = idx.shape
    if out is None:
        out = torch.empty((n, W), device=DEV)
    bw, bn = tiles(W)
    bag_forward[(triton.cdiv(n, bn),)](table, idx, off, out, n, k, W=W, BW=bw, BN=bn)
    return out


def bag_grad(gtable, idx, off, g, W, scale):
    n, k = idx.shape
    bw, bn = tiles(W)
    bag_backward[(triton.cdiv(n, bn),)](gtable, idx, off, g, n, k, scale, W=W, BW=bw, BN=bn)


def check_kernels():
    torch.manual_seed(0)
    for W in (1, 16, 64, 128):
        t = torch.randn(1000, W, device=DEV)
        idx = torch.randint(0, 500, (777, 13), device=DEV, dtype=torch.int32)
        off = torch.randint(0, 2, (777,), device=DEV, dtype=torch.int32) * 500
        rows = (idx + off[:, None]).long()
        want = t[rows].sum(1)
        err = (bag(t, idx, off, W) - want).abs().max().item()
        g = torch.randn(777, W, device=DEV)
        gt = torch.zeros_like(t)
        bag_grad(gt, idx, off, g, W, 2.0)
        ref = torch.zeros_like(t).index_add_(0, rows.flatten(), (2 * g)[:, None].expand(-1, 13, -1).reshape(-1, W))
        err2 = (gt - ref).abs().max().item()
        assert err < 1e-4 and err2 < 1e-3, (W, err, err2)


def spread(x, times):
    return x[:, None].expand(-1, times).reshape(-1).contiguous()


def stacked(x, w, b, st, out):
    """A linear layer with weights of its own for each stack."""
    y = F.linear(x, w, b).view(len(x), -1, out)
    return y.gather(1, st.view(-1, 1, 1).expand(-1, 1, out)).squeeze(1)


def activate(x, kind):
    if kind == "crelu":
        return x.clamp(0, 1)
    if kind == "screlu":
        return x.clamp(0, 1).square()
    if kind == "pair":
        a, b = x.chunk(2, -1)
        return a.clamp(0, 1) * b.clamp(0, 1)
    if kind == "both":  # pairs and the plain clipped values beside them
        a, b = x.chunk(2, -1)
        return torch.cat([a.clamp(0, 1) * b.clamp(0, 1), x.clamp(0, 1)], -1)
    return x


def width_after(W, kind):
    return {"pair": W // 2, "both": W + W // 2}.get(kind, W)


class Net:
    def __init__(self, cfg):
        self.cfg = cfg = {**DEFAULT, **cfg}
        self.f = Features(cfg["set"], cfg["mode"], cfg["others"])
        torch.manual_seed(cfg["seed"])
        S, act = cfg["S"], cfg["act"]
        self.tables = []  # (width, buckets, values)
        for W, nb in ((cfg["W"], cfg["nb"]), (cfg["W2"], cfg["nb2"]), (cfg["lin"], 1)):
            if W:
                one = torch.randn(self.f.rows, W, device=DEV) * (0.0 if act == "none" else 0.02)
                self.tables.append((W, nb, one.repeat(nb, 1)))
        self.names, self.dense = [], []

        def param(name, *shape, fill=None, bound=0.0):
            t = torch.empty(*shape, device=DEV)
            if fill is None:
                rows = shape[0] // S
                one = torch.empty(rows, *shape[1:], device=DEV).uniform_(-bound, bound)
                t.copy_(one.repeat(S, *([1] * (len(shape) - 1))))
            else:
                t.fill_(fill)
            self.names.append(name)
            self.dense.append(t.requires_grad_())

        if act != "none":
            groups = 2 if cfg["mode"] == "two" else 1
            wide = groups * width_after(cfg["W"], act)
            param("bias", cfg["W"], fill=0.4)
            if cfg["W2"]:
                wide += groups * width_after(cfg["W2"], act)
                param("bias2", cfg["W2"], fill=0.4)
            last = 0
            if cfg["h1"]:
                param("w1", S * cfg["h1"], wide, bound=1.5 / math.sqrt(wide))
                param("b1", S * cfg["h1"], fill=0.1)
                last = 2 * cfg["h1"]
                if cfg["h2"]:
                    param("w2", S * cfg["h2"], last, bound=1 / math.sqrt(last))
                    param("b2", S * cfg["h2"], fill=0.1)
                    last = cfg["h2"]
            if cfg["skip"] or not cfg["h1"]:
                last += wide
            last += cfg["lin"]
            param("wo", S, last, bound=0.3 / math.sqrt(last))
            param("bo", S, fill=0.0)
            if cfg["wdl"]:
                param("ww", 3 * S, last, bound=0.1)
                param("bw", 3 * S, fill=0.0)

    def stack(self, discs):
        S = self.cfg["S"]
        if S > 30:
            return (discs - 4).clamp(0, S - 1)
        return ((discs - 4) // 2).clamp(0, 29) * S // 30

    def offsets(self, discs, nb):
        return (((discs - 4) // 2).clamp(0, 29) * nb // 30 * self.f.rows).int()

    def accumulate(self, rows, discs):
        """The sums of all tables: (boards * groups, width) each."""
        flat = rows.view(-1, self.f.k)
        sums = []
        for W, nb, t in self.tables:
            off = spread(self.offsets(discs, nb), self.f.groups)
            sums.append(bag(t, flat, off, W))
        return sums

    def merge(self, x, bias):
        """(boards, groups, width) to the activated inputs of the dense layers."""
        cfg = self.cfg
        if cfg["mode"] == "tied":
            own, opp = x[:, 0], x[:, 1]
            odd, even = own - opp, own + opp
            q = cfg["W"] // 4
            x = torch.cat([odd[:, :q], even[:, q:2 * q], odd[:, 2 * q:3 * q], even[:, 3 * q:]], 1)
            return activate(x + bias, cfg["act"])
        a = activate(x + bias, cfg["act"])
        return a.flatten(1) if cfg["mode"] == "two" else a.mean(1)

    def head(self, sums, st, dense=None, quant=None):
        """Output in units of SCALE, and the logits of win, draw, loss if there are any."""
        cfg = self.cfg
        d = dict(zip(self.names, self.dense if dense is None else dense))
        G = self.f.groups
        xs = [s.view(-1, G, s.shape[1]) for s in sums]
        if cfg["act"] == "none":
            return xs[0].sum((1, 2)), None
        q = quant or (lambda x: x)
        x = self.merge(xs[0], d["bias"])
        at = 1
        if cfg["W2"]:
            x = torch.cat([x, self.merge(xs[at], d["bias2"])], 1)
            at += 1
        x = q(x)
        h = []
        if cfg["h1"]:
            y = stacked(x, d["w1"], d["b1"], st, cfg["h1"])
            y = q(torch.cat([y.clamp(0, 1), y.square().clamp(0, 1)], 1))
            if cfg["h2"]:
                y = stacked(y, d["w2"], d["b2"], st, cfg["h2"])
                y = q(y.clamp(0, 1).square() if cfg["act2"] == "screlu" else y.clamp(0, 1))
            h.append(y)
        if cfg["skip"] or not cfg["h1"]:
            h.append(x)
        if cfg["lin"]:
            h.append(xs[at].mean(1))
        h = torch.cat(h, 1)
        out = stacked(h, d["wo"], d["bo"], st, 1).squeeze(1)
        return out, stacked(h, d["ww"], d["bw"], st, 3) if cfg["wdl"] else None

    @torch.no_grad()
    def predict(self, rows, discs, step=1 << 18, quant=None, dense=None, logits=False):
        outs, logs = [], []
        for i in range(0, len(rows), step):
            d = discs[i:i + step]
            o, l = self.head(self.accumulate(rows[i:i + step], d), self.stack(d), dense, quant)
            outs.append(o * SCALE)
            logs.append(l)
        out = torch.cat(outs) if outs else torch.empty(0, device=DEV)
        return (out, torch.cat(logs)) if logits else out

    @torch.no_grad()
    def eval(self, p, o, step=1 << 18):
        outs = []
        for i in range(0, len(p), step):
            a, b = p[i:i + step], o[i:i + step]
            outs.append(self.predict(self.f.rows_of(a, b).flatten(1), count(a | b)))
        return torch.cat(outs).clamp(-64, 64) if outs else torch.empty(0, device=DEV)

    def quantised(self, bits, s, wbits=64):
        """A copy whose embeddings have `bits` bits, `s` to one, weights 8 bits and `wbits` to one."""
        copy = Net.__new__(Net)
        copy.cfg, copy.f, copy.names = self.cfg, self.f, self.names
        top = 2 ** (bits - 1) - 1
        copy.tables = [(W, nb, (t * s).round().clamp(-top, top) / s) for W, nb, t in self.tables]
        copy.dense = []
        for name, t in zip(self.names, self.dense):
            t = t.detach().clone()
            if name in ("w1", "w2"):
                t = (t * wbits).round().clamp(-127, 127) / wbits
            elif name in ("wo", "ww"):
                t = (t * 4096).round() / 4096
            elif name in ("bias", "bias2"):
                t = (t * s).round() / s
            copy.dense.append(t)
        return copy


def train(cfg, rows, d, budget=None):
    """Trains a net on the boards `d` with table rows `rows`; gives it and what it took."""
    net = Net(cfg)
    cfg = net.cfg
    n, B, G, K = len(rows), cfg["B"], net.f.groups, net.f.k
    spe = n // B
    total = spe * cfg["epochs"]
    t = torch.arange(total + 8, dtype=torch.float64)
    warm = min(300, total // 10)
    lr = cfg["lr"] * torch.minimum((t + 1) / max(warm, 1), 0.5 + 0.5 * torch.cos(math.pi * (t / total).clamp(max=1)))
    lr = torch.where(t < warm, cfg["lr"] * (t + 1) / max(warm, 1), lr)
    b1, b2 = 0.9, cfg["b2"]
    sched = torch.stack([lr, 1 / (1 - b1 ** (t + 1)), 1 / (1 - b2 ** (t + 1))], 1).float().contiguous().to(DEV)
    ctr = torch.zeros(1, dtype=torch.int64, device=DEV)
    y_all = (d[cfg["label"]] / SCALE).contiguous()
    z_all = d["z"]
    discs_all = d["discs"]
    perm = torch.randperm(n, device=DEV)
    ar = torch.arange(B, device=DEV)
    gt = [torch.zeros_like(x[2]) for x in net.tables]
    state = [(torch.zeros_like(x), torch.zeros_like(x)) for x in [x[2] for x in net.tables] + net.dense]
    total_loss = torch.zeros(1, device=DEV)

    def adam(p, g, mv, clip, eps, wd, zero):
        adam_step[(triton.cdiv(p.numel(), 1024),)](
            p, g, mv[0], mv[1], sched, ctr, p.numel(), clip, eps, wd, b1, b2, ZERO=zero, BLOCK=1024)

    def step():
        sel = perm[(ctr % spe) * B + ar]
        r = rows[sel].view(B * G, K)
        disc = discs_all[sel]
        y = y_all[sel]
        offs = [spread(net.offsets(disc, nb), G) for _, nb, _ in net.tables]
        sums = [bag(tb, r, off, W).requires_grad_() for (W, _, tb), off in zip(net.tables, offs)]
        out, logits = net.head(sums, net.stack(disc))
        loss = (out - y).square().mean()
        full = loss
        if logits is not None:
            z = z_all[sel]
            target = torch.where(z > 0.5, 0, torch.where(z < -0.5, 2, 1))
            full = loss + cfg["wdl"] * F.cross_entropy(logits, target)
        grads = torch.autograd.grad(full, sums + net.dense)
        with torch.no_grad():
            for j, (W, _, tb) in enumerate(net.tables):
                bag_grad(gt[j], r, offs[j], grads[j], W, float(B))
                adam(tb, gt[j], state[j], cfg["clip"], cfg["eps"], cfg["wd"], True)
            k = len(net.tables)
            for name, p, g, mv in zip(net.names, net.dense, grads[k:], state[k:]):
                clip = 127 / 64 if name in ("w1", "w2") else 1e9
                adam(p.detach(), g.contiguous(), mv, clip, 1e-8, 0.0, False)
            total_loss.add_(loss.detach())
            ctr.add_(1)

    torch.cuda.synchronize()
    began = time.time()
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    done, graph, note = 3, None, ""
    if cfg.get("graph", 1):
        try:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                step()
        except Exception as e:  # plain steps do as well, only slower
            note = "no graph: " + repr(e)[:200]
            graph = None
            torch.cuda.synchronize()
    losses = []
    while done < total:
        if done % spe == 0:
            perm.copy_(torch.randperm(n, device=DEV))
            losses.append(total_loss.item() / spe)
            total_loss.zero_()
            if budget and time.time() - began > budget:
                note += f" stopped after {done} of {total} steps"
                break
        graph.replay() if graph else step()
        done += 1
    torch.cuda.synchronize()
    took = time.time() - began
    losses.append(total_loss.item() / spe)
    info = dict(n=n, steps=done, seconds=round(took, 2), rate=round(done * B / took / 1e6, 2), note=note,
                train_rms=[round(math.sqrt(max(x, 0)) * SCALE, 3) for x in losses],
                memory=round(torch.cuda.max_memory_allocated() / 2 ** 30, 1))
    del graph
    return net, info
