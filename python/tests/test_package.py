"""The package as a whole: its types, its documents, its examples."""

import ast
import importlib.metadata
import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import test_book

import isrever
import isrever.arena
import isrever.course
import isrever.gym
import isrever.train
import isrever.zoo

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("[0-9]*.py"))

#: Stand-ins for PyTorch and Stable-Baselines3: gigabytes that no test should fetch.
STANDINS = str(Path(__file__).parent / "standins")


def test_it_is_the_installed_package_that_is_tested() -> None:
    assert isrever.__version__ == importlib.metadata.version("isrever")
    assert "site-packages" in (isrever.__file__ or "")
    wheel = importlib.metadata.distribution("isrever").read_text("WHEEL") or ""
    assert "cp310-abi3" in wheel


def test_one_import_is_enough() -> None:
    program = "import isrever; print(isrever.arena.check, isrever.course.AI)"
    assert subprocess.run([sys.executable, "-P", "-c", program]).returncode == 0


def test_everything_that_is_given_out_is_documented() -> None:
    for module in (isrever, isrever.arena, isrever.course, isrever.gym, isrever.train, isrever.zoo):
        assert module.__doc__
    for name in isrever.__all__:
        thing = getattr(isrever, name)
        if callable(thing):
            assert thing.__doc__, name
            for member, value in inspect.getmembers(thing):
                if not member.startswith("_") and inspect.isroutine(value):
                    assert value.__doc__, f"{name}.{member}"


def test_editors_are_told_what_the_module_says() -> None:
    stub = ast.parse(Path(isrever.__file__ or "").with_name("_native.pyi").read_text())
    told = 0
    for node in stub.body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        thing = getattr(isrever._native, node.name)
        members = node.body if isinstance(node, ast.ClassDef) else []
        public = [
            (member, getattr(thing, member.name))
            for member in members
            if isinstance(member, ast.FunctionDef) and not member.name.startswith("_")
        ]
        for part, real in [(node, thing), *public]:
            words = inspect.cleandoc(real.__doc__ or "")
            assert (ast.get_docstring(part) or "") == words, f"{node.name}, {part.name}"
            told += bool(words)
    assert told > 100


def run(*arguments: str, cwd: Path) -> str:
    environment = {
        **os.environ,
        "MYPY_CACHE_DIR": os.devnull,
        "MYPYPATH": STANDINS,
        "PYTHONPATH": STANDINS,
    }
    done = subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_types_are_those_of_the_module(tmp_path: Path) -> None:
    run("-m", "mypy.stubtest", "isrever._native", cwd=tmp_path)


def test_package_and_examples_are_well_typed(tmp_path: Path) -> None:
    run("-m", "mypy", "--strict", "-p", "isrever", cwd=tmp_path)
    scripts = [*EXAMPLES, *Path(__file__).parents[1].glob("*.py")]
    run("-m", "mypy", "--strict", "--scripts-are-modules", *map(str, scripts), cwd=tmp_path)


def test_the_public_types_are_complete(tmp_path: Path) -> None:
    folders = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    environment = {
        **os.environ,
        # It looks for the package by the first Python on the path, and asks nobody for a newer one.
        "PATH": os.pathsep.join(folders),
        "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",
    }
    command = ["-m", "pyright", "--verifytypes", "isrever", "--ignoreexternal", "--outputjson"]
    done = subprocess.run(
        [sys.executable, "-P", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
    )
    report = json.loads(done.stdout)["typeCompleteness"]
    unknown = [
        symbol["name"]
        for symbol in report["symbols"]
        if symbol["isExported"] and not symbol["isTypeKnown"]
    ]
    # Their base classes: Stable-Baselines3 is not installed here, and PettingZoo has no types.
    assert unknown == ["isrever.sb3.ReversiVecEnv", "isrever.zoo.raw_env"], done.stdout
    assert report["completenessScore"] >= 0.99


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_run(example: Path, tmp_path: Path) -> None:
    output = run(str(example), "--quick", cwd=tmp_path)
    assert output.strip()


def test_the_example_that_needs_pytorch_says_so(tmp_path: Path) -> None:
    example = next(path for path in EXAMPLES if path.stem == "6_train_with_ppo")
    program = f"import runpy, sys; sys.modules['torch'] = None; runpy.run_path({str(example)!r})"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1 and not done.stdout
    assert re.fullmatch(r'.*torch.*; expected PyTorch and `pip install "\.\[sb3\]"`\n', done.stderr)


DOCUMENTS = [Path(__file__).parents[2] / name for name in ("README.md", "docs/guide/python.md")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_what_the_documents_show_runs(document: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", document.read_text(), re.DOTALL)
    assert blocks
    example = Path(__file__).parents[1] / "examples" / "my_ai.py"
    (tmp_path / "my_ai.py").write_text(example.read_text())
    (tmp_path / "my.book").write_bytes(test_book.written(test_book.records(8)))
    for block in blocks:
        run("-c", block, cwd=tmp_path)
