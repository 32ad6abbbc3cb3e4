"""Positions a second of full training steps by PyTorch: with the Triton kernels of qnet.py, and plain.

torchspeed.py FILE.dat [VARIANT...]
"""
import json
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

import integer
import qnet
from bits import count
from data import DEV
from patterns import read_samples

torch.backends.cuda.matmul.allow_tf32 = True
N = 1 << 19
STEPS = int(os.environ.get("STEPS", "100"))
SMALL = json.loads(os.environ.get("SMALL", "{}"))


def sync():
    if DEV == "cuda":
        torch.cuda.synchronize()


def prepared():
    raw = read_samples(sys.argv[1])
    p, o = raw["p"].copy(), raw["o"].copy()
    pick = np.random.default_rng(1).integers(0, len(p), N if DEV == "cuda" else 4 * SMALL.get("B", 512))
    rows = integer.rows_of("B", p, o)[pick]
    return (torch.from_numpy(rows).to(DEV), dict(z=torch.from_numpy(raw["s"].astype(np.float32)[pick]).to(DEV),
                                                 discs=torch.from_numpy(count(p | o)[pick]).to(DEV)))


class Bag(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, idx):
        ctx.save_for_backward(idx)
        ctx.shape = table.shape
        return table[idx].sum(1)

    @staticmethod
    def backward(ctx, g):
        idx, = ctx.saved_tensors
        n, k = idx.shape
        out = torch.zeros(ctx.shape, device=g.device)
        return out.index_add_(0, idx.flatten(), g[:, None].expand(-1, k, -1).reshape(n * k, -1)), None


def plain(variant, rows, d):
    cfg = {**qnet.DEFAULT, **SMALL}
    net = qnet.Net(cfg)
    B = cfg["B"]
    table = net.table.requires_grad_()
    fused = dict(fused=True) if DEV == "cuda" else {}
    opts = [torch.optim.AdamW([table], lr=4e-5, eps=1.0, weight_decay=1.0, **fused),
            torch.optim.AdamW(net.dense, lr=4e-5, eps=1e-8, weight_decay=0.0, **fused)]
    long = rows.long()
    y, st = d["z"] / 16, net.stack(d["discs"])
    perm = torch.randperm(len(rows), device=DEV)
    sums = {"bag": lambda r: F.embedding_bag(r, table, mode="sum"), "add": lambda r: Bag.apply(table, r)}.get(variant, lambda r: table[r].sum(1))
    f = lambda r, s: net.head(sums(r), s, False)
    if variant == "compile":
        f = torch.compile(f)

    def step(i):
        sel = perm[i % (len(perm) // B) * B:][:B]
        loss = (f(long[sel], st[sel]) - y[sel]).square().mean()
        for o in opts:
            o.zero_grad(set_to_none=True)
        loss.backward()
        table.grad.mul_(B)
        for o in opts:
            o.step()
        with torch.no_grad():
            table.clamp_(-0.25, 0.25)
        return loss

    t0 = time.time()
    losses = [step(i) for i in range(4)]
    got = sum(x.item() for x in losses)
    first = time.time() - t0
    sync()
    t0 = time.time()
    for i in range(STEPS):
        step(i)
    sync()
    return (time.time() - t0) / STEPS, got, first, B


def main():
    rows, d = prepared()
    for variant in sys.argv[2:] or ["triton", "bag", "add", "index", "compile"]:
        try:
            if variant == "triton":
                for qat in (0.0, 1.0):
                    t0 = time.time()
                    cfg = {**qnet.DEFAULT, **SMALL, "epochs": 8 if DEV == "cuda" else 1, "label": "z", "qat": qat}
                    qnet.train(cfg, rows, d)
                    first = time.time() - t0
                    t0 = time.time()
                    _, info = qnet.train(cfg, rows, d)
                    print(json.dumps(dict(framework="torch", variant=variant, rounding=bool(qat), first=round(first, 1),
                                          ms=round(info["seconds"] / info["steps"] * 1e3, 2), rate=info["rate"])), flush=True)
                continue
            s, loss, first, B = plain(variant, rows, d)
            print(json.dumps(dict(framework="torch", variant=variant, first=round(first, 1), ms=round(s * 1e3, 2),
                                  rate=round(B / s / 1e6, 3), loss=round(loss, 5))), flush=True)
        except Exception as e:
            print(json.dumps(dict(framework="torch", variant=variant, failed=repr(e)[:600])), flush=True)


if __name__ == "__main__":
    main()
