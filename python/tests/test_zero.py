"""AlphaZero: games against itself, learning from them, and files that play, on the CPU."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import pytest

from isrever import _native
from isrever.zero import agree, checkpoint
from isrever.zero.__main__ import main
from isrever.zero.learning import begin, folded
from isrever.zero.network import Shape, fold, initial, learn, planes, play

SMALL = [
    *("--size", "4", "--games", "64", "--teams", "1", "--groups", "2", "--visits", "8"),
    *("--fast-visits", "4", "--batch", "64", "--reuse", "4", "--window", "5000"),
]


def boards(size: int, count: int = 64) -> npt.NDArray[np.uint64]:
    """Boards of games between players that know nothing."""
    games = _native.ZeroGames(
        size,
        "reversed",
        groups=1,
        teams=1,
        seed=5,
        visits=2,
        fast_visits=2,
        full_share=0.5,
        random_plies=6,
        solve_leaves_from=0,
        solve_games_from=0,
        score_weight=0.1,
    )
    words = np.zeros((games.group_len, 4), np.uint64)
    parts = []
    games.boards(0, words)
    while sum(len(part) for part in parts) < count:
        parts.append(words.copy())
        nothing = np.zeros((len(words), 64), np.float32)
        games.step(0, nothing, np.zeros((len(words), 2), np.float32), words)
    return np.concatenate(parts)[:count]


def test_planes_show_discs_moves_and_the_board() -> None:
    for size in (4, 6, 8):
        words = boards(size, 8)
        shown = np.asarray(planes(jnp.asarray(words.view(np.uint32)), size, jnp.float32))
        assert shown.shape == (8, size, size, 5)
        for row in range(size):
            for column in range(size):
                bits = words >> np.uint64(8 * row + column) & np.uint64(1)
                assert (shown[:, row, column, :4] == bits).all()
        assert (shown[..., 4] == 1).all()


def test_the_folded_network_says_what_the_trained_one_says() -> None:
    shape = Shape(6, 4, 16)
    parameters, _ = initial(shape, 3)
    # No block begins as nothing here, or folding it would show nothing.
    random = np.random.default_rng(1)
    parameters = {
        name: x + jnp.asarray(random.normal(0, 0.05, x.shape), jnp.float32)
        for name, x in parameters.items()
    }
    words = jnp.asarray(boards(6).view(np.uint32))
    said, seen = learn(shape, parameters, planes(words, 6, jnp.float32), jnp.float32)
    policy, values = play(shape, fold(parameters, seen), words, jnp.float32)
    results = jax.nn.softmax(said.results)
    assert np.abs(policy - said.policy).max() < 1e-3
    assert np.abs(values[:, 0] - (results[:, 0] - results[:, 2])).max() < 1e-3
    assert np.abs(values[:, 1] - said.score * 16).max() < 1e-2


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zero")
    assert main(["--dir", str(folder), *SMALL, "--generations", "2"]) == 0
    return folder


def log(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def test_a_run_keeps_games_samples_and_networks(run: Path) -> None:
    lines = log(run)
    assert [line["generation"] for line in lines] == [1, 2]
    for line in lines:
        name = f"{line['generation']:04}"
        assert line["games"] >= 64 and line["samples"] > 64
        assert all(np.isfinite(loss) for loss in line["losses"].values())
        moves = (run / f"games-{name}.moves").read_bytes()
        assert moves.count(255) == line["games"]
        with np.load(run / f"samples-{name}.npz") as samples:
            assert len(samples["scores"]) == line["samples"]
        assert (run / f"network-{name}.bin").stat().st_size > 1000


def test_the_processor_s_network_says_what_the_trained_one_says(run: Path) -> None:
    shape = Shape(4, 2, 16)
    state, generation = checkpoint.load(run / "checkpoint.npz", begin(shape, 1))
    words = boards(4, 200)
    wanted = play(shape, folded(state), jnp.asarray(words.view(np.uint32)), jnp.float32)
    file = (run / f"network-{generation:04}.bin").read_bytes()
    policy, values = _native.zero_evaluations(file, words)
    legal = words[:, 2:3] >> np.arange(64, dtype=np.uint64) & np.uint64(1) == 1
    assert np.abs(policy - wanted[0])[legal].max() < 0.1
    assert np.abs(values[:, 0] - wanted[1][:, 0]).max() < 0.05
    assert np.abs(values[:, 1] - wanted[1][:, 1]).max() < 0.5


def test_boards_have_eight_images() -> None:
    for size in (4, 6, 8):
        words = boards(size, 16)
        turned = agree.images(words, size)
        assert turned.shape == (8 * 16, 4) and (turned[:16] == words).all()

        def squares(words: npt.NDArray[np.uint64], size: int = size) -> npt.NDArray[np.bool_]:
            bits = words[:, :, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1) == 1
            return bits.reshape(len(words), 4, 8, 8)[:, :, :size, :size]

        own, table = squares(words).reshape(16, 4, -1), _native.symmetries(size)
        for board in range(16):
            wanted = {own[board][:, row[:-1]].tobytes() for row in table}
            assert {squares(turned[k : k + 1]).tobytes() for k in range(board, 128, 16)} == wanted


def test_a_network_agrees_with_itself_in_fewer_bits(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = ["--dir", str(run), "--positions", "60"]
    assert agree.main([*command, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    named = [(row["network"], row["games"]) for row in rows]
    assert named == [(n, g) for g in ("random", "its own") for n in ("8 bits", "bfloat16")]
    for row in rows:
        assert row["boards"] == 8 * 30 and 0 < row["policy_mean"] < row["policy_largest"]
    assert agree.main(command) == 0
    assert "generation 2 (4x4, 2 blocks, 16 channels), float32 on cpu" in capsys.readouterr().out
    monkeypatch.setitem(agree.TOLERANCES["8 bits", "random"], "value_mean", 0.0)
    assert agree.main(command) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "8 bits, random: value_mean is " in said, said
    (tmp_path / "network.bin").write_bytes(b"nonsense")
    for options in (["--dir", str(tmp_path)], [*command, "--network", str(tmp_path / "network.bin")]):
        with pytest.raises(SystemExit) as exit:
            agree.main(options)
        assert exit.value.code == 2
        said = capsys.readouterr().err
        assert "expected" in said and said.count("\n") == 1, said


def test_differences_are_those_of_legal_moves_alone() -> None:
    words = np.array([[0, 0, 0b101, 0]], np.uint64)
    logits = np.zeros((2, 1, 64), np.float32)
    logits[0, 0, :3], logits[1, 0, :3] = (np.log(3), 50, 0), (0, -50, np.log(3))
    values = np.array([[[0.5, 2.0]], [[0.25, 3.0]]], np.float32)
    found = agree.difference(words, (logits[0], values[0]), (logits[1], values[1]))
    assert (found.boards, found.same_move) == (1, 0)
    for name in ("policy_mean", "policy_largest", "regret_largest"):
        assert abs(getattr(found, name) - 0.5) < 1e-6
    assert (found.value_mean, found.score_largest) == (0.25, 1.0)


def test_a_run_goes_on_with_its_settings_or_with_new_ones(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (run / "network-0002.bin").read_bytes()
    settings = json.loads((run / "settings.json").read_text())
    assert main(["--dir", str(run), "--generations", "3"]) == 0
    assert [line["generation"] for line in log(run)][-1] == 3
    assert (run / "network-0002.bin").read_bytes() == before
    assert "going on after generation 2" in capsys.readouterr().err
    assert json.loads((run / "settings.json").read_text()) == settings
    assert main(["--dir", str(run), "--generations", "4", "--visits", "9"]) == 0
    assert json.loads((run / "settings.json").read_text()) == settings | {"visits": 9}
    assert [line["visits"] for line in log(run)] == [8, 8, 8, 9]
    capsys.readouterr()
    with pytest.raises(SystemExit) as exit:
        main(["--dir", str(run), "--channels", "32"])
    assert exit.value.code == 2
    said = capsys.readouterr().err
    assert "a run with channels 16; expected 32, or another directory" in said, said


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "isrever.zero", "--dir", str(tmp_path), *SMALL]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("generation 2"):
            process.kill()
            break
    assert process.wait() == -signal.SIGKILL
    process.stderr.close()
    done = log(tmp_path)[-1]["generation"]
    assert main(["--dir", str(tmp_path), *SMALL, "--generations", str(done + 1)]) == 0
    assert log(tmp_path)[-1]["generation"] == done + 1


def test_the_same_seed_gives_the_same_games(tmp_path: Path) -> None:
    games = []
    for name in ("one", "two"):
        folder = tmp_path / name
        assert main(["--dir", str(folder), *SMALL, "--generations", "1"]) == 0
        games.append((folder / "games-0001.moves").read_bytes())
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--channels", "20"], "--channels: 20; expected a multiple of 16"),
        (["--visits", "0"], "'0' is not such a number; expected 1 to 2000"),
        (["--full-share", "2"], "'2' is not such a number; expected 0 to 1"),
        (["--size", "4", "--random-plies", "20"], "expected at most 8"),
    ],
)
def test_wrong_options_are_refused_in_a_line(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit:
        main(["--dir", str(tmp_path / "run"), *options])
    assert exit.value.code == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1, said
    assert not (tmp_path / "run").exists(), "a run that cannot begin leaves nothing"


def test_damaged_files_are_refused_in_a_line(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("checkpoint.npz", "settings.json"):
        folder = tmp_path / name
        folder.mkdir()
        for file in ("checkpoint.npz", "settings.json"):
            (folder / file).write_bytes((run / file).read_bytes())
        (folder / name).write_bytes((run / name).read_bytes()[:100])
        with pytest.raises(SystemExit) as exit:
            main(["--dir", str(folder), *SMALL, "--generations", "4"])
        assert exit.value.code == 2
        said = capsys.readouterr().err
        assert name in said and "expected" in said and said.count("\n") == 1, said


def test_games_take_no_nonsense() -> None:
    games = _native.ZeroGames(
        4,
        "reversed",
        groups=1,
        teams=1,
        seed=1,
        visits=4,
        fast_visits=2,
        full_share=0.5,
        random_plies=2,
        solve_leaves_from=0,
        solve_games_from=0,
        score_weight=0.1,
    )
    count = games.group_len
    policy, values = np.zeros((count, 64), np.float32), np.zeros((count, 2), np.float32)
    words = np.zeros((count, 4), np.uint64)
    with pytest.raises(ValueError, match="group 1; expected 0 to 0"):
        games.step(1, policy, values, words)
    with pytest.raises(ValueError, match="policy has shape"):
        games.step(0, policy[:3], values, words)
    with pytest.raises(ValueError, match="out has shape"):
        games.step(0, policy, values, words[:3])
    values[5] = np.nan
    with pytest.raises(ValueError, match="infinity or NaN"):
        games.step(0, policy, values, words)
    with pytest.raises(ValueError, match="out has shape"):
        games.boards(0, np.zeros((3, 4), np.uint64))
    with pytest.raises(ValueError, match="truncated|not a|cut short|network"):
        _native.zero_evaluations(b"nonsense", np.zeros((1, 4), np.uint64))
