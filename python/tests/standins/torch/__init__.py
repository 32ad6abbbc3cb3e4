"""A stand-in for PyTorch: what the example touches of it, without the gigabytes."""

from . import nn as nn


def set_num_threads(threads: int) -> None:
    assert threads > 0
