"""The tutorial of house rules, line by line: its files are written, its commands run, and their output is as it says.

A block tagged with the name of a file is that file (`more`: is added to it). In a `console` block, the lines behind
`$ …` must come in this order; `…` stands for whatever lies between. `console fails`: the command does not succeed.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
from pathlib import Path

import pytest

import ritual_dsl
from ritual_dsl.cli import main

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "house-rules.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(?P<tag>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
GALLERY = sorted((DOCS / "house-rules").glob("*.yaml"))


def output_of(words: list[str]) -> tuple[int, list[str]]:
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


def run_console(body: str, fails: bool) -> None:
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *expected = part.splitlines()
        program, *words = shlex.split(command)
        assert program == "ritual"
        status, actual = output_of(words)
        assert (status != 0) == fails, "\n".join(actual)
        follow(expected, actual)


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in GALLERY:
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    ran = 0
    for match in FENCE.finditer(PAGE):
        kind, *rest = match["tag"].split()
        if kind == "console":
            run_console(match["body"], "fails" in rest)
            ran += 1
        elif kind == "yaml":
            before = Path(rest[0]).read_text("utf-8") if "more" in rest else ""
            Path(rest[0]).write_text(before + match["body"], "utf-8")
        else:
            assert kind == "sh"
            swap, name = re.fullmatch(r"sed -i 's/(.*)' (\S+)\n", match["body"]).groups()  # type: ignore[union-attr]
            old, new, _ = swap.split("/")
            text = Path(name).read_text("utf-8")
            assert old in text
            Path(name).write_text(text.replace(old, new), "utf-8")
    assert ran >= 20


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_the_gallery(path: Path) -> None:
    """Valid without a warning, pinned, in all languages, with scenarios that pass; and the page tells of it."""
    assert not ritual_dsl.check(str(path))
    game = ritual_dsl.load(str(path))
    module = next(m for m in game.modules if m.layer == "house")
    assert set(module.name) == set(module.text) == set(game.languages)
    assert f"(house-rules/{path.name})" in PAGE and "base_version: 1.0\n" in path.read_text("utf-8")


def test_the_gallery_has_what_people_try() -> None:
    assert len(GALLERY) >= 8
    assert ritual_dsl.test([str(DOCS / "house-rules")]).passed >= len(GALLERY)
