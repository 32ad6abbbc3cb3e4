"""The trainer: from games to a network that plays, on the CPU."""

import io
import json
import signal
import struct
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import isrever
from isrever import _native, train
from isrever.train.__main__ import main

OPTIONS = ["--epochs", "3", "--batch", "512", "--rate", "0.03", "--seed", "3"]

ROWS = _native.network_rows()
SHAPES = {
    "rows": (ROWS, 64),
    "own_moves": (32, 64),
    "opponent_moves": (32, 64),
    "odd_quadrants": (5, 64),
    "outputs": (30, 64),
    "biases": (30,),
}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.dat"
    seen: list[int] = []
    train.selfplay(path, 80, random=(8, 20), solve_from=6, seed=5, progress=seen.append)
    assert seen[-1] == 80 and seen == sorted(set(seen))
    return path


@dataclass(frozen=True)
class Trained:
    """A network, and what the training said."""

    file: Path
    out: str
    err: str
    log: Path


@pytest.fixture(scope="module")
def trained(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    folder = tmp_path_factory.mktemp("network")
    file, log = folder / "network.bin", folder / "log.jsonl"
    out, err = io.StringIO(), io.StringIO()
    arguments = ["--data", games, "-o", file, "--log", log, *OPTIONS, "--compare", "embedded"]
    with redirect_stdout(out), redirect_stderr(err):
        assert main([str(argument) for argument in arguments]) == 0
    return Trained(file, out.getvalue(), err.getvalue(), log)


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What the command says of these arguments: one line, with exit status 2."""
    with pytest.raises(SystemExit) as exit:
        main([str(argument) for argument in arguments])
    assert exit.value.code == 2
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if not line.endswith("held out; cpu")]
    assert out == "" and len(lines) == 1 and lines[0].startswith("isrever: "), err
    return lines[0]


# From games to a network that plays.


def test_a_network_learns_its_games_and_plays(games: Path, trained: Trained) -> None:
    training, _ = _native.training_set([games])
    values = _native.values(trained.file, training.boards) / 256
    error = np.sqrt(np.mean((values - training.labels) ** 2))
    assert error < 0.6 * np.sqrt(np.mean(training.labels**2))
    match = isrever.play_match(f"engine:weights={trained.file},depth=2", "random", pairs=1)
    assert len(match.games) == 2 and all(game.forfeit is None for game in match.games)


def test_errors_are_those_on_games_held_out(games: Path, trained: Trained) -> None:
    heads, *groups, last = trained.out.splitlines()
    assert heads.split() == ["discs", "boards", str(trained.file), "embedded"]
    training, held_out = _native.training_set([games])
    assert 0 < len(held_out) < 0.1 * len(training)
    errors = [
        np.sqrt(np.mean((_native.values(file, held_out.boards) / 256 - held_out.labels) ** 2))
        for file in (trained.file, "embedded")
    ]
    assert last.split() == ["all", str(len(held_out)), *(f"{error:.3f}" for error in errors)]
    assert sum(int(group.split()[1]) for group in groups) == len(held_out)
    epochs = [line for line in trained.err.splitlines() if line.startswith("epoch ")]
    about, *log, report = map(json.loads, trained.log.read_text().splitlines())
    assert len(epochs) == len(log) == 3 and about["settings"]["batch"] == 512
    assert report["errors"]["embedded"][-1] == pytest.approx(errors[1], abs=1e-4)
    # In the end the loop rounds as the file does.
    assert log[-1]["rounding"] and log[-1]["held_out"] == pytest.approx(errors[0], abs=2e-3)
    left = sorted(path.name for path in trained.file.parent.iterdir())
    assert left == ["log.jsonl", "network.bin"]


def test_a_killed_training_goes_on_to_the_same_file(
    games: Path, trained: Trained, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, checkpoint = tmp_path / "network.bin", tmp_path / "state"
    paths = ["--data", str(games), "-o", str(output), "--checkpoint", str(checkpoint)]
    command = [sys.executable, "-P", "-m", "isrever.train", *paths, *OPTIONS]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("epoch 1 "):
                process.kill()
                break
    assert process.returncode == -signal.SIGKILL
    assert checkpoint.exists() and not output.exists()

    other = refused(capsys, *paths, *OPTIONS[:-2], "--seed", "4")
    assert other.endswith("state: a training with seed 3; expected 4, or no file")
    cut = tmp_path / "cut"
    cut.write_bytes(checkpoint.read_bytes()[:-1000])
    said = refused(capsys, *paths[:-1], cut, *OPTIONS)
    assert "cut: not a checkpoint, or cut short" in said

    assert main([*paths, *OPTIONS]) == 0
    assert f"{checkpoint}: going on after epoch" in capsys.readouterr().err
    assert output.read_bytes() == trained.file.read_bytes()
    assert not checkpoint.exists()


# What is refused.


def test_wrong_input_is_refused_with_one_line(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = games.read_bytes()
    output = tmp_path / "network.bin"

    def said(contents: bytes | None, *more: object) -> str:
        path = tmp_path / "samples"
        path.unlink(missing_ok=True)
        if contents is not None:
            path.write_bytes(contents)
        return refused(capsys, "--data", path, "-o", output, *more)

    assert "samples: no such file" in said(None)
    assert "samples: not a file of samples" in said(b"something else")
    assert "cut short in record" in said(good[:-1])
    both = good[:32] + b"\xff" * 16 + good[48:]
    assert "record 1: two discs on one square" in said(both)
    assert "samples of the reversed rule; expected the normal rule" in said(
        good, "--rule", "normal"
    )
    assert "samples of 6x6; expected 8x8" in said(good[:10] + b"\x06" + good[11:32])
    assert "no samples to train on" in said(good[:32])
    assert "not a file of weights" in said(good, "--compare", games)
    assert "nowhere.obf: no such file" in said(good, "--exclude", "nowhere.obf")
    assert "no unit; expected a power of two" in said(good, "--unit", 5)
    assert "--epochs" in said(good, "--epochs", 0)
    assert "a directory; expected a file to write to" in refused(
        capsys, "--data", games, "-o", tmp_path
    )
    assert "nowhere" in refused(capsys, "--data", games, "-o", tmp_path / "nowhere" / "file")
    assert "--data" in refused(capsys, "-o", output)
    assert not output.exists()


def test_an_engine_plays_by_a_network_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "even.bin"
    zeros: dict[str, Any] = {name: np.zeros(shape, np.int32) for name, shape in SHAPES.items()}
    file.write_bytes(_native.network_bytes(rule="reversed", **zeros))
    board = isrever.Board().play("f5")
    hints = isrever.Engine(weights=file).hints(board, depth=1)
    assert {hint.value for hint in hints} == {0}, "to this network all positions are even"
    assert {hint.value for hint in isrever.Engine().hints(board, depth=1)} != {0}


def test_numbers_that_are_none_or_too_large_are_refused() -> None:
    zeros: dict[str, Any] = {name: np.zeros(shape, np.int32) for name, shape in SHAPES.items()}
    assert _native.network_bytes(rule="normal", **zeros)[:8] == b"ISREVAL\x1a"
    for name, shape in list(SHAPES.items())[1:]:
        wrong: npt.NDArray[Any] = np.full(shape, np.nan)
        with pytest.raises(ValueError, match=f"an array of float64; expected {name} of"):
            _native.network_bytes(rule="normal", **{**zeros, name: wrong})
        with pytest.raises(ValueError, match=f"expected {name} of"):
            _native.network_bytes(rule="normal", **{**zeros, name: zeros[name][1:]})
        with pytest.raises(ValueError, match=f"{1 << 40} in an array; expected {name} of"):
            _native.network_bytes(rule="normal", **{**zeros, name: np.full(shape, 1 << 40)})
    with pytest.raises(ValueError, match="would overflow"):
        _native.network_bytes(rule="normal", **{**zeros, "rows": zeros["rows"] + 32})
    with pytest.raises(ValueError, match="two discs on one square of board 1"):
        _native.values("embedded", np.array([[1, 2], [3, 1]], np.uint64))
    with pytest.raises(ValueError, match="expected boards"):
        _native.values("embedded", np.zeros((3, 3), np.uint64))


# Samples as arrays.


def images(boards: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The eight images of boards of two bit sets: 8 × n × 2."""
    bits = boards[..., None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    squares = bits.reshape(*boards.shape, 8, 8)
    turned = [np.rot90(squares, k, (-2, -1)) for k in range(4)]
    every = np.stack([*turned, *(np.swapaxes(image, -2, -1) for image in turned)])
    places = np.uint64(1) << np.arange(64, dtype=np.uint64)
    total: npt.NDArray[np.uint64] = (every.reshape(8, *boards.shape, 64) * places).sum(-1)
    return total


def write_samples(
    path: Path, boards: npt.NDArray[np.uint64], *, flags: list[tuple[int, int]]
) -> None:
    """A file of samples as the guide describes it; `flags` are scores and flags."""
    records = b""
    for image, (score, flag) in zip(np.moveaxis(images(boards), 0, 1).tolist(), flags):
        records += struct.pack("<QQbB", *min(map(tuple, image)), score, flag)
    path.write_bytes(b"ISRDATA\x1a\x01".ljust(32, b"\0") + records)


def test_equal_boards_are_one_and_proofs_count_first(tmp_path: Path) -> None:
    path = tmp_path / "samples"
    boards = np.array([[1, 2], [1, 2], [4, 2], [4, 2], [8, 2], [1 << 63, 2], [16, 2]], np.uint64)
    boards[1] = images(boards[1])[5]
    flags = [(1, 0), (2, 0), (60, 0), (5, 1), (7, 2), (9, 0), (3, 0)]
    write_samples(path, boards, flags=flags)
    exam = tmp_path / "exam.txt"
    squares = ["-"] * 64
    squares[6 * 8], squares[3] = "O", "X"
    exam.write_text("".join(squares) + " X\n")
    training, held_out = _native.training_set([path, path])
    assert sorted(training.labels.tolist()) == [1.5, 3, 5, 9]
    assert held_out.labels.tolist() == [7]
    left, _ = _native.training_set([path], exclude=[exam])
    assert sorted(left.labels.tolist()) == [1.5, 3, 5, 9]
    squares = ["-"] * 64
    squares[4], squares[1] = "X", "O"
    exam.write_text("".join(squares) + " X\n")
    left, _ = _native.training_set([path], exclude=[exam])
    assert sorted(left.labels.tolist()) == [1.5, 5, 9]
    assert left.fingerprint != training.fingerprint
    assert training.features.shape == (4, 62) and training.features.dtype == np.uint32


# The arithmetic of the network, written out.


def random_boards(count: int) -> npt.NDArray[np.uint64]:
    random = np.random.default_rng(7)
    share = random.random((count, 1))
    draw = random.random((count, 64))
    places = np.uint64(1) << np.arange(64, dtype=np.uint64)
    own, other = draw < share / 2, (draw >= share / 2) & (draw < share)
    own[0], other[0], own[1], other[1] = True, False, False, False
    boards: npt.NDArray[np.uint64] = np.stack([own, other], 1) * places
    return np.unique(boards.sum(-1), axis=0)


def plain_values(
    network: dict[str, npt.NDArray[Any]], features: npt.NDArray[Any], phases: npt.NDArray[Any]
) -> npt.NDArray[np.int64]:
    network = {name: numbers.astype(np.int64) for name, numbers in network.items()}
    rows = np.asarray(features, np.int64)
    sums = network["rows"][rows[:, :58]].sum(1)
    sums += network["own_moves"][rows[:, 58] - ROWS]
    sums += network["opponent_moves"][rows[:, 59] - ROWS - 32]
    sums += network["odd_quadrants"][rows[:, 60] - ROWS - 64]
    clipped = np.clip(sums, 0, 511)
    squares = clipped * clipped >> 10
    values = network["biases"][phases] + (squares * network["outputs"][phases]).sum(1)
    clipped_values: npt.NDArray[np.int64] = np.clip(values >> 8, -64 * 256, 64 * 256)
    return clipped_values


def test_values_are_those_of_plain_arithmetic_on_all_images(tmp_path: Path) -> None:
    random = np.random.default_rng(8)
    bounds = [31, 300, 300, 300, 3000, 1 << 22]
    network: dict[str, Any] = {
        name: random.integers(-bound, bound, shape, endpoint=True)
        for (name, shape), bound in zip(SHAPES.items(), bounds)
    }
    file, samples = tmp_path / "network.bin", tmp_path / "samples"
    boards = random_boards(400)
    write_samples(samples, boards, flags=[(0, 0)] * len(boards))
    training, held_out = _native.training_set([samples])
    assert len(training) > 390 and len(held_out) == 0
    # The other rows take long to compress.
    used = np.isin(np.arange(ROWS), training.features)
    network["rows"] *= used[:, None]
    file.write_bytes(_native.network_bytes(rule="reversed", **network))
    discs = np.array([bin(own | other).count("1") for own, other in training.boards.tolist()])
    assert (training.phases == np.clip((discs - 4) // 2, 0, 29)).all()
    expected = plain_values(network, training.features, training.phases)
    assert len(np.unique(expected)) > 100
    for image in images(training.boards):
        assert (_native.values(file, np.ascontiguousarray(image)) == expected).all()
