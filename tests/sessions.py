"""A page of the documentation, followed line by line: its files are written, its commands run, their output compared.

A block tagged with the name of a file is that file (`more`: is added to it). In a `console` block, the lines behind
`$ …` must come in this order; `…` stands for whatever lies between. `console fails`: the command does not succeed.
In an `sh` block every line is a command that succeeds, or a replacement in a file of the page.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from ritual_dsl.cli import main

FENCE = re.compile(r"^```(?P<tag>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
REPLACEMENT = re.compile(r"sed -i 's/(?P<old>[^/]*)/(?P<new>[^/]*)/' (?P<file>\S+)")
ROOT = Path(__file__).parent.parent

# What is read but not done, and why.
UNRUN = {
    "python3 -m venv": ".ci/run sets up a copy of the checkout with these commands",
    "python tests/bench/": "benchmarks are run by hand",
    "python tests/compiler/differential.py": "it takes an hour; tests/compiler/test_compiler.py plays fewer games",
    "dask ": "tests/simulation/ starts a cluster of its own",
    "ritual simulate arkham_ritual --games 100000000 --on": "tests/simulation/ starts a cluster of its own",
    "pytest ": "tests/scenarios/test_pytest_plugin.py collects scenarios",
    "python tests/fuzz/fuzz.py": "it takes half an hour; tests/fuzz/test_fuzz.py tries fewer inputs",
    "ritual render ./house.yaml --watch": "it does not end; tests/sheets/test_watch.py watches",
}

# The same with less to do; what typesets in full is tested with the sheets.
LESS = {
    "--games 10000": "--games 20",
    "--players 3-5 --plot": "--players 3 --games 20 --plot",
    "--until 0.2%": "--until 40%",
    "ritual render arkham_ritual --format pdf": "ritual render arkham_ritual --sheet aid --format html",
    "--format pdf --lang en+ja": "--format html --lang en+ja",
    "--sheet aid --format pdf": "--sheet aid --format html",
    "--format pdf --changed-from": "--format html --changed-from",
    "ritual test --format junit": "ritual test ./my_game --format junit",
}


@dataclass(frozen=True)
class Block:
    """A fenced block: its tag in words, what it holds, and where it stands."""

    words: tuple[str, ...]
    body: str
    line: int

    @property
    def kind(self) -> str:
        return " ".join(word for word in self.words if "." not in word and word not in ("more", "fails"))

    @property
    def file(self) -> str | None:
        return next((word for word in self.words if "." in word), None)


def blocks_of(text: str) -> Iterator[Block]:
    for match in FENCE.finditer(text):
        yield Block(tuple(match["tag"].split()), match["body"], text.count("\n", 0, match.start()) + 1)


def follow_page(text: str) -> None:
    """Do what a page says in the folder where we are."""
    for block in blocks_of(text):
        if block.file is not None:
            path = Path(block.file)
            path.parent.mkdir(parents=True, exist_ok=True)
            before = path.read_text("utf-8") if "more" in block.words else ""
            path.write_text(before + block.body, "utf-8")
        elif block.kind == "console":
            run_console(block.body, "fails" in block.words)
        elif block.kind == "sh":
            run_lines(block.body)


def run_console(body: str, fails: bool) -> None:
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *expected = part.splitlines()
        status, actual = output_of(command)
        assert (status != 0) == fails, "\n".join(actual)
        follow(expected, actual)


def run_lines(body: str) -> None:
    for line in body.splitlines():
        swap = REPLACEMENT.fullmatch(line)
        if swap is not None:
            text = Path(swap["file"]).read_text("utf-8")
            assert swap["old"] in text, line
            Path(swap["file"]).write_text(text.replace(swap["old"], swap["new"]), "utf-8")
        elif not any(line.startswith(start) for start in UNRUN):
            status, actual = output_of(line)
            assert status == 0, "\n".join([line, *actual])


def output_of(command: str) -> tuple[int, list[str]]:
    for much, less in LESS.items():
        command = command.replace(much, less)
    words = shlex.split(command, comments=True)
    given = words[words.index("<") + 1] if "<" in words else None
    to = words[words.index(">") + 1] if ">" in words else None
    program, *rest = [word for word in words if word not in ("<", ">", given, to)]
    assert program == "ritual", command
    out, typed = io.StringIO(), io.TextIOWrapper(io.BytesIO(Path(given).read_bytes() if given else b""), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), mock.patch("sys.stdin", typed):
        status = main(rest)
    if to is not None:
        Path(to).write_text(out.getvalue(), "utf-8")
    return status, out.getvalue().splitlines()


def follow(expected: list[str], actual: list[str]) -> None:
    """Every line in its place: right behind the one before, unless `…` stands between."""
    at, gap = 0, False
    for line in expected:
        if line.strip() == "…":
            gap = True
            continue
        pattern = re.compile(".*".join(map(re.escape, line.rstrip().split("…"))))
        places = [i for i in range(at, len(actual)) if pattern.fullmatch(actual[i].rstrip())]
        assert places, f"not in the output: {line}\n" + "\n".join(actual)
        assert gap or places[0] == at, f"not at once: {line}\n" + "\n".join(actual)
        at, gap = places[0] + 1, False
