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
from pathlib import Path

from ritual_dsl.cli import main

FENCE = re.compile(r"^```(?P<tag>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
REPLACEMENT = re.compile(r"sed -i 's/(?P<old>[^/]*)/(?P<new>[^/]*)/' (?P<file>\S+)")


def follow_page(text: str) -> int:
    """Do what a page says in the folder where we are; how many commands ran."""
    ran = 0
    for match in FENCE.finditer(text):
        kind, *rest = match["tag"].split() or [""]
        if kind == "console":
            ran += run_console(match["body"], "fails" in rest)
        elif kind == "sh":
            ran += run_lines(match["body"])
        elif rest and "." in rest[0]:
            before = Path(rest[0]).read_text("utf-8") if "more" in rest else ""
            Path(rest[0]).write_text(before + match["body"], "utf-8")
    return ran


def run_console(body: str, fails: bool) -> int:
    parts = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    for part in parts:
        command, *expected = part.splitlines()
        status, actual = output_of(command)
        assert (status != 0) == fails, "\n".join(actual)
        follow(expected, actual)
    return len(parts)


def run_lines(body: str) -> int:
    ran = 0
    for line in body.splitlines():
        swap = REPLACEMENT.fullmatch(line)
        if swap is not None:
            text = Path(swap["file"]).read_text("utf-8")
            assert swap["old"] in text, line
            Path(swap["file"]).write_text(text.replace(swap["old"], swap["new"]), "utf-8")
        else:
            status, actual = output_of(line)
            assert status == 0, "\n".join([line, *actual])
            ran += 1
    return ran


def output_of(command: str) -> tuple[int, list[str]]:
    program, *words = shlex.split(command, comments=True)
    assert program == "ritual", command
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(words)
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
