"""The same network and trainer in JAX, for the comparison with PyTorch.

jaxnet.py train FILE.dat OUT.npz [KEY=VALUE...]   a network from samples of the program, end to end
jaxnet.py speed FILE.dat [VARIANT...]             positions a second of full training steps
"""
import functools
import json
import math
import os
import sys
import time

BEGAN = time.time()
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp
import numpy as np

import integer
from bits import count
from patterns import read_samples

IMPORTED = time.time() - BEGAN
DEFAULT = dict(set="B", W=64, S=30, h1=16, h2=32, one=512, limit=63, xbits=8, scale=16, epochs=12, qat=0.3, B=32768,
               lr=0.004, wd=1.0, eps=1.0, clip=0.5, beta1=0.9, beta2=0.999, seed=1, rule="reversed", bag="take")


# Sums of rows: each with the gradient that goes with it.

def bag_take(table, idx):
    return table[idx].sum(1)


@jax.custom_vjp
def bag_loop(table, idx):
    return sum(table[idx[:, k]] for k in range(idx.shape[1]))


def bag_loop_forward(table, idx):
    return bag_loop(table, idx), (idx, table.shape)


def bag_loop_backward(kept, g):
    idx, shape = kept
    out = jnp.zeros(shape, g.dtype)
    for k in range(idx.shape[1]):
        out = out.at[idx[:, k]].add(g)
    return out, None


bag_loop.defvjp(bag_loop_forward, bag_loop_backward)


@jax.custom_vjp
def bag_flat(table, idx):
    return table[idx].sum(1)


def bag_flat_forward(table, idx):
    return bag_flat(table, idx), (idx, table.shape)


def bag_flat_backward(kept, g):
    idx, shape = kept
    n, k = idx.shape
    spread = jnp.broadcast_to(g[:, None], (n, k, g.shape[1])).reshape(n * k, -1)
    return jnp.zeros(shape, g.dtype).at[idx.reshape(-1)].add(spread), None


bag_flat.defvjp(bag_flat_forward, bag_flat_backward)


@jax.custom_vjp
def bag_sorted(table, idx):
    return table[idx].sum(1)


