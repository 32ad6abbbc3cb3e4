"""The network that is to be shipped, trained with the rounding of `integer.py` in the last epochs."""
import math
import time

import numpy as np
import torch
import torch.nn.functional as F

import integer
from bits import count
from data import DEV, Features

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

DEFAULT = dict(set="B", W=64, S=30, h1=16, h2=32, one=512, limit=63, xbits=8, scale=16, label="l0.9", chunks=12,
               epochs=12, qat=0.3, B=32768, lr=0.004, wd=1.0, eps=1.0, clip=0.5, beta1=0.9, beta2=0.999, seed=1, n=0)

if triton:
    @triton.jit
    def bag_forward(table, idx, out, N, K, one, W: tl.constexpr, BW: tl.constexpr, BN: tl.constexpr, ROUND: tl.constexpr):
        r = tl.program_id(0) * BN + tl.arange(0, BN)
        c = tl.arange(0, BW)
        rm = r < N
        m = rm[:, None] & (c[None, :] < W)
        acc = tl.zeros((BN, BW), tl.float32)
        for k in range(K):
            i = tl.load(idx + r * K + k, mask=rm, other=0)
            x = tl.load(table + i[:, None].to(tl.int64) * W + c[None, :], mask=m, other=0.0)
            if ROUND:
                x = tl.floor(x * one + 0.5)
            acc += x
        if ROUND:
            acc = acc / one
        tl.store(out + r[:, None].to(tl.int64) * W + c[None, :], acc, mask=m)

    @triton.jit
    def bag_backward(gtable, idx, g, N, K, scale, W: tl.constexpr, BW: tl.constexpr, BN: tl.constexpr):
        r = tl.program_id(0) * BN + tl.arange(0, BN)
        c = tl.arange(0, BW)
        rm = r < N
        m = rm[:, None] & (c[None, :] < W)
        x = tl.load(g + r[:, None].to(tl.int64) * W + c[None, :], mask=m, other=0.0) * scale
        for k in range(K):
            i = tl.load(idx + r * K + k, mask=rm, other=0)
            tl.atomic_add(gtable + i[:, None].to(tl.int64) * W + c[None, :], x, mask=m, sem="relaxed")

    @triton.jit
    def adam_kernel(p, g, m, v, sched, ctr, n, n1, clip1, clip2, eps, wd, beta1, beta2, ZERO: tl.constexpr, BLOCK: tl.constexpr):
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
        clip = tl.where(i < n1, clip1, clip2)
        pp = tl.minimum(tl.maximum(pp, -clip), clip)
        tl.store(p + i, pp, mask=k)
        tl.store(m + i, mm, mask=k)
        tl.store(v + i, vv, mask=k)
        if ZERO:
            tl.store(g + i, tl.zeros((BLOCK,), tl.float32), mask=k)


