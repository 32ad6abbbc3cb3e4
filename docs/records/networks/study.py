"""Trains the networks of a list and writes what came out as lines of JSON.

study.py LIST.json FOLDER OUT SECONDS: networks of LIST, samples of FOLDER, results into OUT.
"""
import json
import math
import os
import sys
import time
import traceback
import zlib

import numpy as np
import torch

import data
from data import DEV, Features, Linear
from duel import duel
from net import DEFAULT, check_kernels, train

torch.backends.cuda.matmul.allow_tf32 = True
BEGAN = time.time()
HERE = os.path.dirname(os.path.abspath(__file__))
TEST_CHUNKS = int(os.environ.get("TEST_CHUNKS", "8"))


def say(*what):
    print(f"[{time.time() - BEGAN:6.1f}]", *what, flush=True)


class Study:
    def __init__(self, folder, out):
        self.folder, self.out = folder, out
        self.parts = {}
        self.sets, self.excluded = {}, None
        self.cache = {}
        self.row_cache = {}
        self.lines = open(os.path.join(out, "results.jsonl"), "a")

    def part(self, i):
        if i not in self.parts:
            path = i if isinstance(i, str) else data.chunk_path(self.folder, i)
            self.parts[i], info = data.load(path)
            say("loaded", os.path.basename(path), info)
        return self.parts[i]

    def tests(self):
        """The sets that errors are measured on: T from held-out games, P proved, S by deep search, exam."""
        d = data.distinct(data.join([self.part(i) for i in range(TEST_CHUNKS)]))
        self.sets["T"] = data.take(d, d["held"])
        exam, images = data.exam(os.path.join(HERE, "exam.obf"))
        self.sets["exam"] = exam
        for name, file in (("P", "proved.dat"), ("S", "deep.dat")):
            path = os.path.join(self.folder, file)
            if os.path.exists(path):
                t = data.distinct(self.part(path))
                empties = 64 - t["discs"]
                keep = t["exact"] & (empties >= 15) if name == "P" else ~t["exact"]
                self.sets[name] = data.take(t, keep)
        hashes = [images] + [s["hash"] for s in self.sets.values() if "hash" in s]
        self.excluded = torch.cat(hashes)
        say("tests", {k: len(s["p"]) for k, s in self.sets.items()})

    def training(self, chunks):
        """`chunks`: a number of files from the first, or a list of names."""
        key = chunks if isinstance(chunks, int) else tuple(chunks)
        if self.cache.get("key") != key:
            self.cache.clear()
            self.row_cache.clear()
            torch.cuda.empty_cache()
            which = range(chunks) if isinstance(chunks, int) else [os.path.join(self.folder, c) for c in chunks]
            d = data.join([self.part(i) for i in which])
            d = data.take(d, ~d["held"])
            samples = len(d["p"])
            d = data.distinct(d)
            d = data.take(d, ~torch.isin(d["hash"], self.excluded))
            say(f"training on {key}: {samples} samples, {len(d['p'])} distinct")
            self.cache = dict(key=key, d=d)
        return self.cache["d"]

    def rows(self, cfg):
        spec = (cfg["set"], cfg["mode"], cfg["others"])
        if self.row_cache.get("spec") != spec:
            self.row_cache.clear()
            torch.cuda.empty_cache()
            f, d = Features(*spec), self.cache["d"]
            self.row_cache = dict(spec=spec, rows=f.all_rows(d["p"], d["o"]),
                                  tests={k: f.all_rows(s["p"], s["o"]) for k, s in self.sets.items()})
        return self.row_cache["rows"], self.row_cache["tests"]

    def measure(self, predict):
        """Errors of `predict(name, set)` on all sets."""
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

    def baseline(self, name, path):
        w = Linear(path)
        record = dict(name=name, result=self.measure(lambda _, s: w.eval(s["p"], s["o"])))
        self.write(record)
        say(summary(record))
        return w

    def export(self, item):
        """Writes the boards of a training set, and T held out, for the program's own linear fit."""
        d, t = self.training(item["chunks"]), self.sets["T"]
        kind = np.dtype([("p", "<i8"), ("o", "<i8"), ("s", "i1"), ("f", "u1")])
        with open(data.chunk_path(self.folder, 0), "rb") as file:
            header = file.read(32)
        path = os.path.join(self.folder, item["export"])
        with open(path + ".part", "wb") as file:
            file.write(header)
            for s, held in ((d, 0), (t, 2)):
                rec = np.zeros(len(s["p"]), kind)
                rec["p"], rec["o"] = s["p"].cpu().numpy(), s["o"].cpu().numpy()
                rec["s"] = s[item.get("label", "z")].round().cpu().numpy()
                rec["f"] = s["exact"].cpu().numpy() + held
                rec.tofile(file)
        os.rename(path + ".part", path)
        say("exported", path)

    def run(self, item, against, budget=None):
        item = dict(item)
        if "export" in item:
            return self.export(item)
        if "linear" in item:
            path = os.path.join(self.folder, item["linear"])
            w = self.baseline(item["name"], path) if os.path.exists(path) else say("not there:", path)
            for depth, pairs in item.get("duel", []) if w else []:
                r = duel(w.eval, against.eval, depth, pairs)
                self.write(dict(name=item["name"], duel=r))
                say("   duel", item["name"], r)
            return w
        name = item.pop("name")
        extra = {k: item.pop(k) for k in ("quant", "duel", "save") if k in item}
        cfg = {**DEFAULT, **item}
        d = self.training(cfg["chunks"])
        rows, tests = self.rows(cfg)
        if cfg["lo"] > 0 or cfg["hi"] < 64:
            mask = (d["discs"] >= cfg["lo"]) & (d["discs"] <= cfg["hi"])
            d, rows = data.take(d, mask), rows[mask]
        torch.cuda.reset_peak_memory_stats()
        net, info = train(cfg, rows, d, budget)
        with torch.no_grad():
            result = self.measure(lambda k, s: net.predict(tests[k], s["discs"]))
            if cfg["wdl"]:
                s = self.sets["T"]
                _, logits = net.predict(tests["T"], s["discs"], logits=True)
                result["T"]["ce_head"] = torch.nn.functional.cross_entropy(logits, target(s["z"])).item()
        record = dict(name=name, cfg=cfg, info=info, result=result, at=round(time.time() - BEGAN))
        params = sum(t.numel() for _, _, t in net.tables)
        record["table"] = dict(rows=net.f.rows, values=params, lookups=net.f.lookups)
        self.write(record)
        say(summary(record))
        if extra.get("quant"):
            self.quantise(name, net, tests)
        if extra.get("save"):
            self.save(name, net)
        for depth, pairs in extra.get("duel", []):
            began = time.time()
            r = duel(net.eval, against.eval, depth, pairs)
            self.write(dict(name=name, duel=r))
            say("   duel", name, r, f"{time.time() - began:.1f} s")
        return net

    def quantise(self, name, net, tests):
        for bits, s, acts in ((8, 128, 127), (8, 256, 127), (8, 256, 255), (8, 512, 127), (7, 128, 127), (7, 256, 127), (6, 64, 127)):
            q = net.quantised(bits, s)
            rounded = lambda x: torch.floor(x * acts + 0.5) / acts
            with torch.no_grad():
                result = self.measure(lambda k, t: q.predict(tests[k], t["discs"], quant=rounded))
            W, _, t = q.tables[0]
            ints = (t * s).round().to(torch.int8).cpu().numpy()
            size = len(zlib.compress(ints.T.copy().tobytes(), 6)) if (bits, s) in ((8, 256), (7, 128)) and acts == 127 else None
            record = dict(name=f"{name} q{bits}/{s}/{acts}", result=result, zlib=size,
                          zero=round(float((ints == 0).mean()), 3), top=round(float((np.abs(ints) >= 2 ** (bits - 1) - 1).mean()), 5))
            self.write(record)
            say("  ", summary(record), f"zlib {size} zero {record['zero']} top {record['top']}")

    def save(self, name, net):
        arrays = {n: p.detach().cpu().numpy().astype(np.float32) for n, p in zip(net.names, net.dense)}
        for j, (W, nb, t) in enumerate(net.tables):
            arrays[f"table{j}"] = (t * 256).round().clamp(-127, 127).to(torch.int8).cpu().numpy()
        arrays["cfg"] = np.array(json.dumps(net.cfg))
        np.savez_compressed(os.path.join(self.out, f"net-{name}.npz"), **arrays)


