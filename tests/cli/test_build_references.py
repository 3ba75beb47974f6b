"""What `ritual build` takes: games with scenarios, without, and house rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ritual_dsl.cli import main
from ritual_dsl.sheets import building

MY_GAME = Path(__file__).parent.parent / "diagnostics" / "my_game"
HOUSE = "extends: ./my_game\nid: loud\nname: {en: Loud, ja: 騒}\nrules: |\n  replace health.starts: 5\n"
SCENARIO = "scenarios:\n  - {name: five, players: 2, do: deal, expect: {health: 5}}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(MY_GAME, tmp_path / "my_game")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(building, "sheets_of", lambda *args: {})  # what is rendered is tested with the sheets


def test_a_game_without_scenarios(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "./my_game"]) == 0
    assert "test: there are no scenarios" in capsys.readouterr().out


def test_a_house_rule(capsys: pytest.CaptureFixture[str]) -> None:
    Path("house.yaml").write_text(HOUSE, encoding="utf-8")
    assert main(["build", "./house.yaml"]) == 0
    assert "test: there are no scenarios" in capsys.readouterr().out
    Path("house.yaml").write_text(HOUSE + SCENARIO, encoding="utf-8")
    assert main(["build", "./my_game+./house.yaml"]) == 0
    assert "test: 1 scenario passed" in capsys.readouterr().out
    Path("house.yaml").write_text(HOUSE + SCENARIO.replace("health: 5", "health: 4"), encoding="utf-8")
    assert main(["build", "./house.yaml"]) == 1
    assert "test: 1 failed" in capsys.readouterr().out
