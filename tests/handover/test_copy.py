"""A copy of a game is a game: it checks, its scenarios pass, and edits count."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import ritual_dsl
from ritual_dsl.cli import main
from ritual_dsl.loading.files import shipped_folder


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copies") / "mine"
    assert main(["copy", "arkham_ritual", str(folder)]) == 0
    return folder


def test_the_copy_is_whole(copied: Path) -> None:
    assert not [d for d in ritual_dsl.check(str(copied)) if d.is_error]
    original = ritual_dsl.load("arkham_ritual")
    copy = ritual_dsl.load(str(copied))
    assert (copy.cards, copy.rules, copy.deck) == (original.cards, original.rules, original.deck)
    names = {path.name for path in (shipped_folder() / "arkham_ritual").rglob("*") if path.is_file()}
    assert names <= {path.name for path in copied.rglob("*")}


def test_its_scenarios_are_about_the_copy(copied: Path, tmp_path: Path) -> None:
    assert main(["copy", str(copied), str(tmp_path / "again")]) == 0
    report = ritual_dsl.test([str(tmp_path / "again")])
    assert report.failed == 0 and report.passed > 400
    scoring = tmp_path / "again" / "scoring.ritual"
    scoring.write_text(scoring.read_text("utf-8").replace("count: failures", "count: failures + 1"), "utf-8")
    assert ritual_dsl.test([str(tmp_path / "again" / "scenarios" / "score.scenario.yaml")]).failed > 0


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    assert main(["copy", "arkham_ritual", str(folder)]) == 2
    assert "RIT632" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["mine", "notes.txt"]
    (folder / "notes.txt").unlink()
    assert main(["copy", "arkham_ritual", str(folder)]) == 0
    assert (folder / "game.yaml").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("reference", "code"),
    [("arkham_ritual+hastur", "RIT633"), ("./house.yaml", "RIT633"), ("arkam_ritual", "RIT134"), ("./no", "RIT101")],
)
def test_what_cannot_be_copied(
    reference: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("house.yaml").write_text("extends: arkham_ritual\nid: house\n")
    assert main(["copy", reference, "mine"]) == 2
    assert code in capsys.readouterr().err
    assert not Path("mine").exists()


def test_a_copy_as_of_a_revision(copied: Path, tmp_path: Path) -> None:
    root = tmp_path / "repo"
    assert main(["copy", str(copied), str(root / "game")]) == 0
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (root / "game" / "scoring.ritual").write_text("broken")
    assert main(["copy", f"{root}/game@HEAD", str(tmp_path / "old")]) == 0
    assert ritual_dsl.load(str(tmp_path / "old")).rules.keys() == ritual_dsl.load(str(copied)).rules.keys()
