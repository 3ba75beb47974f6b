"""The commands of the pages about odds and differences run, with the files the pages show."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ritual_dsl.cli import main

DOCS = Path(__file__).parent.parent.parent / "docs"
FENCE = re.compile(r"^```(?P<tag>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["odds.md", "diff.md"])
def test_commands_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = 0
    blocks = [(match["tag"].split(), match["body"]) for match in FENCE.finditer((DOCS / page).read_text("utf-8"))]
    for tag, body in blocks:
        if len(tag) == 2 and tag[1].endswith(".yaml"):
            Path(tag[1]).write_text(body, encoding="utf-8")
    for tag, body in blocks:
        for line in body.splitlines() if tag == ["sh"] else ():
            assert main(shlex.split(line)[1:]) == 0, line
            ran += 1
    assert ran >= 3
