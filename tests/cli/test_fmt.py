"""`ritual fmt` at the command line: what it writes, what it leaves alone, and what it says."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

import ritual_dsl
from ritual_dsl.cli import main
from ritual_dsl.diagnostics import Findings, RitualError
from ritual_dsl.loading.rewrite import rewrite

UGLY = "rule fails(p:seat):any of §7-1  # who\n    cursed:hand[ p ]is cursed\n"
GOOD = (
    "rule fails(p: seat): any of                                               §7-1  # who\n"
    "  cursed: hand[p] is cursed\n"
)
Captured = pytest.CaptureFixture[str]
BROKEN = "rule fails(p:seat):any off\n    cursed:hand[ p ]is cursed\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_is_formatted(capsys: Captured) -> None:
    Path("a.ritual").write_text(UGLY)
    Path("a.ritual").chmod(0o640)
    assert main(["fmt", "a.ritual"]) == 0
    assert Path("a.ritual").read_text() == GOOD
    assert Path("a.ritual").stat().st_mode & 0o777 == 0o640
    assert capsys.readouterr().out == "formatted a.ritual\n"
    assert main(["fmt", "a.ritual"]) == 0
    assert capsys.readouterr().out == ""
    assert os.listdir() == ["a.ritual"]


def test_check_and_diff_write_nothing(capsys: Captured) -> None:
    Path("a.ritual").write_text(UGLY)
    Path("b.ritual").write_text(GOOD)
    assert main(["fmt", "--check", "a.ritual", "b.ritual"]) == 1
    assert capsys.readouterr().out == "would format a.ritual\n"
    assert main(["fmt", "--check", "b.ritual"]) == 0
    assert main(["fmt", "--diff", "a.ritual"]) == 0
    shown = capsys.readouterr().out
    assert "-rule fails(p:seat):any of §7-1  # who\n" in shown and "\n+  cursed: hand[p] is cursed\n" in shown
    assert main(["fmt", "--diff", "--check", "a.ritual"]) == 1
    assert Path("a.ritual").read_text() == UGLY


def test_a_file_with_faults_is_left_alone(capsys: Captured) -> None:
    Path("a.ritual").write_text(BROKEN)
    Path("b.ritual").write_text(UGLY)
    Path("c.yaml").write_text("lantern:\n  rules: |\n    rule  x: truth\n      it:: 1\n  name: [")
    assert main(["fmt", "a.ritual", "b.ritual", "c.yaml"]) == 1
    said = capsys.readouterr().err
    assert "a.ritual:1:24: error[RIT206]" in said and "did you mean `of`?" in said
    assert "c.yaml" in said and "RIT110" in said
    assert Path("a.ritual").read_text() == BROKEN
    assert Path("b.ritual").read_text() == GOOD


def test_only_the_rules_of_yaml_change() -> None:
    head, tail = "lantern:   # stays\n  name: {en:  Lantern}\n  rules: |\n", "\n\n\nrope:\n    name: {en: Rope}"
    Path("cards.yaml").write_text(head + "        when  lit : nothing # so\n\n\n        when out: nothing" + tail)
    assert main(["fmt", "cards.yaml"]) == 0
    lit = "    when lit: nothing".ljust(74) + "# so"
    assert Path("cards.yaml").read_text() == head + lit + "\n\n    when out: nothing" + tail


def test_folders_are_searched(tmp_path: Path, capsys: Captured) -> None:
    for name in ("rules/a.ritual", "rules/deep/b.ritual", ".git/c.ritual", "outside/d.ritual"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(UGLY)
    Path("rules/foreign.yaml").write_text("x: &anchor 1\ny: *anchor\n")
    Path("rules/link.ritual").symlink_to(tmp_path / "outside/d.ritual")
    Path("rules/folder").symlink_to(tmp_path / "outside")
    assert main(["fmt", "rules", "rules/a.ritual"]) == 0
    assert capsys.readouterr().out == "formatted rules/a.ritual\nformatted rules/deep/b.ritual\n"
    assert Path("outside/d.ritual").read_text() == UGLY
    assert main(["fmt", "."]) == 0
    assert Path("outside/d.ritual").read_text() == GOOD
    assert Path(".git/c.ritual").read_text() == UGLY


def test_a_link_that_was_named_stays_a_link() -> None:
    Path("a.ritual").write_text(UGLY)
    Path("link.ritual").symlink_to("a.ritual")
    assert main(["fmt", "link.ritual"]) == 0
    assert Path("link.ritual").is_symlink()
    assert Path("a.ritual").read_text() == GOOD


@pytest.mark.parametrize(("given", "kept"), [(UGLY, GOOD), ("# only this", "# only this\n")])
def test_standard_input(given: str, kept: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def typed(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    typed(given)
    assert main(["fmt", "-"]) == 0
    assert capsys.readouterr().out == kept
    typed(given)
    assert main(["fmt", "-", "--check"]) == 1
    assert capsys.readouterr().out == ""
    typed(BROKEN)
    assert main(["fmt", "-"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and "<stdin>:1:24: error[RIT206]" in captured.err


def test_yaml_on_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    text = "lantern:\n  rules: |\n      when  lit :\n       nothing\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["fmt", "-"]) == 0
    assert capsys.readouterr().out == "lantern:\n  rules: |\n    when lit:\n      nothing\n"


@pytest.mark.parametrize(
    ("words", "code"), [(["nowhere.ritual"], "RIT101"), (["notes.txt"], "RIT144"), (["locked.ritual"], "RIT143")]
)
def test_what_cannot_be_done(words: list[str], code: str, capsys: Captured) -> None:
    Path("notes.txt").write_text(UGLY)
    Path("locked.ritual").write_text(UGLY)
    Path("locked.ritual").chmod(0o444)
    assert main(["fmt", *words]) == 2
    assert code in capsys.readouterr().err
    assert Path("locked.ritual").read_text() == UGLY
    assert sorted(os.listdir()) == ["locked.ritual", "notes.txt"]


def test_paths_and_standard_input_do_not_mix() -> None:
    assert main(["fmt", "-", "a.ritual"]) == 2
    assert main(["fmt"]) == 2


def test_a_write_that_fails_leaves_the_file(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    Path("a.ritual").write_text(UGLY)
    monkeypatch.setattr(Path, "replace", full)
    assert main(["fmt", "a.ritual"]) == 2
    assert "a.ritual cannot be written: No space left on device" in capsys.readouterr().err
    assert Path("a.ritual").read_text() == UGLY
    assert os.listdir() == ["a.ritual"]


def test_what_somebody_wrote_in_the_meantime_stays() -> None:
    Path("a.ritual").write_text("newer")
    found = Findings()
    assert not rewrite(Path("a.ritual"), UGLY, GOOD, found)
    assert [d.code for d in found] == ["RIT143"]
    assert Path("a.ritual").read_text() == "newer"
    assert os.listdir() == ["a.ritual"]


def test_the_same_from_python() -> None:
    assert ritual_dsl.fmt(UGLY) == GOOD
    with pytest.raises(RitualError, match="RIT206"):
        ritual_dsl.fmt(BROKEN)
