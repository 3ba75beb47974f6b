"""A game as of a revision: read from git's objects, with no file of the checkout changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import ritual_dsl
from ritual_dsl import load
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.loading.files import shipped_folder

GAME = """language: 1
id: tiny
version: {version}
name: {{en: Tiny}}
languages: [en]
main: game
"""
RULES = """enum Color: red, blue
card has color: Color
players: 2..4
zone deck: a pile, face down, starts with all cards
counter points: per player, 0..9, starts at {starts}
procedure game:
  shuffle deck
"""


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", str(folder), *identity, *words], capture_output=True, text=True, check=True)
    return done.stdout


def write_game(folder: Path, version: int) -> None:
    (folder / "cards").mkdir(parents=True, exist_ok=True)
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(GAME.format(version=version))
    (folder / "rules.ritual").write_text(RULES.format(starts=version))
    (folder / "cards" / "cards.yaml").write_text("coin:\n  name: {en: One}\n  text: {en: One.}\n  color: red\n")
    scenario = f"game: tiny\nscenarios:\n- {{name: x, players: 2, do: game, expect: {{points: {version}}}}}\n"
    (folder / "scenarios" / "own.scenario.yaml").write_text(scenario)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Two commits of a game and of an overlay; the files on disk are newer than both."""
    root = tmp_path / "repo"
    for version in (1, 2, 3):
        write_game(root / "tiny", version)
        house = f"extends: ./tiny\nid: house\nbase_version: {version}\nrules: |\n  replace points.max: {version + 3}\n"
        (root / "house.yaml").write_text(house)
        if version == 1:
            git(tmp_path, "init", "-q", "-b", "main", "repo")
        if version < 3:
            git(root, "add", ".")
            git(root, "commit", "-q", "-m", str(version))
    return root


def starts(reference: str) -> int:
    return load(reference).counters["points"].starts


def test_revisions_of_a_folder(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    before = git(checkout, "status", "--porcelain"), sorted(p.name for p in checkout.rglob("*"))
    revisions = ("", "@HEAD", "@main", "@HEAD~1", "@main^", f"@{git(checkout, 'rev-parse', 'HEAD~1').strip()[:9]}")
    assert [starts(f"./tiny{revision}") for revision in revisions] == [3, 2, 2, 1, 1, 1]
    assert (git(checkout, "status", "--porcelain"), sorted(p.name for p in checkout.rglob("*"))) == before


def test_an_overlay_takes_its_base_along(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    for reference, most, start in (("./house.yaml@HEAD~1", 4, 1), ("./tiny@HEAD+./house.yaml@HEAD", 5, 2)):
        points = load(reference).counters["points"]
        assert (points.high, points.starts) == (most, start)
    with pytest.raises(RitualError, match="RIT136"):
        load("./tiny@HEAD~1+./house.yaml")


def test_scenarios_of_a_revision(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They speak of the game by its id, and mean the one they lie in."""
    monkeypatch.chdir(checkout)
    for reference in ("./tiny", "./tiny@HEAD", "./tiny@HEAD~1"):
        report = ritual_dsl.test([reference])
        assert (report.passed, report.failed) == (1, 0), report.text()


def test_places_name_the_revision(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    assert str(load("./tiny@HEAD~1").counters["points"].span) == "tiny/rules.ritual@HEAD~1:5:1"


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("./tiny@nowhere", "no revision `nowhere`"),
        ("./tiny@", "not a revision"),
        ("./tiny@--help", "not a revision"),
        ("./tiny@HEAD:tiny", "not a revision"),
        ("./tiny@HEAD~1..HEAD", "not a revision"),
        ("./tiny@$(touch x)", "not a revision"),
        ("./tiny@HEAD~9", "no revision `HEAD~9`"),
        ("./gone@HEAD", "./gone is not in revision `HEAD`"),
        ("./../outside@HEAD", "is not in a git checkout"),
    ],
)
def test_what_has_no_revision(checkout: Path, reference: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(checkout.parent.parent))
    found = ritual_dsl.check(reference)
    assert [d.code for d in found] == ["RIT131"]
    assert words in found[0].message
    assert not (checkout / "x").exists()


def test_without_git(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    monkeypatch.setenv("PATH", "")
    assert "the program git" in ritual_dsl.check("./tiny@HEAD")[0].message


def test_a_folder_with_an_at_sign(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    write_game(checkout / "me@home", 7)
    assert starts("./me@home") == 7
    git(checkout, "add", ".")
    git(checkout, "commit", "-q", "-m", "three")
    write_game(checkout / "me@home", 8)
    assert starts("./me@home@HEAD") == 7


def test_a_shipped_game_in_its_checkout() -> None:
    if not (shipped_folder().parent / ".git").exists():
        pytest.skip("not a checkout")
    assert load("arkham_ritual@HEAD").id == "arkham_ritual"
