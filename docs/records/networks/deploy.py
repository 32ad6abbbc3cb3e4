"""The second study: networks of both rules with rounding in the loop, exported as integers.

deploy.py PART FOLDER OUT SECONDS [KEY=VALUE...]: samples of FOLDER (play2.sh plays them meanwhile),
results into OUT. PART: shapes, labels, scales, final, more. Beside the script lie reversed.bin and
normal.bin, the weights of the program, and exam.obf, the exam.
"""
import json
import os
import sys
import time
import traceback

import numpy as np
import torch

import data
import duel as games
import integer
import qnet
from data import DEV, Features, Linear
from study import SPANS, cross_entropy, rms

torch.backends.cuda.matmul.allow_tf32 = True
BEGAN = time.time()
HERE = os.path.dirname(os.path.abspath(__file__))
TEST_CHUNKS = int(os.environ.get("TEST_CHUNKS", "6"))
PAIRS = int(os.environ.get("PAIRS", "4096"))
SMALL = json.loads(os.environ.get("SMALL", "{}"))  # for tries on a small machine


def say(*what):
    print(f"[{time.time() - BEGAN:6.1f}]", *what, flush=True)


def summary(record):
    r = record["result"]
    t = r["T"]
    text = f"{record['name']:26s} T {rms(t, 'z'):.3f} |" + " ".join(f"{rms(t, 'z', a, b):.2f}" for a, b in SPANS)
    text += f"| ce {t['ce']:.4f}"
    for k, label in (("P", "z"), ("S", "v"), ("X", "z")):
        if k in r:
            text += f" | {k} {rms(r[k], label):.3f}"
    if "info" in record:
        i = record["info"]
        text += f" | tr {i['train_rms'][-1]:.2f} {i['n'] / 1e6:.1f} M {i['epochs']} ep {i['seconds']:.1f} s {i['rate']} M/s {i['memory']} G"
    return text


