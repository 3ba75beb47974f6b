"""Bad input as a stranger would bring it: each case gets its message, and none a traceback.

A case is a folder of `tests/bad/`; `expected.txt` beside its file holds exit status and output.
`RITUAL_UPDATE=1` writes them anew, for a reviewer to read.
"""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path

import pytest

from ritual_dsl.cli import main

BAD = Path(__file__).parent / "bad"
CASES = sorted(path.name for path in BAD.iterdir() if path.is_dir())


def output_of(words: list[str]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(words)
    return f"exit {status}\n{out.getvalue()}"


def command_for(folder: Path) -> list[str]:
    scenario = next(iter(sorted(folder.glob("*.scenario.yaml"))), None)
    return ["test", f"./{scenario.name}"] if scenario else ["check", "./house.yaml"]


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD / case)
    before = sorted(p.name for p in (BAD / case).iterdir())
    actual = output_of(command_for(BAD / case)).replace(str(BAD.parent.parent), "…")
    golden = BAD / case / "expected.txt"
    if os.environ.get("RITUAL_UPDATE"):
        golden.write_text(actual, encoding="utf-8")
    assert actual.startswith(("exit 1\n", "exit 2\n")), actual
    assert "Traceback" not in actual and "internal fault" not in actual
    assert actual == golden.read_text(encoding="utf-8")
    assert os.environ.get("RITUAL_UPDATE") or sorted(p.name for p in (BAD / case).iterdir()) == before


def test_ten_megabytes_of_nesting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("house.yaml").write_text("[" * 10_000_000)
    assert "RIT102" in output_of(["check", "./house.yaml"])
    Path("house.yaml").write_text("[" * 1_000_000)
    assert "RIT112" in output_of(["check", "./house.yaml"])
    head = "extends: arkham_ritual\nid: deep\nrules: |\n"
    Path("house.yaml").write_text(head + "  rule odd: truth\n    it: " + "(" * 500_000)
    assert "RIT205" in output_of(["check", "./house.yaml"])
    Path("house.yaml").write_text(head + "".join(f"  {' ' * i}when it:\n" for i in range(900)))
    assert "RIT205" in output_of(["check", "./house.yaml"])


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["check", "./nowhere.yaml"], 2),
        (["check", "."], 2),
        (["check", "arkam_ritual"], 2),
        (["check", "arkham_ritual+hastr"], 2),
        (["check", "arkham_ritual+doom_max=9"], 2),
        (["test", "nowhere.scenario.yaml"], 2),
        (["why", "nowhere.scenario.yaml"], 2),
        (["explain", "RIT999"], 2),
        (["render", "nowhere"], 2),
        (["render", "arkham_ritual", "--out", "/dev/null"], 2),
        (["play"], 2),
        (["play", "arkham_ritual", "--players", "2"], 2),
        (["play", "arkham_ritual", "--seat", "Z"], 2),
        (["play", "arkham_ritual", "--seed", "-1"], 2),
        (["play", "arkham_ritual", "--save-as", "x.yaml"], 2),
        (["play", "--resume", "nope"], 2),
        (["why", str(BAD / "endless_loop" / "loop.scenario.yaml"), "no such name"], 2),
        (["chek"], 2),
        (["check", "--nonsense"], 2),
    ],
)
def test_what_cannot_run(words: list[str], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    actual = output_of(words)
    assert actual.startswith(f"exit {status}\n"), actual
    assert "Traceback" not in actual and "internal fault" not in actual
    assert not list(tmp_path.iterdir())
