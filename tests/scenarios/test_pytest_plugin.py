"""The plugin, in pytest runs of their own: scenarios are items with ids, and fail as people read it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCENARIOS = """\
game: arkham_ritual
scenarios:
  - name: it is dealt
    players: 5
    do: deal
    expect: {sanity: 7}
  - name: this is wrong
    players: 5
    do: deal
    expect: {sanity: 6}
  - name: it is dealt to three
    players: 3
    do: deal
    expect: {sanity: 7}
"""
TABLE = "[project]\nname = 'x'\n[tool.pytest.ini_options]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(TABLE, "utf-8")
    (tmp_path / "deal.scenario.yaml").write_text(SCENARIOS, "utf-8")
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n", "utf-8")
    return tmp_path


def pytest_in(folder: Path, *words: str) -> tuple[int, str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    loaded = [] if has_entry_point() else ["-p", "ritual_dsl.scenarios.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *loaded, *words]
    done = subprocess.run(command, cwd=folder, env=plain, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def has_entry_point() -> bool:
    """An editable install made before the plugin was there does not announce it."""
    from importlib.metadata import entry_points

    return any(entry.name == "ritual_dsl" for entry in entry_points(group="pytest11"))


def test_each_scenario_is_an_item(folder: Path) -> None:
    status, said = pytest_in(folder, "-v")
    assert status == 1 and "3 passed" in said and "1 failed" in said
    assert "deal.scenario.yaml::it is dealt PASSED" in said
    assert "    expected  6\n    but it is 7\n" in said
    assert "Traceback" not in said and "ScenarioFailed" not in said.split("short test summary")[0]


def test_one_can_be_picked(folder: Path) -> None:
    assert pytest_in(folder, "-k", "three")[1].count("1 passed, 3 deselected") == 1
    assert "1 passed" in pytest_in(folder, "deal.scenario.yaml::it is dealt")[1]


def test_the_first_failure_can_end_it(folder: Path) -> None:
    status, said = pytest_in(folder, "-x")
    assert status == 1 and "1 failed" in said and "to three" not in said


def test_on_several_processes(folder: Path) -> None:
    status, said = pytest_in(folder, "-n", "2")
    assert status == 1 and "1 failed, 3 passed" in said


def test_a_file_that_cannot_be_read(folder: Path) -> None:
    (folder / "bad.scenario.yaml").write_text("game: arkham_ritual\nscenarois: []\n", "utf-8")
    status, said = pytest_in(folder)
    assert status == 2 and "RIT120" in said and "Traceback" not in said