class Rule:
    def __init__(self, rule, folder, out):
        self.rule, self.folder, self.out = rule, folder, out
        self.prefix = {"reversed": "a", "normal": "n"}[rule]
        self.parts, self.sets, self.nets, self.cache, self.info = {}, {}, {}, {}, {}
        self.lines = open(os.path.join(out, "results.jsonl"), "a")
        self.linear = Linear(os.path.join(HERE, rule + ".bin"))

    def path(self, i):
        return os.path.join(self.folder, i if isinstance(i, str) else f"{self.prefix}-{i:03d}.dat")

    def ready(self):
        n = 0
        while os.path.exists(self.path(n)):
            n += 1
        return n

    def wait(self, chunks, until):
        while self.ready() < chunks and time.time() < until:
            time.sleep(0.5)
        return self.ready() >= chunks

    def part(self, i):
        if i not in self.parts:
            self.parts[i], self.info[i] = data.load(self.path(i))
            if self.info[i]["wrong"] or isinstance(i, str):
                say("loaded", i, self.info[i])
        return self.parts[i]

    def tests(self):
        d = data.distinct(data.join([self.part(i) for i in range(TEST_CHUNKS)]))
        self.sets["T"] = data.take(d, d["held"])
        images = []
        if self.rule == "reversed":
            self.sets["X"], images = data.exam(os.path.join(HERE, "exam.obf"))
            images = [images]
        n = "n" if self.rule == "normal" else ""
        for name, file in (("P", n + "proved.dat"), ("S", n + "deep.dat")):
            if os.path.exists(self.path(file)):
                t = data.distinct(self.part(file))
                keep = t["exact"] & (t["discs"] <= 49) if name == "P" else ~t["exact"]
                self.sets[name] = data.take(t, keep)
        self.excluded = torch.cat(images + [s["hash"] for s in self.sets.values() if "hash" in s])
        say(self.rule, "tests", {k: len(s["p"]) for k, s in self.sets.items()})
        record = dict(name=f"{self.rule} generation 4", result=self.measure(lambda _, s: self.linear.eval(s["p"], s["o"])))
        self.write(record)
        say(summary(record))

    def training(self, chunks, limit=0):
        """`chunks`: a number of files from the first, or a list of names."""
        key = (chunks if isinstance(chunks, int) else tuple(chunks), limit)
        if self.cache.get("key") != key:
            self.cache = {}
            if DEV == "cuda":
                torch.cuda.empty_cache()
            d = data.join([self.part(i) for i in (range(chunks) if isinstance(chunks, int) else chunks)])
            d = data.take(d, ~d["held"])
            samples = len(d["p"])
            d = data.distinct(d)
            d = data.take(d, ~torch.isin(d["hash"], self.excluded))
            if limit:
                torch.manual_seed(3)
                d = data.take(d, torch.randperm(len(d["p"]), device=DEV)[:limit])
            f = Features("B")
            self.cache = dict(key=key, d=d, rows=f.all_rows(d["p"], d["o"]))
            if "rows" not in self.sets["T"]:
                for s in self.sets.values():
                    s["rows"] = f.all_rows(s["p"], s["o"])
            say(f"{self.rule}: training on {key}: {samples} samples, {len(d['p'])} distinct")
        return self.cache["d"], self.cache["rows"]

    def measure(self, predict):
        result = {}
        for name, s in self.sets.items():
            p = predict(name, s).clamp(-64, 64)
            by = {}
            for label in ("z", "v") if name in ("T", "S") else ("z",):
                e = (p - s[label]).double().square()
                sse = torch.zeros(65, dtype=torch.float64, device=DEV).index_add_(0, s["discs"], e)
                by[label] = [round(x, 1) for x in sse.tolist()]
            by["n"] = torch.bincount(s["discs"], minlength=65).tolist()
            if name == "T":
                by["ce"] = round(cross_entropy(p, s), 4)
            result[name] = by
        return result

    def write(self, record):
        self.lines.write(json.dumps(record) + "\n")
        self.lines.flush()

    def run(self, name, cfg, seconds=None, both=False, keep=True, export=None):
        """Trains; measures as it was trained last (rounded or not), with `both` also the other way."""
        cfg = {**qnet.DEFAULT, **cfg, **SMALL}
        d, rows = self.training(cfg["chunks"], cfg["n"])
        name = f"{self.rule} {name}"
        net, info = qnet.train(cfg, rows, d, seconds)
        plain = lambda _, s: net.predict(s["rows"], s["discs"])
        whole = lambda _, s: net.whole(s["rows"], s["discs"]).float() / integer.DISC
        ways = [("i", whole), ("f", plain)]
        for tag, way in ways if both else ways[:1] if cfg["qat"] > 0 else ways[1:]:
            record = dict(name=f"{name} ({tag})", cfg=cfg, info=info, result=self.measure(way), at=round(time.time() - BEGAN))
            self.write(record)
            say(summary(record))
        t = net.table[:net.f.pattern_rows]
        q = torch.floor(t * cfg["one"] + 0.5).abs()
        record = dict(name=name, table=dict(top=int(q.max()), zero=round((q == 0).float().mean().item(), 3),
                      over31=int((q > 31).sum()), at_limit=int((q >= cfg["limit"]).sum()),
                      others=round(net.table[net.f.pattern_rows:].abs().max().item(), 3)))
        self.write(record)
        say("    table", record["table"])
        if keep:
            self.nets[name] = net
        if export:
            self.export(export, net)
        return net

    def duel(self, a, b, depth=2, pairs=None, whole=True):
        """`a`, `b`: networks, or LINEAR."""
        if a is None or b is None:
            return say("   no duel: a network is not there")
        games.rule = self.rule
        began = time.time()
        side = lambda x: self.linear.eval if x is LINEAR else x.eval_whole if whole and x.cfg["qat"] > 0 else x.eval
        name = lambda x: "generation 4" if x is LINEAR else next((k for k, v in self.nets.items() if v is x), "?")
        r = games.duel(side(a), side(b), depth, pairs or PAIRS)
        record = dict(name=f"{self.rule}: {name(a)} against {name(b)}", duel=r)
        self.write(record)
        say("   duel", record["name"], r, f"{time.time() - began:.1f} s")

    def boards(self):
        """900 boards of the test sets, as many for each number of discs, and 100 of random squares."""
        p = torch.cat([self.sets[k]["p"] for k in ("T", "P", "S") if k in self.sets]).cpu().numpy()
        o = torch.cat([self.sets[k]["o"] for k in ("T", "P", "S") if k in self.sets]).cpu().numpy()
        rng = np.random.default_rng(20)
        order = rng.permutation(len(p))
        p, o = p[order], o[order]
        discs = data.count(torch.from_numpy(p | o)).numpy()
        by = np.argsort(discs, kind="stable")
        place = np.empty(len(p), int)  # among boards with as many discs
        place[by] = np.arange(len(p)) - np.searchsorted(discs[by], discs[by])
        take = np.lexsort((discs, place))[:900]
        share = rng.random(100)[:, None]
        x = rng.random((100, 64))
        bits = lambda m: (m.astype(np.uint64) << np.arange(64, dtype=np.uint64)).sum(1, dtype=np.uint64).view(np.int64)
        own = x < share / 2
        other = (x < share) & ~own
        own[0], other[0] = True, False
        own[1], other[1] = False, True
        own[2], other[2] = False, False
        return np.concatenate([p[take], bits(own)]), np.concatenate([o[take], bits(other)])

    def export(self, name, net):
        arrays = net.integers(self.rule)
        p, o = self.boards()
        tp, to = torch.from_numpy(p).to(DEV), torch.from_numpy(o).to(DEV)
        arrays["test_p"], arrays["test_o"] = p.view(np.uint64), o.view(np.uint64)
        arrays["test_value"] = net.boards(net.whole, tp, to).cpu().numpy().astype(np.int32)
        arrays["test_sum"] = integer.Network(arrays).sums(p[:20], o[:20])
        np.savez_compressed(os.path.join(self.out, name + ".npz"), **arrays)
        size = os.path.getsize(os.path.join(self.out, name + ".npz"))
        values = {f"{name}_{k}": net.whole(s["rows"], s["discs"]).cpu().numpy().astype(np.int16) for k, s in self.sets.items()}
        path = os.path.join(self.out, f"check-{self.rule}.npz")
        old = {}
        if os.path.exists(path):
            with np.load(path) as z:
                old = {k: z[k] for k in z.files}
        else:
            for k, s in self.sets.items():
                old.update({f"{k}_p": s["p"].cpu().numpy(), f"{k}_o": s["o"].cpu().numpy(),
                            f"{k}_z": s["z"].cpu().numpy().astype(np.float16), f"{k}_v": s["v"].cpu().numpy().astype(np.float16)})
        np.savez_compressed(path, **old, **values)
        oracle = integer.Network(arrays).values(p, o)
        agrees = dict(tests_differ=int((oracle != arrays["test_value"]).sum()), **qnet.agree(net, arrays, self.sets["T"]["rows"], self.sets["T"]))
        record = dict(name=name, export=dict(bytes=size, **agrees))
        self.write(record)
        say("   export", record)