def target(z):
    return torch.where(z > 0.5, 0, torch.where(z < -0.5, 2, 1))


def cross_entropy(p, s):
    """Of win, draw and loss after the value: frequencies by phase and value of one half of the
    boards foretell the other."""
    phase = ((s["discs"] - 4) // 6).clamp(0, 9)
    cell = phase * 49 + (p.round().long().clamp(-24, 24) + 24)
    t = target(s["z"])
    half = (s["hash"] & 1) == 0
    total = 0.0
    for a, b in ((half, ~half), (~half, half)):
        c = torch.zeros(490, 3, device=DEV).index_put_((cell[a], t[a]), torch.ones(int(a.sum()), device=DEV), accumulate=True)
        c = (c + torch.tensor([0.9, 0.2, 0.9], device=DEV))
        c = c / c.sum(1, keepdim=True)
        total -= torch.log(c[cell[b], t[b]]).sum().item()
    return total / len(p)


SPANS = ((0, 20), (20, 28), (28, 36), (36, 44), (44, 50), (50, 56), (56, 64))


def rms(by, label, lo=0, hi=65):
    n = sum(by["n"][lo:hi])
    return math.sqrt(sum(by[label][lo:hi]) / n) if n else float("nan")


def summary(record):
    r = record["result"]
    t = r["T"]
    text = f"{record['name']:28s} T {rms(t, 'z'):.3f} |" + " ".join(f"{rms(t, 'z', a, b):.2f}" for a, b in SPANS)
    text += f"| Tv {rms(t, 'v', 0, 50):.3f} ce {t['ce']:.4f}"
    if "ce_head" in t:
        text += f"/{t['ce_head']:.4f}"
    if "P" in r:
        text += f" | P {rms(r['P'], 'z'):.3f}"
    if "S" in r:
        text += f" | S {rms(r['S'], 'v'):.3f} " + " ".join(f"{rms(r['S'], 'v', a, b):.2f}" for a, b in SPANS[:5])
    text += f" | X {rms(r['exam'], 'z'):.3f}"
    if "info" in record:
        i = record["info"]
        text += f" | tr {i['train_rms'][-1]:.3f} {i['seconds']:.1f} s {i['rate']} M/s {i['memory']} G {i['note']}"
    return text


def wait_for(folder, chunks, until):
    while data.chunks_ready(folder) < chunks and time.time() < until:
        time.sleep(1)
    return data.chunks_ready(folder) >= chunks


def main():
    items = json.load(open(sys.argv[1]))
    folder, out, seconds = sys.argv[2], sys.argv[3], float(sys.argv[4])
    until = BEGAN + seconds
    check_kernels()
    say("kernels are right;", torch.cuda.get_device_name(), "chunks", data.chunks_ready(folder))
    study = Study(folder, out)
    wait_for(folder, TEST_CHUNKS, until)
    study.tests()
    against = study.baseline("generation 4", os.path.join(HERE, "reversed.bin"))
    fitted = os.path.join(folder, "fit.bin")
    if os.path.exists(fitted):
        study.baseline("linear fit", fitted)
    for item in items:
        if time.time() > until:
            say("out of time before", item["name"])
            break
        try:
            need = item.get("chunks", 0 if "linear" in item else 16)
            if isinstance(need, int) and not wait_for(folder, need, until):
                say("chunks did not come for", item["name"])
                continue
            if not isinstance(need, int) and not all(os.path.exists(os.path.join(folder, c)) for c in need):
                say("files are not there for", item["name"])
                continue
            study.run(item, against, budget=until - time.time())
        except Exception:
            say("FAILED", item["name"])
            traceback.print_exc()
        torch.cuda.empty_cache()
    say("done")


if __name__ == "__main__":
    main()
