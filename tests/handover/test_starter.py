"""`ritual new`: a folder on which everything passes at once, for every game there is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml

import ritual_dsl
from ritual_dsl.cli import main
from ritual_dsl.handover.schema import schema_of
from ritual_dsl.loading.reference import shipped_games

MY_GAME = Path(__file__).parent.parent / "diagnostics" / "my_game"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return tmp_path


@pytest.mark.parametrize("game", [*shipped_games(), "./my_game"])
def test_all_passes_at_once(game: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(MY_GAME, here / "my_game")
    assert main(["new", "ours", "--extends", game]) == 0
    monkeypatch.chdir(here / "ours")
    own = {str(path) for path in Path().rglob("*")}
    assert not [d for d in ritual_dsl.check("./house.yaml") if d.span is None or d.span.path in own]
    assert main(["check", "."]) == 0
    assert main(["test", ".", "--coverage", "--fail-under", "100"]) == 0
    assert main(["fmt", "--check", "."]) == 0


def test_the_scenario_notices_the_house_rule(here: Path) -> None:
    """It would fail on the game below."""
    main(["new", "ours", "--extends", "arkham_ritual"])
    scenario = here / "ours" / "house.scenario.yaml"
    scenario.write_text(scenario.read_text("utf-8").replace("game: ./house.yaml", "game: arkham_ritual"), "utf-8")
    assert main(["test", str(scenario)]) == 1


def test_nothing_is_overwritten(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "ours").mkdir()
    (here / "ours" / "notes.txt").write_text("mine", "utf-8")
    assert main(["new", "ours", "--extends", "arkham_ritual"]) == 2
    assert "RIT632" in capsys.readouterr().err
    assert [path.name for path in (here / "ours").iterdir()] == ["notes.txt"]


def test_odd_names_and_unknown_games(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "2026 — Ünser Tisch!", "--extends", "arkham_ritual"]) == 0
    assert main(["check", "--strict", "2026 — Ünser Tisch!/house.yaml"]) == 0
    assert main(["new", "other", "--extends", "arkam_ritual"]) == 2
    assert "did you mean `arkham_ritual`" in capsys.readouterr().err
    assert not (here / "other").exists()


def test_a_game_in_a_folder_is_named_from_there(here: Path) -> None:
    shutil.copytree(MY_GAME, here / "my_game")
    assert main(["new", "deep/ours", "--extends", "./my_game"]) == 0
    assert 'extends: "../../my_game"\n' in (here / "deep" / "ours" / "house.yaml").read_text("utf-8")


def test_the_workflow_needs_no_rights(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs on `pull_request`, reads only, uploads nothing, and its commands are ones that pass."""
    main(["new", "ours", "--extends", "arkham_ritual"])
    monkeypatch.chdir(here / "ours")
    workflow = yaml.safe_load(Path(".github/workflows/ritual.yml").read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request" in workflow[True] and "pull_request_target" not in workflow[True]  # YAML 1.1 reads `on`
    steps = workflow["jobs"]["rules"]["steps"]
    assert not [step for step in steps if "upload" in step.get("uses", "")]
    assert "secrets" not in json.dumps(workflow)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(here / "ours"))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    commands = [step["run"].split() for step in steps if step.get("run", "").startswith("ritual ")]
    assert [words[1] for words in commands] == ["check", "test", "fmt"]
    for words in commands:
        assert main(words[1:]) == 0
    assert "### ritual check" in (here / "summary.md").read_text("utf-8")


def test_a_wrong_line_shows_in_the_pull_request(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["new", "ours", "--extends", "arkham_ritual"])
    monkeypatch.chdir(here / "ours")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(here / "ours"))
    house = Path("house.yaml")
    house.write_text(house.read_text("utf-8").replace("sanity.starts", "sanety.starts"), "utf-8")
    capsys.readouterr()
    assert main(["check", "--strict", "--format", "github", "."]) == 1
    assert "file=house.yaml,line=7" in capsys.readouterr().out


def test_editors_find_the_schemas(here: Path) -> None:
    main(["new", "ours", "--extends", "arkham_ritual"])
    for name, kind in (("house.yaml", "overlay"), ("house.scenario.yaml", "scenario")):
        first = (here / "ours" / name).read_text("utf-8").splitlines()[0]
        path = first.removeprefix("# yaml-language-server: $schema=")
        assert json.loads((here / "ours" / path).read_text("utf-8")) == schema_of(kind)