def guarded(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except Exception:
        say("FAILED", args[:1])
        traceback.print_exc()
        if DEV == "cuda":
            torch.cuda.empty_cache()


DIRECT = dict(h1=0, h2=0)
LINEAR = "linear"


def shapes(R, N, until, opts):
    """Rounding, stacks, the direct network; the normal rule; deeper labels."""
    c = 12
    if not R.wait(TEST_CHUNKS, until):
        return
    R.tests()
    R.wait(c, until)
    base = dict(chunks=c)
    run = lambda name, **k: guarded(R.run, name, {**base, **{x: y for x, y in k.items() if x not in ("both", "keep")}},
                                    both=k.get("both", False), keep=k.get("keep", False))
    a0 = run("a", qat=0, both=True, keep=True)
    a = run("a 512/63", both=True, keep=True)
    run("a 512/127", limit=127)
    run("a 512/31", limit=31)
    run("a 1024/127", one=1024, limit=127)
    run("a 1024/63", one=1024)
    run("a 512/63 all", qat=1.0)
    run("a 512/63 half", qat=0.5)
    run("a 512/63 tenth", qat=0.1)
    b0 = run("b", qat=0, both=True, keep=True, **DIRECT)
    b = run("b 512/63", keep=True, **DIRECT)
    run("b 512/63 x12", xbits=12, **DIRECT)
    run("a S 10", S=10)
    run("b S 10", S=10, **DIRECT)
    run("c", W=32, keep=True)
    if a and a0:
        guarded(R.duel, a, a0)
    if a and b:
        guarded(R.duel, a, b)
    guarded(R.duel, a, LINEAR)
    R.cache = {}
    if N.wait(TEST_CHUNKS, until) and wait_file(N.path("ndeep.dat"), until):
        N.tests()
        for name, cfg in (("a scale 16", dict(scale=16)), ("a scale 32", dict(scale=32)),
                          ("a scale 64", dict(scale=64)), ("a scale 32 z", dict(scale=32, label="z")), ("a scale 32 wd 0.3", dict(scale=32, wd=0.3))):
            guarded(N.run, name, dict(chunks=6, **cfg))
    deeper(R, until)
    n = N.ready()
    if n >= 6 and N.sets and time.time() < until:
        for name, cfg in (("a", {}), ("b", DIRECT)):
            net = guarded(N.run, name, dict(chunks=min(n, 12), scale=32, **cfg))
            guarded(N.duel, net, LINEAR)
    R.cache = {}
    n = R.ready()
    for label in ("z", "l0.97", "l0.95", "l0.9", "l0.8", "l0.7"):
        if n > 12 and time.time() < until - 25:
            guarded(R.run, f"a {n} {label}", dict(chunks=n, label=label), keep=False)


def deeper(R, until):
    """Games by 6 plies beside as many positions by 4."""
    files = ["b-000.dat", "b-001.dat"]
    if not all(wait_file(R.path(f), until) for f in files):
        return say("no games by 6 plies")
    d, _ = R.training(files)
    n = len(d["p"])
    for label in ("l0.9", "l0.7", "v"):
        guarded(R.run, f"6 plies {label}", dict(chunks=files, label=label), keep=False)
        guarded(R.run, f"4 plies {label}", dict(chunks=2, n=n, label=label), keep=False)


def wait_file(path, until):
    while not os.path.exists(path) and time.time() < until:
        time.sleep(0.5)
    return os.path.exists(path)


def labels(R, N, until, opts):
    """Which λ, how many games, how long; networks to fall back on."""
    R.tests()
    if "deeper" in opts:
        guarded(deeper, R, until)
    R.wait(int(opts.get("chunks", 32)), until - 300)
    n = min(R.ready(), int(opts.get("chunks", 32)))
    nets = {}
    for label in ("l0.9", "z", "l0.95", "l0.97", "l0.8"):
        nets[label] = guarded(R.run, f"a {n} {label}", dict(chunks=n, label=label))
    for label in ("z", "l0.95", "l0.97", "l0.8"):
        guarded(R.duel, nets[label], nets["l0.9"])
    guarded(R.duel, nets["l0.9"], LINEAR)
    guarded(R.duel, nets["z"], LINEAR)
    nets["b"] = guarded(R.run, f"b {n} l0.9", dict(chunks=n, label="l0.9", **DIRECT))
    guarded(R.duel, nets["l0.9"], nets["b"])
    guarded(R.run, f"a {n} 24 epochs", dict(chunks=n, epochs=24), keep=False)
    guarded(R.run, f"a {n} W 128", dict(chunks=n, W=128), keep=False)
    guarded(R.run, f"a {n} h2 64", dict(chunks=n, h2=64), keep=False)
    R.cache = {}
    N.tests()
    n = N.ready()
    nn = {}
    for label in ("l0.9", "z", "l0.95"):
        nn[label] = guarded(N.run, f"a {n} {label}", dict(chunks=n, label=label, scale=32))
    for label in ("z", "l0.95"):
        guarded(N.duel, nn[label], nn["l0.9"])
    guarded(N.duel, nn["l0.9"], LINEAR)
    guarded(N.export, "normal-a-early", nn["l0.9"])
    N.cache = {}
    nets.clear()
    R.nets.clear()
    n = R.ready()
    left = until - time.time()
    if left > 40:
        guarded(R.run, f"a {n}", dict(chunks=n, label=opts.get("label", "l0.9"), epochs=16), seconds=min(60, left - 25), export="reversed-a-early")


def final(R, N, until, opts):
    """The networks that are kept, on all games."""
    label, epochs = opts.get("label", "l0.9"), int(opts.get("epochs", 20))
    nlabel = opts.get("nlabel", label)
    share = {"na": 0.2, "nb": 0.1, "a": 0.3, "b": 0.15, "c": 0.2}
    room = lambda: until - time.time() - float(opts.get("reserve", 130))
    left = lambda first: room() * share[first] / sum(v for k, v in share.items() if list(share).index(k) >= list(share).index(first))
    kept = dict(label=label, epochs=epochs, **json.loads(opts.get("cfg", "{}")))
    N.tests()
    n = N.ready()
    base = {**kept, "label": nlabel, "scale": int(opts.get("nscale", 32)), "chunks": n}
    na = guarded(N.run, f"a {n}", base, seconds=left("na"), both=True, export="normal-a")
    nb = guarded(N.run, f"b {n}", {**base, **DIRECT}, seconds=left("nb"), both=True, export="normal-b")
    N.cache, N.parts = {}, {}
    R.tests()
    n = R.ready()
    base = {**kept, "chunks": n}
    a = guarded(R.run, f"a {n}", base, seconds=left("a"), both=True, export="reversed-a")
    b = guarded(R.run, f"b {n}", {**base, **DIRECT}, seconds=left("b"), both=True, export="reversed-b")
    c = guarded(R.run, f"c {n}", {**base, "W": 32}, seconds=left("c"), both=True, export="reversed-c")
    R.cache, R.parts = {}, {}
    for rule, x, y in ((R, a, b), (R, a, LINEAR), (N, na, LINEAR), (N, na, nb), (R, b, LINEAR), (R, c, LINEAR), (N, nb, LINEAR), (R, a, c)):
        if time.time() < until - 14:
            guarded(rule.duel, x, y)


def scales(R, N, until, opts):
    """How many discs are one at the output."""
    R.tests()
    N.tests()
    for rule, chunks, units in ((R, 32, (16, 32, 64)), (N, 20, (32, 64, 128))):
        nets = [guarded(rule.run, f"a {chunks} scale {s}", dict(chunks=chunks, scale=s)) for s in units]
        guarded(rule.duel, nets[1], nets[0])
        guarded(rule.duel, nets[2], nets[0])
        rule.cache = {}


def more(R, N, until, opts):
    """Two networks once more on all games, and 3 plies."""
    R.tests()
    n = R.ready()
    base = dict(chunks=n, limit=31, epochs=14)
    a = guarded(R.run, f"a {n}", base, both=True, export="reversed-a")
    b = guarded(R.run, f"b {n}", {**base, **DIRECT}, both=True, export="reversed-b")
    R.cache, R.parts = {}, {}
    for x, y in ((a, b), (a, LINEAR), (b, LINEAR)):
        guarded(R.duel, x, y, 3, 768)
    guarded(R.duel, a, LINEAR)


def main():
    part, folder, out, seconds = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
    opts = dict(x.split("=", 1) for x in sys.argv[5:])
    qnet.check_kernels()
    say("kernels are right;", torch.cuda.get_device_name() if DEV == "cuda" else "no GPU")
    R, N = Rule("reversed", folder, out), Rule("normal", folder, out)
    dict(shapes=shapes, labels=labels, scales=scales, final=final, more=more)[part](R, N, BEGAN + seconds, opts)
    say("done")


if __name__ == "__main__":
    main()