def bag_sorted_backward(kept, g):
    idx, shape = kept
    n, k = idx.shape
    flat = idx.reshape(-1)
    order = jnp.argsort(flat)
    return jnp.zeros(shape, g.dtype).at[flat[order]].add(g[order // k], indices_are_sorted=True), None


bag_sorted.defvjp(lambda t, i: (bag_sorted(t, i), (i, t.shape)), bag_sorted_backward)


def pallas_bag(interpret=False, rows=16, warps=4):
    """The two kernels by hand, in JAX's own kernel language."""
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import triton as plt

    call = functools.partial(pl.pallas_call, interpret=interpret)
    params = {} if interpret else dict(compiler_params=plt.CompilerParams(num_warps=warps))

    def forward_kernel(table, idx, out):
        W, K = table.shape[1], idx.shape[1]
        r = pl.program_id(0) * rows + jnp.arange(rows)
        c = jnp.arange(W)

        def one(k, acc):
            i = plt.load(idx.at[r, k])
            return acc + plt.load(table.at[i[:, None], c[None, :]])

        plt.store(out.at[r[:, None], c[None, :]], jax.lax.fori_loop(0, K, one, jnp.zeros((rows, W), jnp.float32)))

    def backward_kernel(g, idx, _, out):
        W, K = g.shape[1], idx.shape[1]
        r = pl.program_id(0) * rows + jnp.arange(rows)
        c = jnp.arange(W)
        x = plt.load(g.at[r[:, None], c[None, :]])

        def one(k, _):
            i = plt.load(idx.at[r, k])
            plt.atomic_add(out, (i[:, None], c[None, :]), x)
            return 0

        jax.lax.fori_loop(0, K, one, 0)

    @jax.custom_vjp
    def bag(table, idx):
        n, W = len(idx), table.shape[1]
        return call(forward_kernel, out_shape=jax.ShapeDtypeStruct((n, W), jnp.float32), grid=(n // rows,), **params)(table, idx)

    def backward(kept, g):
        idx, shape = kept
        zero = jnp.zeros(shape, jnp.float32)
        out = call(backward_kernel, out_shape=jax.ShapeDtypeStruct(shape, jnp.float32), grid=(len(idx) // rows,),
                   input_output_aliases={2: 0}, **params)(g, idx, zero)
        return out, None

    bag.defvjp(lambda t, i: (bag(t, i), (i, t.shape)), backward)
    return bag


def bag_by_name(name):
    return pallas_bag() if name == "pallas" else dict(take=bag_take, loop=bag_loop, flat=bag_flat, sorted=bag_sorted)[name]


# The network.

def first(cfg):
    rng = np.random.default_rng(cfg["seed"])
    S, W, h1, h2 = cfg["S"], cfg["W"], cfg["h1"], cfg["h2"]
    rows = integer.patterns(cfg["set"]).class_count + 71
    f = lambda x: jnp.asarray(x, jnp.float32)
    spread = lambda *shape, bound: f(np.repeat(rng.uniform(-bound, bound, (1, *shape)), S, 0))
    table = rng.standard_normal((rows, W), np.float32) * 0.02
    limit = cfg["limit"] / cfg["one"]
    p = dict(table=f(np.clip(table, -limit, limit)), bias=f(np.full(W, 0.4)))
    last = W + h2 if h1 else W
    if h1:
        p.update(w1=spread(h1, W, bound=1.5 / math.sqrt(W)), b1=f(np.full((S, h1), 0.1)),
                 w2=spread(h2, 2 * h1, bound=1 / math.sqrt(2 * h1)), b2=f(np.full((S, h2), 0.1)))
    p.update(wo=spread(last, bound=0.3 / math.sqrt(last)), bo=f(np.zeros(S)))
    return p


def passed(smooth, q):
    return smooth - jax.lax.stop_gradient(smooth) + jax.lax.stop_gradient(q)


def near(x, one, limit=None):
    q = jnp.floor(x * one + 0.5)
    return passed(x, (jnp.clip(q, -limit, limit) if limit else q) / one)


def layer(x, w, b, st):
    """A layer with weights of its own for each stack: all are worked out, one is taken."""
    S, h, n = w.shape
    y = (x @ w.reshape(S * h, n).T).reshape(-1, S, h)
    return jnp.take_along_axis(y, st[:, None, None], 1)[:, 0] + b[st]


def head(p, sums, st, cfg, rounding):
    one, levels = cfg["one"], 2.0 ** cfg["xbits"]
    s = sums + (near(p["bias"], one) if rounding else p["bias"])
    x = jnp.square(jnp.clip(s, 0, 1))
    if rounding:
        c = jnp.clip(s * one, 0, one - 1)
        x = passed(x, jnp.floor(c * c * (levels / one ** 2)) / levels)
    h = x
    if cfg["h1"]:
        w = lambda k: near(p[k], integer.HIDDEN_ONE, integer.HIDDEN_LIMIT) if rounding else p[k]
        b = lambda k: near(p[k], integer.BIAS_ONE) if rounding else p[k]
        y = layer(x, w("w1"), b("b1"), st)
        u, v = jnp.clip(y, 0, 1), jnp.clip(jnp.square(y), 0, 1)
        if rounding:
            t = jnp.clip(jnp.floor(y * 4096), -integer.HIDDEN_TOP, integer.HIDDEN_TOP)
            u, v = passed(u, jnp.floor(jnp.maximum(t, 0) / 16) / 256), passed(v, jnp.floor(t * t / 65536) / 256)
        y = layer(jnp.concatenate([u, v], 1), w("w2"), b("b2"), st)
        z = jnp.clip(y, 0, 1)
        if rounding:
            z = passed(z, jnp.clip(jnp.floor(y * 256), 0, 255) / 256)
        h = jnp.concatenate([z, x], 1)
    out = cfg["scale"] * integer.DISC
    wo, bo = (near(p["wo"], out), near(p["bo"], out * levels)) if rounding else (p["wo"], p["bo"])
    return (h * wo[st]).sum(1) + bo[st]


def make_steps(cfg, rounding):
    """Many steps as one compiled function."""
    bag = bag_by_name(cfg["bag"])
    B, b1, b2 = cfg["B"], cfg["beta1"], cfg["beta2"]
    pt = integer.patterns(cfg["set"])
    limit = cfg["limit"] / cfg["one"]

    def loss(p, rows, st, y):
        table = near(p["table"], cfg["one"], cfg["limit"] * 16) if rounding else p["table"]
        return jnp.square(head(p, bag(table, rows), st, cfg, rounding) - y).mean()

    def update(k, p, g, m, v, lr, c1, c2):
        table = k == "table"
        g = g * B if table else g
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        p = p - lr * (m * c1 / (jnp.sqrt(v * c2) + (cfg["eps"] if table else 1e-8)) + (cfg["wd"] * p if table else 0.0))
        if table:
            row = jax.lax.broadcasted_iota(jnp.int32, p.shape, 0)
            bound = jnp.where(row < pt.class_count, limit, cfg["clip"])
            p = jnp.clip(p, -bound, bound)
        elif k in ("w1", "w2"):
            p = jnp.clip(p, -integer.HIDDEN_LIMIT / integer.HIDDEN_ONE, integer.HIDDEN_LIMIT / integer.HIDDEN_ONE)
        return p, m, v

    def one(i, carry, perm, rows, st, y, total, start):
        state, total_loss = carry
        sel = jax.lax.dynamic_slice(perm, (i % (len(perm) // B) * B,), (B,))
        value, g = jax.value_and_grad(loss)(state["p"], rows[sel], st[sel], y[sel])
        t = (start + i).astype(jnp.float32)
        warm = jnp.maximum(1.0, jnp.minimum(300.0, total // 10))
        lr = cfg["lr"] * jnp.where(t < warm, (t + 1) / warm, 0.5 + 0.5 * jnp.cos(math.pi * jnp.minimum(t / total, 1)))
        c1, c2 = 1 / (1 - b1 ** (t + 1)), 1 / (1 - b2 ** (t + 1))
        new = {k: update(k, x, g[k], state["m"][k], state["v"][k], lr, c1, c2) for k, x in state["p"].items()}
        state = dict(p={k: x[0] for k, x in new.items()}, m={k: x[1] for k, x in new.items()}, v={k: x[2] for k, x in new.items()})
        return state, total_loss + value

    @functools.partial(jax.jit, donate_argnums=0)
    def steps(state, n, perm, rows, st, y, total, start):
        return jax.lax.fori_loop(0, n, lambda i, c: one(i, c, perm, rows, st, y, total, start), (state, 0.0))

    return steps


def prepared(cfg, path):
    raw = read_samples(path)
    p, o = raw["p"].copy(), raw["o"].copy()
    rows = integer.rows_of(cfg["set"], p, o)
    st = np.clip((count(p | o) - 4) // 2, 0, 29) * cfg["S"] // 30
    return p, o, rows, st.astype(np.int32), raw["s"].astype(np.float32) / cfg["scale"]


def train(path, out, **options):
    cfg = {**DEFAULT, **options}
    lap = [time.time()]
    took = dict(imports=round(IMPORTED, 2))

    def done(what):
        lap.append(time.time())
        took[what] = round(took.get(what, 0) + lap[-1] - lap[-2], 2)

    p, o, rows, st, y = prepared(cfg, path)
    cfg["B"] = min(cfg["B"], len(rows))
    done("features")
    spe = len(rows) // cfg["B"]
    total = spe * cfg["epochs"]
    params = first(cfg)
    zeros = lambda: jax.tree.map(jnp.zeros_like, params)
    state = dict(p=params, m=zeros(), v=zeros())
    d = [jnp.asarray(x) for x in (rows, st, y)]
    rng = np.random.default_rng(cfg["seed"])
    f = jnp.float32
    plain_epochs = cfg["epochs"] - round(cfg["epochs"] * cfg["qat"])
    losses, compiled = [], {}
    for epoch in range(cfg["epochs"]):
        rounding = epoch >= plain_epochs
        perm = jnp.asarray(rng.permutation(len(rows)), jnp.int32)
        args = (state, jnp.int32(spe), perm, *d, f(total), jnp.int32(epoch * spe))
        if rounding not in compiled:
            compiled[rounding] = make_steps(cfg, rounding).lower(*args).compile()
            done("compiling")
        state, loss = compiled[rounding](*args)
        losses.append(math.sqrt(float(loss) / spe) * cfg["scale"])
        done("steps")
    dense = {k: np.asarray(x) for k, x in state["p"].items() if k != "table"}
    arrays = integer.make(cfg, np.asarray(state["p"]["table"]), dense, cfg["rule"])
    net = integer.Network(arrays)
    n = min(1000, len(p))
    arrays["test_p"], arrays["test_o"] = p[:n].view(np.uint64), o[:n].view(np.uint64)
    arrays["test_value"], arrays["test_sum"] = net.values(p[:n], o[:n]), net.sums(p[:20], o[:20])
    sums = bag_take(near(state["p"]["table"], cfg["one"]), d[0][:n])
    sim = np.asarray(head(state["p"], sums, d[1][:n], cfg, True)) * cfg["scale"]
    off = np.abs(np.clip(sim, -64, 64) * 256 - arrays["test_value"]).max()
    np.savez_compressed(out, **arrays)
    done("export")
    print(json.dumps(dict(samples=len(rows), steps=total, batch=cfg["B"], backend=jax.default_backend(), seconds=took,
                          all=round(time.time() - BEGAN, 2), rms=[round(x, 2) for x in losses],
                          off=round(float(off), 3), bytes=os.path.getsize(out))), flush=True)


def speed(path, variants, n=1 << 19):
    cfg = dict(DEFAULT)
    if os.environ.get("SMALL"):
        cfg.update(json.loads(os.environ["SMALL"]))
        n = 4 * cfg["B"]
    p, o, rows, st, y = prepared(cfg, path)
    rng = np.random.default_rng(1)
    pick = rng.integers(0, len(rows), n)
    d = [jnp.asarray(x[pick]) for x in (rows, st, y)]
    perm = jnp.asarray(rng.permutation(n), jnp.int32)
    wanted = None
    for variant in variants:
        for rounding in (False, True):
            if rounding and variant != variants[0]:
                continue
            try:
                params = first(cfg)
                zeros = lambda: jax.tree.map(jnp.zeros_like, params)
                state = dict(p=params, m=zeros(), v=zeros())
                f = jnp.float32
                args = lambda k: (state, jnp.int32(k), perm, *d, f(10000), jnp.int32(0))
                t0 = time.time()
                steps = make_steps({**cfg, "bag": variant}, rounding).lower(*args(1)).compile()
                compiled = time.time() - t0
                few = int(os.environ.get("STEPS", "100"))
                state, loss = steps(*args(4))
                got = float(loss)
                t0 = time.time()
                state, loss = steps(*args(few))
                float(loss)
                took = time.time() - t0
                wanted = wanted or got
                bag = bag_by_name(variant)
                t = jnp.asarray(rng.standard_normal((1000, 64)), f)
                i = jnp.asarray(rng.integers(0, 1000, (256, 62)), jnp.int32)
                slope = lambda bag: jax.grad(lambda t: jnp.square(bag(t, i)).sum())(t)
                wrong = float(jnp.abs(slope(bag) - slope(bag_take)).max() / jnp.abs(slope(bag_take)).max())
                print(json.dumps(dict(framework="jax", variant=variant, rounding=rounding, compiling=round(compiled, 1), ms=round(took / few * 1e3, 2),
                                      rate=round(few * cfg["B"] / took / 1e6, 2), loss=round(got, 5), like_first=abs(got - wanted) < 1e-2 * wanted, gradient_off=wrong)), flush=True)
            except Exception as e:
                print(json.dumps(dict(framework="jax", variant=variant, failed=repr(e)[:600])), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "train":
        typed = lambda x: json.loads(x) if x[:1] in "-0123456789" else x
        train(sys.argv[2], sys.argv[3], **{k: typed(v) for k, v in (x.split("=", 1) for x in sys.argv[4:])})
    else:
        speed(sys.argv[2], sys.argv[3:] or ["take", "loop", "flat", "sorted", "pallas"])