def tiles(W):
    bw = max(16, triton.next_power_of_2(W))
    return bw, max(4, 1024 // bw)


def bag(table, idx, one=0):
    """Sums of rows; with `one`, of rows rounded to whole parts of one."""
    n, k = idx.shape
    W = table.shape[1]
    if not table.is_cuda:
        t = torch.floor(table * one + 0.5) / one if one else table
        return F.embedding_bag(idx.long(), t, mode="sum")
    out = torch.empty((n, W), device=DEV)
    bw, bn = tiles(W)
    bag_forward[(triton.cdiv(n, bn),)](table, idx, out, n, k, float(one or 1), W=W, BW=bw, BN=bn, ROUND=bool(one))
    return out


def bag_grad(gtable, idx, g, scale):
    n, k = idx.shape
    W = g.shape[1]
    if not g.is_cuda:
        gtable.index_add_(0, idx.long().flatten(), (g * scale)[:, None].expand(-1, k, -1).reshape(-1, W))
        return
    bw, bn = tiles(W)
    bag_backward[(triton.cdiv(n, bn),)](gtable, idx, g, n, k, float(scale), W=W, BW=bw, BN=bn)


def adam(p, g, mv, sched, ctr, cfg, n1, clip1, clip2, eps, wd, zero):
    b1, b2 = cfg["beta1"], cfg["beta2"]
    if not p.is_cuda:
        lr, c1, c2 = sched[int(ctr)].tolist()
        m, v = mv
        m.mul_(b1).add_(g, alpha=1 - b1)
        v.mul_(b2).addcmul_(g, g, value=1 - b2)
        p.sub_(lr * (m * c1 / ((v * c2).sqrt() + eps) + wd * p))
        f = p.view(-1)
        f[:n1].clamp_(-clip1, clip1)
        f[n1:].clamp_(-clip2, clip2)
        if zero:
            g.zero_()
        return
    adam_kernel[(triton.cdiv(p.numel(), 1024),)](
        p, g, mv[0], mv[1], sched, ctr, p.numel(), n1, clip1, clip2, eps, wd, b1, b2, ZERO=zero, BLOCK=1024)


def check_kernels():
    torch.manual_seed(0)
    for W in (32, 64):
        t = torch.randn(1000, W, device=DEV) * 0.05
        idx = torch.randint(0, 1000, (777, 13), device=DEV, dtype=torch.int32)
        want = t[idx.long()].sum(1)
        assert (bag(t, idx) - want).abs().max().item() < 1e-4
        want = (torch.floor(t * 512 + 0.5) / 512)[idx.long()].sum(1)
        assert torch.equal(bag(t, idx, 512), want)
        g = torch.randn(777, W, device=DEV)
        gt = torch.zeros_like(t)
        bag_grad(gt, idx, g, 2.0)
        ref = torch.zeros_like(t).index_add_(0, idx.long().flatten(), (2 * g)[:, None].expand(-1, 13, -1).reshape(-1, W))
        assert (gt - ref).abs().max().item() < 1e-3


def stacked(x, w, b, st, out):
    """A linear layer with weights of its own for each stack."""
    y = F.linear(x, w, b).view(len(x), -1, out)
    return y.gather(1, st.view(-1, 1, 1).expand(-1, 1, out)).squeeze(1)


def passed(smooth, q):
    """The value of `q` with the gradient of `smooth`."""
    return smooth - smooth.detach() + q.detach()  # exactly `q`


def near(x, one, limit=None):
    q = torch.floor(x * one + 0.5)
    if limit:
        q = q.clamp(-limit, limit)
    return passed(x, q / one)


class Net:
    def __init__(self, cfg):
        self.cfg = cfg = {**DEFAULT, **cfg}
        self.f = Features(cfg["set"])
        torch.manual_seed(cfg["seed"])
        S, W = cfg["S"], cfg["W"]
        self.table = torch.randn(self.f.rows, W, device=DEV) * 0.02
        self.table.clamp_(-cfg["limit"] / cfg["one"], cfg["limit"] / cfg["one"])
        self.names, self.dense = [], []

        def param(name, *shape, fill=None, bound=0.0):
            t = torch.empty(*shape, device=DEV)
            if fill is None:
                one = torch.empty(shape[0] // S, *shape[1:], device=DEV).uniform_(-bound, bound)
                t.copy_(one.repeat(S, *([1] * (len(shape) - 1))))
            else:
                t.fill_(fill)
            self.names.append(name)
            self.dense.append(t.requires_grad_())

        last = W
        param("bias", W, fill=0.4)
        if cfg["h1"]:
            param("w1", S * cfg["h1"], W, bound=1.5 / math.sqrt(W))
            param("b1", S * cfg["h1"], fill=0.1)
            param("w2", S * cfg["h2"], 2 * cfg["h1"], bound=1 / math.sqrt(2 * cfg["h1"]))
            param("b2", S * cfg["h2"], fill=0.1)
            last += cfg["h2"]
        param("wo", S, last, bound=0.3 / math.sqrt(last))
        param("bo", S, fill=0.0)

    def stack(self, discs):
        S = self.cfg["S"]
        return ((discs - 4) // 2).clamp(0, 29) * S // 30

    def head(self, sums, st, rounding, exact=False):
        """Output in units of `scale` discs; `exact`: whole numbers of 2**-xbits / 256 discs."""
        cfg = self.cfg
        d = dict(zip(self.names, self.dense))
        one, levels = cfg["one"], 2.0 ** cfg["xbits"]
        if rounding:
            s = sums + near(d["bias"], one)
            c = (s * one).clamp(0, one - 1)
            x = passed(s.clamp(0, 1).square(), torch.floor(c * c * (levels / one ** 2)) / levels)
        else:
            x = (sums + d["bias"]).clamp(0, 1).square()
        h = [x]
        if cfg["h1"]:
            if rounding:
                w = lambda k: near(d[k], integer.HIDDEN_ONE, integer.HIDDEN_LIMIT)
                b = lambda k: near(d[k], integer.BIAS_ONE)
                y = stacked(x, w("w1"), b("b1"), st, cfg["h1"])
                t = torch.floor(y * 4096).clamp(-integer.HIDDEN_TOP, integer.HIDDEN_TOP)
                u = torch.cat([passed(y.clamp(0, 1), torch.floor(t.clamp(min=0) / 16) / 256),
                               passed(y.square().clamp(0, 1), torch.floor(t * t / 65536) / 256)], 1)
                y = stacked(u, w("w2"), b("b2"), st, cfg["h2"])
                z = passed(y.clamp(0, 1), torch.floor(y * 256).clamp(0, 255) / 256)
            else:
                y = stacked(x, d["w1"], d["b1"], st, cfg["h1"])
                u = torch.cat([y.clamp(0, 1), y.square().clamp(0, 1)], 1)
                z = stacked(u, d["w2"], d["b2"], st, cfg["h2"]).clamp(0, 1)
            h = [z, x]
        h = torch.cat(h, 1)
        out = cfg["scale"] * integer.DISC
        if exact:
            wo = torch.floor(d["wo"].double() * out + 0.5)
            bo = torch.floor(d["bo"].double() * out * levels + 0.5)
            return stacked(h.double() * levels, wo, bo, st, 1).squeeze(1)
        wo, bo = (near(d["wo"], out), near(d["bo"], out * levels)) if rounding else (d["wo"], d["bo"])
        return stacked(h, wo, bo, st, 1).squeeze(1)

    @torch.no_grad()
    def predict(self, rows, discs, step=1 << 17):
        """Discs, without any rounding."""
        outs = [self.head(bag(self.table, rows[i:i + step]), self.stack(discs[i:i + step]), False)
                for i in range(0, len(rows), step)]
        return torch.cat(outs) * self.cfg["scale"]

    @torch.no_grad()
    def simulated(self, rows, discs, step=1 << 17):
        """What training with rounding sees, in discs."""
        outs = [self.head(bag(self.table, rows[i:i + step], self.cfg["one"]), self.stack(discs[i:i + step]), True)
                for i in range(0, len(rows), step)]
        return torch.cat(outs) * self.cfg["scale"]

    @torch.no_grad()
    def whole(self, rows, discs, step=1 << 17):
        """The value in integers: parts of a disc, 256 to one."""
        half, one = 2 ** (self.cfg["xbits"] - 1), 2 ** self.cfg["xbits"]
        outs = []
        for i in range(0, len(rows), step):
            v = self.head(bag(self.table, rows[i:i + step], self.cfg["one"]), self.stack(discs[i:i + step]), True, True)
            outs.append(torch.floor((v + half) / one).clamp(-16384, 16384).int())
        return torch.cat(outs)

    def boards(self, f, p, o, step=1 << 17):
        outs = []
        for i in range(0, len(p), step):
            a, b = p[i:i + step], o[i:i + step]
            outs.append(f(self.f.rows_of(a, b).flatten(1), count(a | b)))
        return torch.cat(outs) if outs else torch.empty(0, device=DEV)

    def eval(self, p, o):
        return self.boards(self.predict, p, o).clamp(-64, 64).float()

    def eval_whole(self, p, o):
        return self.boards(self.whole, p, o).float() / integer.DISC

    def integers(self, rule):
        dense = {k: v.detach().cpu().numpy() for k, v in zip(self.names, self.dense)}
        return integer.make(self.cfg, self.table.cpu().numpy(), dense, rule)


def schedule(cfg, total, size):
    t = torch.arange(size, dtype=torch.float64)
    warm = max(1, min(300, total // 10))
    lr = cfg["lr"] * (0.5 + 0.5 * torch.cos(math.pi * (t / total).clamp(max=1)))
    lr = torch.where(t < warm, cfg["lr"] * (t + 1) / warm, lr)
    return torch.stack([lr, 1 / (1 - cfg["beta1"] ** (t + 1)), 1 / (1 - cfg["beta2"] ** (t + 1))], 1).float()


def train(cfg, rows, d, seconds=None):
    """Trains a net on the boards `d` with table rows `rows`; gives it and what it took. With `seconds`
    there are as many steps as fit, and no more than `epochs` say."""
    net = Net(cfg)
    cfg = net.cfg
    n, B = len(rows), min(cfg["B"], len(rows))
    spe = n // B
    total = spe * cfg["epochs"]
    sched = schedule(cfg, total, total + 8).to(DEV).contiguous()
    ctr = torch.zeros(1, dtype=torch.int64, device=DEV)
    y_all = (d[cfg["label"]] / cfg["scale"]).contiguous()
    st_all = net.stack(d["discs"])
    perm = torch.randperm(n, device=DEV)
    ar = torch.arange(B, device=DEV)
    gt = torch.zeros_like(net.table)
    state = [(torch.zeros_like(x), torch.zeros_like(x)) for x in [net.table] + [x.detach() for x in net.dense]]
    total_loss = torch.zeros(1, device=DEV)
    n1 = net.f.pattern_rows * cfg["W"]
    limit = cfg["limit"] / cfg["one"]

    def step(rounding):
        sel = perm[(ctr % spe) * B + ar]
        r = rows[sel]
        sums = bag(net.table, r, cfg["one"] if rounding else 0).requires_grad_()
        loss = (net.head(sums, st_all[sel], rounding) - y_all[sel]).square().mean()
        grads = torch.autograd.grad(loss, [sums] + net.dense)
        with torch.no_grad():
            bag_grad(gt, r, grads[0], B)
            adam(net.table, gt, state[0], sched, ctr, cfg, n1, limit, cfg["clip"], cfg["eps"], cfg["wd"], True)
            for name, p, g, mv in zip(net.names, net.dense, grads[1:], state[1:]):
                clip = integer.HIDDEN_LIMIT / integer.HIDDEN_ONE if name in ("w1", "w2") else 7.9 * 16 / cfg["scale"]
                adam(p.detach(), g.contiguous(), mv, sched, ctr, cfg, p.numel(), clip, clip, 1e-8, 0.0, False)
            total_loss.add_(loss.detach())
            ctr.add_(1)

    def captured(rounding):
        if DEV == "cpu":
            return lambda: step(rounding)
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                step(rounding)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step(rounding)
        return graph.replay

    sync = torch.cuda.synchronize if DEV == "cuda" else lambda: None
    sync()
    began = time.time()
    plain = captured(False) if cfg["qat"] < 1 else None
    done = int(ctr)
    if seconds and plain:
        probe = min(200, total // 4)
        sync()
        t0 = time.time()
        for _ in range(probe):
            plain()
        sync()
        rate = probe / (time.time() - t0)
        done += probe
        total = min(total, done + int(rate * 0.9 * (seconds - (time.time() - began))))
        sched.copy_(schedule(cfg, total, len(sched)))
    begin = total - int(total * cfg["qat"])
    losses, rounding, replay, counted = [], False, plain, 0
    while done < total:
        if done % spe == 0:
            perm.copy_(torch.randperm(n, device=DEV))
            losses.append(total_loss.item() / max(done - counted, 1))
            total_loss.zero_()
            counted = done
        if not rounding and done >= begin and cfg["qat"] > 0:
            rounding, replay = True, captured(True)
            if DEV == "cuda":
                done += 3
                continue
        replay()
        done += 1
    sync()
    took = time.time() - began
    losses.append(total_loss.item() / max(done - counted, 1))
    info = dict(n=n, steps=done, epochs=round(done / spe, 1), seconds=round(took, 2), rate=round(done * B / took / 1e6, 2),
                train_rms=[round(math.sqrt(max(x, 0)) * cfg["scale"], 3) for x in losses],
                memory=round(torch.cuda.max_memory_allocated() / 2 ** 30, 1) if DEV == "cuda" else 0)
    return net, info


def agree(net, arrays, rows, s, limit=5000):
    """How many values differ: numpy's integers, the simulation's, both; on the first boards of a set."""
    p, o = s["p"][:limit].cpu().numpy(), s["o"][:limit].cpu().numpy()
    whole = net.whole(rows[:limit], s["discs"][:limit])
    oracle = integer.Network(arrays).values(p, o)
    sim = net.simulated(rows[:limit], s["discs"][:limit]).clamp(-64, 64)
    off = (sim * 256 - whole).abs().max().item()
    return dict(boards=len(p), differ=int((oracle != whole.cpu().numpy()).sum()), simulation_off_by=round(off, 3))
