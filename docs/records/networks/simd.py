"""Writes a network of width 64 and boards for simd.c: simd.py NETWORK.npz BOARDS.dat FOLDER."""
import os
import sys

import numpy as np

import integer
from patterns import read_samples

net = integer.Network.load(sys.argv[1])
a, sh, folder = net.a, net.shape, sys.argv[3]
os.makedirs(folder, exist_ok=True)
assert sh["width"] == 64 and sh["one"] == 512 and sh["limit"] <= 31 and sh["square"] == 10
raw = read_samples(sys.argv[2])
p, o = np.concatenate([raw["p"], a["test_p"].view(np.int64)]), np.concatenate([raw["o"], a["test_o"].view(np.int64)])
rows = np.zeros((len(p), 64), np.int32)
n = net.pt.class_count
r = integer.rows_of(sh["set"], p, o)
rows[:, :58], rows[:, 58:61], rows[:, 61] = r[:, :58], r[:, 58:61] - n, net.stacks(p, o)
fours = lambda w: w.reshape(w.shape[0], w.shape[1], -1, 4).transpose(0, 2, 1, 3)
files = dict(shape=np.array([bool(sh["hidden"]), sh["value"]], np.int32), table=a["table"], wx=a["wx"], bo=a["bo"], rows=rows,
             other=np.concatenate([a["own"], a["other"], a["odd"]]), want=net.values(p, o))
if sh["hidden"]:
    files.update(w1=fours(a["w1"]), w2=fours(a["w2"]), b1=a["b1"], b2=a["b2"], wz=a["wz"])
for name, x in files.items():
    np.ascontiguousarray(x).tofile(os.path.join(folder, name))
